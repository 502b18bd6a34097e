// SPDX-License-Identifier: MIT
// Fingerprints of states, in which an address counts as what it points to: an actor's identity, a
// place in an actor's memory, a place in the program. Two states of different executions that
// differ only in where things happen to lie get the same fingerprint.
//
// The fingerprint is a sum, so that a delivery updates only the terms that it changes. A message's
// term is its hash times RH_CHANNEL_BASE to the power of its place in its channel: the order within
// a channel counts, the order among channels does not.
#include <stdlib.h>
#include <string.h>

#include "memory/globals.h"
#include "world/channel.h"
#include "world/fault.h"
#include "world/state/held.h"
#include "world/undo.h"
#include "world/variables.h"
#include "world/world.h"

// Two words into one, quickly: a multiplication folded onto itself.
static uint64_t fold(uint64_t first, uint64_t second)
{
    rh_hash128 product = (rh_hash128)(first ^ UINT64_C(0x2D358DCCAA6C78A5)) *
                         (second ^ UINT64_C(0x8BB84B93962EACC9));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t rh_canonical_address(uint64_t word)
{
    uint64_t canonical;
    // Programs and libraries are loaded at 0x55... and 0x7f..., or below 4 GiB without PIE.
    if (word >> 40 >= 0x55 && word >> 47 == 0 && rh_globals_canonical(word, &canonical))
        return canonical;
    return word;
}

static uint64_t canonical_word(const struct rh_world *world, uint64_t word)
{
    if (rh_region_has(word)) {
        uint32_t slot = rh_slot_of(word);
        if (slot < world->actor_count)
            return rh_hash64_pair(world->actors[slot].identity, rh_slot_offset(word));
        return word;
    }
    return rh_canonical_address(word);
}

// The hash of a head of exact words followed by bytes in which addresses count as what they point
// to.
static rh_hash128 hash_with_head(struct rh_world *world, const uint64_t *head, size_t head_count,
                                 const void *bytes, size_t size)
{
    size_t total = head_count * 8 + size;
    if (world->scratch_capacity < total + 8) {
        world->scratch_capacity = total * 2 + 4096;
        world->scratch = rh_realloc(world->scratch, world->scratch_capacity);
    }
    size_t words = size / 8;
    uint64_t *to = (uint64_t *)world->scratch;
    for (size_t i = 0; i < head_count; i++)
        *to++ = head[i];
    const uint64_t *from = bytes;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = from[i];
        // Small numbers, negative ones and most other data are below or above every address we
        // know.
        to[i] = word - RH_REGION_BASE < (UINT64_C(1) << 47) - RH_REGION_BASE
                    ? canonical_word(world, word)
                    : word;
    }
    if (size % 8 > 0)
        memcpy(to + words, from + words, size % 8);
    return rh_hash128_of(world->scratch, total, 0);
}

__attribute__((noinline)) rh_hash128 rh_canonical_hash(struct rh_world *world, const void *bytes,
                                                       size_t size, uint64_t seed)
{
    return hash_with_head(world, &seed, 1, bytes, size);
}

// Whether a word could be an address that we know. Small numbers, negative ones and most other data
// are below or above all of them. Two words at a time, with what 16-byte registers can compare.
static bool has_addresses(const char *bytes, size_t count)
{
    typedef uint64_t words __attribute__((vector_size(16), aligned(8), may_alias));
    typedef int32_t halves __attribute__((vector_size(16)));
    _Static_assert(RH_REGION_BASE == UINT64_C(1) << 45, "the lowest of them");
    const halves none = {0}, behind = {4, 4, 4, 4};
    words found = {0};
    const char *end = bytes + count / 2 * 16;
    if (count % 2 > 0 && *(const uint64_t *)end - RH_REGION_BASE < 3 * RH_REGION_BASE)
        return true;
    for (; bytes < end; bytes += 16) {
        halves top = (halves)(*(const words *)bytes >> 45);
        found |= (words)((top > none) & (top < behind));
    }
    return (found[0] | found[1]) != 0;
}

// Cases that are rare for an actor at rest have functions of their own, so that the common path,
// which every delivery takes, is short.

static __attribute__((noinline)) uint64_t hash_at_stop(const struct rh_world *world,
                                                       const struct rh_actor_record *record)
{
    return fold(record->behaviour_hash, canonical_word(world, (uint64_t)record->at_stop));
}

