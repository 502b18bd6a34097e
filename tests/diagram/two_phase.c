// SPDX-License-Identifier: MIT
// A two-phase commit: each participant votes, and the coordinator commits if nobody says no.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { PARTICIPANTS = 8 };

RH_SIGNAL(begin);
RH_SIGNAL(prepare);
RH_SIGNAL(yes);
RH_SIGNAL(no);
RH_SIGNAL(commit);
RH_SIGNAL(roll_back);
RH_SIGNAL(done);

struct coordinator {
    int count;
    int votes;
    int refused;
    rh_actor *participants[PARTICIPANTS];
};

static void decide(const struct coordinator *coordinator)
{
    for (int i = 0; i < coordinator->count; i++)
        if (coordinator->refused)
            rh_send(coordinator->participants[i], roll_back);
        else
            rh_send(coordinator->participants[i], commit);
}

static void coordinator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct coordinator *coordinator = state;
    (void)self;
    for (int i = 0; i < coordinator->count && rh_as(message, begin); i++)
        rh_send(coordinator->participants[i], prepare);
    coordinator->refused += rh_as(message, no) != NULL;
    coordinator->votes += rh_as(message, no) || rh_as(message, yes);
    if (coordinator->votes == coordinator->count && !rh_as(message, done))
        decide(coordinator);
}

static void participant_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (!rh_as(message, prepare)) {
        rh_check(rh_as(message, commit) || rh_as(message, roll_back));
        rh_reply(message, done);
    } else if (rh_choose(2)) {
        rh_reply(message, yes);
    } else {
        rh_reply(message, no);
    }
}

RH_TEST(two_phase)
{
    struct coordinator coordinator = {.count = rh_parameter(int, participants, 2)};
    for (int i = 0; i < coordinator.count; i++)
        coordinator.participants[i] = rh_spawn(participant_behaviour);
    rh_send(rh_spawn_sized(coordinator_behaviour, &coordinator, sizeof coordinator), begin);
}
