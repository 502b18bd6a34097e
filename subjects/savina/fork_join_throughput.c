// SPDX-License-Identifier: MIT
// ForkJoin (throughput) of Savina: one sends rounds of a message to each of many actors, which
// compute a little at each, and stop when they have had them all.
//
// Nothing goes wrong under any order rule. Who sends does so a round at a time, and goes on by a
// message to itself, so that the messages that wait are few.
#include <math.h>

#include "savina.h"

enum { WORKERS = 60 };

RH_SIGNAL(go_on);
RH_SIGNAL(work);

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    long *left = state;
    (void)self;

    if (!rh_as(message, work))
        return;
    double sine = sin(37.2);
    rh_check(sine * sine <= 1);
    if (--*left == 0)
        rh_stop();
}

struct driver {
    long rounds;
    int workers;
    rh_actor *worker[WORKERS];
};

static void driver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct driver *driver = state;

    if (!rh_as(message, go_on))
        return;
    for (int i = 0; i < driver->workers; i++)
        rh_send(driver->worker[i], work);
    if (--driver->rounds > 0)
        rh_send(self, go_on);
    else
        rh_stop();
}

static void fork_workers(int workers, long rounds)
{
    struct driver driver = {.rounds = rounds, .workers = workers};

    for (int i = 0; i < workers; i++)
        driver.worker[i] = rh_spawn(worker_behaviour, long, {rounds});
    rh_send(rh_spawn_sized(driver_behaviour, &driver, sizeof driver), go_on);
}

static void set_up(void *context)
{
    const long *rounds = context;

    fork_workers(WORKERS, *rounds);
}

RH_TEST(small)
{
    fork_workers(rh_parameter(int, workers, 3), rh_parameter(int, rounds, 2));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 10000, set_up);
}
