// SPDX-License-Identifier: MIT
// A schedule in memory that processes share.
#include <string.h>

#include "trace/schedule.h"

static char *place_text(struct rh_store *store, const char *text)
{
    // Nobody frees or changes what lies in a store.
    return text ? (char *)(uintptr_t)rh_store_copy_text(store, text) : NULL;
}

// Gives `items` if there are none to be placed.
static void *place_items(struct rh_store *store, const void *items, size_t size, size_t count)
{
    void *placed = rh_store_take(store, size * count);
    return placed && count > 0 ? memcpy(placed, items, size * count) : placed;
}

// Of these functions, which are given copies of the originals, each places what a copy points to.

static void place_input(struct rh_store *store, struct rh_schedule_input *input)
{
    input->name = place_text(store, input->name);
    input->value = place_text(store, input->value);
}

static void place_send(struct rh_store *store, struct rh_schedule_send *send)
{
    send->type = place_text(store, send->type);
    send->state_type = place_text(store, send->state_type);
    send->fields = place_text(store, send->fields);
    send->bytes = place_text(store, send->bytes);
    send->receiver = place_text(store, send->receiver);
    send->sender = place_text(store, send->sender);
}

static void place_step(struct rh_store *store, struct rh_step *step)
{
    step->type = place_text(store, step->type);
    step->receiver = place_text(store, step->receiver);
    step->sender = place_text(store, step->sender);
    step->comment = NULL;
}

static void place_end(struct rh_store *store, struct rh_schedule_end *end)
{
    end->actor = place_text(store, end->actor);
    end->bytes = place_text(store, end->bytes);
}

static void place_block(struct rh_store *store, struct rh_schedule_block *block)
{
    block->name = place_text(store, block->name);
    block->actor = place_text(store, block->actor);
    block->bytes = place_text(store, block->bytes);
}

static void place_hold(struct rh_store *store, struct rh_hold *hold)
{
    place_step(store, &hold->held);
    place_step(store, &hold->until);
}

#define PLACE_ALL(store, from, to, place_item)                                                     \
    do {                                                                                           \
        (to)->items = place_items(store, (from)->items, sizeof *(from)->items, (from)->count);     \
        (to)->count = (to)->capacity = (to)->items ? (from)->count : 0;                            \
        for (size_t i = 0; i < (to)->count; i++)                                                   \
            place_item(store, &(to)->items[i]);                                                    \
    } while (0)

const struct rh_schedule *rh_schedule_place(struct rh_store *store,
                                            const struct rh_schedule *schedule)
{
    struct rh_schedule *placed = rh_store_take(store, sizeof *placed);
    if (!placed)
        return NULL;
    *placed = (struct rh_schedule){.order_rule = schedule->order_rule,
                                   .time = schedule->time,
                                   .environment = schedule->environment,
                                   .random = schedule->random,
                                   .is_generated = schedule->is_generated,
                                   .stops = schedule->stops};
    placed->path = place_text(store, schedule->path);
    PLACE_ALL(store, &schedule->inputs, &placed->inputs, place_input);
    PLACE_ALL(store, &schedule->sends, &placed->sends, place_send);
    PLACE_ALL(store, &schedule->blocks, &placed->blocks, place_block);
    PLACE_ALL(store, &schedule->ends, &placed->ends, place_end);
    PLACE_ALL(store, &schedule->steps, &placed->steps, place_step);
    PLACE_ALL(store, &schedule->holds, &placed->holds, place_hold);
    return store->is_full ? NULL : placed;
}
