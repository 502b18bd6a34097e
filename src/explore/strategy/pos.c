// SPDX-License-Identifier: MIT
// pos: partial order sampling (Yuan, Yang and Gu, 2018). Every message has a random priority, and
// the deliverable message of the highest priority is delivered; messages that raced with it, which
// go to the same actor, get new priorities. So deliveries that have nothing to do with each other
// do not make any order of dependent ones less likely.
//
// Nothing is remembered: a priority is a hash of the message and of what its receiver got last.
#include "base/hash.h"
#include "explore/strategy/sample.h"

struct pos_memory {
    struct rh_sample sample;
    uint64_t salt; // of the present execution's priorities
};

_Static_assert(sizeof(struct pos_memory) <= RH_SAMPLE_SMALL_ROOM, "a strategy's memory");

static bool pos_init(void *memory, const struct rh_run_options *options)
{
    struct pos_memory *pos = memory;
    rh_sample_init(&pos->sample, options);
    pos->salt = rh_rng_next(&pos->sample.rng);
    return true;
}

// Identity of the message that the actor got last; 0 if it has not got any.
static uint64_t last_delivery(const struct rh_world *world, uint32_t slot)
{
    const struct rh_message *last = &world->messages[world->actors[slot].received];
    return last->receiver == slot && !last->pending ? last->identity : 0;
}

static uint64_t priority_of(const struct pos_memory *pos, const struct rh_world *world,
                            const struct rh_message *message)
{
    uint64_t race = rh_hash64_pair(pos->salt, last_delivery(world, message->receiver));
    return rh_hash64_pair(race, message->identity);
}

static uint32_t pos_choose(void *memory, const struct rh_choice_point *point)
{
    struct pos_memory *pos = memory;
    const struct rh_world *world = point->world;
    uint32_t highest = 0;
    uint32_t count = rh_sample_deliveries(&pos->sample, point, &highest);
    uint64_t most = 0, least_rank = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_message *message = &world->messages[world->deliverable[i]];
        uint64_t priority = priority_of(pos, world, message);
        uint64_t rank = rh_sample_rank(&pos->sample, message, priority);
        if (i == 0 || rank < least_rank || (rank == least_rank && priority > most)) {
            highest = i;
            most = priority;
            least_rank = rank;
        }
    }
    return highest;
}

static bool pos_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct pos_memory *pos = memory;
    rh_sample_next(&pos->sample, path, executions);
    pos->salt = rh_rng_next(&pos->sample.rng);
    return true;
}

const struct rh_strategy_ops rh_strategy_pos = {
    .name = "pos", .begins_anew = true, .init = pos_init, .choose = pos_choose, .next = pos_next};
