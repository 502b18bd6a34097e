// SPDX-License-Identifier: MIT
// Canonical forms, in five steps, each of which depends on nothing but what the step before has
// left:
//
//  1. For each actor with a heap: its live blocks, in the order in which words of its state lead to
//     them, get new places one behind the other (canonical_layout.c).
//  2. All words are read once. Each address of an actor is an edge of a graph, whose nodes are the
//     actors and the units of what is pending: a message without a channel, or the messages of a
//     channel in their order. What a node holds besides addresses is its first colour.
//  3. Colours are mixed along the edges a few times, so that nodes in different surroundings get
//     different colours. Colours decide about order only: were they all equal, forms would still
//     tell all states apart.
//  4. A walk from the actors that the test made numbers the actors it meets. The others follow by
//     colour.
//  5. The actors are written down in the order of their numbers, each with what is pending for it,
//     and every address as what it would be had the actors been created in that order and their
//     blocks been allocated in theirs.
//
// No word of step 5 can be mistaken for another: a word that is no address of an actor before the
// translation is none afterwards.
#include "world/state/canonical.h"

#include <stdlib.h>
#include <string.h>

#include "memory/globals.h"
#include "world/fault.h"
#include "world/state/canonical_layout.h"

enum { ROUNDS = 3 };

static uint64_t mix(uint64_t first, uint64_t second)
{
    rh_hash128 product = (rh_hash128)(first ^ UINT64_C(0x9FB21C651E98DF25)) *
                         (second ^ UINT64_C(0xD6E8FEB86659FD93));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static bool is_root(const struct rh_world *world, uint32_t slot)
{
    return world->actors[slot].creator == 0;
}

static bool is_live(const struct rh_actor_record *record)
{
    return record->status == RH_ACTOR_IDLE || record->status == RH_ACTOR_WAITING;
}

// Whether the address of an actor, or addresses in its memory, have other values in the form.
// Memory that the test's body allocates stays as it is.
static bool is_renamed(const struct rh_world *world, uint32_t slot)
{
    const struct rh_actor_record *record = &world->actors[slot];
    return !is_root(world, slot) || (is_live(record) && record->heap.heap != 0);
}

// Step 2: the graph.

static void add_edge(struct rh_canonical *canonical, uint32_t to, uint32_t weight)
{
    if (canonical->edge_count == canonical->edge_capacity) {
        canonical->edge_capacity = canonical->edge_capacity * 2 + 64;
        canonical->edges =
            rh_realloc(canonical->edges, sizeof *canonical->edges * canonical->edge_capacity);
    }
    canonical->edges[canonical->edge_count++] = (struct rh_canonical_edge){to, weight};
}

// Whether words hold, at an unaligned place, an address that forms give another value. Such
// addresses are not translated.
static bool hides_address(const struct rh_canonical *canonical, const uint64_t *words, size_t count)
{
    const struct rh_world *world = canonical->world;
    for (size_t i = 0; i + 1 < count; i++)
        for (unsigned shift = 8; shift < 64; shift += 8) {
            uint64_t word = words[i] >> shift | words[i + 1] << (64 - shift);
            uint32_t slot = rh_region_has(word) ? rh_slot_of(word) : RH_NONE;
            if (slot < world->actor_count && is_renamed(world, slot))
                return true;
        }
    return false;
}

// Whether a byte of the word is 0x20, as the sixth byte of every address in the first 2^14 slots
// is.
static uint64_t has_0x20(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t flipped = word ^ ones * 0x20;
    return (flipped - ones) & ~flipped & ones << 7;
}

// Reads words of a node: addresses become edges, and other words part of the colour if `colours`.
static void read_words(struct rh_canonical *canonical, struct rh_canonical_node *node,
                       const uint64_t *words, size_t count, bool colours)
{
    uint64_t colour = node->colour, suspects = canonical->world->actor_count >> 14;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = words[i];
        suspects |= has_0x20(word);
        uint32_t slot = rh_region_has(word) ? rh_slot_of(word) : RH_NONE;
        if (slot < canonical->world->actor_count) {
            add_edge(canonical, slot, ++node->weight);
            rh_canonical_check_address(canonical, word);
            word = RH_REGION_BASE;
        } else if (word >> 40 >= 0x55) {
            word = rh_canonical_address(word);
        }
        if (colours)
            colour = (colour ^ word) * UINT64_C(0x9E3779B97F4A7C15), colour ^= colour >> 29;
    }
    node->colour = colour;
    if (suspects && canonical->has_names && hides_address(canonical, words, count))
        canonical->hides = true;
}

