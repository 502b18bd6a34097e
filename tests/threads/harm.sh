#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that do harm to their process: each is reported as what it is, the others are run
# nevertheless, and its schedule shows it again.
set -u
failed=0
cp "$SOURCE/tests/threads/harm.c" .
timeout -s KILL 100 "$REHEARSE" refine --hang-limit 50 harm.c >out 2>errors
status=$?
[ $status = 2 ] || {
    echo "FAIL the tests end with status $status"
    failed=1
}

expect() { # TEST TEXT
    awk -v test="$1:" '/: test / { is_it = $3 == test } is_it' out | grep -q "$2" || {
        echo "FAIL $1: no '$2'"
        failed=1
    }
}

expect segv '^crash: accesses memory that it must not   harm.c:'
expect divides '^crash: divides by zero'
expect stack '^crash: needs more than 960 KB of stack   harm.c:'
expect aborts '^crash: calls abort'
expect exits '^exit: ends the process with status 3'
expect ends '^exit: ends the process with status 4'
expect computes '^hang: computes for 50 ms'
expect silent '^hang: '
expect waits '^hang: waits for something outside'
expect killed '^crash: the process was killed by SIGKILL'
expect raises '^crash: the process was killed by SIGTERM'
expect allocates '^crash: accesses memory that it must not   harm.c:'
expect jumps '^crash: '
expect harmless 'FAILED after 1 execution, 2 in all, complete$'
expect spins '^deadlock: main waits for the end of thread#2, thread#2 goes round a loop'
for text in 'uses more than 1,024 locks' 'frees more than 65,536 blocks'; do
    grep -q "$text" errors || {
        echo "FAIL no '$text' on standard error"
        failed=1
    }
done
# Where the program ends by itself, that is no "complete".
awk '/: test / && /complete$/ && $3 != "harmless:" && $3 != "spins:" { print "FAIL " $0; failed = 1 } END { exit failed }' out || failed=1

for test in killed stack computes; do
    timeout -s KILL 30 "$REHEARSE" replay --hang-limit 50 $test.schedule >replayed 2>&1
    status=$?
    kind=$(sed -n 's/^finding //p' $test.schedule)
    [ $status = 1 ] && grep -q "^$kind: " replayed || {
        echo "FAIL $test: its replay ends with $status"
        cat replayed
        failed=1
    }
done

# A set-up that fails is told as such, and so is a test that nobody wants the end of.
cat >setup.c <<'END'
#include <rehearse/component.h>
static void setup(void) { *(char *volatile *)0 = 0; }
RH_COMPONENT(table) { .setup = setup };
RH_THREADS(empty) { rh_thread { } }
END
"$REHEARSE" refine setup.c >out 2>&1
status=$?
[ $status = 2 ] && grep -q 'setup of the component was killed by SIGSEGV' out || {
    echo "FAIL a setup that crashes ends with $status: $(cat out)"
    failed=1
}
cat >long.c <<'END'
#include <rehearse/component.h>
volatile int x;
RH_THREADS(racing)
{
    rh_thread { for (int i = 0; i < 30; i++) x++; }
    rh_thread { for (int i = 0; i < 30; i++) x++; }
}
END
timeout -s KILL 60 "$REHEARSE" explore --max-executions 0 long.c >out 2>&1 &
search=$!
until [ -s racing.schedule ]; do sleep 0.05; done
kill -INT "$(pgrep -P $search)" 2>/dev/null || kill -INT $search
wait $search
status=$?
[ $status = 1 ] && grep -q '^race: ' out && grep -q 'ended before its time, by an interrupt' out || {
    echo "FAIL an interrupted search ends with $status"
    cat out
    failed=1
}
timeout -s KILL 60 "$REHEARSE" explore --max-executions 0 --max-seconds 1 long.c >out 2>&1
grep -q 'ended before its time, by --max-seconds' out || {
    echo "FAIL --max-seconds does not end a search"
    failed=1
}
[ $failed -eq 0 ]
