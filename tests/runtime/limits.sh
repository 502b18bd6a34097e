#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 240
# A million actors and a million timers; memory that does not grow; threads that sleep when there is nothing to do.
set -u
. "$SOURCE/tests/runtime/build.shlib"
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
build_program limits "$SOURCE/tests/runtime/limits.c" || exit 1
million=1000000
# Sanitizers are slow, and take memory of their own.
[ -z "${SANITIZE:-}" ] || million=20000

run() {
    timeout 100 ./limits "$@" >out 2>err || complain "$*: status $?: $(cat err)"
    cat out
    kilobytes=$(sed -n 's/.*, \([0-9]*\) kB$/\1/p' out)
    [ -z "${SANITIZE:-}" ] || kilobytes=0
}
for threads in 1 2; do
    export REHEARSE_THREADS=$threads
    run live $million
    grep -q "^$((million + 1)) spawned, $((million + 1)) alive, $((2 * million)) delivered" out || complain live
    [ "$kilobytes" -lt 1000000 ] || complain "a million actors take $kilobytes kB"
    # Up to a thousand are alive at the same time.
    run churn $million
    grep -q "^$((million + 100)) spawned, 100 alive," out || complain churn
    [ "$kilobytes" -lt 30000 ] || complain "a million actors one after another take $kilobytes kB"
done
run timers $million
# Nobody waits for ever: not behind an actor that is always busy, nor behind two that are, nor in a thread that is.
REHEARSE_THREADS=1 run turns 1
REHEARSE_THREADS=1 run turns 2
for milliseconds in 0 20 300; do
    REHEARSE_THREADS=2 run stuck $milliseconds
    REHEARSE_THREADS=4 run stuck $milliseconds
done
# Processor seconds in two seconds: less than a twentieth of a percent.
run idle 2
[ -n "${SANITIZE:-}" ] || awk '{ exit !($1 < 0.001) }' out || complain "idle: $(cat out) processor seconds in 2"
[ $failed -eq 0 ]
