// SPDX-License-Identifier: MIT
#include "explore/dependence/commute.h"

#include <string.h>

#include "world/channel.h"
#include "world/fault.h"

// A pair of behaviour and types that has failed this often without ever commuting is not tried any
// more.
enum { PATIENCE = 16 };
static const uint32_t FORBIDDEN = UINT32_MAX;
static const uint32_t SUCCEEDED = UINT32_MAX - 1;

// What the subsets of a set of messages lead to. A subset is a number with a bit for each message.
struct trial {
    struct rh_commute *commute;
    struct rh_world *world;
    uint32_t messages[RH_COMMUTING_MOST];
    uint32_t count;
    uint32_t message_count, actor_count;   // when the trial began
    rh_hash128 effects[RH_COMMUTING_MOST]; // of each message
    bool is_known[1 << RH_COMMUTING_MOST];
    rh_hash128 states[1 << RH_COMMUTING_MOST];
};

bool rh_commute_init(struct rh_commute *commute)
{
    *commute = (struct rh_commute){.on = true};
    return rh_store_open(&commute->store, rh_table_store_size(RH_COMMUTE_PAIRS));
}

void rh_commute_fini(struct rh_commute *commute)
{
    rh_store_close(&commute->store);
}

static struct rh_commute_pair *add_pair(struct rh_commute *commute, uint64_t key)
{
    if (commute->pair_count == RH_COMMUTE_PAIRS ||
        !rh_table_add(&commute->table, &commute->store, key, commute->pair_count))
        return NULL;
    struct rh_commute_pair *pair = &commute->pairs[commute->pair_count++];
    pair->key = key;
    return pair;
}

// NULL if there is no room for another pair.
static struct rh_commute_pair *find_pair(struct rh_commute *commute, const struct rh_world *world,
                                         uint32_t first, uint32_t second)
{
    uint64_t one = world->messages[first].type->name_hash;
    uint64_t two = world->messages[second].type->name_hash;
    const struct rh_actor_record *receiver = &world->actors[world->messages[first].receiver];
    uint64_t key = rh_hash64_pair(receiver->behaviour_hash,
                                  one < two ? rh_hash64_pair(one, two) : rh_hash64_pair(two, one));
    struct rh_probe probe = rh_table_probe(&commute->table, key);
    while (rh_probe_next(&probe))
        if (commute->pairs[probe.number].key == key)
            return &commute->pairs[probe.number];
    return add_pair(commute, key);
}

static bool is_hopeless(const struct rh_commute_pair *pair)
{
    return !pair || pair->failures == FORBIDDEN ||
           (pair->failures >= PATIENCE && pair->failures != SUCCEEDED);
}

// Hashes that fingerprints are made of, also where none are kept.

static rh_hash128 hash_message(struct rh_world *world, const struct rh_message *message)
{
    return world->options.fingerprints ? message->hash : rh_message_hash(world, message);
}

static rh_hash128 hash_actor(struct rh_world *world, uint32_t slot)
{
    return world->options.fingerprints ? world->actors[slot].hash : rh_actor_hash(world, slot);
}

// A hash of what the delivery that was just made has sent and created.
static rh_hash128 effect_since(struct rh_world *world, uint32_t messages, uint32_t actors)
{
    rh_hash128 sum = 0;
    for (uint32_t i = messages; i < world->message_count; i++) {
        const struct rh_message *message = &world->messages[i];
        rh_hash128 hash = hash_message(world, message);
        uint64_t key[4] = {message->identity, (uint64_t)hash, (uint64_t)(hash >> 64), i - messages};
        sum += rh_hash128_of(key, sizeof key, 2);
    }
    for (uint32_t i = actors; i < world->actor_count; i++) {
        rh_hash128 hash = hash_actor(world, i);
        sum += rh_hash128_of(&hash, sizeof hash, 3);
    }
    return sum;
}

static bool can_deliver(struct rh_world *world, uint32_t message)
{
    uint32_t count = rh_world_deliverable(world);
    for (uint32_t i = 0; i < count; i++)
        if (world->deliverable[i] == message)
            return true;
    return false;
}

// The part of a message that was sent in the trial: those of its channel that were there before are
// the same for all orders of one subset.
static rh_hash128 term_of(const struct trial *trial, const struct rh_message *message)
{
    struct rh_world *world = trial->world;
    rh_hash128 term = hash_message(world, message);
    uint32_t before = message->channel == RH_NONE ? RH_NONE : message->channel_previous;
    for (; before != RH_NONE && before >= trial->message_count;
         before = world->messages[before].channel_previous)
        term *= RH_CHANNEL_BASE;
    return term;
}

// Whether deliveries may have changed more than state_of sees: data of the program, or memory that
// actors share.
static bool sees_too_little(const struct rh_world *world)
{
    return !world->options.fingerprints && (world->wrote_globals || world->has_commons);
}

