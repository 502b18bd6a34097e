// SPDX-License-Identifier: MIT
// Checks that the test need not ask for: the end of an execution, leaks, pointers in messages; and
// the test's own judges.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entry/stack.h"
#include "memory/globals.h"
#include "world/fault.h"
#include "world/variables.h"
#include "world/world.h"

// Judges.

// A test may be a copy of the one that a judge names: its body tells.
void rh_world_add_judges(struct rh_world *world, const struct rh_test *test)
{
    size_t count;
    const struct rh_test_judge *const *judges = rh_program_judges(&count);
    for (size_t i = 0; i < count; i++)
        if (judges[i]->test->body == test->body)
            *rh_vector_push(&world->judges) = (struct rh_judge_entry){
                judges[i]->judge, judges[i]->test->name, judges[i]->at_end, NULL};
}

bool rh_world_judge(struct rh_world *world, bool at_end)
{
    if (world->judges.count == 0)
        return !world->failed;
    for (size_t i = 0; i < world->judges.count; i++) {
        struct rh_judge_entry *entry = &world->judges.items[i];
        if (entry->at_end != at_end)
            continue;
        rh_hash128 before = world->options.verify ? rh_world_digest(world, true) : 0;
        world->judging = entry;
        world->judge_calls++;
        const struct rh_call call = {(void (*)(void))entry->judge, {entry->context}};
        bool holds = rh_world_call(world, RH_STAGE_JUDGE, 0, &call);
        world->judging = NULL;
        if (holds && world->options.verify && rh_world_digest(world, true) != before) {
            rh_world_fail(world, RH_FINDING_CHECK, NULL, 0,
                          "%s changed the state of an actor: a judge must not change anything",
                          entry->name);
            holds = false;
        }
        rh_world_take_output(world);
        if (!holds)
            break;
    }
    return world->options.watch_globals ? rh_variables_put_back(world) : !world->failed;
}

// Pointers.

static bool is_private(const struct rh_world *world, uint64_t address)
{
    if (address - RH_STACK_BASE < RH_STACK_SIZE)
        return true;
    // Memory that the test itself allocated is watched once its body has ended (globals.h).
    return world->current != 0 && rh_region_has(address) && rh_slot_offset(address) != 0;
}

// Bytes on their way to another actor: a payload, a state, or a block handed over with a payload.
struct carried {
    const char *name; // of the message's or state's type
    const char *file;
    int line;
    bool is_block;
    size_t block; // offset in the payload of the pointer to the block
    const char *bytes;
    size_t size;
};

static void report_private(struct rh_world *world, const struct carried *carried, size_t offset,
                           uint64_t address)
{
    char block[64] = "";
    if (carried->is_block)
        snprintf(block, sizeof block, "block (at byte %zu) with a ", carried->block);
    bool on_stack = address - RH_STACK_BASE < RH_STACK_SIZE;
    rh_world_fail(world, RH_FINDING_PRIVATE_POINTER, carried->file, carried->line,
                  "%s carries a %spointer (at byte %zu) into the %s of its sender", carried->name,
                  block, offset, on_stack ? "stack" : "private memory");
}

static void check_fields(struct rh_world *world, const struct carried *carried,
                         const struct rh_type_info *type, size_t start)
{
    for (size_t i = 0; i < type->pointer_count; i++) {
        size_t offset = start + type->pointers[i];
        uint64_t address;
        if (offset + sizeof address > carried->size)
            return;
        memcpy(&address, carried->bytes + offset, sizeof address);
        if (is_private(world, address))
            report_private(world, carried, offset, address);
    }
}

// For bytes of which nothing says which are pointers. Padding may hold what is left of an address,
// so only a word counts that is the start of the sender's state or of a block.
static bool starts_something(const struct rh_world *world, uint64_t word)
{
    if (world->current == 0 || !rh_region_has(word) || rh_slot_of(word) != world->current)
        return false;
    return word == (uint64_t)world->actors[world->current].state ||
           rh_memory_usable_size((void *)word) > 0;
}

