// SPDX-License-Identifier: MIT
// Little enough to say by hand what its runs take, for coverage.sh.
//
// Two workers each send the boss `done`, a clerk asks it for an answer. The first worker would send `late` at its second
// `go`, and the boss would hire a spare; but there is only one. After its second `done` the boss becomes idle.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(done);
RH_SIGNAL(late);
RH_SIGNAL(question);
RH_SIGNAL(answer);

struct boss {
    int count;
};

static void spare_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_as(message, go);
}

static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, question))
        rh_reply(message, answer);
}

static void boss_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct boss *boss = state;
    (void)self;
    if (rh_as(message, done)) {
        if (++boss->count == 2)
            rh_become(idle_behaviour);
    } else if (rh_as(message, late)) {
        rh_actor *spare = rh_spawn(spare_behaviour);
        rh_send(spare, go);
    } else if (rh_as(message, question)) {
        rh_reply(message, answer);
    }
}

struct worker {
    rh_actor *boss;
    int jobs;
};

static void first_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    (void)self;
    if (!rh_as(message, go))
        return;
    rh_send(worker->boss, done);
    if (worker->jobs++ > 0)
        rh_send(worker->boss, late);
}

static void second_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct worker *worker = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(worker->boss, done);
}

static void clerk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct worker *worker = state;
    (void)self;
    if (rh_as(message, go))
        rh_as(rh_ask(worker->boss, question), answer);
}

static rh_actor *new_worker(rh_behaviour *behaviour, rh_actor *boss)
{
    return rh_spawn(behaviour, struct worker, {.boss = boss, .jobs = 0});
}

RH_TEST(office)
{
    rh_actor *boss = rh_spawn(boss_behaviour, struct boss, {.count = 0});
    rh_send(new_worker(first_behaviour, boss), go);
    rh_send(new_worker(second_behaviour, boss), go);
    rh_send(new_worker(clerk_behaviour, boss), go);
}

RH_TEST(nobody)
{
    rh_spawn(boss_behaviour, struct boss, {.count = 0});
}
