#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The flight recorder: what was recorded on threads is repeated under control, to the same end.
# timeout: 480
set -u
. "$SOURCE/tests/runtime/build.shlib"
if [ -n "${SANITIZE:-}" ]; then
    echo 'a sanitizer handles crashes itself, and has the memory that a controlled world needs'
    exit 77
fi
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
build_program record "$SOURCE/tests/runtime/record.c" -O0 || exit 1
mkdir saved

# record THREADS ARGUMENTS...: into run.trace. What it prints is in recorded, what it says in words.
record() {
    threads=$1
    shift
    REHEARSE_RECORD=run.trace REHEARSE_THREADS=$threads sh -c 'exec ./record "$@"' record "$@" >recorded 2>words
}
# repeats STATUS
repeats() {
    timeout 60 "$REHEARSE" replay run.trace --no-times >out 2>err
    status=$?
    [ $status -eq "$1" ] || complain "$2: replay ends with $status, not $1: $(cat err; tail -3 out)"
}

# Whatever the threads did, each actor sees the same in the same order.
for seed in 1 2 3 4 5 6 7 8; do
    for nodes in 3 12; do
        REHEARSE_SEED=$seed REHEARSE_DELAY=$((seed % 3 * 20)) REHEARSE_TRANSIT=$((seed % 2 * 100)) record $((seed % 4 + 1)) digest $nodes 12
        repeats 0 "digest of $nodes nodes, seed $seed"
        sum=$(cat recorded)
        [ -n "$sum" ] && grep -q "| $sum\$" out || complain "seed $seed, $nodes nodes: $sum is not what is repeated: $(tail -3 out)"
    done
done
REHEARSE_SEED=1 record 2 digest 24 300 # longer than --max-length
repeats 0 "a long digest"
grep -q "| $(cat recorded)\$" out || complain "a long digest: $(cat recorded) is not what is repeated: $(tail -3 out)"
grep -q '^note: *recorded: rh_run ended with status 0$' out || complain "the end is not told: $(tail -2 out)"

# Nor does it matter that some of them were created outside.
for seed in 1 2 3 4 5 6; do
    REHEARSE_SEED=$seed REHEARSE_DELAY=$((seed % 2 * 50)) record $((seed % 3 + 1)) guests 5 10
    repeats 0 "guests, seed $seed"
    sum=$(cat recorded)
    [ -n "$sum" ] && grep -q "| $sum\$" out || complain "guests, seed $seed: $sum is not what is repeated: $(tail -3 out)"
done

# Waiting for room in a mailbox changes nothing in the order of things.
record 2 block
repeats 0 block
grep -q ', 51 deliveries' out || complain "block: $(head -1 out)"

# Nor do messages that are dropped come again.
for threads in 1 2 3 4; do
    for how in squeeze spill; do
        REHEARSE_SEED=$threads record $threads $how
        repeats 0 "$how, $threads threads"
        sum=$(cat recorded)
        [ -n "$sum" ] && grep -q "| $sum\$" out || complain "$how, $threads threads: $sum is not what is repeated: $(tail -3 out)"
    done
    grep -q 'messages were dropped' words || complain "spill, $threads threads: nothing is dropped"
done
record 2 drop
repeats 0 drop
"$REHEARSE" cover record --schedule run.trace -- drop >out 2>err
[ $? -eq 2 ] && grep -q 'cover knows no faults' err || complain "cover begins with a run with faults: $(cat err)"

# A process that is killed leaves all that it had written.
for threads in 1 3; do
    REHEARSE_DELAY=300 REHEARSE_RECORD=run.trace REHEARSE_THREADS=$threads ./record endless 6 1 >/dev/null 2>&1 &
    process=$!
    sleep 0.4
    kill -9 $process
    wait $process 2>/dev/null
    repeats 0 "killed, $threads threads"
    grep -q '^note: *recorded: the program was killed, or is still running$' out || complain "killed: $(tail -2 out)"
    count=$(sed -n '1s/.*, \([0-9]*\) deliver.*/\1/p' out)
    [ "${count:-0}" -gt 50 ] || complain "killed: only ${count:-no} deliveries are repeated"
done

