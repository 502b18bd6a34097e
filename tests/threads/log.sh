#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What programs write with REHEARSE_LOG is compared with their specification: one that is right
# passes, one that is wrong is said to be so, and damaged files are refused.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}
cp "$SOURCE/tests/threads/logged.c" .

run() { # FLAGS
    "$CC" -O2 -g $1 -I"$SOURCE/include" logged.c -o logged -L"$BUILD" -lrehearse-log -pthread || wrong "$1 is not compiled"
    REHEARSE_LOG=run.log REHEARSE_LOG_VIEWS=${2:-} ./logged 2>errors
    [ -s errors ] && wrong "$1: $(cat errors)"
    timeout -s KILL 60 "$REHEARSE" refine --cflags "$1 -g" --log run.log logged.c >out 2>&1
    status=$?
}
says() { grep -q "$1" out || wrong "nothing says $1: $(head -5 out)"; }

run ''
[ $status = 0 ] || wrong "what is right fails: $(cat out)"
says '^run.log: passed, 2401 operations of 5 threads, 1201 commits, 1 view$'
cp run.log right.log
cp logged right
run '' 1
says '^run.log: passed, 2401 operations of 5 threads, 1201 commits, 1202 views$'
run -DWRONG
[ $status = 1 ] || wrong "-DWRONG ends with $status"
says '^refinement: add(7) = [0-9]*, but alone, in the order of commits, it gives [0-9]*   logged.c:'
run -DSTALE
says '^refinement: get() = -[0-9]*, but at no time between its call and its return was that right'
run -DLOST
says '^refinement: after add(7) = [0-9]*, when no operation is open, the counter is not what'
says '^       difference  '
run -DLOST 1
says '^refinement: when add(7) commits, the counter is not what'
run -DTWICE
[ $status = 1 ] || wrong "-DTWICE ends with $status"
says '^commit: add(7) commits a second time: the first was at logged.c:'
run -DKILLED 2>/dev/null
says '^run.log: passed, 2401 operations of 5 threads, 1201 commits, 0 views$'
run -DUNWRITTEN
[ $status = 2 ] || wrong "-DUNWRITTEN ends with $status"
says 'logged.c:[0-9]*: get has no specification'

# Actions that are done again: views at all commits, though locks are fine, and none is looked at
# while others run.
act() { # FLAGS
    "$CC" -O2 -g $1 -I"$SOURCE/include" "$SOURCE/tests/threads/acted.c" -o acted -L"$BUILD" -lrehearse-log -pthread || wrong "$1 is not compiled"
    REHEARSE_LOG=acted.log ./acted
    timeout -s KILL 60 "$REHEARSE" refine --cflags "$1 -g" --log acted.log "$SOURCE/tests/threads/acted.c" >out 2>&1
    status=$?
}
act ''
[ $status = 0 ] || wrong "actions: $(cat out)"
awk '/^acted.log: passed, / { commits = $8; views = $10 } END { exit !(commits > 600 && views == commits + 1) }' out || wrong "actions: $(cat out)"
act -DOVERWRITES
[ $status = 1 ] && says '^refinement: when insert(8) commits, the keys is not what' && says '^       view        {8}  *{7, 8}'
act -DUNWRITTEN
[ $status = 2 ] && says 'acted.c:[0-9]*: the program does not say how the action clear is done again: write RH_REPLAY(clear)'

# Without a log nothing is written; a file that can't be written is said to be so.
rm run.log
./logged && [ ! -e run.log ] || wrong 'a log without REHEARSE_LOG'
REHEARSE_LOG=/none/run.log ./right 2>&1 | grep -q '/none/run.log can.t be written' || wrong 'no word about a file that is not there'

# Damaged ones: refused, or compared up to where they are whole.
size=$(stat -c %s right.log)
for cut in 0 10 4096 4100 70000 $((size - 65536)); do
    head -c "$cut" right.log >cut.log
    timeout -s KILL 60 "$REHEARSE" refine --log cut.log logged.c >out 2>&1
    [ $? -le 2 ] || wrong "cut at $cut: $(cat out)"
done
for at in 0 4096 4100 4104 4136 4140 5000 69632 70000; do
    cp right.log bent.log
    printf '\377\377\377' | dd of=bent.log bs=1 seek=$at conv=notrunc 2>/dev/null
    timeout -s KILL 60 "$REHEARSE" refine --log bent.log logged.c >out 2>&1
    [ $? -le 2 ] || wrong "bent at $at: $(cat out)"
done
"$REHEARSE" refine --log none.log logged.c >out 2>&1
[ $? = 2 ] || wrong 'a log that is not there'
[ $failed -eq 0 ]
