#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ways round on which actors change their parts: renaming.c. Every livelock is saved, and its file replays.
set -uo pipefail
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/livelock/verdict.shlib"

# expect TEST STATES VERDICT COMPLETE
expect_round() {
    for order in fifo any; do
        explore_round "$SOURCE/tests/livelock/renaming.c" --test "$1" --states "$2" \
            --delivery $order --max-length 200
        [ "$round_verdict" = "$3" ] || disagree "$1 $2 $order: expected $3, got $round_verdict"
        [ "$round_complete" = "$4" ] || disagree "$1 $2 $order: complete is not $4"
    done
}

expect_round respawn exact none false # every lap has other actors
expect_round respawn actors fair true
expect_round respawn_progress exact none false
expect_round respawn_progress actors none true
expect_round polling exact none false # time goes on
expect_round polling actors fair true
expect_round heartbeat actors none true
expect_round beside_idle actors fair true
expect_round beside_greeted actors fair false
for states in exact actors; do
    expect_round ticking $states fair true
    expect_round finishing $states unfair true
    expect_round guarded $states fair true
done

# A lap in which each has another's part is shorter than one in which all are back in their own.
explore_round "$SOURCE/tests/livelock/renaming.c" --test ticking --states exact
exact=$(json_lengths round.json | head -n 1)
explore_round "$SOURCE/tests/livelock/renaming.c" --test ticking --states actors
actors=$(json_lengths round.json | head -n 1)
[ "$actors" -lt "$exact" ] || disagree "a lap up to renaming takes $actors deliveries, else $exact"
verdict_end
