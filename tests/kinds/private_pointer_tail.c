// SPDX-License-Identifier: MIT
// The second element of a flexible array carries the address of the sender's stack. 1 execution, 1 delivery.
// FIXED: The second element of a flexible array carries the address of a constant. 1 execution, 2 deliveries.
#include <stddef.h>
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(items, {
    size_t count;
    struct {
        int key;
        const void *value;
    } item[];
});

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct items *items = rh_as(message, items);
    (void)self;
    (void)state;

    if (items)
        rh_check(items->count == 2);
}

static void maker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *keeper = *(rh_actor **)state;
    size_t size = offsetof(struct items, item) + 2 * sizeof(((struct items *)0)->item[0]);
    struct items *items;
#ifndef FIXED
    int number = 7;
#else
    static const int number = 7;
#endif
    (void)self;

    if (rh_as(message, go)) {
        items = malloc(size);
        items->count = 2;
        items->item[1].value = &number;
        rh_send_sized(keeper, items, items, size);
        free(items);
    }
}

RH_TEST(private_pointer_tail)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour);

    rh_send(rh_spawn(maker_behaviour, rh_actor *, {keeper}), go);
}
