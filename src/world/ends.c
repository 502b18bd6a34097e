// SPDX-License-Identifier: MIT
// What a schedule says about the end of its execution: which state each actor has, what the blocks
// are that these lead to, and that there was no delivery but those of its steps.
#include <string.h>

#include "base/line.h"
#include "world/world.h"

// What is expected of an actor's state.
struct expectation {
    const char *found; // what is there, of `size` bytes
    size_t size;
    struct rh_text bytes;
    struct rh_text known; // for each byte: 0 if it may be anything
};

static void expect(struct expectation *expectation, const void *bytes, size_t size, bool is_known)
{
    rh_text_add_bytes(&expectation->bytes, bytes, size);
    for (size_t i = 0; i < size; i++)
        rh_text_add_bytes(&expectation->known, is_known ? "\1" : "\0", 1);
}

// false if the word names an actor that is not there, or leads to another block.
static bool expect_word(struct expectation *expectation, struct rh_world *world, const char *word)
{
    if (*word == '&') {
        uint64_t address = 0;
        size_t at = expectation->bytes.length;
        // Where malloc is not ours nobody knows which blocks there are.
        if (!rh__process.owns_malloc) {
            expect(expectation, &address, sizeof address, false);
            return true;
        }
        bool fits = at + sizeof address <= expectation->size;
        if (fits)
            memcpy(&address, expectation->found + at, sizeof address);
        expect(expectation, &address, sizeof address, true);
        return fits && rh_world_meet_block(world, word, address);
    }
    if (*word == '@') {
        uint32_t slot = rh_world_find_name(world, word + 1);
        uint64_t address = slot == RH_NONE ? 0 : (uint64_t)rh_world_address(slot);
        expect(expectation, &address, sizeof address, true);
        return slot != RH_NONE;
    }
    for (; *word; word += 2) {
        uint64_t number = 0;
        bool is_known = rh_line_number_of(word, 2, 16, &number);
        uint8_t byte = (uint8_t)number;
        expect(expectation, &byte, 1, is_known);
    }
    return true;
}

static bool are_same(const struct expectation *expectation)
{
    if (expectation->bytes.length != expectation->size)
        return false;
    for (size_t i = 0; i < expectation->size; i++)
        if (expectation->known.bytes[i] && expectation->bytes.bytes[i] != expectation->found[i])
            return false;
    return true;
}

// Whether `size` bytes are what the words say. `type` may be NULL: padding has no value, neither
// here nor there.
static bool has_bytes(struct rh_world *world, const void *found, size_t size, const char *bytes,
                      const struct rh_type_info *type)
{
    struct expectation expectation = {.found = found, .size = size};
    bool is_same = true;
    struct rh_line words;
    rh_line_init(&words, bytes, strlen(bytes));
    while (rh_line_next(&words))
        is_same &= expect_word(&expectation, world, rh_text_get(&words.word));
    rh_line_fini(&words);
    if (type && type->mask)
        rh_type_clear_padding(type, expectation.bytes.bytes, expectation.bytes.length);
    is_same = is_same && are_same(&expectation);
    rh_text_fini(&expectation.bytes);
    rh_text_fini(&expectation.known);
    return is_same;
}

static bool has_state(struct rh_world *world, uint32_t slot, const char *bytes)
{
    rh_world_place(world, slot);
    const struct rh_actor_record *record = &world->actors[slot];
    return has_bytes(world, record->state, record->state_size, bytes, record->state_type);
}

static bool is_alive(const struct rh_actor_record *record)
{
    return record->status != RH_ACTOR_STOPPED && record->status != RH_ACTOR_CRASHED;
}

// What is wrong with the block; NULL: nothing.
static const char *find_block_difference(struct rh_world *world, const struct rh_schedule_end *end)
{
    uint64_t address = rh_world_block_address(world, end->actor);
    if (!rh__process.owns_malloc)
        return NULL;
    if (!address)
        return "is a block that nothing above leads to";
    bool is_there = rh_world_has_block(world, address);
    if (!end->bytes)
        return is_there ? "has not been freed" : NULL;
    if (!is_there)
        return "has been freed";
    size_t size = rh_world_block_size(world, address);
    return has_bytes(world, (const void *)address, size, end->bytes, NULL)
               ? NULL
               : "has another content than the schedule says";
}

// What is wrong with the actor; NULL: nothing.
static const char *find_actor_difference(struct rh_world *world, const struct rh_schedule_end *end)
{
    uint32_t slot = rh_world_find_name(world, end->actor);
    if (slot == RH_NONE)
        return "is not there";
    bool lives = is_alive(&world->actors[slot]);
    if (!end->bytes)
        return lives ? "has not stopped" : NULL;
    if (!lives)
        return "has stopped";
    return has_state(world, slot, end->bytes) ? NULL : "has another state than the schedule says";
}

// Reports the first end that is another one.
static void check_each(struct rh_world *world, const struct rh_schedule *schedule)
{
    const char *path = schedule->path ? schedule->path : "schedule";
    for (size_t i = 0; i < schedule->ends.count; i++) {
        const struct rh_schedule_end *end = &schedule->ends.items[i];
        const char *difference = *end->actor == '&' ? find_block_difference(world, end)
                                                    : find_actor_difference(world, end);
        if (!difference)
            continue;
        rh_world_report(world, RH_FINDING_CHECK, path, end->line, "at the end %s %s", end->actor,
                        difference);
        return;
    }
}

static size_t count_moves(const struct rh_schedule *schedule)
{
    size_t count = 0;
    for (size_t i = 0; i < schedule->steps.count; i++)
        count += rh_step_is_move(schedule->steps.items[i].kind);
    return count;
}

void rh_world_check_ends(struct rh_world *world)
{
    const struct rh_schedule *schedule = world->options.inputs;
    if (!schedule || schedule->ends.count == 0)
        return;
    const char *path = schedule->path ? schedule->path : "schedule";
    size_t moves = count_moves(schedule);
    if (world->number != moves) {
        rh_world_report(world, RH_FINDING_CHECK, path, schedule->ends.items[0].line,
                        "there were %u deliveries, and the schedule has %zu", world->number, moves);
        return;
    }
    size_t named = world->blocks.count;
    check_each(world, schedule);
    rh_world_forget_blocks(world, named);
}
