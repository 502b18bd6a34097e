#!/bin/sh
# SPDX-License-Identifier: MIT
# A worker that is taken for hanging before it has come to what is new loses nothing: the same deliveries and states as
# one that nobody disturbs.
. "$SOURCE/tests/programs/verdict.shlib"

if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
compile_once "$SOURCE/tests/engine/slow_start.c"

# search NAME OPTIONS...
search() {
    name=$1
    shift
    rm -f runs
    "$verdict_binary" explore --shared-files --reduction none --undo off --json --no-times "$@" >"$name.json" 2>"$name.err" </dev/null
}

for states in none exact; do
    search disturbed --states $states --hang-limit 20
    search alone --states $states --hang-limit 60000
    verdict_count=$((verdict_count + 1))
    cmp -s disturbed.json alone.json || disagree "--states $states" "$(diff disturbed.json alone.json)"
done
verdict_end
