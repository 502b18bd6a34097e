#!/bin/sh
# SPDX-License-Identifier: MIT
# The fingerprint of a large memory is renewed piece by piece: states are the same with undo and without, and --undo verify
# compares each fingerprint with the one that is computed from nothing.
if [ -n "${SANITIZE:-}" ]; then
    echo "states are not compared where malloc is a sanitizer's"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
compile_once "$SOURCE/tests/explore/pieces.c"

# states OPTIONS...: executions, deliveries and states of each test.
states() {
    "$REHEARSE" explore --states exact --reduction none --keep-going --max-executions 0 --no-shrink --json "$@" \
        "$verdict_binary" >states.json 2>states.err
    awk -F '"' '$2 == "executions" || $2 == "deliveries" || $2 == "states" || $2 == "kind" { print $2 $3 $4 }' states.json
}

states >with.txt
for undo in verify off; do
    verdict_count=$((verdict_count + 1))
    states --undo $undo >without.txt
    cmp -s with.txt without.txt || disagree "--undo $undo" "$(diff with.txt without.txt)" "$(cat states.err)"
done
# Four messages of four senders that change one byte each: a state for each subset, and a delivery for each that adds one.
states --test touched >touched.txt
grep -q '^states: 16,' touched.txt && grep -q '^deliveries: 32,' touched.txt || disagree touched "$(cat touched.txt)"
verdict_end
