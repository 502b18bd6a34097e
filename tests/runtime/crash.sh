#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a program on threads says when it goes wrong, and how it ends.
set -u
. "$SOURCE/tests/runtime/build.shlib"
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
build_program crash "$SOURCE/tests/runtime/crash.c" || exit 1

# ends ARGUMENTS STATUS WORDS: 128 and the signal's number is the status of a program that a signal ends.
ends() {
    for threads in 1 2; do
        REHEARSE_THREADS=$threads sh -c 'exec ./crash $0' "$1" >out 2>err
        status=$?
        [ $status -eq "$2" ] || complain "$1: status $status, not $2: $(cat err)"
        grep -q -- "$3" err || complain "$1: does not say '$3': $(cat err)"
        [ "$(wc -l <err)" -eq "${4:-1}" ] || complain "$1: says this: $(cat err)"
    done
}
who='while victim#1 (victim_behaviour, spawned at .*crash.c:[0-9]*) handled order from boss#1$'
ends check 134 "crash.c:[0-9]*: check failed: zero == 1, $who"
ends null 134 "crash.c:[0-9]*: rh_send to NULL, $who"
ends wild 134 "crash.c:[0-9]*: rh_send to an address that is no actor's, $who"
ends assert 134 "rehearse: SIGABRT, $who" 2
ends guard 134 'rh_send inside a guard or a judge.*while picky#1 .* looked in its guard at order from outside'
ends wait 134 'rh_wait without rh_start, or in a behaviour' 2
# A sanitizer handles these signals itself.
if [ -z "${SANITIZE:-}" ]; then
    ends segv 139 "rehearse: SIGSEGV at address (nil), $who"
    ends overflow 139 "rehearse: SIGSEGV at address 0x[0-9a-f]*, $who"
    ends divide 136 "rehearse: SIGFPE, $who"
    REHEARSE_THREADS=1 ./crash segv own >out 2>err
    [ $? -eq 77 ] && [ ! -s err ] || complain "a handler of the program's own is not called: $(cat err)"
fi

# left ARGUMENT STATUS SUMMARY WORDS
left() {
    for threads in 1 2; do
        REHEARSE_THREADS=$threads ./crash "$1" >out 2>err
        status=$?
        [ $status -eq "$2" ] || complain "$1: status $status, not $2: $(cat err)"
        [ "$(cat out)" = "$3" ] || complain "$1: '$(cat out)', not '$3'"
        [ -z "$4" ] || grep -q -- "$4" err || complain "$1: does not say '$4': $(cat err)"
    done
}
# Spawned, delivered, undelivered, left, waiting, alive.
left waits 1 '2 1 0 0 1 2' 'rehearse: boss#1 waits for a reply to order that never comes$'
left each 1 '2 0 0 1 1 2' 'rehearse: boss#1 waits for a reply to go that never comes$'
left refused 1 '1 1 0 2 0 1' 'rehearse: the guard of picky#1 refuses bad for ever; 2 messages are refused in all'
left late 0 '2 2 2 0 0 1' 'rehearse: 2 messages to actors that had stopped, first \(go\|bad\)'
left again 0 '2 2 0 0 0 2' 'rh_run while actors run already'
left shutdown 0 '2 2 0 0 0 2' ''
[ ! -s err ] || complain "rh_shutdown: $(cat err)"

# Options that are wrong.
for variable in REHEARSE_THREADS=x REHEARSE_THREADS=-1 REHEARSE_THREADS=5000 REHEARSE_SEED= REHEARSE_DELAY=1s REHEARSE_TRANSIT=60000001; do
    env "$variable" ./crash none >out 2>err
    status=$?
    [ $status -eq 2 ] && grep -q "${variable%%=*}=.*: it is a number from 0 to" err ||
        complain "$variable: status $status: $(cat err)"
done
[ $failed -eq 0 ]
