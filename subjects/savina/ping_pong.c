// SPDX-License-Identifier: MIT
// PingPong of Savina: two actors send each other one message, again and again.
//
// Nothing goes wrong under any order rule: there is one message at a time.
#include "savina.h"

RH_SIGNAL(start);
RH_SIGNAL(again);
RH_SIGNAL(ping);
RH_SIGNAL(pong);
RH_SIGNAL(stop);

struct pinger {
    rh_actor *ponger;
    long left;
};

static void pinger_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct pinger *pinger = state;

    if (rh_as(message, start) || rh_as(message, again)) {
        rh_send(pinger->ponger, ping);
        pinger->left--;
    } else if (rh_as(message, pong) && pinger->left > 0) {
        rh_send(self, again);
    } else {
        rh_send(pinger->ponger, stop);
        rh_stop();
    }
}

struct ponger {
    long count;
    long expected;
};

static void ponger_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct ponger *ponger = state;
    (void)self;

    if (rh_as(message, ping)) {
        ponger->count++;
        rh_reply(message, pong);
    } else if (rh_as(message, stop)) {
        rh_check(ponger->count == ponger->expected);
        rh_stop();
    }
}

static void set_up(void *context)
{
    const long *rounds = context;
    rh_actor *ponger = rh_spawn(ponger_behaviour, struct ponger, {.expected = *rounds});
    rh_actor *pinger =
        rh_spawn(pinger_behaviour, struct pinger, {.ponger = ponger, .left = *rounds});

    rh_send(pinger, start);
}

RH_TEST(small)
{
    set_up(&(long){rh_parameter(int, rounds, 3)});
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 40000, set_up);
}
