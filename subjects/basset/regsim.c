// SPDX-License-Identifier: MIT
// Workers that register with one of them.
//
// The master creates the workers, sends the first of them a result, and tells the others to do the
// same. No bug under any order: all deliveries at the receiver commute, so that a reduction which
// sees that needs one execution.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(boot, { int workers; });
RH_MESSAGE(enlist, { rh_actor *at; });
RH_SIGNAL(result);

struct worker {
    int results;
};

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct enlist *enlist;
    (void)self;

    if ((enlist = rh_as(message, enlist)))
        rh_send(enlist->at, result);
    else if (rh_as(message, result))
        worker->results++;
}

struct master {
    rh_actor *first; // the worker that all register with
};

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct boot *boot = rh_as(message, boot);
    (void)self;

    if (!boot)
        return;
    master->first = rh_spawn(worker_behaviour, struct worker, {.results = 0});
    rh_send(master->first, result);
    for (int i = 1; i < boot->workers; i++) {
        rh_actor *worker = rh_spawn(worker_behaviour, struct worker, {.results = 0});
        rh_send(worker, enlist, {.at = master->first});
    }
}

struct expected {
    rh_actor *master;
    int results;
};

static void all_registered(const void *context)
{
    const struct expected *expected = context;
    const struct master *master = rh_view_state(expected->master);
    const struct worker *first = rh_view_state(master->first);

    rh_check(first->results == expected->results);
}

static void register_them(int workers)
{
    rh_actor *master = rh_spawn(master_behaviour, struct master, {.first = NULL});

    rh_finally(all_registered, struct expected, {.master = master, .results = workers});
    rh_send(master, boot, {.workers = workers});
}

RH_TEST(three_workers)
{
    register_them(3);
}

RH_TEST(five_workers)
{
    register_them(5);
}