static void read_payload(struct rh_canonical *canonical, struct rh_canonical_node *node,
                         const struct rh_message *message, size_t size)
{
    const uint64_t *words = message->payload;
    read_words(canonical, node, words, size / 8, true);
    if (size % 8 > 0) {
        // The last whole word comes too: an address may begin in it and end in the rest.
        uint64_t rest[2] = {size >= 8 ? words[size / 8 - 1] : 0, 0};
        memcpy(&rest[1], words + size / 8, size % 8);
        node->colour = mix(node->colour, rest[1]);
        if (canonical->has_names && hides_address(canonical, rest, 2))
            canonical->hides = true;
    }
}

// The block at this place in the order in which the actor's blocks count.
static const struct rh_canonical_block *get_block(const struct rh_canonical *canonical,
                                                  const struct rh_canonical_actor *actor,
                                                  uint32_t index)
{
    uint32_t at = actor->first_block + index;
    return &canonical->blocks[actor->pinned ? at : canonical->order[at]];
}

static void read_memory(struct rh_canonical *canonical, uint32_t slot,
                        struct rh_canonical_node *node)
{
    const struct rh_canonical_actor *actor = &canonical->actors[slot];
    const struct rh_actor_record *record = &canonical->world->actors[slot];
    const char *base = rh_slot_base(slot);
    read_words(canonical, node, (const uint64_t *)(base + RH_STATE_OFFSET),
               rh_canonical_state_words(record), true);
    for (uint32_t i = 0; i < (actor->pinned ? actor->block_count : actor->reached); i++) {
        const struct rh_canonical_block *block = get_block(canonical, actor, i);
        // Stacks have bytes that nobody will read again, and that may differ from run to run.
        bool is_stack = base + block->offset == (const char *)record->saved_stack;
        read_words(canonical, node, (const uint64_t *)(base + block->offset), block->capacity / 8,
                   !is_stack);
    }
}

static void read_actor(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_world *world = canonical->world;
    const struct rh_actor_record *record = &world->actors[slot];
    struct rh_canonical_node *node = &canonical->nodes[slot];
    node->first_edge = canonical->edge_count;
    node->colour = is_root(world, slot) ? record->identity
                                        : mix(record->behaviour_hash, (uint64_t)record->status);
    if (!is_live(record))
        return;
    if (canonical->looks & RH_LOOK_RANDOM)
        node->colour += record->random_seed;
    read_memory(canonical, slot, node);
    if (record->status != RH_ACTOR_WAITING)
        return;
    rh_held_find(&canonical->held, world, slot);
    for (size_t i = 0; i < canonical->held.messages.count; i++) {
        const struct rh_message *message = &world->messages[canonical->held.messages.items[i]];
        add_edge(canonical, message->sender, ++node->weight);
        read_payload(canonical, node, message, message->size);
    }
}

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

// A clock behind the earliest delivery is put forward by whatever its actor gets next, before the
// actor can use it.
static uint64_t relative(const struct rh_canonical *canonical, uint64_t time)
{
    return later(time, canonical->earliest) - canonical->earliest;
}

// The sender's time matters only where it is later than the receiver's.
static uint64_t time_of(const struct rh_canonical *canonical, const struct rh_message *message)
{
    const struct rh_actor_record *receiver = &canonical->world->actors[message->receiver];
    return is_live(receiver) ? relative(canonical, later(message->now, receiver->now)) : 0;
}

// Of timers that are overdue only the order counts: how many come behind this one, of those of its
// receiver or, under strict time, of all.
static uint64_t rank_overdue(const struct rh_canonical *canonical, const struct rh_message *timer)
{
    const struct rh_world *world = canonical->world;
    bool is_strict = world->options.time == RH_TIME_STRICT;
    uint64_t behind = 0;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *other = &world->messages[i];
        behind += other->kind == RH_TIMER && (is_strict || other->receiver == timer->receiver) &&
                  other->due > timer->due && other->due < canonical->earliest;
    }
    return behind;
}

