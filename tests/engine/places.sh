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
verdict_end
