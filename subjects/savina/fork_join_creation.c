// SPDX-License-Identifier: MIT
// ForkJoin (actor creation) of Savina: one creates actors and sends each a message; they compute a
// little, and stop.
//
// Nothing goes wrong under any order rule.
#include <math.h>

#include "savina.h"

enum { BATCH = 64 };

RH_SIGNAL(go_on);
RH_SIGNAL(work);

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (!rh_as(message, work))
        return;
    double sine = sin(37.2);
    rh_check(sine * sine <= 1);
    rh_stop();
}

static void driver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    long *left = state;

    if (!rh_as(message, go_on))
        return;
    for (int i = 0; i<BATCH && * left> 0; i++, --*left)
        rh_send(rh_spawn(worker_behaviour), work);
    if (*left > 0)
        rh_send(self, go_on);
    else
        rh_stop();
}

static void set_up(void *context)
{
    const long *workers = context;

    rh_send(rh_spawn(driver_behaviour, long, {*workers}), go_on);
}

RH_TEST(small)
{
    set_up(&(long){rh_parameter(int, workers, 3)});
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 40000, set_up);
}
