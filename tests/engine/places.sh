#!/bin/sh
# SPDX-License-Identifier: MIT
# Crashes and hangs outside of handlers are found at their lines, and with the schedules that lead there.
. "$SOURCE/tests/programs/verdict.shlib"

engine=$SOURCE/tests/engine
# at NAME KEY VALUE: the only finding's number of that name.
at() {
    verdict_count=$((verdict_count + 1))
    found=$(json_number "$1.json" "$2")
    [ "$found" = "$3" ] || disagree "$1: $2 is $found, not $3" "$(head -c 500 "$1.json")"
}
explore_json setup "$engine/setup_crash.c"
at setup line "$(grep -n volatile "$engine/setup_crash.c" | cut -d: -f1)"
explore_json closes --keep-going "$engine/closes_everything.c"
at closes steps 2
# What went wrong while the crash was described does not take its place. A sanitizer
# that notices the access first unwinds by itself.
if [ -z "${SANITIZE:-}" ]; then
    explore_json unwinder --keep-going --hang-limit 100 "$engine/unwinder_fails.c"
    at unwinder line "$(grep -n 'NULL = ' "$engine/unwinder_fails.c" | cut -d: -f1)"
    at unwinder count 2
    grep -q 'access through a NULL pointer in counter_behaviour' unwinder.json ||
        disagree 'unwinder: another crash' "$(head -c 900 unwinder.json)"
fi
verdict_end
