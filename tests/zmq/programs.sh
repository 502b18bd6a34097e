#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# What can become of a program that uses ZeroMQ, what is said about it, and what is refused.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
mkdir -p schedules
compile_zmq tests/zmq/programs -O0

explore() {
    local status=$1 what=$2
    shift 2
    rm -f schedules/*
    expect "$status" "$REHEARSE" explore --adapter zmq --save schedules "$@" -- ./programs "$what"
}

explore 0 fine
says '^\./programs: test main: passed, the only execution, '
expect 0 "$REHEARSE" explore --adapter zmq --output -- ./programs fine
says_error '^bye$'
explore 1 fault
says '^crash: access through a NULL pointer in misbehave  at .*/programs\.c:[0-9]+ in main#1/run#1'
says 'arrive PAIR inproc://pair: 0x6101$'
explore 1 abort
says '^crash: abort\(\) was called in misbehave  at .*/programs\.c:[0-9]+ in main#1/run#1'
explore 1 exit
says '^exit: the program ended with exit status 7 '
says 'prints   \| bye'
explore 1 raw_exit
says '^exit: the program ended with exit status 9 '
explore 1 spin --hang-limit 50
says '^hang: .* in main#1/run#1'
says_error "^rehearse: test main: main#1/run#1 has been handling arrive for [0-9.]+ s, now at .*programs\.c:$(sed -n '/"spin"/=' "$SOURCE/tests/zmq/programs.c")"
explore 1 wait
says '^deadlock: all threads wait: main#1 in pthread_join on run; main#1/run#1 in zmq_recv on PAIR inproc://pair'
explore 1 wait --json
says '"kind": "deadlock"'

# A thread that never stops, while others wait for it.
explore 0 forever --max-length 2000
says '^warning: bound: .*: main#1/run#1 does not stop, in usleep; main#1 waits in pthread_join on run'

# The schedule replays, also shrunk, and in a debugger.
explore 1 fault
expect 1 "$REHEARSE" replay --adapter zmq schedules/main.schedule -- ./programs fault
says '^crash: access through a NULL pointer'
expect 0 "$REHEARSE" replay --adapter zmq schedules/main.schedule -- ./programs fine
expect 1 "$REHEARSE" shrink --adapter zmq --save schedules schedules/main.schedule -- ./programs fault
if command -v gdb >/dev/null; then
    GDB='gdb -q -batch -ex bt' expect 0 "$REHEARSE" replay --adapter zmq --gdb schedules/main.schedule -- \
        ./programs fault
    says '^#0  run \(argument='
    compile_zmq tests/zmq/arrived -I"$SOURCE/tests/zmq"
    rm schedules/*
    expect 1 "$REHEARSE" explore --adapter zmq --save schedules -- ./arrived semaphore
    GDB='gdb -q -batch -ex continue -ex bt' expect 0 "$REHEARSE" replay --gdb schedules/main.schedule
    says '^#0  __assert_fail '
    says '^#2 .* main '
fi

# A program that lies elsewhere has to be named, and the lines that are printed do so.
mkdir below
cd below || exit 1
expect 1 "$REHEARSE" explore --adapter zmq --no-shrink -- ../programs fault
says '^replay:  rehearse replay \.\./programs main.schedule$'
says '^next:    rehearse replay \.\./programs --gdb main.schedule '
refuses 2 'main.schedule is a schedule of \.\./programs, which lies outside of this directory' "$REHEARSE" replay main.schedule
refuses 2 'which lies outside of this directory' "$REHEARSE" replay --adapter zmq main.schedule
refuses 2 'which lies outside of this directory' "$REHEARSE" shrink main.schedule
expect 1 "$REHEARSE" replay ../programs main.schedule
expect 1 "$REHEARSE" replay --adapter zmq main.schedule -- ../programs fault
cd ..

# What is not supported says its name.
explore 3 address
says_error '^rehearse: zmq_bind: the transport pgm is not supported, on a PAIR socket: pgm://eth0;239\.192\.1\.1:5555$'
explore 3 stream
says_error '^rehearse: zmq_socket: sockets of type 11 '
explore 3 option
says_error '^rehearse: zmq_setsockopt: ZMQ_CURVE_SERVER is not supported, on a PAIR socket$'
explore 3 text_option
says_error '^rehearse: zmq_setsockopt: ZMQ_PLAIN_USERNAME is not supported, on a PAIR socket$'
explore 0 no_option
explore 3 semaphore
says_error '^rehearse: sem_open is not supported: '

# Bad input.
refuses 2 'which program\?' "$REHEARSE" explore --adapter zmq
refuses 2 'which schedule\?' "$REHEARSE" replay --adapter zmq -- ./programs
refuses 2 'comes after `--`' "$REHEARSE" explore --adapter zmq ./programs -- ./programs
refuses 2 'takes native\|zmq' "$REHEARSE" explore --adapter mpi -- ./programs
refuses 2 'cannot read ./missing' "$REHEARSE" explore --adapter zmq -- ./missing
refuses 2 'nor its libraries need libzmq.so.5' "$REHEARSE" explore --adapter zmq -- /bin/true
for option in '--states exact' '--undo off' '--drop 1' '--delivery any' --census; do
    # shellcheck disable=SC2086
    refuses 2 'exclude each other' "$REHEARSE" explore --adapter zmq $option -- ./programs
done
refuses 2 'there time passes only when nothing else can happen' "$REHEARSE" explore --adapter zmq --time causal -- ./programs
expect 0 "$REHEARSE" explore --adapter zmq --time strict -- ./programs fine
echo 'int main(void) { return 0; }' >alone.c
if ${CC:-cc} -static alone.c -o alone 2>/dev/null; then
    refuses 2 'is linked statically' "$REHEARSE" explore --adapter zmq -- ./alone
fi

# A library that the program would find by itself is not loaded: the one in its place has the name.
mkdir rpath
real=$(ldd ./programs | sed -n 's/.*libzmq\.so\.5 => \([^ ]*\).*/\1/p')
cp "$real" rpath/libzmq.so.5
compile_zmq tests/zmq/programs -Wl,--disable-new-dtags,-rpath,"$PWD/rpath"
ldd ./programs | grep -q "$PWD/rpath/libzmq" || fail 'the library is not found by DT_RPATH'
explore 0 fine
explore 1 exit

# Arguments reach the program, and the command that replays, once.
rm -f schedules/*
expect 1 "$REHEARSE" explore --adapter zmq --save schedules -- ./programs fault 'two words'
says '^replay:  rehearse replay schedules/main.schedule$'
grep -q '^arguments fault "two words"$' schedules/main.schedule || fail 'no arguments in the schedule'

# The schedule is enough: it says how the program is run. Arguments of the command line take the place of its own.
expect 1 "$REHEARSE" replay schedules/main.schedule
says '^crash: access through a NULL pointer'
expect 1 "$REHEARSE" replay --adapter zmq schedules/main.schedule
expect 0 "$REHEARSE" replay schedules/main.schedule -- fine
expect 1 "$REHEARSE" shrink --save schedules schedules/main.schedule
sed -i 's/^adapter zmq/adapter mpi/' schedules/main.schedule
refuses 2 'there is no adapter `mpi`' "$REHEARSE" replay schedules/main.schedule
