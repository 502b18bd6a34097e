#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# What reductions.c is about, under every combination of reduction, undo and order rule.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"

source=$SOURCE/tests/explore/reductions.c
compile_once "$source"

# The kinds are found and the classes counted under every combination.
for delivery in fifo any; do
    for reduction in none source optimal; do
        for undo in on off verify; do
            echo "--delivery $delivery --reduction $reduction --undo $undo"
        done
    done
done >modes
run_modes "$verdict_binary" "$SOURCE/tests/explore/reductions.txt" --census <modes

compile_once "$SOURCE/tests/explore/senders.c"
run_modes "$verdict_binary" "$SOURCE/tests/explore/senders.txt" --census <<END
--reduction none
--reduction source
--reduction optimal
END

compile_once "$source"
for delivery in fifo any; do
    compare_reductions "reductions.c --delivery $delivery" "$verdict_binary" --delivery $delivery ||
        disagree "--delivery $delivery: plain enumeration is not complete"
done

# What has no guard gives nothing up. A point that is looked at again, since a delivery has failed there, is no execution.
for test in stopped_and_seen gives_without_guard one_order middle_state looks_late; do
    explore_json run --keep-going --census --test $test --reduction optimal "$verdict_binary"
    given_up=$(json_number run.json given_up)
    [ "$given_up" = 0 ] || disagree "$test: gives up $given_up, though it has no guard"
done
verdict_end
