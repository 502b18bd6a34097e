#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Addresses before their actors, on threads and in recordings.
set -u
. "$SOURCE/tests/runtime/build.shlib"
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
build_program reserve "$SOURCE/tests/runtime/reserve.c" || exit 1

# run STATUS ARGUMENTS...
run() {
    local wanted=$1
    shift
    sh -c 'exec timeout 60 ./reserve "$@"' reserve "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] || complain "$*: status $status and not $wanted: $(cat err)"
}
# Two tokens in each ring come to their ends: 5 hops lead back to the one that began, 3 hops too, to the other.
for threads in 1 2 4; do
    export REHEARSE_THREADS=$threads
    run 0 couples 200
    [ "$(wc -l <out)" -eq 402 ] || complain "couples, $threads threads: $(wc -l <out) tokens"
    run 0 outside
    [ "$(wc -l <out)" -eq 2 ] || complain "outside, $threads threads: $(cat out)"
done

# What is never spawned is said, with the place where it was reserved.
place() {
    grep -n "$1" "$SOURCE/tests/runtime/reserve.c" | sed -n "$2s/:.*//p"
}
for what in handler ask; do
    run 134 $what
    grep -q "reserve.c:$(place 'reserved = rh_reserve' 1): node@.* was reserved and never spawned" err ||
        complain "$what: $(cat err)"
done
run 134 setup
grep -q "reserve.c:$(place ' rh_reserve(node' 3): node#1 was reserved and never spawned" err || complain "setup: $(cat err)"
run 1 thread
grep -q "node#1 was reserved at .*reserve.c:$(place ' rh_reserve(node' 4) and never spawned" err || complain "thread: $(cat err)"
run 134 twice
grep -q 'rh_spawn_at of an address that was not reserved in this delivery' err || complain "twice: $(cat err)"

if [ -n "${SANITIZE:-}" ]; then
    [ $failed -eq 0 ]
    exit
fi

# Recordings: the same tokens come to the same ends.
export REHEARSE_RECORD=run.trace
for threads in 1 2 3; do
    for what in 'couples 5' outside; do
        # shellcheck disable=SC2086
        REHEARSE_THREADS=$threads run 0 $what
        "$REHEARSE" replay run.trace --no-times >replayed 2>err || complain "$what, $threads threads: $(cat err)"
        sort out | sed 's/^/| /' >wanted
        grep -o '| .* has seen .*' replayed | sort | diff - wanted >difference || complain "$what: $(cat difference)"
    done
done

# In the schedule each of the two actors that came from outside names the other, and both stay when it is shrunk.
mkdir saved
REHEARSE_THREADS=2 run 134 outside check
unset REHEARSE_RECORD
"$REHEARSE" shrink run.trace --save saved --no-times >shrunk 2>err
[ $? -eq 1 ] || complain "shrink: $(cat err shrunk)"
for line in 'created node_behaviour "struct node" 0200000000000000 "@node#1" as node#2' \
    'created node_behaviour "struct node" 0100000000000000 "@node#2" as node#1'; do
    grep -qxF "$line" saved/run.trace-shrunk.schedule || complain "no line: $line in $(cat saved/run.trace-shrunk.schedule)"
done
for undo in on off verify; do
    "$REHEARSE" replay saved/run.trace-shrunk.schedule --undo $undo --no-times -- outside check >replayed 2>err
    [ $? -eq 1 ] && grep -q 'check failed: .* in node#2 ' replayed || complain "replay, undo $undo: $(cat err replayed)"
done
[ $failed -eq 0 ]
