#!/bin/sh
# SPDX-License-Identifier: MIT
# Actors that never get a message take no page of memory each; guards and invariants see their states nevertheless.
. "$SOURCE/tests/programs/verdict.shlib"

idle=$SOURCE/tests/engine/idle_actors.c
expect() { # name, options...
    name=$1
    shift
    explore_json "$name" --reduction none "$@" "$idle"
    verdict_count=$((verdict_count + 1))
    [ "$(json_number "$name.json" complete),$(json_number "$name.json" deliveries)" = true,4 ] &&
        [ "$(json_kinds "$name.json")" = - ] ||
        disagree "$name: not four deliveries without a finding" "$(head -c 900 "$name.json")"
}
expect plain
if [ -n "${SANITIZE:-}" ]; then
    verdict_end
    exit
fi
expect exact --states exact
expect actors --states actors --undo verify

cc -O2 "$SOURCE/bench/programs/measure.c" -o measure || exit 1
$CC -g -w -I"$SOURCE/include" "$idle" -o idle "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1
verdict_count=$((verdict_count + 1))
./measure ./idle explore --reduction none 3>memory.txt >/dev/null 2>&1
kilobytes=$(cut -d' ' -f2 memory.txt)
[ "$kilobytes" -lt 60000 ] ||
    disagree 'idle actors take memory' "$kilobytes kB for 20,000 of them"
verdict_end
