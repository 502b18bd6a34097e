// SPDX-License-Identifier: MIT
// States without a type hold addresses of actors, of constants and of code, and numbers of any size. Two messages to
// children and what each sends then: 6 executions, 1 + 2 + 4 + 6 + 6 deliveries.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(sum, { uint64_t value; });

struct child {
    rh_actor *parent;
    const char *text;
    size_t (*length)(const char *);
    uint64_t count;
    uint64_t numbers[];
};

static void child_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct child *child = state;
    uint64_t value = child->length(child->text);
    (void)self;

    if (rh_as(message, go)) {
        for (uint64_t i = 0; i < child->count; i++)
            value += child->numbers[i];
        rh_send(child->parent, sum, {.value = value});
    }
}

struct parent {
    uint64_t total;
};

static void parent_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct parent *parent = state;
    const struct sum *got = rh_as(message, sum);
    enum { COUNT = 4 };

    if (got) {
        parent->total += got->value;
    } else if (rh_as(message, go)) {
        size_t size = sizeof(struct child) + COUNT * sizeof(uint64_t);
        struct child *child = malloc(size);
        *child = (struct child){.parent = self, .text = "four", .length = strlen, .count = COUNT};
        uint64_t numbers[COUNT] = {UINT64_MAX, INT64_MIN, UINT64_C(1) << 46, 4};
        memcpy(child->numbers, numbers, sizeof numbers);
        for (int i = 0; i < 2; i++)
            rh_send(rh_spawn_sized(child_behaviour, child, size), go);
        free(child);
    }
}

RH_TEST(sized_states)
{
    rh_send(rh_spawn(parent_behaviour, struct parent, {.total = 0}), go);
}
