// SPDX-License-Identifier: MIT
// CigaretteSmokers of Savina: an arbiter lets one smoker at a time begin, chosen at random, and the
// next as soon as that one has begun.
//
// Nothing goes wrong under any order rule.
#include "savina.h"

enum { SMOKERS = 200, SMOKING = 1000 };

RH_SIGNAL(start);
RH_MESSAGE(start_smoking, { int work; });
RH_SIGNAL(started_smoking);
RH_SIGNAL(leave);

static void smoker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct start_smoking *start_smoking;
    (void)self, (void)state;

    if ((start_smoking = rh_as(message, start_smoking))) {
        rh_reply(message, started_smoking);
        do_work(start_smoking->work);
    } else if (rh_as(message, leave)) {
        rh_stop();
    }
}

struct arbiter {
    int smokers;
    long rounds;
    struct random random;
    rh_actor *smoker[SMOKERS];
};

static void choose_smoker(struct arbiter *arbiter)
{
    int chosen = next_random(&arbiter->random, arbiter->smokers);

    rh_send(arbiter->smoker[chosen], start_smoking,
            {.work = next_random(&arbiter->random, SMOKING)});
}

static void arbiter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct arbiter *arbiter = state;
    (void)self;

    if (rh_as(message, start)) {
        for (int i = 0; i < arbiter->smokers; i++)
            arbiter->smoker[i] = rh_spawn(smoker_behaviour);
        choose_smoker(arbiter);
    } else if (rh_as(message, started_smoking) && --arbiter->rounds > 0) {
        choose_smoker(arbiter);
    } else {
        for (int i = 0; i < arbiter->smokers; i++)
            rh_send(arbiter->smoker[i], leave);
        rh_stop();
    }
}

static void smoke(int smokers, long rounds)
{
    rh_actor *arbiter = rh_spawn(arbiter_behaviour, struct arbiter,
                                 {.smokers = smokers, .rounds = rounds, .random = {SAVINA_SEED}});

    rh_send(arbiter, start);
}

static void set_up(void *context)
{
    const long *rounds = context;

    smoke(SMOKERS, *rounds);
}

RH_TEST(small)
{
    smoke(rh_parameter(int, smokers, 2), rh_parameter(int, rounds, 3));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 1000, set_up);
}
