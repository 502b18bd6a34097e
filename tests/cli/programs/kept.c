// SPDX-License-Identifier: MIT
// Whoever comes first decides what goes wrong. The last one waits at a gate until somebody opens it.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(visit, { int who; });

struct host {
    int visits;
};

static void wait_at_gate(void)
{
    char byte;
    int gate = open("gate", O_RDONLY);
    rh_check(gate >= 0 && read(gate, &byte, 1) == 1);
    close(gate);
}

static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct host *host = state;
    const struct visit *visit = rh_as(message, visit);
    (void)self;
    if (host->visits++ > 0)
        return;
    if (visit->who == 0)
        rh_check(visit->who > 0);
    if (visit->who == 1)
        abort();
    if (visit->who == 2)
        rh_check(visit->who > 2);
    if (visit->who == 3)
        wait_at_gate();
}

RH_TEST(kept)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    rh_actor *host = rh_spawn(host_behaviour, struct host, {0});
    for (int i = 0; i < 4; i++)
        rh_send_from(rh_outside(names[i]), host, visit, {.who = i});
}
