// SPDX-License-Identifier: MIT
// pct: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, 2010),
// with channels in the place of threads. Every channel has a priority, drawn when the execution
// begins; of the deliverable messages the one whose channel has the highest priority is delivered.
// At depth - 1 deliveries, drawn beforehand from as many as executions have, the channel whose turn
// it is falls behind all others.
//
// A channel's messages come one after the other: those from one actor to another under the order
// rule, replies to one actor, which waits for each. A message that keeps no order, such as a timer,
// is a channel of its own. The proof needs nothing else of threads.
#include <math.h>

#include "base/hash.h"
#include "base/store.h"
#include "base/table.h"
#include "explore/strategy/sample.h"

// Beyond so many channels each message counts as one, which only makes the guarantee smaller.
enum { CHANNELS_MOST = 3072 };

struct pct_memory {
    struct rh_sample sample;
    uint32_t depth;
    uint64_t salt;                  // of the present execution's priorities
    uint32_t points[RH_DEPTH_MOST]; // deliveries at which a channel falls behind, from 1
    uint64_t behind[RH_DEPTH_MOST]; // by point: the channel that fell behind; 0: none yet
    uint32_t counted;               // messages of the present execution that were looked at
    uint32_t different;             // channels of the messages that were looked at
    uint64_t found[CHANNELS_MOST];  // the first of these channels
    struct rh_table table;          // in the store: places in `found`
    struct rh_store store;
    uint32_t channels; // channels of the execution that has most
    uint64_t since;    // executions until there was one as long as the longest
    bool has_outcomes; // outcomes or faults, and not only orders, are left to chance
};

_Static_assert(sizeof(struct pct_memory) <= RH_STRATEGY_MEMORY, "a strategy's memory");

// The points are drawn from the deliveries of the longest execution so far: before the first
// execution, from none.
static void start(struct pct_memory *pct)
{
    pct->salt = rh_rng_next(&pct->sample.rng);
    pct->counted = pct->different = 0;
    rh_table_clear(&pct->table);
    for (uint32_t i = 0; i + 1 < pct->depth; i++) {
        pct->behind[i] = 0;
        pct->points[i] = 0;
        if (pct->sample.longest > 0)
            pct->points[i] = 1 + (uint32_t)rh_rng_below(&pct->sample.rng, pct->sample.longest);
    }
}

static bool pct_init(void *memory, const struct rh_run_options *options)
{
    struct pct_memory *pct = memory;
    rh_sample_init(&pct->sample, options->seed);
    pct->depth = options->depth;
    start(pct);
    return rh_store_open(&pct->store, rh_table_store_size(CHANNELS_MOST));
}

static void pct_fini(void *memory)
{
    struct pct_memory *pct = memory;
    rh_store_close(&pct->store);
}

// A name for the message's channel that is the same in every execution.
static uint64_t channel_of(const struct rh_world *world, const struct rh_message *message)
{
    uint64_t receiver = world->actors[message->receiver].identity;
    if (message->kind == RH_REPLY)
        return rh_hash64_pair(receiver, RH_REPLY);
    if (message->channel == RH_NONE)
        return message->identity;
    return rh_hash64_pair(receiver, world->actors[message->sender].identity + message->coming);
}

static bool is_new(struct pct_memory *pct, uint64_t channel)
{
    struct rh_probe probe = rh_table_probe(&pct->table, channel);
    while (pct->different < CHANNELS_MOST && rh_probe_next(&probe))
        if (pct->found[probe.number] == channel)
            return false;
    if (pct->different < CHANNELS_MOST) {
        pct->found[pct->different] = channel;
        rh_table_add(&pct->table, &pct->store, channel, pct->different);
    }
    return true;
}

static void count_channels(struct pct_memory *pct, const struct rh_world *world)
{
    for (; pct->counted < world->message_count; pct->counted++) {
        const struct rh_message *message = &world->messages[pct->counted];
        if (message->kind < RH_CRASH)
            pct->different += is_new(pct, channel_of(world, message));
    }
    if (pct->channels < pct->different)
        pct->channels = pct->different;
}

// Above 0. Channels that have fallen behind are below all others, the later points above the
// earlier ones.
static double priority_of(const struct pct_memory *pct, uint64_t channel)
{
    for (uint32_t i = pct->depth - 1; i > 0; i--)
        if (pct->behind[i - 1] == channel)
            return (double)i - RH_DEPTH_MOST;
    return (double)rh_hash64_pair(pct->salt, channel);
}

static uint32_t find_highest(const struct pct_memory *pct, const struct rh_world *world,
                             uint32_t count, uint64_t *channel)
{
    uint32_t highest = 0;
    double most = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t other = channel_of(world, &world->messages[world->deliverable[i]]);
        double priority = priority_of(pct, other);
        if (priority > most) {
            highest = i;
            most = priority;
            *channel = other;
        }
    }
    return highest;
}

static uint32_t pct_choose(void *memory, const struct rh_choice_point *point)
{
    struct pct_memory *pct = memory;
    uint32_t way;
    uint32_t count = rh_sample_deliveries(&pct->sample, point, &way);
    pct->has_outcomes |= !point->is_delivery || count != point->count;
    if (count == 0)
        return way;
    count_channels(pct, point->world);
    uint64_t channel = 0;
    way = find_highest(pct, point->world, count, &channel);
    for (uint32_t i = 0; i + 1 < pct->depth; i++) {
        if (pct->points[i] != pct->sample.reached)
            continue;
        pct->behind[i] = channel;
        way = find_highest(pct, point->world, count, &channel);
    }
    return way;
}

static bool pct_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct pct_memory *pct = memory;
    if (pct->sample.reached > pct->sample.longest)
        pct->since = executions;
    rh_sample_next(&pct->sample, path, executions);
    start(pct);
    return true;
}

// One in so many: rounded up if the number is too large to be printed whole.
static void add_odds(struct rh_text *text, double odds)
{
    rh_text_addf(text, odds < 1e15 ? "1 in %.0f" : "1 in %.1e", odds < 1e15 ? odds : odds * 1.06);
}

// Points that were drawn from fewer deliveries than an execution has do not hit the deliveries
// behind, so that only runs count after which none was longer. Without points all runs count.
static void pct_note(const void *memory, uint64_t executions, struct rh_text *text)
{
    const struct pct_memory *pct = memory;
    uint64_t runs = pct->depth == 1 ? executions : executions - pct->since;
    if (runs == 0 || pct->channels == 0)
        return;
    double odds = pct->channels * pow(pct->sample.longest, pct->depth - 1);
    double together = -expm1((double)runs * log1p(-1 / odds));
    rh_text_add(text, "a bug of depth ");
    rh_text_addf(text, "%u had a chance of at least ", pct->depth);
    add_odds(text, odds);
    rh_text_addf(text, " in each of the last %llu runs, %.1f%% in all", (unsigned long long)runs,
                 odds <= 1 ? 100 : floor(together * 1000) / 10);
    rh_text_addf(text, ", if no execution has more than %u deliveries through %u channels%s",
                 pct->sample.longest, pct->channels,
                 pct->has_outcomes ? "; less if it needs certain outcomes of choices, or faults"
                                   : "");
}

const struct rh_strategy_ops rh_strategy_pct = {.name = "pct",
                                                .takes = RH_TAKES_DEPTH,
                                                .init = pct_init,
                                                .fini = pct_fini,
                                                .choose = pct_choose,
                                                .next = pct_next,
                                                .note = pct_note};
