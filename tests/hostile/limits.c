// SPDX-License-Identifier: MIT
// Takes more than an execution can have, or takes away what the process could have.
#define _GNU_SOURCE
#include <sys/resource.h>

#include "beside.h"

enum { MANY = 600000, LARGE = 100 << 20 };

static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void harm(struct victim *victim, const rh_message *message)
{
    static char large[LARGE];
    (void)message;
    (void)victim;
    (void)large;
#if defined ACTORS
    for (int i = 0; i < MANY; i++)
        rh_spawn(idle_behaviour);
#elif defined STATE
    rh_spawn_sized(idle_behaviour, large, sizeof large);
#elif defined MESSAGE
    rh_send_sized(rh_self(), set, large, (size_t)-1);
#else
    (void)idle_behaviour;
    setrlimit(RESOURCE, &(struct rlimit){0});
#endif
}
