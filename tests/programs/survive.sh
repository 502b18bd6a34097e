#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A schedule survives changes of the program that do not touch its deliveries, and says where it can't be
# followed after one that does.
set -euo pipefail
cd "$TMPDIR"
fail() { echo "$1"; shift; [ $# = 0 ] || cat "$@"; exit 1; }

cp "$SOURCE/examples/bank.c" bank.c
status=0
"$REHEARSE" explore bank.c >out.txt 2>&1 || status=$?
[ "$status" = 1 ] || fail "nothing found in bank.c" out.txt
cp overdraw.schedule found.schedule

replay() { # expected status
    status=0
    "$REHEARSE" replay found.schedule >out.txt 2>&1 || status=$?
    [ "$status" = "$1" ] || fail "exit status $status instead of $1" out.txt bank.c
}
replay 1

# Every handler tells a log actor what it does, a further actor is created first, and every line moves.
awk '
    /#include <rehearse\/test.h>/ {
        print
        print "RH_MESSAGE(note, { int what; });"
        print "struct log { int notes; };"
        print "static void log_behaviour(rh_actor *self, void *state, const rh_message *message)"
        print "{"
        print "    (void)self;"
        print "    struct log *log = (struct log *)state;"
        print "    log->notes += rh_as(message, note) != NULL;"
        print "}"
        next
    }
    /^RH_TEST/ { in_test = 1 }
    in_test && /^{/ {
        print
        print "    rh_actor *log = rh_spawn(log_behaviour, struct log, {.notes = 0});"
        print "    rh_send(log, note, {.what = 1});"
        in_test = 0
        next
    }
    { print }
' "$SOURCE/examples/bank.c" >bank.c
grep -q log_behaviour bank.c || fail "bank.c was not changed"
replay 1
grep -q 'check failed' out.txt || fail "another finding" out.txt
grep -q '^note:    the schedule was saved for a finding of this kind at bank.c:29: the program has changed since$' out.txt ||
    fail "does not say that lines have moved" out.txt

# Of two findings of one execution, the one that the schedule was saved for is shrunk, also when lines have moved.
cat >two.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_SIGNAL(quit);
RH_SIGNAL(work);
struct none { int nothing; };
static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, quit))
        rh_stop();
}
static void never(const void *context)
{
    (void)context;
    rh_check(false);
}
RH_TEST(two)
{
    rh_actor *worker = rh_spawn(worker_behaviour);
    rh_finally(never, struct none, {0});
    rh_send(worker, quit);
    rh_send(worker, work);
}
END
status=0
"$REHEARSE" explore two.c >out.txt 2>&1 || status=$?
[ "$status" = 1 ] && grep -q '^finding undelivered' two-warning.schedule || fail "two findings" out.txt two-warning.schedule
sed -i '1i // One line more.' two.c
status=0
"$REHEARSE" shrink two-warning.schedule >out.txt 2>&1 || status=$?
[ "$status" = 0 ] && grep -q '^warning: undelivered' out.txt || fail "another finding was shrunk" out.txt

# The same program with fields in another order and of another size is still the same deliveries.
sed 's/{ int amount; }/{ long amount; }/; s/RH_MESSAGE(deposit, { int/RH_MESSAGE(deposit, { long/' \
    "$SOURCE/examples/bank.c" >bank.c
replay 1

# A message that is renamed is another message.
sed 's/\bwithdraw\b/take/g' "$SOURCE/examples/bank.c" >bank.c
replay 2
grep -q 'found.schedule:[0-9]*: withdraw to client#1' out.txt || fail "does not say where" out.txt
grep -q 'take to client#1 from outside' out.txt || fail "does not say what was pending" out.txt
