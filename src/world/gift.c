// SPDX-License-Identifier: MIT
// Blocks handed over with rh_give. Between the giver and the receiver a block lies behind the
// payload of the message that carries it; meanwhile the pointer in the payload is the block's
// number.
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

#define GIFTS_BASE UINT64_C(0x1e0000000000)

// Stands in front of each block behind the payload.
struct gift_head {
    uint64_t offset; // of the pointer in the payload
    uint64_t size;
};

void *rh_gift_take(struct rh_world *world, const void *bytes, size_t size)
{
    struct rh_gift gift = {.token = GIFTS_BASE + (++world->next_gift << 8), .size = size};
    gift.bytes = rh_world_push_payload(world, bytes, size);
    *rh_vector_push(&world->gifts) = gift;
    return (void *)gift.token;
}

static struct rh_gift *find_gift(struct rh_world *world, uint64_t token)
{
    for (size_t i = 0; i < world->gifts.count; i++)
        if (world->gifts.items[i].token == token)
            return &world->gifts.items[i];
    return NULL;
}

// The bytes between what was just pushed and the next block are part of the message's hash.
static void clear_rest(struct rh_world *world, char *end)
{
    memset(end, 0, (size_t)(world->payloads + world->payload_top - end));
}

static void push_cleared(struct rh_world *world, const void *bytes, size_t size)
{
    clear_rest(world, (char *)rh_world_push_payload(world, bytes, size) + size);
}

void rh_gift_attach(struct rh_world *world, struct rh_message *message)
{
    uint64_t *words = message->payload;
    clear_rest(world, (char *)message->payload + message->size);
    for (size_t i = 0; i < message->size / 8; i++) {
        struct rh_gift *gift = find_gift(world, words[i]);
        if (!gift)
            continue;
        struct gift_head head = {i * 8, gift->size};
        push_cleared(world, &head, sizeof head);
        push_cleared(world, gift->bytes, gift->size);
        words[i] = GIFTS_BASE + message->gifts++;
        *gift = world->gifts.items[--world->gifts.count];
    }
    if (message->gifts > 0)
        message->hashed_size =
            (uint32_t)(world->payloads + world->payload_top - (char *)message->payload);
}

static void *place_block(struct rh_world *world, const void *bytes, size_t size)
{
    struct rh_actor_record *receiver = &world->actors[world->current];
    void *block = rh__process.owns_malloc ? rh_heap_alloc(&receiver->heap, world->current, size)
                                          : malloc(size);
    if (!block)
        rh_world_reach_limit(
            world, "a block handed over with rh_give does not fit into its receiver's memory");
    memcpy(block, bytes, size);
    return block;
}

// The receiver gets a copy of the payload with the pointers to its own blocks, so that undo need
// not put anything back.
void rh_gift_arrive(struct rh_world *world, struct rh_message *message)
{
    const char *from = (char *)message->payload + rh_payload_room(message->size);
    char *payload = rh_world_push_payload(world, message->payload, message->size);
    for (int i = 0; i < message->gifts; i++) {
        struct gift_head head;
        memcpy(&head, from, sizeof head);
        from += sizeof head;
        void *block = place_block(world, from, head.size);
        memcpy(payload + head.offset, &block, sizeof block);
        from += rh_payload_room(head.size);
    }
    message->payload = payload;
}

static void give_up(void *context, const char *reason)
{
    rh_world_give_up(context, "%s", reason);
}

void rh_gift_init(struct rh_world *world)
{
    world->fence = (struct rh_fence){.give_up = give_up, .context = world};
}

void rh_gift_protect(struct rh_world *world, uint32_t slot, bool on)
{
    struct rh_actor_record *record = &world->actors[slot];
    rh_fence_end(&world->fence);
    if (on && record->has_given && world->options.guard_gifts)
        rh_fence_begin(&world->fence, &record->heap, slot);
}

void rh_gift_retire(struct rh_world *world, void *block)
{
    struct rh_actor_record *record = &world->actors[world->current];
    rh_gift_protect(world, world->current, false);
    rh_heap_give(&record->heap, world->current, block);
    record->has_given = true;
    rh_gift_protect(world, world->current, true);
}
