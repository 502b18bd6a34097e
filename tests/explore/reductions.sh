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

# everywhere TEST STATUS KINDS CLASSES [CLASSES-ANY]: the kinds are found and the classes counted under every
# combination, and optimal runs as many executions as there are classes, if none fails. `*`: not judged.
everywhere() {
    for delivery in fifo any; do
        classes=$4
        [ $delivery = fifo ] || classes=${5:-$4}
        for reduction in none source optimal; do
            for undo in on off verify; do
                explore_json run --keep-going --census --test "$1" --delivery $delivery --undo $undo \
                    --reduction $reduction "$verdict_binary"
                label="$1 --delivery $delivery --reduction $reduction --undo $undo"
                executions='*'
                [ $reduction != optimal ] || has_cut run.json || executions=$classes
                expect "$label" run "$2" "$executions" '*' "$3"
                counted=$(json_number run.json classes)
                [ "$classes" = '*' ] || [ "$counted" = "$classes" ] ||
                    disagree "$label: $counted classes, not $classes"
            done
        done
    done
}

factorial=1
for senders in 2 3 4 5 6; do
    factorial=$((factorial * senders))
    for reduction in none source optimal; do
        explore_json run --census --test senders_$senders --reduction $reduction "$verdict_binary"
        expect "senders_$senders --reduction $reduction" run 0 $factorial '*' -
        [ "$(json_number run.json classes)" = $factorial ] ||
            disagree "senders_$senders --reduction $reduction: not $factorial classes"
    done
done
everywhere senders_3 0 - 6

# The classes are those of the 4!/2! = 12 orders (any: 4! = 24) that do not pass through the state. One order leads
# there (any: 2), and two on from there.
everywhere one_order 1 invariant 10 20
# Here 2! orders (any: with either of two messages, twice as many) lead there, and 2! on.
everywhere middle_state 1 invariant 8 16
# The invariant looks at two of the three: 3 orders of what they get (any: 3!), of which one fails (any: 2).
everywhere looks_late 1 invariant 2 4

everywhere in_one_name 0 - 2
everywhere choice_after_race 0 - 18
everywhere timers_of_the_body 0 - 1
# Each timer comes after the handler that sets it, which 4!/2!^2 = 6 orders respect; in two of them the later timer
# comes although the earlier one is set and pending.
everywhere timer_for_another 0 - 4
everywhere guard_fails 1 check 1
# The stopper is left with the message or takes it before: leave and go at the counter in two orders, and enter, if it
# comes, in front of leave: 2 + 3.
everywhere stopped_and_seen 0 undelivered 5
# enter comes before leave under fifo, and go anywhere.
everywhere gives_without_guard 0 - 3 6

# Two messages are relayed: 4!/2!^2 = 6 orders of what the relays and the receiver get, and nothing of the two counters.
everywhere pending_are_few 0 - 6
# Two of them begin with the second relay, then the first: those fail.
everywhere pending_in_order 1 invariant 4
# With the counter 5 places for its message in each of the 6, and in those 2 the invariant fails if it comes while
# both are pending, or before: in the first 3 of the 5.
everywhere pending_looked_at_late 1 invariant 24

for test in one_order middle_state looks_late in_one_name choice_after_race timers_of_the_body \
    timer_for_another guard_fails stopped_and_seen gives_without_guard pending_are_few pending_in_order \
    pending_looked_at_late; do
    for delivery in fifo any; do
        compare_reductions "$test --delivery $delivery" "$source" --test $test --delivery $delivery \
            "$verdict_binary"
    done
done

# What has no guard gives nothing up. A point that is looked at again, since a delivery has failed there, is no execution.
for test in stopped_and_seen gives_without_guard one_order middle_state looks_late; do
    explore_json run --keep-going --census --test $test --reduction optimal "$verdict_binary"
    given_up=$(json_number run.json given_up)
    [ "$given_up" = 0 ] || disagree "$test: gives up $given_up, though it has no guard"
done
verdict_end
