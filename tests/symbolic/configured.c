// SPDX-License-Identifier: MIT
// Variables that a test's body sets before anybody runs, one to what nobody knows and one to an actor.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(add, { int number; });
RH_SIGNAL(full);

static struct {
    int limit;
    rh_actor *log;
} config = {.limit = 1};

struct log {
    int times;
};

static void log_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct log *log = state;
    (void)self;
    if (rh_as(message, full))
        log->times++;
}

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct add *add = rh_as(message, add);
    (void)self, (void)state;
    if (add && add->number > config.limit)
        rh_send(config.log, full);
}

// 3 is above the limit, or it is not.
RH_TEST(configured)
{
    config.limit = rh_input(int, "limit");
    config.log = rh_spawn(log_behaviour, struct log, {0});
    rh_send(rh_spawn(counter_behaviour), add, {.number = 3});
}