# Crashes, at the same line as on threads; what came from outside comes again, and most of it can be left out.
crash=$(grep -n 'volatile int' "$SOURCE/tests/runtime/record.c" | cut -d: -f1)
check=$(grep -n '"check") != 0' "$SOURCE/tests/runtime/record.c" | cut -d: -f1)
for threads in 1 2; do
    record $threads serve crash
    [ $? -eq 139 ] || complain "it does not crash: $(cat words)"
    repeats 1 "crash"
    grep -q "^crash: access through a NULL pointer in connection_behaviour  at .*record.c:$crash in " out ||
        complain "crash: $(tail -5 out)"
    grep -q '^note: *recorded: rehearse: SIGSEGV at address (nil), while connection@' out || complain "last words: $(tail -2 out)"
    record $threads serve check
    repeats 1 "check"
    grep -q "^check failed: .*  at .*record.c:$check in " out || complain "check: $(tail -5 out)"
done
# One that a thread outside has created fails at once; of what it has created and sent, one of each is needed.
record 2 serve spawn
repeats 1 "created outside"
grep -q "^check failed: .*  at .*record.c:$check in connection#1 " out || complain "created outside: $(tail -5 out)"
"$REHEARSE" shrink run.trace --save saved --no-times >out 2>err
[ $? -eq 1 ] && [ "$(grep -cE '^(came|created)' saved/run.trace-shrunk.schedule)" -le 4 ] ||
    complain "created outside: $(cat err saved/run.trace-shrunk.schedule)"
grep -q '^created connection_behaviour "struct connection" 0700000000000000 as connection#1$' saved/run.trace-shrunk.schedule ||
    complain "created outside: $(cat saved/run.trace-shrunk.schedule)"
"$REHEARSE" replay saved/run.trace-shrunk.schedule --no-times -- serve spawn >out 2>err
[ $? -eq 1 ] && grep -q "record.c:$check in connection#1 " out || complain "created outside, shrunk: $(cat err; head -3 out)"
sed -i 's/^created connection_behaviour/created no_behaviour/' saved/run.trace-shrunk.schedule
"$REHEARSE" replay saved/run.trace-shrunk.schedule -- serve spawn >out 2>err
[ $? -eq 2 ] && grep -q 'created no_behaviour: the program has no function of this name' err || complain "no such function: $(cat err)"
record 2 serve check
"$REHEARSE" shrink run.trace --save saved --no-times >out 2>err
[ $? -eq 1 ] && grep -q 'to 2 constraints' out || complain "shrink: $(cat err; head -3 out)"
[ "$(grep -c '^came' saved/run.trace-shrunk.schedule)" -eq 2 ] || complain "more came than is needed: $(cat saved/run.trace-shrunk.schedule)"
"$REHEARSE" replay saved/run.trace-shrunk.schedule --no-times -- serve check >out 2>err
[ $? -eq 1 ] && grep -q ', 2 deliveries' out || complain "what was shrunk: $(cat err; head -3 out)"
record 2 serve none
repeats 0 "serve"

# The debugger stops in the handler that fails.
if command -v gdb >/dev/null; then
    record 1 serve check
    printf 'bt 1\nprint connection->seen > 0\nkill\nquit\n' | timeout 60 "$REHEARSE" replay --gdb run.trace >out 2>&1
    grep -q 'this is the handler of delivery' out && grep -q 'connection_behaviour' out || complain "gdb: $(tail -5 out)"
fi

