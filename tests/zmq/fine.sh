#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What works on the real library works here, with the same output, and nothing is found in it. A program whose peers are
# other processes is told so; that is no deadlock.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
mkdir -p schedules
compile_zmq tests/zmq/fine -I"$SOURCE/tests/zmq"
echo old >old.txt
touch -d '2001-02-03 04:05:06' old.txt

# same PROGRAM: the same output as on the real library, in one execution.
same() {
    timeout -s KILL 20 ./fine "$1" >real.txt || fail "$1 on ZeroMQ"
    [ -s real.txt ] || fail "$1 says nothing on ZeroMQ"
    expect 0 "$REHEARSE" sample --adapter zmq --runs 1 --output --save schedules -- ./fine "$1"
    diff real.txt "$capture/stderr" || fail "another output of $1"
}

# works PROGRAM [VERDICT]: so it is, and nothing is found in any execution.
works() {
    same "$1"
    expect 0 "$REHEARSE" explore --adapter zmq --reduction optimal --max-executions 0 --save schedules -- ./fine "$1"
    says "^\./fine: test main: ${2:-passed, (all|the only)}"
}

works exit_main
works file_times
works poll_descriptor 'UNDECIDED: nothing found in [0-9]+ executions, not all that can happen'
same addresses
works exceed_marks
works end_with_many
works end_with_many_known

# lonely PROGRAM PATTERN: waits for peers that are not there.
lonely() {
    expect 0 "$REHEARSE" explore --adapter zmq --reduction optimal --save schedules -- ./fine "$1"
    says "^warning: bound: nobody else in this program uses $2, peers in other processes are not there, and all threads wait: "
    ! grep -q deadlock "$capture/stdout" || fail "$1 is no deadlock"
    expect 1 "$REHEARSE" explore --adapter zmq --fail-on bound --save schedules -- ./fine "$1"
}

lonely serve tcp://127.0.0.1:5599
lonely ask tcp://127.0.0.1:5599
lonely push_full ipc://nowhere
lonely serve_and_work tcp://127.0.0.1:5599
expect 1 "$REHEARSE" explore --adapter zmq --save schedules -- ./fine exit_main_only
says '^deadlock: all threads have ended, and a context that is not terminated keeps the process'
for program in serve_and_lock serve_nobody; do
    expect 1 "$REHEARSE" explore --adapter zmq --save schedules -- ./fine $program
    says '^deadlock: all threads wait: '
done