static uint64_t due_of(const struct rh_canonical *canonical, const struct rh_message *message)
{
    if (message->kind != RH_TIMER || !is_live(&canonical->world->actors[message->receiver]))
        return 0;
    return message->due < canonical->earliest ? ~rank_overdue(canonical, message)
                                              : message->due - canonical->earliest;
}

// The earliest time at which something can be delivered: no handler that is still to come begins
// before. Where nothing is pending no time matters.
static uint64_t find_earliest(const struct rh_world *world)
{
    uint64_t earliest = UINT64_MAX;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *message = &world->messages[i];
        const struct rh_actor_record *receiver = &world->actors[message->receiver];
        uint64_t time =
            later(later(message->now, receiver->now), message->kind == RH_TIMER ? message->due : 0);
        if (is_live(receiver) && time < earliest)
            earliest = time;
    }
    return earliest;
}

static uint32_t next_of_unit(const struct rh_message *message)
{
    return message->channel == RH_NONE ? RH_NONE : message->channel_next;
}

// Reads a message without a channel, or all messages of a channel.
static void read_unit(struct rh_canonical *canonical, uint32_t index)
{
    const struct rh_world *world = canonical->world;
    uint32_t first = canonical->units[index].message;
    struct rh_canonical_node *node = &canonical->nodes[world->actor_count + index];
    node->first_edge = canonical->edge_count;
    node->colour = 0;
    add_edge(canonical, world->messages[first].receiver, ++node->weight);
    add_edge(canonical, world->messages[first].sender, ++node->weight);
    for (uint32_t i = first; i != RH_NONE; i = next_of_unit(&world->messages[i])) {
        const struct rh_message *message = &world->messages[i];
        node->colour = mix(mix(node->colour, message->type->name_hash),
                           mix((uint64_t)message->line << 8 | message->kind,
                               (uint64_t)message->copy << 32 | message->size));
        node->colour = mix(node->colour, due_of(canonical, message));
        read_payload(canonical, node, message, message->hashed_size);
    }
}

static void make_room(struct rh_canonical *canonical, uint32_t actors, uint32_t units)
{
    if (canonical->actor_capacity < actors) {
        canonical->actor_capacity = actors * 2;
        canonical->actors = rh_realloc(canonical->actors, sizeof *canonical->actors * actors * 2);
        canonical->by_number =
            rh_realloc(canonical->by_number, sizeof *canonical->by_number * actors * 2);
        canonical->left = rh_realloc(canonical->left, sizeof *canonical->left * actors * 2);
    }
    if (canonical->unit_capacity < units) {
        canonical->unit_capacity = units * 2;
        canonical->units = rh_realloc(canonical->units, sizeof *canonical->units * units * 2);
        canonical->sorted = rh_realloc(canonical->sorted, sizeof *canonical->sorted * units * 2);
        canonical->messages =
            rh_realloc(canonical->messages, sizeof *canonical->messages * units * 2);
    }
    if (canonical->node_capacity < actors + units) {
        canonical->node_capacity = (actors + units) * 2;
        canonical->nodes =
            rh_realloc(canonical->nodes, sizeof *canonical->nodes * canonical->node_capacity);
    }
}

static void begin(struct rh_canonical *canonical)
{
    const struct rh_world *world = canonical->world;
    make_room(canonical, world->actor_count, world->pending_count);
    canonical->unit_count = canonical->edge_count = canonical->word_count = 0;
    canonical->hides = canonical->has_names = false;
    canonical->number_count = canonical->message_count = 0;
    for (uint32_t slot = 0; slot < world->actor_count; slot++) {
        canonical->actors[slot] = (struct rh_canonical_actor){.number = RH_NONE,
                                                              .first_received = RH_NONE,
                                                              .first_sent = RH_NONE,
                                                              .pinned = canonical->exact};
        canonical->has_names |= is_renamed(world, slot);
    }
    bool counts = canonical->exact || canonical->looks & RH_LOOK_TIME;
    canonical->earliest = counts ? 0 : find_earliest(world);
    for (size_t i = 0; i < world->front.count; i++)
        canonical->units[canonical->unit_count++] =
            (struct rh_canonical_unit){world->front.items[i].message, RH_NONE, RH_NONE};
}

