#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Schedules of findings: which file each is saved in, and what becomes of them when the program is changed.
. "$SOURCE/tests/cli/expect.bash"

names() { find . -maxdepth 1 -name '*.schedule' -printf '%f\n' | LC_ALL=C sort | tr '\n' ' '; }
are() { [ "$(names)" = "$1 " ] || fail "the schedules are $(names), not $1"; }

# program FILE CHECK MORE: a till, what it checks when it pays, and what else its test does before the withdrawal.
program() {
    cat >"$1" <<END
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_MESSAGE(deposit, { int amount; });
RH_MESSAGE(withdraw, { int amount; });
struct till { int balance; };
static void till_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct till *till = state;
    (void)self;
    if (rh_as(message, deposit))
        till->balance += 70;
    else if (rh_as(message, withdraw))
        $2
}
RH_TEST(overdraw)
{
    rh_actor *till = rh_spawn(till_behaviour, struct till, {.balance = 0});
    $3
    rh_send_from(rh_outside("customer"), till, withdraw, {.amount = 70});
}
END
}
both='rh_send(till, deposit, {.amount = 70});'

# Found again, the finding takes its own file, also from another line.
program shop.c 'rh_check(till->balance >= 70);' "$both"
expect 1 "$REHEARSE" explore shop.c
expect 1 "$REHEARSE" explore shop.c
are overdraw.schedule
cp overdraw.schedule good
program shop.c '
        rh_check(till->balance >= 70);' "$both"
expect 1 "$REHEARSE" sample shop.c
are overdraw.schedule
cmp -s good overdraw.schedule && fail 'the file of the finding that has moved was not replaced'

# Another check in its place is another finding, and so are another program's and a file of another kind: they stay.
program shop.c 'rh_check(till->balance > 0);' "$both"
cp overdraw.schedule before
expect 1 "$REHEARSE" explore shop.c
says '^saved: *overdraw-2.schedule'
cmp before overdraw.schedule || fail 'the file of another finding was replaced'
expect 1 "$REHEARSE" explore shop.c
are 'overdraw-2.schedule overdraw.schedule'
program market.c 'rh_check(till->balance > 0);' "$both"
expect 1 "$REHEARSE" explore market.c
are 'overdraw-2.schedule overdraw-3.schedule overdraw.schedule'
rm -- *.schedule
echo 'my own notes' >overdraw.schedule
expect 1 "$REHEARSE" explore shop.c
are 'overdraw-2.schedule overdraw.schedule'
[ "$(cat overdraw.schedule)" = 'my own notes' ] || fail 'a file that is no schedule was replaced'
expect 1 "$REHEARSE" shrink overdraw-2.schedule
expect 1 "$REHEARSE" shrink overdraw-2.schedule
are 'overdraw-2-shrunk.schedule overdraw-2.schedule overdraw.schedule'
rm -- *.schedule

# Mended so that the order is made, and nothing is found; and so that it can't be made.
program shop.c 'rh_check(till->balance >= 70);' "$both"
expect 1 "$REHEARSE" explore shop.c --no-shrink
program shop.c '(void)till;' "$both"
expect 0 "$REHEARSE" replay overdraw.schedule
says 'test overdraw: made, nothing found in this schedule'
program shop.c 'rh_check(till->balance >= 70);' 'till = rh_spawn(till_behaviour, struct till, {.balance = 70});'
expect 0 "$REHEARSE" replay overdraw.schedule
says "test overdraw: fixed: the order can't be made any more"
says '^note: *overdraw.schedule:[0-9]*: withdraw to till#1 .* cannot be delivered here'
expect 0 "$REHEARSE" replay --json overdraw.schedule
says '"refusal": "overdraw.schedule:'
mkdir bugs
cp overdraw.schedule bugs
expect 0 "$REHEARSE" replay bugs
says "test overdraw: fixed: the order can't be made any more"
expect 2 "$REHEARSE" shrink overdraw.schedule

# Not mended, but changed: the message has another identity since a further one comes before it.
program shop.c 'rh_check(till->balance >= 70);' \
    'rh_send_from(rh_outside("thief"), rh_spawn(till_behaviour, struct till, {0}), deposit, {0});
    rh_send_from(rh_outside("ann"), till, withdraw, {.amount = 0});'
expect 1 "$REHEARSE" replay overdraw.schedule
says 'test overdraw: FAILED again'
expect 1 "$REHEARSE" replay bugs

# Another name mends nothing either.
program shop.c '(void)till;' "$both"
sed -i 's/withdraw/take_out/g' shop.c
refuses 2 'the program knows no withdraw' "$REHEARSE" replay overdraw.schedule
sed -i 's/take_out/withdraw/g; s/till_behaviour/drawer_behaviour/g' shop.c
refuses 2 'the program knows no till#1' "$REHEARSE" replay overdraw.schedule

# The program that is named wins.
program market.c 'rh_check(till->balance >= 70);' "$both"
expect 1 "$REHEARSE" replay market.c overdraw.schedule
says '^note: *the schedule is of shop.c, and was followed in market.c'

# What holds a behaviour does not give its name to the actor, under control or on threads.
cat >held.c <<'END'
#include <stddef.h>
#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>
RH_SIGNAL(go);
static void clerk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_check(!rh_as(message, go));
}
static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state, (void)message;
}
static rh_actor *hire(rh_behaviour *whatever)
{
    return rh_spawn(whatever);
}
static void office(void *unused)
{
    (void)unused;
    rh_behaviour *first = clerk_behaviour;
    hire(idle_behaviour);
    hire(clerk_behaviour);
    rh_send(rh_spawn(first), go);
}
RH_TEST(office_test)
{
    office(NULL);
}
int main(void)
{
    return rh_run(NULL, office);
}
END
. "$SOURCE/tests/runtime/build.shlib"
expect 1 "$REHEARSE" explore held.c
says 'check failed: .* in clerk#2 \(handling go\)'
grep -q '^deliver go to clerk#2 ' office_test.schedule || fail 'the schedule names another actor'
build_program held held.c >"$capture/stderr" 2>&1 || fail "held.c can not be linked"
REHEARSE_RECORD=held.trace ./held 2>"$capture/stderr" && fail 'held.c does not fail on threads'
grep -q 'while clerk#2 (clerk_behaviour, ' "$capture/stderr" || fail 'on threads the actor has another name'
expect 1 "$REHEARSE" replay held.trace
says 'check failed: .* in clerk#2 \(handling go\)'
exit 0
