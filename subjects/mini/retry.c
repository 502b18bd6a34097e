// SPDX-License-Identifier: MIT
// Denied for ever, but only if somebody else's message waits for ever.
//
// Two philosophers share two forks. Whoever is hungry asks the arbitrator, is denied while the forks are taken, and asks
// again at once. One can be denied again and again while the other's `done`, which would free the forks, is on its
// way: a way round for ever, but an unfair one, since that message could be delivered all the time. No livelock,
// under any order rule; with --unfair a warning. In `greedy` who has eaten keeps the forks: then the other is denied
// for ever in earnest.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(hungry);
RH_SIGNAL(denied);
RH_SIGNAL(eat);
RH_SIGNAL(done);

struct arbitrator {
    bool forks_are_taken;
};

static void arbitrator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct arbitrator *arbitrator = state;
    (void)self;

    if (rh_as(message, hungry)) {
        if (arbitrator->forks_are_taken)
            rh_reply(message, denied);
        else
            rh_reply(message, eat);
        arbitrator->forks_are_taken = true;
    } else if (rh_as(message, done)) {
        arbitrator->forks_are_taken = false;
    }
}

struct philosopher {
    rh_actor *arbitrator;
    bool is_greedy;
};

static void philosopher_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct philosopher *philosopher = state;
    (void)self;

    if (rh_as(message, start) || rh_as(message, denied))
        rh_send(philosopher->arbitrator, hungry);
    else if (rh_as(message, eat) && !philosopher->is_greedy)
        rh_send(philosopher->arbitrator, done);
}

static void dine(bool is_greedy)
{
    rh_actor *arbitrator =
        rh_spawn(arbitrator_behaviour, struct arbitrator, {.forks_are_taken = false});

    for (int i = 0; i < 2; i++)
        rh_send(rh_spawn(philosopher_behaviour, struct philosopher,
                         {.arbitrator = arbitrator, .is_greedy = is_greedy}),
                start);
}

RH_TEST(patient)
{
    dine(false);
}

RH_TEST(greedy)
{
    dine(true);
}