static uint64_t hash_behaviour(const struct rh_world *world, const struct rh_actor_record *record)
{
    return record->at_stop ? hash_at_stop(world, record) : record->behaviour_hash;
}

static uint64_t pack_status(const struct rh_world *world, const struct rh_actor_record *record)
{
    return record->random_count << 24 | (uint64_t)rh_actor_life(world, record) << 8 |
           record->status;
}

static __attribute__((noinline)) void renew_head(struct rh_actor_record *record, uint64_t status,
                                                 uint64_t behaviour)
{
    memcpy(record->head, (uint64_t[]){record->origin, record->now, status, behaviour},
           sizeof record->head);
    record->head_hash = rh_hash128_of(record->head, sizeof record->head, 1);
}

bool rh_has_addresses(const void *bytes, size_t size)
{
    return has_addresses(bytes, size / sizeof(uint64_t));
}

// The hash of the part of an actor that seldom changes: kept until that part does.
static inline rh_hash128 head_hash(const struct rh_world *world, struct rh_actor_record *record)
{
    uint64_t status = pack_status(world, record), behaviour = hash_behaviour(world, record);
    const uint64_t *head = record->head;
    uint64_t changed = (head[0] ^ record->origin) | (head[1] ^ record->now) | (head[2] ^ status) |
                       (head[3] ^ behaviour);
    if (changed)
        renew_head(record, status, behaviour);
    return record->head_hash;
}

// The hash of an actor's memory is a sum too, of a term for each piece of so many bytes: of a large
// memory a delivery changes little.
enum { PIECE = 128 };

static inline size_t piece_size(size_t size, size_t at)
{
    return size <= at ? 0 : size - at < PIECE ? size - at : PIECE;
}

// Most states hold no address and are hashed where they lie.
static inline rh_hash128 hash_piece(struct rh_world *world, const struct rh_actor_record *record,
                                    const char *start, size_t size, size_t at)
{
    size_t length = piece_size(size, at);
    uint64_t seed = record->origin + at * UINT64_C(0x9E3779B97F4A7C15);
    return has_addresses(start + at, length / 8)
               ? rh_canonical_hash(world, start + at, length, seed)
               : rh_hash128_of(start + at, length, seed);
}

static inline rh_hash128 hash_memory(struct rh_world *world, const struct rh_actor_record *record,
                                     const char *start, size_t size)
{
    rh_hash128 sum = hash_piece(world, record, start, size, 0);
    for (size_t at = PIECE; at < size; at += PIECE)
        sum += hash_piece(world, record, start, size, at);
    return sum;
}

// The same, from the hash that the memory had before this delivery, whose copy is on the undo
// stack: only pieces that differ are hashed.
static rh_hash128 rehash_memory(struct rh_world *world, const struct rh_actor_record *record,
                                const char *start, size_t size, const struct rh_undo_record *undo)
{
    const char *before = (const char *)(undo + 1);
    size_t size_before = rh_undo_memory_size(undo);
    rh_hash128 sum = undo->record.memory_hash;
    for (size_t at = 0; at < size || at < size_before; at += PIECE) {
        size_t length = piece_size(size, at), length_before = piece_size(size_before, at);
        if (length == length_before && memcmp(start + at, before + at, length) == 0)
            continue;
        if (length_before > 0)
            sum -= hash_piece(world, record, before, size_before, at);
        if (length > 0)
            sum += hash_piece(world, record, start, size, at);
    }
    return sum;
}

// What the undo stack has of the actor, if the hash of that is known; otherwise NULL.
static const struct rh_undo_record *find_before(const struct rh_world *world, uint32_t slot)
{
    if (!world->options.keep_undo || world->undo_count == 0)
        return NULL;
    const struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + world->undo_last);
    bool is_present = undo->receiver == slot && undo->number + 1 == world->number;
    return is_present && undo->has_memory && undo->record.is_hashed ? undo : NULL;
}

// An actor at rest: one term for its memory and one for the rest of it.
static inline rh_hash128 hash_idle(struct rh_world *world, struct rh_actor_record *record,
                                   const char *start, size_t size)
{
    return hash_memory(world, record, start, size) + head_hash(world, record);
}