static void check_words(struct rh_world *world, const struct carried *carried)
{
    for (size_t offset = 0; offset + 8 <= carried->size; offset += 8) {
        uint64_t word;
        memcpy(&word, carried->bytes + offset, sizeof word);
        if (starts_something(world, word))
            report_private(world, carried, offset, word);
    }
}

static void check_value(struct rh_world *world, const struct carried *carried,
                        const struct rh_type_info *type)
{
    check_fields(world, carried, type, 0);
    if (!type->tail || type->tail->pointer_count == 0)
        return;
    for (size_t start = type->tail_start; start < carried->size; start += type->tail->size)
        check_fields(world, carried, type->tail, start);
}

// A block is one value of the type that the pointer to it has, or an array of such values.
static void check_block(struct rh_world *world, const struct carried *carried,
                        const struct rh_type_info *type)
{
    check_value(world, carried, type);
    if (type->tail || type->pointer_count == 0 || carried->size % type->size != 0)
        return;
    for (size_t start = type->size; start < carried->size; start += type->size)
        check_fields(world, carried, type, start);
}

static void check_gifts(struct rh_world *world, const struct carried *carried,
                        const struct rh_type_info *type)
{
    for (size_t offset = 0; offset + 8 <= carried->size; offset += 8) {
        uint64_t word;
        memcpy(&word, carried->bytes + offset, sizeof word);
        for (size_t i = 0; i < world->gifts.count; i++) {
            const struct rh_gift *gift = &world->gifts.items[i];
            const struct rh_type_info *pointee =
                gift->token == word ? rh_type_pointee(world, type, offset) : NULL;
            struct carried block = {carried->name, carried->file, carried->line, true,
                                    offset,        gift->bytes,   gift->size};
            if (pointee)
                check_block(world, &block, pointee);
        }
    }
}

void rh_world_check_pointers(struct rh_world *world, const struct rh_type_info *type,
                             const void *bytes, size_t size, const char *file, int line)
{
    if (!rh__process.owns_malloc)
        return;
    struct carried carried = {
        .name = type ? type->name : "a state without a type",
        .file = file,
        .line = line,
        .bytes = bytes,
        .size = size,
    };
    if (!type)
        check_words(world, &carried);
    if (!type || (type->pointer_count == 0 && !type->tail))
        return;
    check_value(world, &carried, type);
    if (world->gifts.count > 0)
        check_gifts(world, &carried, type);
}

// Leaks.

struct reach {
    struct rh_heap_block *blocks;
    bool *reached;
    size_t count;
    RH_VECTOR(size_t) queue;
};

