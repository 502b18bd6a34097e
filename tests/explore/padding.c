// SPDX-License-Identifier: MIT
// Equal messages of variable length whose padding differs: in the fields, in the elements of the flexible array, and in
// front of bytes that follow a struct without one.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { ITEMS = 2, BYTES = 5 };

RH_SIGNAL(go);
RH_MESSAGE(items, {
    char kind;
    int count;
    struct {
        char key;
        long value;
    } item[];
});
RH_MESSAGE(packet, {
    char kind;
    int length;
});

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct items *items = rh_as(message, items);
    const struct packet *packet = rh_as(message, packet);
    (void)self;
    (void)state;

    if (items) {
        rh_check(rh_size(message) == offsetof(struct items, item) + 2 * sizeof items->item[0]);
        rh_check(items->kind == 'i' && items->count == 2);
        rh_check(items->item[1].key == 'k' && items->item[1].value == -1);
    }
    if (packet)
        rh_check(packet->length == BYTES && memcmp(packet + 1, "bytes", BYTES) == 0);
}

static void send_items(rh_actor *keeper, int garbage)
{
    size_t size = offsetof(struct items, item) + ITEMS * sizeof(((struct items *)0)->item[0]);
    struct items *items = malloc(size);

    memset(items, garbage, size);
    items->kind = 'i';
    items->count = ITEMS;
    for (int i = 0; i < ITEMS; i++) {
        items->item[i].key = 'k';
        items->item[i].value = -1;
    }
    rh_send_sized(keeper, items, items, size);
    memset(items, 0, size);
    free(items);
}

static void send_packet(rh_actor *keeper, int garbage)
{
    struct packet *packet = malloc(sizeof *packet + BYTES);

    memset(packet, garbage, sizeof *packet);
    packet->kind = 'p';
    packet->length = BYTES;
    memcpy(packet + 1, "bytes", BYTES);
    rh_send_sized(keeper, packet, packet, sizeof *packet + BYTES);
    free(packet);
}

static void maker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *keeper = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        int garbage = rh_choose(2) ? 0x55 : 0xaa;
        send_items(keeper, garbage);
        send_packet(keeper, garbage);
    }
}

RH_TEST(padding)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour);

    rh_send(rh_spawn(maker_behaviour, rh_actor *, {keeper}), go);
}
