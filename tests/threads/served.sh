#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What waits, in every order: each test of served.c ends as it says of itself, by all searches, and
# replays; waking for no reason is an option that schedules keep.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}
cp "$SOURCE/tests/threads/served.c" "$SOURCE/subjects/threads/notify_one.c" .

# A line for each test: its name and end, as of the program.
ends_of() {
    awk '/: test / { if (name) print name, kind ? kind : end; name = $3; sub(":", "", name); kind = ""; end = $4 == "passed," ? "passed " $5 : $4 }
         /^(check|crash|deadlock|race): / && !kind { kind = $1; sub(":", "", kind) }
         END { print name, kind ? kind : end }' "$1" | sort
}
sed -n 's/^\/\/ EACH: //p' served.c >each
grep -v ' calls \| would ' each | sort >wanted
for reduction in source optimal; do
    "$REHEARSE" explore --reduction $reduction served.c >$reduction.out 2>$reduction.err
    [ $? = 2 ] || wrong "$reduction: the tests end with another status"
    ends_of $reduction.out >found
    diff wanted found || wrong "$reduction"
    # One thread makes one step more than the other, or so, in each execution.
    grep -q 'test draws: .*, 40 in all, complete$' $reduction.out || wrong "$reduction: $(grep 'test draws' $reduction.out)"
    grep 'decides by something else' $reduction.out && wrong "$reduction: an execution could not be repeated"
    while read -r test words; do
        grep -q "^rehearse: served.c:[0-9]*: the program $words" $reduction.err || wrong "$reduction: $test is not refused: $words"
    done < <(grep ' calls \| would ' each)
done
"$REHEARSE" explore --reduction none served.c >none.out 2>/dev/null
ends_of none.out | sed 's/ passed.*/ passed/' >found
sed 's/ passed.*/ passed/' wanted | diff - found || wrong none
while read -r test kind; do
    case $kind in passed*) continue ;; esac
    "$REHEARSE" replay "$test.schedule" >replayed 2>&1
    [ $? = 1 ] && grep -q "^$kind: " replayed || wrong "$test: $(cat replayed)"
done <wanted

# Who wakes unasked finds nothing; who is never woken is found as well.
cat >wakes.c <<'END2'
#include <pthread.h>
#include <rehearse/component.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_there;
static void take(void)
{
    pthread_mutex_lock(&lock);
    LOOP (!is_there)
        pthread_cond_wait(&changed, &lock);
    RH_CHECK(is_there);
    pthread_mutex_unlock(&lock);
}
RH_THREADS(taking)
{
    rh_thread { take(); }
    rh_thread
    {
        pthread_mutex_lock(&lock);
        is_there = 1;
        if (TELLS)
            pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
}
END2
ends() { # STATUS KIND FLAGS OPTIONS...: how the search ends, by each reduction; its schedule shows it, and when it was shrunk
    local status=$1 kind=$2 flags=$3 reduction
    shift 3
    for reduction in none source optimal; do
        rm -f ./*.schedule
        "$REHEARSE" refine --reduction $reduction --cflags "$flags" "$@" wakes.c >out 2>&1
        [ $? = "$status" ] || wrong "wakes.c $flags $* $reduction: $(cat out)"
        [ "$status" = 0 ] && continue
        grep -q "^$kind: " out || wrong "wakes.c $flags $* $reduction: no $kind"
        "$REHEARSE" replay --cflags "$flags" taking.schedule 2>&1 | grep -q "^$kind: " || wrong "wakes.c $flags $*: the schedule shows nothing"
        "$REHEARSE" shrink --cflags "$flags" taking.schedule >shrunk 2>&1
        "$REHEARSE" replay --cflags "$flags" taking-shrunk.schedule 2>&1 | grep -q "^$kind: " || wrong "wakes.c $flags $*: the shrunk schedule shows nothing"
    done
}
ends 0 - '-DLOOP=if -DTELLS=1'
ends 1 check '-DLOOP=if -DTELLS=1' --spurious-wakeups
ends 0 - '-DLOOP=while -DTELLS=1' --spurious-wakeups
ends 1 deadlock '-DLOOP=while -DTELLS=0' --spurious-wakeups

# Who is woken of several is in schedules of samples, too.
for seed in 1 2 3 4; do
    rm -f ./*.schedule
    "$REHEARSE" refine --runs 300 --seed $seed --strategy random notify_one.c >out 2>&1
    "$REHEARSE" replay wrong_one.schedule 2>&1 | grep -q '^deadlock: ' || wrong "seed $seed: a sample's schedule shows nothing"
done
[ $failed -eq 0 ]
