// SPDX-License-Identifier: MIT
// delay: delay-bounded scheduling (Emmi, Qadeer and Rakamaric, 2011), at random. Messages are
// delivered in sending order, but for a number of delays at deliveries that are drawn beforehand,
// from as many as executions have: a delayed message, whose turn it would be, goes behind all that
// have been sent by then.
#include "base/hash.h"
#include "explore/strategy/sample.h"

struct delayed {
    uint32_t message; // number
    uint32_t behind;  // the message counts as sent just before the message of this number
};

struct delay_memory {
    struct rh_sample sample;
    uint64_t salt;                   // of the present execution's timers
    uint32_t points[RH_DELAYS_MOST]; // deliveries before which there is a delay, from 1
    uint32_t count;                  // delays so far
    struct delayed made[RH_DELAYS_MOST];
};

_Static_assert(sizeof(struct delay_memory) <= RH_SAMPLE_ROOM, "a strategy's memory");

// The first execution, before it is known how long executions are, has no delays.
static void start(struct delay_memory *delay)
{
    delay->count = 0;
    delay->salt = rh_rng_next(&delay->sample.rng);
    for (uint32_t i = 0; i < delay->sample.delays; i++) {
        delay->points[i] = 0;
        if (delay->sample.longest > 0)
            delay->points[i] =
                1 + (uint32_t)rh_rng_below(&delay->sample.rng, delay->sample.longest);
    }
}

static bool delay_init(void *memory, const struct rh_run_options *options)
{
    struct delay_memory *delay = memory;
    rh_sample_init(&delay->sample, options);
    start(delay);
    return true;
}

// Where the message stands among others. Of several that went behind the same message the earlier
// delayed comes first.
static uint64_t turn_of(const struct delay_memory *delay, uint32_t message)
{
    for (uint32_t i = delay->count; i > 0; i--)
        if (delay->made[i - 1].message == message)
            return (uint64_t)delay->made[i - 1].behind << 32 | i;
    return (uint64_t)message << 32 | UINT32_MAX;
}

static uint64_t rank_of(const struct delay_memory *delay, const struct rh_message *message)
{
    return rh_sample_rank(&delay->sample, message, rh_hash64_pair(delay->salt, message->identity));
}

static bool comes_before(const struct delay_memory *delay, const struct rh_world *world,
                         uint32_t message, uint32_t other)
{
    uint64_t rank = rank_of(delay, &world->messages[message]);
    uint64_t other_rank = rank_of(delay, &world->messages[other]);
    return rank != other_rank ? rank < other_rank : turn_of(delay, message) < turn_of(delay, other);
}

static uint32_t find_first(const struct delay_memory *delay, const struct rh_world *world,
                           uint32_t count)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < count; i++)
        if (comes_before(delay, world, world->deliverable[i], world->deliverable[first]))
            first = i;
    return first;
}

static uint32_t delay_choose(void *memory, const struct rh_choice_point *point)
{
    struct delay_memory *delay = memory;
    const struct rh_world *world = point->world;
    uint32_t way;
    uint32_t count = rh_sample_deliveries(&delay->sample, point, &way);
    if (count == 0)
        return way;
    for (uint32_t i = 0; i < delay->sample.delays; i++) {
        if (delay->points[i] != delay->sample.reached)
            continue;
        uint32_t message = world->deliverable[find_first(delay, world, count)];
        delay->made[delay->count++] = (struct delayed){message, world->message_count};
    }
    return find_first(delay, world, count);
}

static bool delay_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct delay_memory *delay = memory;
    rh_sample_next(&delay->sample, path, executions);
    start(delay);
    return true;
}

const struct rh_strategy_ops rh_strategy_delay = {.name = "delay",
                                                  .begins_anew = true,
                                                  .takes = RH_TAKES_DELAYS,
                                                  .init = delay_init,
                                                  .choose = delay_choose,
                                                  .next = delay_next};
