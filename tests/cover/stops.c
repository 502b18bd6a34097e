// SPDX-License-Identifier: MIT
// Actors that stop: what comes then is received too late, which is an order like others.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(work, { int number; });
RH_SIGNAL(stop);
RH_SIGNAL(done);
RH_SIGNAL(go);

struct worker {
    rh_actor *boss;
    int stops_after; // so many pieces of work; 0: only when it is told
    int got;
};

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    (void)self;
    if (rh_as(message, stop)) {
        rh_stop();
    } else if (rh_as(message, work)) {
        rh_send(worker->boss, done);
        if (++worker->got == worker->stops_after)
            rh_stop();
    }
}

static void boss_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_as(message, done);
}

struct giver {
    rh_actor *worker;
};

static void giver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct giver *giver = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(giver->worker, work, {.number = 1});
}

static rh_actor *start(int givers, int stops_after)
{
    rh_actor *boss = rh_spawn(boss_behaviour);
    rh_actor *worker =
        rh_spawn(worker_behaviour, struct worker, {.boss = boss, .stops_after = stops_after});
    for (int i = 0; i < givers; i++) {
        rh_actor *giver = rh_spawn(giver_behaviour, struct giver, {.worker = worker});
        rh_send(giver, go);
    }
    return worker;
}

RH_TEST(late)
{
    rh_send(start(2, 0), stop);
}

RH_TEST(late_or_never)
{
    start(3, 2);
}
