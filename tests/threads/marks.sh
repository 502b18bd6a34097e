#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each test of a program shows the kind that stands above it, by both searches, and replays to it.
# What findings say is compared for one of each sort.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}

# TEST KIND, of the program as it says of itself.
expected_of() { awk '/^\/\/ EACH:/ { kind = $3 } /^RH_THREADS/ { split($0, w, /[()]/); print w[2], kind }' "$1" | sort; }
# The same as it was found; a race beside another kind does not count.
found_of() {
    awk '/: test / { if (name) print name, kind; name = $3; sub(":", "", name); kind = "-" }
         /^(refinement|race|deadlock|check|crash|commit|commit-block|misuse): / { sub(":", "", $1); if (kind == "-") kind = $1 }
         END { print name, kind }' "$1" | sort
}

for program in marks written; do
    cp "$SOURCE/tests/threads/$program.c" .
    expected_of $program.c >wanted
    for words in '' '--reduction none' '--runs 2000'; do
        # shellcheck disable=SC2086
        timeout -s KILL 100 "$REHEARSE" refine $words $program.c >"$program.out" 2>&1
        found_of "$program.out" >found
        diff wanted found || wrong "$program $words"
        [ "$words" ] || cp "$program.out" "$program.first"
        grep 'undecided' "$program.out" && wrong "$program $words: undecided"
    done
    while read -r test kind; do
        [ "$kind" = - ] && continue
        "$REHEARSE" replay "$test.schedule" >replayed 2>&1
        [ $? = 1 ] && grep -q "^$kind: " replayed || wrong "$test: $(cat replayed)"
    done <wanted
done

says() { grep -qF "$1" marks.first written.first || wrong "nothing says: $1"; }
says 'returns without having committed: it needs RH_COMMIT on this way through it'
says ' runs beside '
says 'set_twice(1) commits a second time: the first was at marks.c:'
says 'commits outside of an operation'
says 'a commit block is left before its end'
says 'what thread#1 has written in its commit block, before the block'"'"'s end at marks.c:'
says 'sum() = -4, but at no time between its call and its return was that right: alone it gives 0'
says 'issue() = 1, but alone, in the order of commits, it gives 2'

says 'look(1) = 0 says that it is pure, but has changed memory that other threads use'
says 'tidy(1) says that it is internal, but alone it changes the numbers'
says ' explains results and states at rest: if the component is right, the commit of set_late(1) at marks.c:'
awk '/test misplaced/ { is_it = 1 } /test unbalanced/ { is_it = 0 } is_it' marks.first >misplaced
grep -q '^hint: .* the commit of set_first([12]) at marks.c:[0-9]* or that of set_first([12]) at marks.c:[0-9]* is in the wrong place$' misplaced ||
    wrong "no other order: $(cat misplaced)"
awk '/test issued_twice/ { is_it = 1 } /test late/ { is_it = 0 } is_it' marks.first | grep '^hint' && wrong 'an order explains two equal numbers'
"$REHEARSE" replay --json misplaced.schedule | grep -q 'explains results and states at rest' || wrong 'JSON has no hint'
says 'check failed: left + right == 0, when set(2) commits   marks.c:'

# Where not all code is seen, views and invariants are computed each time; the executions and what they show are the same.
echo 'int unseen(void) { return 1; }' >unseen.c
"$CC" -c unseen.c -o unseen.o
plain_of() { sed 's/, complete$//; /^note: .*were not compiled/d' "$1"; }
rm -f -- *.schedule
timeout -s KILL 100 "$REHEARSE" refine marks.c unseen.o >anew.out 2>&1
diff <(plain_of marks.first) <(plain_of anew.out) >differences || wrong "views that are kept differ: $(cat differences)"

# An invariant without marks holds whenever no operation is open.
cat >rest.c <<'END'
#include <pthread.h>
#include <rehearse/component.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ours, theirs;
static void move(int value)
{
    pthread_mutex_lock(&lock);
    int old = ours;
    ours += value;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    theirs = WHAT;
    pthread_mutex_unlock(&lock);
}
static void invariant(void) { RH_CHECK(ours + theirs == 0); }
RH_COMPONENT(accounts) { .invariant = invariant };
RH_THREADS(moves)
{
    rh_thread { RH_CALL(move(1)); }
    rh_thread { RH_CALL(move(2)); }
}
END
"$REHEARSE" refine --cflags '-DWHAT=-old-value' rest.c >out 2>&1
[ $? = 1 ] && grep -q '^check: check failed: ours + theirs == 0, after move([12]), when no operation is open   rest.c:15 in ' out ||
    wrong "rest.c: $(cat out)"
"$REHEARSE" refine --cflags '-DWHAT=theirs-value' rest.c >out 2>&1
[ $? = 0 ] && grep -q ': passed, .* complete' out || wrong "rest.c, fixed: $(cat out)"

# Without a view and without marks: what variables end as is a warning, and no error.
cat >ends.c <<'END'
#include <pthread.h>
#include <rehearse/component.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total;
static void add(void)
{
    pthread_mutex_lock(&lock);
    int sum = total + 1;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    total = sum;
    pthread_mutex_unlock(&lock);
}
RH_THREADS(adds)
{
    rh_thread { RH_CALL(add()); }
    rh_thread { RH_CALL(add()); }
}
END
"$REHEARSE" refine ends.c >out 2>&1
[ $? = 0 ] && grep -q '^unserial: all results are right, but total ends as' out && grep -q ': passed, .* complete' out ||
    wrong "ends.c: $(cat out)"
"$REHEARSE" replay adds.schedule >out 2>&1
[ $? = 0 ] && grep -q '^unserial: ' out || wrong "ends.c, replayed: $(cat out)"
"$REHEARSE" refine --cflags -DFIXED ends.c >out 2>&1
[ $? = 0 ] && ! grep -q unserial out || wrong "ends.c, fixed: $(cat out)"
[ $failed -eq 0 ]
