// SPDX-License-Identifier: MIT
// Many actors that never get a message, some of which a guard or an invariant looks at, and small states with padding.
#include <rehearse/test.h>

RH_SIGNAL(go);

struct small {
    char mark;
    uint64_t number;
};

struct watched {
    const rh_actor *shown;
};

static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    struct small *small = state;
    if (rh_as(message, go)) {
        rh_check(small->mark == 'a' && small->number == 7);
        small->number++;
    }
}

static void guarded_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_ignore(message);
}

// Called before the actor has got anything.
static bool is_ready(const void *state, const rh_message *message)
{
    const struct small *small = state;
    (void)message;
    return small->mark == 'g' && small->number == 9;
}
RH_GUARD(guarded_behaviour, is_ready);

static void see(const void *context)
{
    const struct watched *watched = context;
    const struct small *small = rh_view_state(watched->shown);
    rh_check(small->mark == 's' && small->number == 11);
}

RH_TEST(idle)
{
    rh_actor *last = NULL;
    for (int i = 0; i < 20000; i++)
        last = rh_spawn(idle_behaviour, struct small, {.mark = 'a', .number = 7});
    rh_actor *guarded = rh_spawn(guarded_behaviour, struct small, {.mark = 'g', .number = 9});
    rh_actor *shown = rh_spawn(idle_behaviour, struct small, {.mark = 's', .number = 11});
    rh_invariant(see, struct watched, {.shown = shown});
    rh_send(last, go);
    rh_send(guarded, go);
}
