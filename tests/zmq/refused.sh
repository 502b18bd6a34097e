#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What would interrupt a thread that waits, or lets one wait outside of control, ends the search with its name: it must
# not become a finding.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/refused
failed=0

# check STATUS PATTERN PROGRAM
check() {
    "$REHEARSE" explore --adapter zmq --save schedules -- ./refused "$3" >report.txt 2>&1
    local status=$?
    [ $status -eq "$1" ] && grep -qE "$2" report.txt && return
    echo "FAIL $3: exit status $status, or no '$2' in"
    cat report.txt
    failed=1
}

check 3 '^rehearse: pthread_cancel is not supported: ' cancel
check 3 '^rehearse: pthread_kill is not supported: ' thread
check 3 '^rehearse: kill is not supported: ' process
check 3 '^rehearse: alarm is not supported: ' alarm
check 3 '^rehearse: thrd_create is not supported: ' threads
check 3 '^rehearse: a futex is not supported: ' futex
check 3 '^rehearse: dlmopen is not supported: ' namespace
check 0 'passed' fine
check 0 '^warning: bound: nothing has come from outside .*: main#1 in poll on descriptor [0-9]+$' late
[ $failed -eq 0 ]
