#!/bin/sh
# SPDX-License-Identifier: MIT
# What depends on what is a set: invariants, timers and names of actors that have nothing to do with each other make
# nothing depend on each other, and a delivery that changes nothing that an invariant looks at does not touch it.
. "$SOURCE/tests/programs/verdict.shlib"
${CC:-cc} -g ${CFLAGS:-} -I"$SOURCE/include" "$SOURCE/tests/explore/dependence.c" -o dependence -L"$BUILD" \
    -lrehearse -ldw -lelf -ljansson -lm ${LDLIBS:-} || exit 1

# row TEST NONE SOURCE OPTIMAL DCUTE: executions of plain enumeration and of each reduction, which all end in the same
# states.
row() {
    test=$1
    shift
    for reduction in none source optimal dcute; do
        explore_json $reduction --census --states none --max-executions 0 --test "$test" --reduction $reduction ./dependence
        expect "$test $reduction" $reduction 0 "$1" '*' -
        [ "$(json_number $reduction.json complete)" = true ] || disagree "$test $reduction: not complete"
        [ "$(json_number $reduction.json given_up)" = 0 ] || disagree "$test $reduction: gives up executions"
        [ "$(json_strings $reduction.json final_states_digest)" = "$(json_strings none.json final_states_digest)" ] ||
            disagree "$test $reduction: other final states"
        [ "$(json_number $reduction.json classes)" = "$(json_number none.json classes)" ] ||
            disagree "$test $reduction: other classes"
        shift
    done
}

row one_pair 2 2 2 2
row three_pairs 720 8 8 8
row one_timer 3 3 3 3
row three_timers 45360 27 27 27
row timers_for_one 90 36 36 90
row two_names 1120 4 4 4
row replicated_log 55440 24 24 252
# Where nothing can be left out the reason is said, and only there.
row servers_only 936 936 936 936
grep -q '3104 of 3104 deliveries changed one of the 3 actors that the invariant is_replicated looks at, and were taken' \
    optimal.json || disagree "servers_only: no note says why nothing is left out"
explore_json log --test replicated_log ./dependence
! grep -q 'were taken to depend' log.json || disagree "replicated_log: a note says that nothing is left out"
verdict_end
