#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Operations mean the same on threads and under control: what a run on threads ends with is among what all executions
# end with, whose number was worked out by hand in conform.c; and the programs of tests/api end as they should.
set -u
. "$SOURCE/tests/runtime/build.shlib"
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

build_program conform "$SOURCE/tests/runtime/conform.c" "$SOURCE/tests/runtime/run_tests.c" || exit 1

# finals TEST COUNT: the lines of all executions, and those of runs with different seeds and delays.
finals() {
    "$REHEARSE" explore --reduction none --states none --output --save . --test "$1" ./conform 2>&1 |
        grep -o 'final:.*' | sort -u >all
    [ "$(wc -l <all)" -eq "$2" ] || complain "$1: exploration ends in $(wc -l <all) ways, not $2"
    for threads in 1 2; do
        for seed in 1 2 3 4 5; do
            for delay in DELAY=0 DELAY=40 TRANSIT=300; do
                env REHEARSE_THREADS=$threads REHEARSE_SEED=$seed "REHEARSE_$delay" ./conform "$1" \
                    >run.out 2>run.err || complain "$1: status $?: $(cat run.err)"
                [ "$(wc -l <run.out)" -eq 1 ] && grep -Fqxf all run.out ||
                    complain "$1: $threads threads, seed $seed, $delay: $(cat run.out) is not among $(cat all)"
            done
        done
    done
}
finals fifo_of_senders 3
# Messages of setup set out together, so when each arrives is the seed's alone.
for seed in $(seq 1 20); do
    REHEARSE_SEED=$seed REHEARSE_TRANSIT=1000 ./conform fifo_of_senders
done | sort -u | diff all - || complain "transit: not all that can come first comes first"
finals sends_in_handlers 3
finals spawns_in_handlers 6
finals asks 6
finals guards 3
finals becomes 2
finals stops 2
finals timers 4
finals chooses 6
finals gives 1
finals sends_to_itself 3
finals replies_to_sends 3

# ends PROGRAM TEST STATUS WORDS: a test of tests/api on threads. 134 is SIGABRT. WORDS are in what it says.
ends() {
    [ -x "$1" ] || build_program "$1" "$SOURCE/tests/api/$1.c" "$SOURCE/tests/runtime/run_tests.c" || exit 1
    for threads in 1 2; do
        REHEARSE_THREADS=$threads sh -c 'exec ./"$0" "$1"' "$1" "$2" >run.out 2>run.err
        status=$?
        [ $status -eq "$3" ] || complain "$1 $2 with $threads threads: status $status, not $3: $(cat run.err)"
        if [ -z "$4" ]; then
            [ ! -s run.err ] || complain "$1 $2 with $threads threads says: $(cat run.err)"
        else
            grep -q "$4" run.err || complain "$1 $2 with $threads threads does not say '$4': $(cat run.err)"
        fi
    done
}
# Programs in which all is well in every order, as tests/api/golden.txt says, but for those that count on logical time.
for line in messages:three_senders,one_sender,two_chains,two_receivers,silence \
    spawn:states_are_copied,without_state,sized_state,spawned_in_handler,addresses_in_messages \
    payload:variable_length,variable_length_from_test,given_twice \
    stop:at_stop_releases,becoming \
    ask:ask_once,ask_in_loop,ask_nested,only_the_reply,two_clients,request_is_fifo,reply_is_exempt_from_fifo,reply_to_plain_send \
    guard:later_message_first,place_is_kept,catalan,requests_and_timers \
    choose:once,no_choice,two_in_one_delivery,two_deliveries,in_setup \
    judge:money_is_kept,final_holds outside:through_the_front,three_outside \
    misc:self_sends,countdown,send_from_callback,errno_is_fresh,ignored,evaluated_once; do
    for test in $(echo "${line#*:}" | tr ',' ' '); do
        ends "${line%%:*}" "$test" 0 ''
    done
done
# And those in which something is wrong in every order.
ends ask second_reply 134 'second rh_reply to one get, while twice#'
ends judge final_breaks 134 'final still_there does not hold'
ends outside past_the_front 134 'outside sent work to inner#.*not declared with rh_receptionist'
ends outside nameless 134 'rh_outside without a name'
ends outside two_lines 134 'rh_outside with a name that has a control character'
ends outside like_an_actor 134 'rh_outside with a name that has .* # in it'
ends outside like_the_test 134 'rh_outside("outside"): that is the test itself'
ends outside one_name_for_two 134 'second rh_outside("ann"): each sender has a name of its own'
ends misc nothing_matched 1 'picky_behaviour did not handle step'
ends misc said_unhandled 134 'step should not have come here, while picky#1 .* handled step from outside'
ends misc progress_in_body 134 'rh_progress outside of a behaviour'
[ $failed -eq 0 ]
