// SPDX-License-Identifier: MIT
// A guard allocates and frees more than a sanitizer holds back: the books about that are not the program's, and must not
// be put back.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <stdlib.h>

RH_MESSAGE(go, { int number; });

struct counter {
    int count;
    int last;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    const struct go *go = rh_as(message, go);
    (void)self;

    if (go) {
        counter->count++;
        counter->last = go->number;
    }
}

static bool counter_guard(const void *state, const rh_message *message)
{
    const struct counter *counter = state;
    bool is_there = true;
    (void)message;

    for (int i = 0; i < 200; i++) {
        char *volatile block = malloc(((size_t)2 << 20) + (size_t)(i + counter->count) * 4096);
        is_there = is_there && block != NULL;
        free(block);
    }
    return is_there;
}
RH_GUARD(counter_behaviour, counter_guard);

RH_TEST(guard_frees)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
