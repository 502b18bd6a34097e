#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# What cover has seen when it ends, beside all orders that there are, by enumerate.c. It never sees one that there is not,
# and none is there of which `coverage` says after the first execution that it can't be.
# It sees all, but for those behind orders that must-happen-before takes for impossible though they are not: a message
# that an actor sends may not depend on all that the actor had received. Each schedule that it generates can be followed
# and raises coverage, where there are no guards and no timers.
if [ -n "${SANITIZE:-}" ]; then
    echo 'too slow without undo, which a sanitizer leaves out'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

# row PROGRAM TEST ORDER MISSING NOT_FOLLOWED USELESS OPTIONS...: of pr, pbr and pcr nothing is missing, or as many.
row() {
    verdict_count=$((verdict_count + 1))
    label="${1##*/} $2 $3"
    compile_once "$SOURCE/$1"
    enumerate=${verdict_binary%/*}/enumerate
    [ -x "$enumerate" ] || ${CC:-cc} -std=c17 -g -w $CFLAGS -D_GNU_SOURCE -I"$SOURCE/include" -I"$SOURCE/src" "$SOURCE/$1" \
        "$SOURCE/tests/cover/enumerate.c" -o "$enumerate" "$LIBRARY" -ldw -lelf -ljansson -lm \
        $LDLIBS || exit 1
    "$REHEARSE" cover "$verdict_binary" --test "$2" --delivery "$3" --keep-going --max-executions 0 \
        --save-coverage found.coverage --json ${7:-} >found.json 2>found.err
    "$REHEARSE" cover "$verdict_binary" --test "$2" --delivery "$3" --max-executions 1 --save-coverage first.coverage --no-shrink \
        >/dev/null 2>&1
    "$enumerate" "$2" "$3" found.coverage first.coverage >compared 2>&1 || disagree "$label" "$(cat compared)"
    missing=$(awk '{ print $4 "," $8 "," $12 }' compared)
    [ "$missing" = "$4" ] || disagree "$label: $missing orders are missing, not $4: $(cat compared)"
    [ "$5" = '*' ] || [ "$(json_number found.json infeasible)" = "$5" ] ||
        disagree "$label: $(json_number found.json infeasible) schedules were not followed, not $5"
    [ "$6" = '*' ] || [ "$(json_number found.json useless)" = "$6" ] ||
        disagree "$label: $(json_number found.json useless) schedules reached nothing, not $6"
    rm -f found.coverage first.coverage ./*.schedule
}

row examples/bank.c overdraw fifo 0,0,0 0 0
row examples/bank.c overdraw any 0,0,0 0 0
row examples/leader.c forgetful_voter fifo 0,0,0 0 0
row examples/leader.c durable_voter any 0,0,0 0 0
row subjects/mini/lost_record.c broken fifo 0,0,0 0 0
row subjects/mini/lost_record.c broken any 0,0,0 0 0
row subjects/mini/lost_record.c broken_with_two_users fifo 0,0,0 0 0
row subjects/mini/lost_record.c broken_with_two_users any 0,0,0 0 0
row subjects/mini/lost_record.c fixed_with_two_users fifo 0,0,0 0 0
row subjects/mini/lost_update.c broken fifo 0,0,0 0 0
row subjects/mini/lost_update.c fixed any 0,0,0 0 0
row subjects/mini/order_violation.c broken fifo 0,0,0 0 0
row subjects/mini/premature_termination.c broken fifo 0,0,0 0 0
row subjects/mini/stale_notification.c broken any 0,0,0 0 0
row subjects/mini/duplicate_stop.c broken fifo 0,0,0 0 0
row subjects/mini/memory_inconsistency.c broken fifo 0,0,0 0 0
row subjects/mini/communication_deadlock.c fixed fifo 0,0,0 0 0
row tests/cover/stops.c late fifo 0,0,0 0 0
row tests/cover/stops.c late_or_never any 0,0,0 0 0
row tests/cover/asks.c two_clients fifo 0,0,0 0 0
row tests/cover/asks.c chain fifo 0,0,0 0 0

# What comes first only with the same past.
for test in two_deliveries two_in_order one_delivery timers; do
    row tests/cover/pasts.c $test fifo 0,0,0 '*' '*'
done

# Orders of different actors, by what an invariant looks at and by a name.
for order in fifo any; do
    for sweeps in '' --no-sweeps; do
        for test in two_servers readers replies one_name one_name_of_three; do
            row tests/cover/across.c $test $order 0,0,0 0 0 $sweeps
        done
    done
done
row examples/leader.c forgetful_voter fifo 0,0,0 0 0 --no-sweeps
row examples/leader.c durable_voter any 0,0,0 0 0 --no-sweeps
row tests/cover/across.c timers_of_another fifo 0,0,0 '*' '*'

# Here `stop` is sent when enough was received, and which messages were does not matter: the relation takes them all for
# its causes. Sweeps come by some or all of the orders that schedules are not made for.
row subjects/mini/lost_record.c fixed_with_two_users any 2,2,6 0 0 --no-sweeps
row subjects/mini/lost_record.c fixed_with_two_users any 0,0,0 0 0
row subjects/mini/premature_termination.c broken any 23,0,26 0 0 --no-sweeps
row subjects/mini/premature_termination.c broken any 0,0,0 0 0
row subjects/mini/premature_termination.c broken any 0,0,0 0 0 --seed=1
row subjects/mini/duplicate_stop.c broken any 0,0,1 0 0 --no-sweeps
row subjects/mini/duplicate_stop.c broken any 0,0,0 0 0

# Guards: what they would say in another state is not known before. And when a timer is due depends on when it is set.
row tests/api/timer.c set_in_handler fifo 0,0,0 '*' '*'
row subjects/mini/behavioural_deadlock.c broken fifo 0,0,0 0 0
row subjects/mini/behavioural_deadlock.c fixed fifo 0,0,0 '*' '*'
row examples/buffer.c nothing_lost fifo 0,0,0 '*' '*'
row tests/cover/door.c refused fifo 0,0,0 '*' '*'
verdict_end
