#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rows of counts.txt. COUNTS_STATES is how many states a row may have at most; the tests of rows with up to COUNTS_RUN
# states are run in the world too, by the command itself: it ends with 3 if one ends otherwise than it says.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/symbolic/analysis.shlib"
most=${COUNTS_STATES:-400}
most_run=${COUNTS_RUN:-25}

while read -r program behaviour message loop deliveries actors rest; do
    case $program in '#'* | '') continue ;; esac
    options=${rest%%:*}
    # shellcheck disable=SC2086
    set -- ${rest##*:}
    [ "$2" -le "$most" ] || continue
    verdict_count=$((verdict_count + 1))
    row="$program $behaviour $message $loop $deliveries $actors $options"
    source=$SOURCE/subjects/apet/$program.c
    [ -e "$source" ] || source=$SOURCE/tests/symbolic/$program.c
    limits="--behaviour $behaviour --message $message --loop $loop --deliveries-each $deliveries --actors-each $actors"
    # shellcheck disable=SC2086
    analyse "$source" --delivery any $limits $options >out 2>err || disagree "$row: exit $?" "$(cat err)"
    found=$(counts <out)
    [ "$found" = "$*" ] || disagree "$row: $found, not $*"
    [ "$2" -le "$most_run" ] || continue
    # shellcheck disable=SC2086
    "$REHEARSE" generate "$source" --delivery any $limits $options >out 2>err || disagree "$row: exit $?" "$(cat err)"
    grep -q "^run: *$1 of $1 tests, as predicted" out || disagree "$row: $(tail -n 2 out)"
done <"$SOURCE/tests/symbolic/counts.txt"
verdict_end
