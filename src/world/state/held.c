// SPDX-License-Identifier: MIT
#include "world/state/held.h"

#include <string.h>

#include "memory/globals.h"

static bool is_in_record(const struct rh_world *world, uint32_t message, uint64_t address)
{
    return address - (uint64_t)&world->messages[message] < sizeof *world->messages;
}

// The end of a payload counts, as that of an array does in C.
static bool is_in_payload(const struct rh_world *world, uint32_t message, uint64_t address)
{
    return address - (uint64_t)world->messages[message].payload <= world->messages[message].size;
}

static bool is_in(const struct rh_world *world, uint32_t message, uint64_t address)
{
    return is_in_record(world, message, address) || is_in_payload(world, message, address);
}

static bool may_be_in(const struct rh_world *world, uint64_t address)
{
    return address - (uint64_t)world->messages < sizeof *world->messages * world->message_count ||
           address - (uint64_t)world->payloads <= world->payload_top;
}

// Notes an address in a message that is not the one in hand.
static void note(struct rh_held *held, const struct rh_world *world, uint32_t handling,
                 uint64_t address)
{
    if (may_be_in(world, address) && !is_in(world, handling, address))
        *rh_vector_push(&held->addresses) = address;
}

// Whether a byte of the word is this one.
static bool has_byte(uint64_t word, uint64_t byte)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t flipped = word ^ ones * byte;
    return ((flipped - ones) & ~flipped & ones << 7) != 0;
}

// Notes all addresses in messages, at unaligned places too. Their sixth byte is that of one of the
// two arrays, so that most words need no second look.
static void read_memory(struct rh_held *held, const struct rh_world *world, uint32_t handling,
                        const char *bytes, size_t size)
{
    uint64_t records = (uint64_t)world->messages >> 40 & 0xff;
    uint64_t payloads = (uint64_t)world->payloads >> 40 & 0xff;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        if (!has_byte(word, records) && !has_byte(word, payloads))
            continue;
        for (size_t at = i >= 7 ? i - 7 : 0; at <= i + 7 && at + 8 <= size; at++) {
            memcpy(&word, bytes + at, sizeof word);
            note(held, world, handling, word);
        }
    }
}

// Takes out the addresses in the message. Gives whether there were any.
static bool take_addresses(struct rh_held *held, const struct rh_world *world, uint32_t message)
{
    size_t kept = 0, count = held->addresses.count;
    for (size_t i = 0; i < count; i++)
        if (!is_in(world, message, held->addresses.items[i]))
            held->addresses.items[kept++] = held->addresses.items[i];
    held->addresses.count = kept;
    return kept < count;
}

void rh_held_find(struct rh_held *held, const struct rh_world *world, uint32_t slot)
{
    const struct rh_actor_record *record = &world->actors[slot];
    bool holds_all = world->holds_all;
    held->messages.count = held->addresses.count = 0;
    read_memory(held, world, record->handling, rh_world_memory(record, slot),
                record->heap.used - RH_STATE_OFFSET);
    for (uint32_t i = record->received;
         i != record->handling && (holds_all || held->addresses.count > 0);
         i = world->messages[i].earlier)
        if (take_addresses(held, world, i) || holds_all)
            *rh_vector_push(&held->messages) = i;
    *rh_vector_push(&held->messages) = record->handling;
}

void rh_held_renew(struct rh_world *world)
{
    bool holds_all = rh_globals_term() != 0;
    if (holds_all == world->holds_all)
        return;
    world->holds_all = holds_all;
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (world->actors[slot].status == RH_ACTOR_WAITING)
            rh_fingerprint_actor(world, slot);
}

struct rh_held_place rh_held_locate(const struct rh_held *held, const struct rh_world *world,
                                    uint64_t address)
{
    for (uint32_t i = 0; may_be_in(world, address) && i < held->messages.count; i++) {
        uint32_t message = held->messages.items[i];
        const struct rh_message *record = &world->messages[message];
        if (is_in_record(world, message, address))
            return (struct rh_held_place){i, false, address - (uint64_t)record};
        if (is_in_payload(world, message, address))
            return (struct rh_held_place){i, true, address - (uint64_t)record->payload};
    }
    return (struct rh_held_place){.index = RH_NONE};
}
