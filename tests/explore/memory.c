// SPDX-License-Identifier: MIT
// Searches that take much memory: for memory.sh.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(add, { int number; });

struct small {
    unsigned long hash;
};

static void small_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct small *small = state;
    (void)self;
    small->hash = small->hash * 31 + (unsigned)rh_as(message, add)->number;
}

// Each delivery that may have to be undone keeps a copy of this.
struct large {
    unsigned long hash;
    char bytes[2 << 20];
};

static void large_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct large *large = state;
    (void)self;
    large->hash = large->hash * 31 + (unsigned)rh_as(message, add)->number;
    large->bytes[large->hash % sizeof large->bytes]++;
}

static void send_all(rh_actor *to, int count)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    for (int i = 0; i < count; i++)
        rh_send_from(rh_outside(names[i]), to, add, {.number = i});
}

static void never(const void *context)
{
    (void)context;
    rh_check(false);
}

RH_TEST(few)
{
    send_all(rh_spawn(small_behaviour, struct small, {0}), 3);
}

RH_TEST(many_states)
{
    send_all(rh_spawn(small_behaviour, struct small, {0}), 10);
}

RH_TEST(many_states_and_an_error)
{
    rh_actor *small = rh_spawn(small_behaviour, struct small, {0});
    send_all(small, 10);
    rh_finally(never, struct small, {0});
}

RH_TEST(large_states)
{
    static struct large large;
    send_all(rh_spawn_sized(large_behaviour, &large, sizeof large), 7);
}