// hash_idle for a memory of several pieces, which notes the memory's part.
static rh_hash128 renew_large(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    const char *start = rh_world_memory(record, slot);
    size_t size = record->heap.used - RH_STATE_OFFSET;
    const struct rh_undo_record *undo = find_before(world, slot);
    record->memory_hash = undo ? rehash_memory(world, record, start, size, undo)
                               : hash_memory(world, record, start, size);
    record->is_hashed = true;
    return record->memory_hash + head_hash(world, record);
}

// The hash of the actor's memory without the stack of its waiting handler.
static rh_hash128 hash_around_stack(struct rh_world *world, const struct rh_actor_record *record,
                                    const char *start, const uint64_t *head, size_t head_count)
{
    const char *stack = record->saved_stack;
    const char *rest = stack + record->saved_size;
    const char *end = start + record->heap.used - RH_STATE_OFFSET;
    rh_hash128 before = hash_with_head(world, head, head_count, start, (size_t)(stack - start));
    return before * 3 + hash_with_head(world, NULL, 0, rest, (size_t)(end - rest));
}

uint64_t rh_waiting_flags(const struct rh_actor_record *record)
{
    return (uint64_t)record->float_mode.sse << 32 | (uint32_t)record->float_mode.x87 << 16 |
           record->handled | record->replied << 1 | record->stopping << 2;
}

// What a message is, beside its contents.
static uint64_t message_traits(const struct rh_message *message)
{
    return message->kind | (uint64_t)(message->coming != 0) << 7 | (uint64_t)message->copies << 8 |
           (uint64_t)(message->copy > 0) << 24 | (uint64_t)message->life << 32;
}

// Which request an ask makes and a reply answers, where there may be replies that nobody waits for.
static uint64_t request_of(const struct rh_world *world, const struct rh_message *message)
{
    bool has_request = message->kind == RH_ASK || message->kind == RH_REPLY;
    return has_request && rh_faults_outlive_asks(world) ? world->messages[message->request].identity
                                                        : 0;
}

// The message counts as it is now, since nothing keeps a handler from writing into it.
static rh_hash128 hash_one_received(struct rh_world *world, uint32_t index, bool stacks)
{
    const struct rh_message *message = &world->messages[index];
    uint64_t head[5] = {message->type->name_hash, world->actors[message->sender].identity,
                        message_traits(message) ^ (stacks ? request_of(world, message) : 0),
                        message->size, message->place};
    return hash_with_head(world, head, 5, message->payload, message->size);
}

// The hash of what a waiting handler can still look at; without stacks, which tell that, of all
// that it has got.
static rh_hash128 hash_received(struct rh_world *world, const struct rh_actor_record *record,
                                bool stacks)
{
    rh_hash128 sum = 0;
    if (stacks)
        for (size_t i = 0; i < world->held.messages.count; i++)
            sum = sum * 3 + hash_one_received(world, world->held.messages.items[i], true);
    else
        for (uint32_t i = record->received; i != RH_NONE; i = world->messages[i].earlier)
            sum = sum * 3 + hash_one_received(world, i, false);
    return sum;
}

// The hash of a waiting actor's memory, in which an address in a message that is held counts as a
// place in that message.
static rh_hash128 hash_holding(struct rh_world *world, const uint64_t *head, size_t head_count,
                               const char *start, size_t size)
{
    const uint64_t *words = (const uint64_t *)start;
    world->held_words.count = 0;
    for (size_t i = 0; i < size / 8; i++) {
        struct rh_held_place place = rh_held_locate(&world->held, world, words[i]);
        uint64_t stands_for = fold((uint64_t)place.index << 1 | place.is_payload, place.offset);
        *rh_vector_push(&world->held_words) = place.index == RH_NONE ? words[i] : stands_for;
    }
    rh_assert(size % 8 == 0);
    return hash_with_head(world, head, head_count, world->held_words.items, size);
}