# What can't be repeated is refused, with the reason.
# refuses WORDS NAME
refuses() {
    timeout 60 "$REHEARSE" replay run.trace >out 2>err
    status=$?
    [ $status -eq 2 ] && grep -q -- "$1" err || complain "$2: status $status: $(cat err)"
}
record 2 serve pointer
refuses 'loose came from outside with a pointer in it' pointer
record 2 serve sized
refuses 'created an actor with connection_behaviour, and nothing is known about the fields of its state' sized
record 2 serve held
refuses 'created an actor with connection_behaviour and a pointer in its state' held
record 2 serve sender
refuses 'rh_outside was called after setup' sender
record 2 late
refuses 'line came from outside with the address of an actor that had stopped' late
record 2 unsteady
repeats 0 unsteady
: >more
refuses 'unsteady_behaviour, or one before it sends or creates more or less than it did when it was recorded' unsteady
rm more
record 2 early
: >stop
refuses 'main has returned without rh_run' early
rm stop
export REHEARSE_RECORD_LIMIT=150K
record 2 digest 12 200
unset REHEARSE_RECORD_LIMIT
[ "$(stat -c %s run.trace)" -le $((150 << 10)) ] || complain "the file is larger than its limit"
refuses 'its beginning is overwritten' overwritten
# How many are left of each thread is a matter of time: at most 20 are shown, as many as are said.
awk '/^thread [12], its last [0-9]+ deliver/ { if (said != shown) exit 1; said = $5; shown = 0; threads++; next }
    /^    [a-z]+.* to [a-z_]+ \(actor [0-9]+\)$/ { shown++ }
    END { exit !(threads > 0 && said == shown && said > 0 && said <= 20) }' out ||
    complain "no log of what is left: $(head -3 out)"

# Files that are no recordings, or are damaged, or of another program.
record 2 digest 3 5
cp run.trace whole.trace
cp record right
build_program record "$SOURCE/tests/runtime/record.c" -DOTHER=1 -O2 || exit 1
refuses 'was recorded with another build of' 'another build'
cp right record
repeats 0 'the right build again'
head -c 70000 whole.trace >run.trace
refuses 'run.trace was cut off' 'cut off'
head -c 100 whole.trace >run.trace
refuses 'is not a recording: it is too short' short
cp whole.trace run.trace
printf 'rehearse recording 9\n' | dd of=run.trace conv=notrunc status=none
refuses 'a recording of another version' version
: >run.trace
refuses 'not a schedule: the file is empty' empty
cp right run.trace
refuses 'not a schedule: the line holds a control character' binary

# Options that are wrong.
for limit in x 5T 100 1 '' -5; do
    REHEARSE_RECORD_LIMIT=$limit record 2 digest 3 1
    [ $? -eq 2 ] && grep -q 'REHEARSE_RECORD_LIMIT' words || complain "limit '$limit': $(cat words)"
done
REHEARSE_RECORD=/nowhere/run.trace ./record digest 3 1 >out 2>err
[ $? -eq 2 ] && grep -q 'cannot make this file' err || complain "no folder: $(cat err)"
# On a disk without room, where one can be had, nothing is left behind.
own_mounts() { unshare --mount "$@"; }
[ "$(id -u)" -eq 0 ] || own_mounts() { unshare --user --map-root-user --mount "$@"; }
mkdir small
if own_mounts mount -t tmpfs -o size=16k tmpfs small 2>/dev/null; then
    own_mounts sh -c 'mount -t tmpfs -o size=16k tmpfs small &&
        REHEARSE_RECORD=small/run.trace ./record digest 3 1; ls small' >out 2>err
    grep -q "small/run.trace can't be written: No space left on device" err || complain "no room: $(cat err)"
    grep -q run.trace out && complain 'no room, and a file is left behind'
fi

# A bug that shows on threads only now and then, brought back.
build_program bank "$SOURCE/examples/bank.c" "$SOURCE/tests/runtime/run_tests.c" || exit 1
line=$(grep -n 'rh_check' "$SOURCE/examples/bank.c" | cut -d: -f1)
for seed in $(seq 1 200); do
    REHEARSE_RECORD=run.trace REHEARSE_SEED=$seed REHEARSE_THREADS=3 REHEARSE_DELAY=500 \
        sh -c 'exec ./bank overdraw' 2>words || break
done
grep -q 'check failed' words || complain "bank: no delay shows the bug"
rm -f saved/run.trace-shrunk.schedule
"$REHEARSE" shrink run.trace --save saved --no-times >out 2>err
[ $? -eq 1 ] && grep -q "at .*bank.c:$line in server#1" out || complain "bank: $(cat err; head -3 out)"
"$REHEARSE" replay saved/run.trace-shrunk.schedule --no-times -- overdraw >out 2>err
[ $? -eq 1 ] && grep -q "at .*bank.c:$line in server#1" out || complain "bank, shrunk: $(cat err; head -3 out)"
[ $failed -eq 0 ]