static void read_all(struct rh_canonical *canonical)
{
    uint32_t actors = canonical->world->actor_count;
    memset(canonical->nodes, 0, sizeof *canonical->nodes * (actors + canonical->unit_count));
    for (uint32_t slot = 0; slot < actors; slot++)
        read_actor(canonical, slot);
    for (uint32_t i = 0; i < canonical->unit_count; i++)
        read_unit(canonical, i);
}

// Step 3: colours.

static uint32_t end_of_edges(const struct rh_canonical *canonical, uint32_t node)
{
    uint32_t count = canonical->world->actor_count + canonical->unit_count;
    return node + 1 < count ? canonical->nodes[node + 1].first_edge : canonical->edge_count;
}

static void mix_colours(struct rh_canonical *canonical)
{
    struct rh_canonical_node *nodes = canonical->nodes;
    uint32_t actors = canonical->world->actor_count, count = actors + canonical->unit_count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t e = nodes[i].first_edge; e < end_of_edges(canonical, i); e++) {
            struct rh_canonical_edge edge = canonical->edges[e];
            nodes[i].next += mix(nodes[edge.to].colour, edge.weight);
            nodes[edge.to].next += mix(nodes[i].colour, UINT64_C(1) << 32 | edge.weight);
        }
    for (uint32_t i = 0; i < count; i++) {
        if (i >= actors || !is_root(canonical->world, i))
            nodes[i].colour = mix(nodes[i].colour, nodes[i].next);
        nodes[i].next = 0;
    }
}

// Step 4: numbers.

static int by_key(const void *left, const void *right)
{
    const struct rh_canonical_key *a = left, *b = right;
    if (a->colour != b->colour)
        return a->colour < b->colour ? -1 : 1;
    return a->then < b->then ? -1 : a->then > b->then;
}