// An actor that has stopped, or whose handler waits.
static __attribute__((noinline)) rh_hash128 hash_other(struct rh_world *world, uint32_t slot,
                                                       const char *start, size_t size, bool stacks)
{
    const struct rh_actor_record *record = &world->actors[slot];
    uint64_t head[8] = {record->origin, record->now, pack_status(world, record)};
    // Others may still reach what an actor has left: see commons.h.
    if (record->status == RH_ACTOR_STOPPED || record->status == RH_ACTOR_CRASHED)
        return hash_with_head(world, head, 3, start, size);
    if (stacks)
        rh_held_find(&world->held, world, slot);
    // What a waiting handler may still look at, and what it has done that decides what it may still
    // do.
    rh_hash128 received = hash_received(world, record, stacks);
    head[3] = hash_behaviour(world, record);
    head[4] = (uint64_t)received;
    head[5] = (uint64_t)(received >> 64);
    head[6] = rh_waiting_flags(record);
    if (stacks && rh_faults_outlive_asks(world))
        head[6] = fold(head[6], world->messages[record->request].identity);
    head[7] = (uint64_t)rh_slot_offset((uint64_t)record->saved_stack) << 32 | record->saved_size;
    return stacks ? hash_holding(world, head, 8, start, size)
                  : hash_around_stack(world, record, start, head, 8);
}

static inline rh_hash128 hash_actor(struct rh_world *world, uint32_t slot, bool stacks)
{
    struct rh_actor_record *record = &world->actors[slot];
    const char *start = rh_world_memory(record, slot);
    size_t size = record->heap.used - RH_STATE_OFFSET;
    bool is_other = record->status != RH_ACTOR_IDLE;
    return is_other ? hash_other(world, slot, start, size, stacks)
                    : hash_idle(world, record, start, size);
}

rh_hash128 rh_actor_hash(struct rh_world *world, uint32_t slot)
{
    return hash_actor(world, slot, true);
}

void rh_fingerprint_actor(struct rh_world *world, uint32_t slot)
{
    if (!rh__process.owns_malloc)
        return;
    struct rh_actor_record *record = &world->actors[slot];
    bool is_large =
        record->status == RH_ACTOR_IDLE && record->heap.used - RH_STATE_OFFSET > 2 * PIECE;
    record->is_hashed = false;
    rh_hash128 hash = is_large ? renew_large(world, slot) : hash_actor(world, slot, true);
    world->fingerprint += hash - record->hash;
    record->hash = hash;
}

static rh_hash128 hash_message(struct rh_world *world, const struct rh_message *message,
                               uint64_t request)
{
    uint64_t head[8] = {message->type->name_hash,
                        world->actors[message->sender].identity,
                        world->actors[message->receiver].identity,
                        message_traits(message),
                        message->now,
                        message->due ^ request,
                        message->size,
                        message->place};
    return hash_with_head(world, head, 8, message->payload, message->hashed_size);
}

rh_hash128 rh_message_hash(struct rh_world *world, const struct rh_message *message)
{
    return hash_message(world, message, request_of(world, message));
}

void rh_fingerprint_chosen(struct rh_world *world, int outcome)
{
    const uint64_t words[] = {(uint64_t)world->chosen, (uint64_t)(world->chosen >> 64),
                              (uint64_t)outcome};
    rh_hash128 chosen = rh_hash128_of(words, sizeof words, 5);
    if (world->options.fingerprints)
        world->fingerprint += chosen - world->chosen;
    world->chosen = chosen;
}

// Everything computed once more, from nothing but the present state.

static rh_hash128 digest_message(struct rh_world *world, uint32_t index, bool requests)
{
    const struct rh_message *message = &world->messages[index];
    return hash_message(world, message, requests ? request_of(world, message) : 0);
}

static rh_hash128 digest_messages(struct rh_world *world, bool requests)
{
    rh_hash128 sum = 0;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        if (world->messages[i].channel == RH_NONE)
            sum += digest_message(world, i, requests);
    for (size_t c = 0; c < world->channels.count; c++) {
        rh_hash128 power = 1;
        for (uint32_t i = world->channels.items[c].first; i != RH_NONE;
             i = world->messages[i].channel_next) {
            sum += digest_message(world, i, requests) * power;
            power *= RH_CHANNEL_BASE;
        }
    }
    return sum;
}

rh_hash128 rh_world_digest(struct rh_world *world, bool stacks)
{
    rh_hash128 sum = digest_messages(world, stacks);
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (world->actors[slot].status != RH_ACTOR_OUTSIDE)
            sum += hash_actor(world, slot, stacks);
    if (world->options.watch_globals)
        sum += rh_variables_hash(world);
    return sum + world->chosen + rh_faults_hash(world);
}