// What the deliveries of the trial have changed, so that two states behind the same messages are
// equal if this is: all else is as it was.
static rh_hash128 state_of(const struct trial *trial)
{
    struct rh_world *world = trial->world;
    if (world->options.fingerprints)
        return world->fingerprint;
    rh_hash128 sum = rh_actor_hash(world, world->messages[trial->messages[0]].receiver);
    for (uint32_t slot = trial->actor_count; slot < world->actor_count; slot++)
        sum += rh_actor_hash(world, slot);
    for (uint32_t i = trial->message_count; i < world->message_count; i++)
        if (world->messages[i].pending)
            sum += term_of(trial, &world->messages[i]);
    return sum + rh_faults_hash(world);
}

static bool try_subset(struct trial *trial, uint32_t subset);

// Delivers one more message after those of the subset, compares its effect, goes on from there, and
// takes the delivery back.
static bool try_next(struct trial *trial, uint32_t subset, uint32_t next)
{
    struct rh_world *world = trial->world;
    uint32_t messages = world->message_count, actors = world->actor_count;
    if (!can_deliver(world, trial->messages[next]))
        return false;
    bool holds = rh_world_deliver(world, trial->messages[next]) && !trial->commute->failed &&
                 !sees_too_little(world);
    const struct rh_actor_record *receiver =
        &world->actors[world->messages[trial->messages[next]].receiver];
    rh_hash128 effect = effect_since(world, messages, actors);
    holds = holds && receiver->status == RH_ACTOR_IDLE && trial->effects[next] == effect;
    if (!rh_world_can_undo(world)) {
        trial->commute->failed = true; // whoever drives the world ends this process
        return false;
    }
    holds = holds && try_subset(trial, subset | 1u << next);
    if (!rh_world_can_undo(world))
        return false;
    rh_world_undo(world);
    return holds;
}

// The world is in the state that the subset has led to.
static bool try_subset(struct trial *trial, uint32_t subset)
{
    rh_hash128 state = state_of(trial);
    if (trial->is_known[subset])
        return trial->states[subset] == state;
    trial->is_known[subset] = true;
    trial->states[subset] = state;
    for (uint32_t next = 0; next < trial->count; next++)
        if (!(subset >> next & 1) && !try_next(trial, subset, next))
            return false;
    return true;
}

static bool commute_all(struct rh_commute *commute, struct rh_world *world,
                        const uint32_t *messages, uint32_t count)
{
    struct trial trial = {.commute = commute,
                          .world = world,
                          .count = count,
                          .message_count = world->message_count,
                          .actor_count = world->actor_count};
    memcpy(trial.messages, messages, sizeof *messages * count);
    // The effect of each message alone comes first: the effects in all other orders are compared
    // with it.
    for (uint32_t next = 0; next < count; next++) {
        uint32_t sent = world->message_count, actors = world->actor_count;
        bool holds =
            rh_world_deliver(world, messages[next]) && !commute->failed && !sees_too_little(world);
        trial.effects[next] = effect_since(world, sent, actors);
        if (!rh_world_can_undo(world)) {
            commute->failed = true;
            return false;
        }
        rh_world_undo(world);
        if (!holds)
            return false;
    }
    return try_subset(&trial, 0);
}

static void note_result(struct rh_commute_pair *pair, bool holds)
{
    if (holds)
        pair->failures = SUCCEEDED;
    else if (pair->failures != SUCCEEDED)
        pair->failures++;
}

static void swap(uint32_t *messages, uint32_t first, uint32_t second)
{
    uint32_t message = messages[first];
    messages[first] = messages[second];
    messages[second] = message;
}

uint32_t rh_commute_find(struct rh_commute *commute, struct rh_world *world, uint32_t *messages,
                         uint32_t count)
{
    uint32_t found = 1;
    bool passes_output = world->options.pass_output;
    world->options.pass_output = false;
    for (uint32_t i = 1; i < count && found < RH_COMMUTING_MOST; i++) {
        struct rh_commute_pair *pair = find_pair(commute, world, messages[0], messages[i]);
        if (is_hopeless(pair))
            continue;
        commute->trying = pair->key;
        commute->failed = false;
        swap(messages, found, i);
        bool holds = commute_all(commute, world, messages, found + 1);
        commute->trying = 0;
        if (commute->failed && !rh_world_can_undo(world) && world->cannot_undo)
            break;
        note_result(pair, holds);
        found += holds;
    }
    rh_world_deliverable(world); // finds the same messages as before the trials
    world->options.pass_output = passes_output;
    return found;
}

void rh_commute_forbid(struct rh_commute *commute)
{
    commute->asks_no_more |= commute->trying == RH_TRYING_GUARD;
    for (uint32_t i = 0; i < commute->pair_count; i++)
        if (commute->pairs[i].key == commute->trying)
            commute->pairs[i].failures = FORBIDDEN;
    commute->trying = 0;
}