static void sort_keys(struct rh_canonical_key *keys, size_t count)
{
    if (count > 16) {
        qsort(keys, count, sizeof *keys, by_key);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct rh_canonical_key key = keys[i];
        size_t at = i;
        for (; at > 0 && by_key(&keys[at - 1], &key) > 0; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

// The units of each actor, by colour.
static void sort_units(struct rh_canonical *canonical)
{
    const struct rh_world *world = canonical->world;
    for (uint32_t i = 0; i < canonical->unit_count; i++)
        canonical->sorted[i] =
            (struct rh_canonical_key){canonical->nodes[world->actor_count + i].colour,
                                      world->messages[canonical->units[i].message].identity, i};
    sort_keys(canonical->sorted, canonical->unit_count);
    for (uint32_t i = canonical->unit_count; i-- > 0;) {
        uint32_t index = canonical->sorted[i].index;
        struct rh_canonical_unit *unit = &canonical->units[index];
        const struct rh_message *message = &world->messages[unit->message];
        struct rh_canonical_actor *receiver = &canonical->actors[message->receiver];
        struct rh_canonical_actor *sender = &canonical->actors[message->sender];
        unit->next_received = receiver->first_received;
        receiver->first_received = index;
        unit->next_sent = sender->first_sent;
        sender->first_sent = index;
    }
}

static void number(struct rh_canonical *canonical, uint32_t slot)
{
    if (canonical->actors[slot].number != RH_NONE)
        return;
    canonical->actors[slot].number = canonical->number_count;
    canonical->by_number[canonical->number_count++] = slot;
}

static void number_edges(struct rh_canonical *canonical, uint32_t node)
{
    uint32_t end = end_of_edges(canonical, node);
    for (uint32_t e = canonical->nodes[node].first_edge; e < end; e++)
        number(canonical, canonical->edges[e].to);
}

// Follows the edges of numbered actors that were not followed yet.
static void walk(struct rh_canonical *canonical)
{
    uint32_t actors = canonical->world->actor_count;
    for (; canonical->walked < canonical->number_count; canonical->walked++) {
        uint32_t slot = canonical->by_number[canonical->walked];
        number_edges(canonical, slot);
        for (uint32_t i = canonical->actors[slot].first_received; i != RH_NONE;
             i = canonical->units[i].next_received)
            number_edges(canonical, actors + i);
        for (uint32_t i = canonical->actors[slot].first_sent; i != RH_NONE;
             i = canonical->units[i].next_sent)
            number_edges(canonical, actors + i);
    }
}

// Nobody can ever write to an actor that has stopped and whom nobody knows.
static bool is_forgotten(const struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_canonical_actor *actor = &canonical->actors[slot];
    return !is_live(&canonical->world->actors[slot]) && actor->first_received == RH_NONE &&
           actor->first_sent == RH_NONE;
}

static void number_all(struct rh_canonical *canonical)
{
    const struct rh_world *world = canonical->world;
    canonical->walked = 0;
    for (uint32_t slot = 0; slot < world->actor_count; slot++)
        if (is_root(world, slot))
            number(canonical, slot);
    walk(canonical);
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < world->actor_count; slot++)
        if (canonical->actors[slot].number == RH_NONE && !is_forgotten(canonical, slot))
            canonical->left[count++] = (struct rh_canonical_key){
                canonical->nodes[slot].colour, world->actors[slot].identity, slot};
    sort_keys(canonical->left, count);
    for (uint32_t i = 0; i < count; i++) {
        number(canonical, canonical->left[i].index);
        walk(canonical);
    }
}

// Senders outside count only where they are named, and get a number when they first are.
static void number_by_identity(struct rh_canonical *canonical)
{
    const struct rh_world *world = canonical->world;
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < world->actor_count; slot++)
        if (world->actors[slot].status != RH_ACTOR_OUTSIDE)
            canonical->left[count++] =
                (struct rh_canonical_key){world->actors[slot].identity, slot, slot};
    sort_keys(canonical->left, count);
    for (uint32_t i = 0; i < count; i++)
        number(canonical, canonical->left[i].index);
}

// Step 5: the form.

static uint64_t *room_for(struct rh_canonical *canonical, size_t count)
{
    if (canonical->word_count + count > canonical->word_capacity) {
        canonical->word_capacity = (canonical->word_count + count) * 2 + 1024;
        canonical->words =
            rh_realloc(canonical->words, sizeof *canonical->words * canonical->word_capacity);
    }
    uint64_t *room = canonical->words + canonical->word_count;
    canonical->word_count += count;
    return room;
}

static void put(struct rh_canonical *canonical, uint64_t word)
{
    *room_for(canonical, 1) = word;
}

static uint32_t number_of(struct rh_canonical *canonical, uint32_t slot)
{
    if (canonical->exact)
        number(canonical, slot);
    rh_assert(canonical->actors[slot].number != RH_NONE);
    return canonical->actors[slot].number;
}

static uint64_t translate(struct rh_canonical *canonical, uint64_t word)
{
    if (!rh_region_has(word))
        return rh_canonical_address(word);
    uint32_t slot = rh_slot_of(word);
    if (slot >= canonical->world->actor_count)
        return word;
    return (uint64_t)rh_slot_base(number_of(canonical, slot)) +
           rh_canonical_offset(canonical, slot, rh_slot_offset(word));
}

// The address of an actor's record, which lies in frames of ours below those of the program.
static uint64_t translate_record(const struct rh_canonical *canonical, uint64_t word)
{
    const struct rh_world *world = canonical->world;
    uint64_t at = word - (uint64_t)world->actors;
    uint32_t slot = (uint32_t)(at / sizeof *world->actors);
    uint32_t number = canonical->actors[slot].number;
    return (uint64_t)(world->actors + (number == RH_NONE ? world->actor_count + slot : number)) +
           at % sizeof *world->actors;
}

// Translates a word in the memory of a waiting actor. An address in a message that is held counts
// as a place in that message.
static uint64_t translate_held(struct rh_canonical *canonical, uint64_t word)
{
    const struct rh_world *world = canonical->world;
    if (word - (uint64_t)world->actors < sizeof *world->actors * world->actor_count)
        return translate_record(canonical, word);
    struct rh_held_place place = rh_held_locate(&canonical->held, world, word);
    uint64_t number = place.index + UINT64_C(1);
    if (place.index != RH_NONE)
        return place.is_payload
                   ? RH_CANONICAL_PAYLOADS + (number << 32) + place.offset
                   : RH_CANONICAL_MESSAGES + number * sizeof *world->messages + place.offset;
    // No other word may look like the address of a held message, and there is room for so many
    // messages.
    canonical->hides |= canonical->held.messages.count > 200 ||
                        word - RH_CANONICAL_PAYLOADS < RH_CANONICAL_END - RH_CANONICAL_PAYLOADS;
    return translate(canonical, word);
}

static void put_words(struct rh_canonical *canonical, const void *bytes, size_t count)
{
    const uint64_t *words = bytes;
    uint64_t *to = room_for(canonical, count + 1);
    *to++ = count;
    for (size_t i = 0; i < count; i++) {
        if (canonical->holds)
            to[i] = translate_held(canonical, words[i]);
        // Small numbers, negative ones and most other data are below or above every address we
        // know.
        else if (words[i] - RH_REGION_BASE < (UINT64_C(1) << 47) - RH_REGION_BASE)
            to[i] = translate(canonical, words[i]);
        else
            to[i] = words[i];
    }
}

static void put_payload(struct rh_canonical *canonical, const struct rh_message *message,
                        size_t size)
{
    const uint64_t *words = message->payload;
    put_words(canonical, words, size / 8);
    uint64_t rest = 0;
    if (size % 8 > 0)
        memcpy(&rest, words + size / 8, size % 8);
    put(canonical, rest);
}

// What faults have made of a message. Which request the message makes or answers does not matter,
// only whether somebody still waits for the reply.
static uint64_t fault_traits(const struct rh_world *world, const struct rh_message *message)
{
    return (uint64_t)(message->copy > 0) << 16 |
           (uint64_t)rh_message_is_stale(world, message) << 17 | (uint64_t)message->copies << 32;
}

static void put_message(struct rh_canonical *canonical, const struct rh_message *message,
                        size_t size)
{
    uint64_t *to = room_for(canonical, 5);
    to[0] = message->type->name_hash;
    to[1] = number_of(canonical, message->sender);
    to[2] = message->kind | (uint64_t)message->gifts << 8 | (uint64_t)(message->coming != 0) << 18 |
            fault_traits(canonical->world, message);
    to[3] = (uint64_t)message->size << 32 | size;
    to[4] = message->place;
    put_payload(canonical, message, size);
}

static void put_pending(struct rh_canonical *canonical, const struct rh_message *message)
{
    put(canonical, canonical->exact ? message->now : time_of(canonical, message));
    put(canonical, canonical->exact ? message->due : due_of(canonical, message));
    put_message(canonical, message, message->hashed_size);
}

static void put_unit(struct rh_canonical *canonical, uint32_t first)
{
    const struct rh_world *world = canonical->world;
    put(canonical, world->messages[first].channel != RH_NONE);
    for (uint32_t i = first; i != RH_NONE; i = next_of_unit(&world->messages[i])) {
        canonical->messages[canonical->message_count++] = i;
        put(canonical, 1);
        put_pending(canonical, &world->messages[i]);
    }
    put(canonical, 0);
}

// Writes down what is pending for an actor. Units that look alike but for their senders are ordered
// by the senders' numbers.
static void put_received(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_world *world = canonical->world;
    size_t count = 0;
    for (uint32_t i = canonical->actors[slot].first_received; i != RH_NONE;
         i = canonical->units[i].next_received) {
        const struct rh_message *message = &world->messages[canonical->units[i].message];
        uint32_t sender = canonical->actors[message->sender].number;
        canonical->sorted[count++] =
            (struct rh_canonical_key){canonical->nodes[world->actor_count + i].colour, sender, i};
    }
    sort_keys(canonical->sorted, count);
    put(canonical, count);
    for (size_t i = 0; i < count; i++)
        put_unit(canonical, canonical->units[canonical->sorted[i].index].message);
}

static void put_bytes(struct rh_canonical *canonical, const char *start, const char *end)
{
    memcpy(room_for(canonical, (size_t)(end - start) / 8), start, (size_t)(end - start));
}

// Memory whose blocks keep their places, with the allocator's books around them.
static void put_pinned(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_canonical_actor *actor = &canonical->actors[slot];
    const struct rh_heap *heap = &canonical->world->actors[slot].heap;
    const char *base = rh_slot_base(slot), *end = base + heap->heap;
    put(canonical, heap->used);
    for (uint32_t i = 0; heap->heap != 0 && i < actor->block_count; i++) {
        const struct rh_canonical_block *block = get_block(canonical, actor, i);
        put_bytes(canonical, end, base + block->offset);
        put_words(canonical, base + block->offset, block->capacity / 8);
        end = base + block->offset + block->capacity;
    }
    if (heap->heap != 0)
        put_bytes(canonical, end, base + heap->used);
}

static void put_laid_out(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_canonical_actor *actor = &canonical->actors[slot];
    for (uint32_t i = 0; i < actor->reached; i++) {
        const struct rh_canonical_block *block = get_block(canonical, actor, i);
        put(canonical, (uint64_t)block->size << 32 | (uint32_t)block->given << 1 | 1);
        put_words(canonical, rh_slot_base(slot) + block->offset, block->capacity / 8);
    }
    put(canonical, 0);
}

static void put_memory(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_actor_record *record = &canonical->world->actors[slot];
    canonical->holds = record->status == RH_ACTOR_WAITING;
    put_words(canonical, rh_slot_base(slot) + RH_STATE_OFFSET, rh_canonical_state_words(record));
    if (canonical->actors[slot].pinned)
        put_pinned(canonical, slot);
    else
        put_laid_out(canonical, slot);
    canonical->holds = false;
}

static void put_waiting(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_world *world = canonical->world;
    const struct rh_actor_record *record = &world->actors[slot];
    rh_held_find(&canonical->held, world, slot);
    put(canonical, rh_waiting_flags(record));
    put(canonical, translate(canonical, (uint64_t)record->saved_stack));
    put(canonical, record->saved_size);
    put(canonical, canonical->held.messages.count);
    for (size_t i = 0; i < canonical->held.messages.count; i++) {
        const struct rh_message *message = &world->messages[canonical->held.messages.items[i]];
        put_message(canonical, message, message->size);
    }
}

static void put_live(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_actor_record *record = &canonical->world->actors[slot];
    put(canonical, rh_canonical_address((uint64_t)record->at_stop));
    put(canonical, relative(canonical, record->now));
    if (canonical->looks & RH_LOOK_RANDOM) {
        put(canonical, record->random_seed);
        put(canonical, record->random_count);
    }
    put(canonical, record->state_type ? record->state_type->name_hash : 0);
    put(canonical, record->state_size);
    put(canonical, translate(canonical, (uint64_t)record->library_image));
    if (record->status == RH_ACTOR_WAITING)
        put_waiting(canonical, slot);
    put_memory(canonical, slot);
}

static void put_actor(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_actor_record *record = &canonical->world->actors[slot];
    bool root = is_root(canonical->world, slot);
    put(canonical,
        record->status | (uint64_t)root << 8 | (uint64_t)canonical->actors[slot].pinned << 9);
    if (root)
        put(canonical, record->identity);
    put(canonical, record->status == RH_ACTOR_OUTSIDE ? 0 : record->behaviour_hash);
    if (is_live(record))
        put_live(canonical, slot);
    put_received(canonical, slot);
}

// The choices of the test's body: the same in all states of an execution.
static void put_chosen(struct rh_canonical *canonical)
{
    rh_hash128 chosen = canonical->world->chosen;
    if (chosen != 0) {
        put(canonical, (uint64_t)chosen);
        put(canonical, (uint64_t)(chosen >> 64));
    }
}

// The faults that may still come.
static void put_faults(struct rh_canonical *canonical)
{
    const struct rh_faults *faults = &canonical->world->faults;
    put(canonical,
        faults->drops | (uint64_t)faults->duplicates << 16 | (uint64_t)faults->crashes << 32);
}

// The exact form, which holds what the fingerprint holds.

static void put_exact_actor(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_actor_record *record = &canonical->world->actors[slot];
    put(canonical, record->identity);
    put(canonical, record->status);
    put(canonical, record->origin);
    put(canonical, record->now);
    put(canonical, record->random_count);
    put(canonical, rh_actor_life(canonical->world, record));
    // Others may still reach what an actor has left: see commons.h.
    bool is_gone = record->status == RH_ACTOR_STOPPED || record->status == RH_ACTOR_CRASHED;
    canonical->holds = record->status == RH_ACTOR_WAITING;
    if (!is_gone) {
        put(canonical, record->behaviour_hash);
        put(canonical, rh_canonical_address((uint64_t)record->at_stop));
    }
    if (canonical->holds)
        put_waiting(canonical, slot);
    put_words(canonical, rh_slot_base(slot) + RH_STATE_OFFSET,
              (record->heap.used - RH_STATE_OFFSET) / 8);
    canonical->holds = false;
}

static void put_exact_units(struct rh_canonical *canonical)
{
    const struct rh_world *world = canonical->world;
    for (uint32_t i = 0; i < canonical->unit_count; i++) {
        const struct rh_message *message = &world->messages[canonical->units[i].message];
        bool ordered = message->channel != RH_NONE;
        canonical->sorted[i] = (struct rh_canonical_key){
            ordered ? world->actors[message->sender].identity : (uint64_t)(message->hash >> 64),
            ordered ? world->actors[message->receiver].identity : (uint64_t)message->hash,
            canonical->units[i].message};
    }
    sort_keys(canonical->sorted, canonical->unit_count);
    for (uint32_t i = 0; i < canonical->unit_count; i++) {
        uint32_t receiver = world->messages[canonical->sorted[i].index].receiver;
        put(canonical, number_of(canonical, receiver));
        put_unit(canonical, canonical->sorted[i].index);
    }
}

static void write_exact(struct rh_canonical *canonical)
{
    canonical->exact = true;
    begin(canonical);
    number_by_identity(canonical);
    uint32_t inside = canonical->number_count;
    put(canonical, RH_FORM_EXACT);
    put_chosen(canonical);
    put_faults(canonical);
    put(canonical, inside);
    for (uint32_t i = 0; i < inside; i++)
        put_exact_actor(canonical, canonical->by_number[i]);
    put_exact_units(canonical);
    for (uint32_t i = inside; i < canonical->number_count; i++)
        put(canonical, canonical->world->actors[canonical->by_number[i]].identity);
    rh_hash128 globals = canonical->world->options.watch_globals ? rh_globals_term() : 0;
    put(canonical, (uint64_t)globals);
    put(canonical, (uint64_t)(globals >> 64));
}

// false if something stands in the way of renaming.
static bool write_renamed(struct rh_canonical *canonical)
{
    canonical->exact = false;
    begin(canonical);
    rh_canonical_lay_out(canonical);
    read_all(canonical);
    if (canonical->hides)
        return false;
    for (int i = 0; i < (canonical->has_names ? ROUNDS : 1); i++)
        mix_colours(canonical);
    sort_units(canonical);
    number_all(canonical);
    put(canonical, RH_FORM_ACTORS);
    put_chosen(canonical);
    put_faults(canonical);
    put(canonical, canonical->number_count);
    for (uint32_t i = 0; i < canonical->number_count; i++)
        put_actor(canonical, canonical->by_number[i]);
    return !canonical->hides;
}

struct rh_form_bytes rh_world_form(struct rh_world *world, enum rh_form form, unsigned looks)
{
    if (!world->canonical)
        world->canonical = rh_alloc(sizeof *world->canonical);
    struct rh_canonical *canonical = world->canonical;
    canonical->world = world;
    canonical->looks = looks;
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        rh_world_place(world, slot);
    // Changed data of libraries may hold addresses, and is not translated.
    bool renames = form == RH_FORM_ACTORS && !(world->options.watch_globals && rh_globals_term());
    if (!renames || !write_renamed(canonical))
        write_exact(canonical);
    return (struct rh_form_bytes){canonical->words, canonical->word_count * sizeof(uint64_t)};
}

const uint32_t *rh_world_form_messages(const struct rh_world *world)
{
    rh_assert(world->canonical && world->canonical->message_count == world->pending_count);
    return world->canonical->messages;
}
