// SPDX-License-Identifier: MIT
// Duplicate stop: two conditions, each of which ends the work.
//
// A master has two workers search. It stops them when one has found something, and it stops them
// when both are done. Under any order rule both conditions may come true, and the second broadcast
// goes to workers that have halted: its messages are undelivered. That is a warning; `--fail-on
// undelivered` makes it an error. In the fixed twin the master remembers that it has stopped them;
// only under `--delivery any` a stop may still overtake the search that it ends.
//
// bug:     --test broken --fail-on undelivered : undelivered
// cause:   not an ordering bug
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { WORKERS = 2 };

RH_MESSAGE(search, { bool successful; });
RH_SIGNAL(found);
RH_SIGNAL(done);
RH_SIGNAL(stop);
RH_SIGNAL(start);

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct search *search;
    (void)self, (void)state;

    if ((search = rh_as(message, search))) {
        if (search->successful)
            rh_reply(message, found);
        rh_reply(message, done);
    } else if (rh_as(message, stop)) {
        rh_stop();
    }
}

struct master {
    rh_actor *worker[WORKERS];
    int done;
    bool stopped;
    bool remembers; // the fix
};

static void stop_workers(struct master *master)
{
    if (master->remembers && master->stopped)
        return;
    master->stopped = true;
    for (int i = 0; i < WORKERS; i++)
        rh_send(master->worker[i], stop);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    (void)self;

    if (rh_as(message, start)) {
        for (int i = 0; i < WORKERS; i++) {
            master->worker[i] = rh_spawn(worker_behaviour);
            rh_send(master->worker[i], search, {.successful = i == 0});
        }
    } else if (rh_as(message, found)) {
        stop_workers(master);
    } else if (rh_as(message, done)) {
        if (++master->done == WORKERS)
            stop_workers(master);
    }
}

static void set_up(bool remembers)
{
    rh_actor *master = rh_spawn(master_behaviour, struct master, {.remembers = remembers});

    rh_send(master, start);
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
