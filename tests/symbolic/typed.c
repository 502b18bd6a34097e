// SPDX-License-Identifier: MIT
// Structs without names of their own, in others and behind a typedef, members without names, and bit fields.
#include <rehearse/actor.h>
#include <rehearse/test.h>

typedef struct {
    short kind;
    unsigned char size[2];
} box_t;

RH_MESSAGE(order, {
    int items;
    box_t box;
    struct {
        int x;
        union {
            int by_number;
            float by_weight;
        };
    } place;
    unsigned flag : 3;
    int sign : 5;
});

typedef struct {
    int stock;
    box_t last;
    unsigned open : 1, level : 7;
} shop_t;

static void shop_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    shop_t *shop = state;
    const struct order *order = rh_as(message, order);
    (void)self;
    if (!order)
        return;
    shop->last = order->box;
    if (order->box.size[1] == 7 && order->place.by_number < 0)
        shop->stock = 1;
    if (order->flag == 5 && order->sign < -3 && shop->open)
        shop->level = 9;
}

RH_TEST(shopping)
{
    rh_actor *shop = rh_spawn(shop_behaviour, shop_t, {.stock = 5});
    rh_send(shop, order, {.items = 3, .flag = 2});
}
