#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Handlers that ask over and over: asks.c. A state counts what a handler can still look at, and no reply that is gone. So
# the lap has two deliveries for each reply that differs, however the program is compiled. Every livelock is saved, and its
# file replays.
set -uo pipefail
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/livelock/verdict.shlib"

# expect_lap TEST LENGTH: the deliveries of the lap; none if there is none.
expect_lap() {
    for level in -O0 -O2; do
        compile_once "$SOURCE/tests/livelock/asks.c" $level
        for states in none exact actors; do
            explore_round "$verdict_binary" --test "$1" --states $states --max-length 60
            length=$(json_lengths round.json | head -n 1)
            [ "$round_verdict ${length:-0}" = "$2" ] ||
                disagree "$1 $level $states: expected $2, got $round_verdict ${length:-0}" "$(head -n 3 round.err)"
        done
    done
}

expect_lap discards 'fair 2'
expect_lap discards_three 'fair 6'
expect_lap polls 'fair 2'
expect_lap polls_three 'fair 6'
expect_lap compares 'fair 6'
expect_lap keeps 'none 0'
expect_lap server_counts 'none 0'
verdict_end