static void mark(struct reach *reach, uint64_t address)
{
    size_t low = 0, high = reach->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((uint64_t)reach->blocks[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return;
    const struct rh_heap_block *block = &reach->blocks[low - 1];
    if (address - (uint64_t)block->start >= block->capacity || reach->reached[low - 1])
        return;
    reach->reached[low - 1] = true;
    *rh_vector_push(&reach->queue) = low - 1;
}

static void mark_words(struct reach *reach, const void *bytes, size_t size)
{
    const uint64_t *words = bytes;
    for (size_t i = 0; i < size / 8; i++)
        if (rh_region_has(words[i]))
            mark(reach, words[i]);
}

static void mark_global(void *context, const void *bytes, size_t size)
{
    mark_words(context, bytes, size);
}

static void mark_actor(struct reach *reach, const struct rh_actor_record *record)
{
    mark_words(reach, record->state, record->state_size);
    mark(reach, (uint64_t)record->saved_stack);
    mark(reach, (uint64_t)record->library_image);
}

static void mark_reached(struct reach *reach)
{
    rh_globals_visit(mark_global, reach);
    while (reach->queue.count > 0) {
        size_t i = reach->queue.items[--reach->queue.count];
        mark_words(reach, reach->blocks[i].start, reach->blocks[i].capacity);
    }
}

// Adds the blocks of an actor, in the order of their addresses.
static void add_blocks(struct reach *reach, const struct rh_world *world, uint32_t slot)
{
    const struct rh_heap *heap = &world->actors[slot].heap;
    struct rh_heap_walk walk;
    rh_heap_walk_init(&walk, heap, slot);
    for (size_t end = reach->count + heap->live_count; reach->count < end;) {
        if (!rh_heap_walk_next(&walk, &reach->blocks[reach->count]))
            break;
        reach->count += !reach->blocks[reach->count].given;
    }
}

static void report_leak(struct rh_world *world, uint32_t slot, size_t blocks, size_t bytes,
                        bool stopped)
{
    uint32_t current = world->current;
    world->current = slot;
    rh_world_report(world, RH_FINDING_LEAK, NULL, 0,
                    stopped ? "stopped while it held %zu block%s of %zu bytes: free them, or "
                              "release them in a function given to rh_at_stop"
                            : "lost %zu block%s of %zu bytes: nothing in its state points there",
                    blocks, blocks == 1 ? "" : "s", bytes);
    world->current = current;
}

// Whether blocks of this actor lead to blocks of the one that is looked at.
static bool leads_to(const struct rh_world *world, uint32_t slot, uint32_t looked_at)
{
    return slot == looked_at ||
           (world->has_commons && world->actors[slot].status != RH_ACTOR_OUTSIDE);
}

static struct reach new_reach(const struct rh_world *world, uint32_t looked_at)
{
    size_t most = 0;
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        most += leads_to(world, slot, looked_at) ? world->actors[slot].heap.live_count : 0;
    struct reach reach = {.blocks = rh_alloc(sizeof *reach.blocks * most),
                          .reached = rh_alloc(sizeof *reach.reached * most)};
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (leads_to(world, slot, looked_at))
            add_blocks(&reach, world, slot);
    return reach;
}

// Finds the blocks of an actor that something reachable points to: from its state, or, if its life
// has ended, from where others reach its memory.
static struct reach find_reached(const struct rh_world *world, uint32_t looked_at, bool has_ended)
{
    struct reach reach = new_reach(world, looked_at);
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (leads_to(world, slot, looked_at) && !(has_ended && slot == looked_at))
            mark_actor(&reach, &world->actors[slot]);
    mark_reached(&reach);
    // Of the others it does not matter.
    for (size_t i = 0; i < reach.count; i++)
        reach.reached[i] |= rh_slot_of((uint64_t)reach.blocks[i].start) != looked_at;
    return reach;
}

static void free_reach(struct reach *reach)
{
    free(reach->blocks);
    free(reach->reached);
    rh_vector_fini(&reach->queue);
}

static void check_lost(struct rh_world *world, uint32_t slot, bool stopped)
{
    struct reach reach = find_reached(world, slot, stopped);
    size_t blocks = 0, bytes = 0;
    for (size_t i = 0; i < reach.count; i++) {
        blocks += !reach.reached[i];
        bytes += reach.reached[i] ? 0 : reach.blocks[i].size;
    }
    if (blocks > 0)
        report_leak(world, slot, blocks, bytes, stopped);
    free_reach(&reach);
}

void rh_world_free_own(struct rh_world *world, uint32_t slot)
{
    struct reach reach = find_reached(world, slot, true);
    for (size_t i = 0; i < reach.count; i++)
        if (!reach.reached[i])
            rh_heap_free(&world->actors[slot].heap, slot, reach.blocks[i].start);
    free_reach(&reach);
}

void rh_world_check_leaks(struct rh_world *world, uint32_t slot, bool stopped)
{
    const struct rh_actor_record *record = &world->actors[slot];
    if (!rh__process.owns_malloc || record->heap.live_count == 0)
        return;
    if (stopped && !world->has_commons)
        report_leak(world, slot, record->heap.live_count, record->heap.live_bytes, true);
    else
        check_lost(world, slot, stopped);
}

// The end of an execution.

static void report_about(struct rh_world *world, enum rh_finding_kind kind, uint32_t slot,
                         const struct rh_message *message, const char *text)
{
    uint32_t current = world->current, delivering = world->delivering;
    world->current = slot;
    world->delivering = message ? (uint32_t)(message - world->messages) : RH_NONE;
    rh_world_report(world, kind, message ? message->file : NULL, message ? message->line : 0, "%s",
                    text);
    world->current = current;
    world->delivering = delivering;
}

static void report_pending(struct rh_world *world, const struct rh_message *message)
{
    const struct rh_actor_record *receiver = &world->actors[message->receiver];
    struct rh_text text = {0};
    bool stopped = receiver->status == RH_ACTOR_STOPPED;
    rh_text_addf(&text, "%s from ", message->type->name);
    rh_world_add_name(world, &text, message->sender);
    bool outside = receiver->status == RH_ACTOR_OUTSIDE;
    rh_text_add(&text, stopped ? " was not delivered: " : outside ? " to " : " was left over: ");
    rh_world_add_name(world, &text, message->receiver);
    rh_text_add(&text, stopped                                ? " had stopped"
                       : outside                              ? ": nobody takes it there"
                       : receiver->status == RH_ACTOR_WAITING ? " waits for a reply"
                                                              : " refuses it");
    report_about(world, stopped ? RH_FINDING_UNDELIVERED : RH_FINDING_LEFTOVER, message->receiver,
                 message, rh_text_get(&text));
    rh_text_fini(&text);
}

static bool report_waiting(struct rh_world *world, uint32_t slot)
{
    const struct rh_message *request = &world->messages[world->actors[slot].request];
    struct rh_text text = {0};
    rh_world_add_name(world, &text, slot);
    rh_text_addf(&text, " waits for a reply to %s from ", request->type->name);
    rh_world_add_name(world, &text, request->receiver);
    rh_text_add(&text, " that never comes");
    if (world->actors[request->receiver].status == RH_ACTOR_CRASHED)
        rh_text_add(&text, ": it has crashed");
    report_about(world, RH_FINDING_DEADLOCK, slot, request, rh_text_get(&text));
    rh_text_fini(&text);
    return false;
}

// Whether the actor is in a cycle of actors each of which waits for the next; then says so.
static bool waits_in_cycle(const struct rh_world *world, uint32_t slot, struct rh_text *text)
{
    uint32_t at = slot;
    for (uint32_t i = 0; i < world->actor_count; i++) {
        const struct rh_actor_record *record = &world->actors[at];
        if (record->status != RH_ACTOR_WAITING)
            return false;
        const struct rh_message *request = &world->messages[record->request];
        if (i == 0) {
            rh_world_add_name(world, text, slot);
            rh_text_addf(text, " waits for a reply to %s from ", request->type->name);
        } else {
            rh_text_add(text, ", which waits for one from ");
        }
        at = request->receiver;
        rh_world_add_name(world, text, at);
        if (at == slot)
            return true;
    }
    return false;
}

// In an open environment anything may still come but a reply that only a waiting actor could give.
static bool check_cycle(struct rh_world *world, uint32_t slot)
{
    struct rh_text text = {0};
    bool is_stuck = waits_in_cycle(world, slot, &text);
    if (is_stuck)
        report_about(world, RH_FINDING_DEADLOCK, slot,
                     &world->messages[world->actors[slot].request], rh_text_get(&text));
    rh_text_fini(&text);
    return !is_stuck;
}

static bool check_waiting(struct rh_world *world, uint32_t slot)
{
    return world->options.environment == RH_ENVIRONMENT_OPEN ? check_cycle(world, slot)
                                                             : report_waiting(world, slot);
}

static bool report_refused(struct rh_world *world, const struct rh_message *message)
{
    struct rh_text text = {0};
    rh_world_add_name(world, &text, message->receiver);
    rh_text_addf(&text, " refuses %s from ", message->type->name);
    rh_world_add_name(world, &text, message->sender);
    rh_text_add(&text, " and nothing else will come");
    report_about(world, RH_FINDING_DEADLOCK, message->receiver, message, rh_text_get(&text));
    rh_text_fini(&text);
    return false;
}

// At the end nothing is deliverable: a message that an idle actor has not got is one that it
// refuses.
static bool is_refused(const struct rh_world *world, const struct rh_message *message)
{
    return world->actors[message->receiver].status == RH_ACTOR_IDLE && message->kind != RH_REPLY;
}

// Whether a fault, and not the program, is to blame that a message was not delivered.
static bool is_excused(const struct rh_world *world, const struct rh_message *message)
{
    return world->actors[message->receiver].status == RH_ACTOR_CRASHED ||
           rh_message_is_surplus(message) ||
           (message->kind != RH_ASK && rh_message_is_stale(world, message));
}

static bool check_pending(struct rh_world *world)
{
    bool holds = true;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *message = &world->messages[i];
        // A message of rh_may_come, or one that a fault excuses, counts as not sent.
        if (message->coming != 0 || (rh_faults_at_send(world) && is_excused(world, message)))
            continue;
        if (is_refused(world, message) && world->options.environment != RH_ENVIRONMENT_OPEN)
            holds = report_refused(world, message);
        report_pending(world, message);
    }
    return holds;
}

static bool check_actor(struct rh_world *world, uint32_t slot)
{
    if (world->actors[slot].status != RH_ACTOR_STOPPED)
        rh_world_check_leaks(world, slot, false);
    return world->actors[slot].status != RH_ACTOR_WAITING || check_waiting(world, slot);
}

static int by_number(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

// Only actors that got a message can have done anything. The undo log knows those actors; without
// an undo log all actors are looked at.
static bool check_actors(struct rh_world *world)
{
    bool holds = true;
    if (world->busy_count == 0)
        return true;
    if (!world->options.keep_undo) {
        for (uint32_t slot = 1; slot < world->actor_count; slot++)
            holds &= check_actor(world, slot);
        return holds;
    }
    size_t count = rh_world_receivers(world);
    if (count > 1)
        qsort(world->receivers.items, count, sizeof *world->receivers.items, by_number);
    for (size_t i = 0; i < count; i++)
        holds &= check_actor(world, world->receivers.items[i]);
    return holds;
}

static bool refuses_something(const struct rh_world *world, uint32_t slot)
{
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        if (world->messages[i].receiver == slot && is_refused(world, &world->messages[i]))
            return true;
    return false;
}

// In a closed environment actors that are alive and idle are stuck as well: none of them can do
// anything any more. Actors that wait or refuse a message are reported elsewhere.
static bool check_alive(struct rh_world *world)
{
    bool holds = true;
    if (world->options.environment != RH_ENVIRONMENT_CLOSED)
        return true;
    for (uint32_t slot = 1; slot < world->actor_count; slot++) {
        if (world->actors[slot].status != RH_ACTOR_IDLE || refuses_something(world, slot))
            continue;
        struct rh_text text = {0};
        rh_world_add_name(world, &text, slot);
        rh_text_add(&text, " is still alive and nothing will come to it");
        report_about(world, RH_FINDING_DEADLOCK, slot, NULL, rh_text_get(&text));
        rh_text_fini(&text);
        holds = false;
    }
    return holds;
}

bool rh_world_end(struct rh_world *world)
{
    bool holds = rh_world_judge(world, true);
    holds &= check_actors(world);
    holds &= check_alive(world);
    return check_pending(world) && holds;
}
