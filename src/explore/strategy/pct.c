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
//
// Without an order rule messages from one actor to another are a channel too, since otherwise no
// channel would have a second message, and nothing could fall behind. In every second execution
// they keep the order of sending, and in the others they come in one that is drawn. What is proved
// holds for the former.
#include <math.h>

#include "base/hash.h"
#include "base/store.h"
#include "base/table.h"
#include "explore/strategy/sample.h"

// Beyond so many channels each message counts as one, which only makes the guarantee smaller.
enum { CHANNELS_MOST = 3072 };

struct pct_memory {
    struct rh_sample sample;
    bool mixes_links;               // the present execution does not keep the order within links
    bool has_links;                 // there are messages that need not keep the order of their link
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

_Static_assert(sizeof(struct pct_memory) <= RH_SAMPLE_ROOM, "a strategy's memory");

// The points are drawn from the deliveries of the longest execution so far: before the first
// execution, from none.
static void start(struct pct_memory *pct, uint64_t execution)
{
    pct->mixes_links = execution % 2 != 0;
    pct->salt = rh_rng_next(&pct->sample.rng);
    pct->counted = pct->different = 0;
    rh_table_clear(&pct->table);
    for (uint32_t i = 0; i + 1 < pct->sample.depth; i++) {
        pct->behind[i] = 0;
        pct->points[i] = 0;
        if (pct->sample.longest > 0)
            pct->points[i] = 1 + (uint32_t)rh_rng_below(&pct->sample.rng, pct->sample.longest);
    }
}

static bool pct_init(void *memory, const struct rh_run_options *options)
{
    struct pct_memory *pct = memory;
    rh_sample_init(&pct->sample, options);
    start(pct, 0);
    return rh_store_open(&pct->store, rh_table_store_size(CHANNELS_MOST));
}

static void pct_fini(void *memory)
{
    struct pct_memory *pct = memory;
    rh_store_close(&pct->store);
}

// Whether the message comes from one actor to another without keeping an order there.
static bool is_of_link(const struct rh_message *message)
{
    return message->channel == RH_NONE && message->kind <= RH_ASK && message->copy == 0;
}

// A name for the message's channel that is the same in every execution.
static uint64_t channel_of(const struct rh_world *world, const struct rh_message *message)
{
    uint64_t receiver = world->actors[message->receiver].identity;
    if (message->kind == RH_REPLY)
        return rh_hash64_pair(receiver, RH_REPLY);
    if (message->channel == RH_NONE && !is_of_link(message))
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
        pct->has_links |= is_of_link(message);
        if (message->kind < RH_CRASH)
            pct->different += is_new(pct, channel_of(world, message));
    }
    if (pct->channels < pct->different)
        pct->channels = pct->different;
}

// Above 0. Timers that are rare now are below 1. Channels that have fallen behind are
// below all others, the later points above the earlier ones.
static double priority_of(const struct pct_memory *pct, uint64_t channel,
                          const struct rh_message *message)
{
    for (uint32_t i = pct->sample.depth - 1; i > 0; i--)
        if (pct->behind[i - 1] == channel)
            return (double)i - RH_DEPTH_MOST;
    uint64_t luck = rh_hash64_pair(pct->salt, channel);
    bool is_rare =
        pct->sample.timers == RH_TIMERS_RARE && rh_sample_rank(&pct->sample, message, luck) > 0;
    return is_rare ? (double)luck * 0x1p-65 : 1 + (double)luck;
}

// Under strict time nothing makes a timer come before what goes before it.
static uint64_t rank_of(const struct pct_memory *pct, const struct rh_message *message)
{
    return pct->sample.timers == RH_TIMERS_STRICT ? rh_sample_rank(&pct->sample, message, 0) : 0;
}

// Whether a message of the same link, which was sent later, comes before the other.
static bool overtakes(const struct pct_memory *pct, const struct rh_message *message,
                      const struct rh_message *earlier)
{
    return pct->mixes_links && is_of_link(message) &&
           rh_hash64_pair(pct->salt, message->identity) >
               rh_hash64_pair(pct->salt, earlier->identity);
}

static uint32_t find_highest(const struct pct_memory *pct, const struct rh_world *world,
                             uint32_t count, uint64_t *channel)
{
    uint32_t highest = 0;
    uint64_t least_rank = UINT64_MAX;
    double most = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_message *message = &world->messages[world->deliverable[i]];
        uint64_t other = channel_of(world, message);
        double priority = priority_of(pct, other, message);
        uint64_t rank = rank_of(pct, message);
        if (rank > least_rank)
            continue;
        if (rank < least_rank || priority > most ||
            (i > 0 && other == *channel &&
             overtakes(pct, message, &world->messages[world->deliverable[highest]]))) {
            highest = i;
            least_rank = rank;
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
    for (uint32_t i = 0; i + 1 < pct->sample.depth; i++) {
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
    start(pct, executions);
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
    uint32_t depth = pct->sample.depth;
    uint64_t runs = depth == 1 ? executions : executions - pct->since;
    if (runs == 0 || pct->channels == 0)
        return;
    // Every second run keeps the order within links.
    double odds = pct->channels * pow(pct->sample.longest, depth - 1) * (pct->has_links ? 2 : 1);
    double together = -expm1((double)runs * log1p(-1 / odds));
    rh_text_add(text, "a bug of depth ");
    rh_text_addf(text, "%u had a chance of at least ", depth);
    add_odds(text, odds);
    rh_text_addf(text, " in each of the last %llu runs, %.1f%% in all", (unsigned long long)runs,
                 odds <= 1 ? 100 : floor(together * 1000) / 10);
    rh_text_addf(text, ", if no execution has more than %u deliveries through %u channels%s%s",
                 pct->sample.longest, pct->channels,
                 pct->has_links ? ", and no message has to overtake one of the same sender and "
                                  "receiver"
                                : "",
                 pct->has_outcomes ? "; less if it needs certain outcomes of choices, or faults"
                                   : "");
}

const struct rh_strategy_ops rh_strategy_pct = {.name = "pct",
                                                .begins_anew = true,
                                                .takes = RH_TAKES_DEPTH,
                                                .init = pct_init,
                                                .fini = pct_fini,
                                                .choose = pct_choose,
                                                .next = pct_next,
                                                .note = pct_note};
