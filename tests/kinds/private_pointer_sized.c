// SPDX-License-Identifier: MIT
// A state without a type holds an address of a block of the creator's: the children would write it. 1 execution, 1 delivery.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(add);
RH_SIGNAL(look);

struct child {
    long number;
    int *count;
};

static void child_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct child *child = state;
    (void)self;

    if (rh_as(message, add))
        ++*child->count;
    else if (rh_as(message, look))
        rh_check(*child->count == 0);
}

struct parent {
    int *count;
};

static void parent_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct parent *parent = state;
    (void)self;

    if (rh_as(message, go)) {
        parent->count = calloc(1, sizeof *parent->count);
        struct child child = {.number = 1, .count = parent->count};
        rh_send(rh_spawn_sized(child_behaviour, &child, sizeof child), look);
        rh_send(rh_spawn_sized(child_behaviour, &child, sizeof child), add);
    }
}

RH_TEST(private_pointer_sized)
{
    rh_send(rh_spawn(parent_behaviour, struct parent, {.count = NULL}), go);
}
