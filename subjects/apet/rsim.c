// SPDX-License-Identifier: MIT
// Workers that register with a server, for a number of workers that nobody knows:
// basset/regsim.c, with a server that has only so many places. Registrations come in any order, and
// none of the orders makes a difference: the server only looks whether a worker's number is too
// high. A worker that is refused asks once more, for a place that another may have left.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(boot, { int workers; });
RH_MESSAGE(begin, {
    rh_actor *server;
    int number;
});
RH_MESSAGE(enlist, {
    rh_actor *from;
    int number;
});
RH_SIGNAL(welcome);
RH_SIGNAL(refused);

struct server {
    int places;
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct server *server = state;
    const struct enlist *enlist = rh_as(message, enlist);
    (void)self;

    if (!enlist)
        return;
    if (enlist->number < server->places)
        rh_send(enlist->from, welcome);
    else
        rh_send(enlist->from, refused);
}

struct worker {
    rh_actor *server;
    int number;
    bool is_in;
    int refusals;
};

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct begin *begin;

    if ((begin = rh_as(message, begin))) {
        worker->server = begin->server;
        worker->number = begin->number;
        rh_send(worker->server, enlist, {.from = self, .number = worker->number});
    } else if (rh_as(message, welcome)) {
        worker->is_in = true;
    } else if (rh_as(message, refused)) {
        if (worker->refusals++ == 0)
            rh_send(worker->server, enlist, {.from = self, .number = worker->number - 1});
    }
}

struct master {
    int places;
};

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct master *master = state;
    const struct boot *boot = rh_as(message, boot);
    (void)self;

    if (!boot)
        return;
    rh_actor *server = rh_spawn(server_behaviour, struct server, {.places = master->places});
    for (int i = 0; i < boot->workers; i++) {
        rh_actor *worker = rh_spawn(worker_behaviour, struct worker, {.number = i});
        rh_send(worker, begin, {.server = server, .number = i});
    }
}

RH_TEST(three_workers)
{
    rh_actor *master = rh_spawn(master_behaviour, struct master, {.places = 2});
    rh_send(master, boot, {.workers = 3});
}
