#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Schedules with a lap: what replay says if it leads back, if it does not, and if it can't be followed; how findings
# with a lap read; and what is said where livelocks were not looked for everywhere.
. "$SOURCE/tests/cli/expect.bash"
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
kinds=$SOURCE/tests/kinds

expect 1 "$REHEARSE" explore "$kinds/livelock.c" --states exact --reduction none
says 'round and round from here'
expect 1 "$REHEARSE" replay "$kinds/livelock.c" livelock.schedule
says 'livelock: the program goes round for ever: the state before delivery 2 comes back after every 2 deliveries'
says '^livelock: test|FAILED again in this schedule, 3 deliveries'

# One delivery less, and the state is another one.
grep -v '^deliver ball to server#1 from player#1' livelock.schedule >short.schedule
expect 0 "$REHEARSE" replay "$kinds/livelock.c" short.schedule
says 'nothing found in this schedule, 2 deliveries'

# A lap that is longer than the program goes.
sed '/^finding/d; s/^end$/deliver whistle to player#1\nend/' livelock.schedule >long.schedule
refuses 2 'long.schedule:[0-9]*: whistle to player#1 cannot be delivered here' \
    "$REHEARSE" replay "$kinds/livelock.c" long.schedule

# A lap of another length that comes back too.
sed 's/^end$/deliver ball to player#1\ndeliver ball to server#1\nend/' livelock.schedule >twice.schedule
expect 1 "$REHEARSE" replay "$kinds/livelock.c" twice.schedule
says 'comes back after every 4 deliveries'

# Unfair: a warning, by name, and an error if wanted.
expect 0 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED --states exact --reduction none
says 'passed, all 7 states'
expect 0 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED --states exact --reduction none --unfair
says 'warning: unfair livelock: .* if whistle to player#1 is never delivered'
expect 0 "$REHEARSE" replay "$kinds/livelock.c" --cflags -DFIXED livelock-warning.schedule
says 'warning: unfair livelock: .* if whistle to player#1 is never delivered'
expect 1 "$REHEARSE" replay "$kinds/livelock.c" --cflags -DFIXED livelock-warning.schedule --fail-on livelock
expect 1 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED --states exact --reduction none --unfair \
    --fail-on livelock
expect 0 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED --states exact --reduction none --unfair --json
says '"fair": false'

# Without states only the first execution that is cut off is looked at, with every reduction.
for reduction in none source optimal dcute; do
    expect 0 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED --max-length 10 --reduction $reduction
    says 'note: .*livelocks were looked for in the first execution that was cut off only'
    expect 1 "$REHEARSE" explore "$kinds/livelock.c" --max-length 10 --reduction $reduction
    says 'livelock: the program goes round for ever: the state before delivery 2 comes back after every 2'
done
expect 0 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED --states bitstate --reduction none
says 'note: .*come back to a state that it has been in'

# A reduction is given up when the program goes round, and that is said.
expect 1 "$REHEARSE" explore "$kinds/livelock.c" --states exact --reduction source
says 'livelock: the program goes round for ever'
says 'note: .*every order was tried, to find livelocks'
expect 0 "$REHEARSE" explore "$kinds/check.c" --cflags -DFIXED --states exact --reduction source
! grep -q 'every order was tried' "$capture/stdout" || fail 'a reduction was given up for nothing'

# Without options, states are compared where executions have no end.
expect 0 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED
says 'passed, all 7 states'
expect 0 "$REHEARSE" explore "$kinds/livelock.c" --cflags -DFIXED --unfair
says 'unfair livelock: .* if whistle to player#1 is never delivered'
expect 1 "$REHEARSE" explore "$kinds/livelock.c" --keep-going --json
[ "$(grep -c '"kind": "livelock"' "$capture/stdout")" -eq 1 ] || fail 'one livelock twice'

# A search that stops at an error looks for no livelock; one that goes on finds both.
cat >both.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(again);
RH_SIGNAL(fail);

static void behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    rh_check(!rh_as(message, fail));
    if (rh_as(message, again))
        rh_send(self, again);
}

RH_TEST(both)
{
    rh_actor *actor = rh_spawn(behaviour);
    rh_send_from(rh_outside("ann"), actor, fail);
    rh_send_from(rh_outside("ben"), actor, again);
}

static void choosing(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, again) && rh_choose(3) == 1 && rh_choose(2) == 1)
        rh_send(self, again);
}

// The body and the handler choose: the livelock is only behind these outcomes.
RH_TEST(chosen)
{
    rh_actor *actor = rh_spawn(choosing);
    if (rh_choose(3) == 2)
        rh_send(actor, again);
}
END
expect 1 "$REHEARSE" explore both.c --test both --states exact --reduction none
! grep -q livelock "$capture/stdout" || fail 'a livelock after an error'
expect 1 "$REHEARSE" explore both.c --test both --states exact --reduction none --keep-going --unfair
says 'unfair livelock'
expect 1 "$REHEARSE" explore both.c --test chosen --states exact --reduction none
says 'the state before delivery 2 comes back after every 1 delivery'
expect 1 "$REHEARSE" replay chosen.schedule
says 'the state before delivery 2 comes back after every 1 delivery'
