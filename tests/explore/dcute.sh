#!/bin/sh
# SPDX-License-Identifier: MIT
# What --reduction dcute finds after failures, compared with plain enumeration.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"

program=$SOURCE/tests/explore/dcute.c
compile_once "$program"
for name in both_fail guard_fails guard_fails_at_the_younger guard_crashes guard_crashes_at_the_younger; do
    explore_json plain --keep-going --census --test $name "$verdict_binary"
    [ "$(grep -c '"kind":' plain.json)" -eq 2 ] || disagree "$name: not two findings" "$(cat plain.json)"
    for order in low high created; do
        verdict_count=$((verdict_count + 1))
        explore_json reduced --keep-going --census --reduction dcute --order $order --test $name "$verdict_binary"
        judge_reduction "$name --order $order" reduced plain
    done
done
verdict_end
