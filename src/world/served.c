// SPDX-License-Identifier: MIT
// What interposed libc functions are served with while the program's code runs: memory of the
// running actor, logical time, random numbers of the actor's own; and the calls that end or mark an
// execution.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entry/stack.h"
#include "memory/early.h"
#include "memory/globals.h"
#include "world/files.h"
#include "world/world.h"

static struct rh_actor_record *running(void)
{
    struct rh_world *world = rh__process.world;
    return &world->actors[world->current];
}

// The allocator's books may lie beside a block that was given away.
static struct rh_world *enter_heap(void)
{
    struct rh_world *world = rh__process.world;
    world->fence.ours = true;
    return world;
}

static void leave_heap(struct rh_world *world)
{
    world->fence.ours = false;
    if (world->fence.opened.end != 0)
        rh_fence_open(&world->fence, false);
}

static void *allocate(size_t alignment, size_t size, uint8_t fill)
{
    struct rh_world *world = enter_heap();
    void *block = rh_heap_memalign(&running()->heap, world->current, alignment, size);
    leave_heap(world);
    if (!block)
        errno = ENOMEM;
    else if (fill != 0)
        memset(block, fill, size);
    return block;
}

void *rh_memory_malloc(size_t size)
{
    return allocate(1, size, rh__process.world->options.fill);
}

void *rh_memory_calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(1, total, 0); // fresh blocks are zero
}

void *rh_memory_memalign(size_t alignment, size_t size)
{
    return allocate(alignment, size, rh__process.world->options.fill);
}

bool rh_memory_owns(const void *block)
{
    return rh_region_has((uint64_t)block);
}

size_t rh_memory_usable_size(void *block)
{
    uint32_t slot = rh_slot_of((uint64_t)block);
    struct rh_world *world = enter_heap();
    size_t size = rh_heap_block_size(&world->actors[slot].heap, slot, block);
    leave_heap(world);
    return size;
}

// The running actor must not free a block of another actor, unless they share memory, nor a block
// that is not live, which is freed twice. libc answers both with an abort.
void rh_memory_free(void *block)
{
    if (!block)
        return;
    uint32_t slot = rh_slot_of((uint64_t)block);
    struct rh_world *world = enter_heap();
    bool may_free = slot == world->current || world->has_commons;
    bool freed = may_free && rh_heap_free(&world->actors[slot].heap, slot, block);
    leave_heap(world);
    if (freed)
        return;
    rh_world_crash_text(world, may_free ? "free of a block that is not allocated (freed twice?)"
                                        : "free of a block in another actor's memory");
    abort();
}

// Whether libc can have given a block: not on the handlers' stack, in what is the world's or in a
// loaded module, and with a size in front as libc puts it there. Reading that faults where there is
// no memory, as in libc.
static bool can_be_block(const void *block)
{
    enum { CHUNK_ALIGNMENT = 16, CHUNK_LEAST = 32, CHUNK_FLAGS = 7 };
    uint64_t address = (uint64_t)block;
    size_t size;
    if (address % CHUNK_ALIGNMENT != 0 || rh_world_reserves(address) ||
        rh_globals_has_module(address))
        return false;
    if (rh_early_owns(block))
        return true;
    memcpy(&size, (const char *)block - sizeof size, sizeof size);
    size &= ~(size_t)CHUNK_FLAGS;
    return size >= CHUNK_LEAST && size % CHUNK_ALIGNMENT == 0;
}

void rh_memory_check_block(const void *block)
{
    struct rh_world *world = enter_heap();
    bool is_block = can_be_block(block);
    leave_heap(world);
    if (is_block)
        return;
    rh_world_crash_text(world, "free of what malloc has not given");
    abort();
}

void *rh_memory_realloc(void *block, size_t size)
{
    if (!block)
        return rh_memory_malloc(size);
    if (rh_memory_owns(block) && size == 0) {
        rh_memory_free(block);
        return NULL;
    }
    size_t old = rh_memory_owns(block) ? rh_memory_usable_size(block) : size;
    void *moved = rh_memory_malloc(size);
    if (!moved)
        return NULL;
    memcpy(moved, block, old < size ? old : size);
    if (rh_memory_owns(block))
        rh_memory_free(block);
    return moved;
}

void rh_world_cannot_undo(const char *function)
{
    struct rh_world *world = rh__process.world;
    if (world->cannot_undo)
        return;
    world->cannot_undo = function;
    world->cannot_undo_at = world->number;
}

// A mapping can't be undone, so those of an execution are all that there are in this process.
void *rh_world_map_at(size_t size)
{
    enum { PAGE = 4096 };
    struct rh_world *world = rh__process.world;
    uint64_t address = RH_MAPPINGS_BASE + world->mapped;
    world->mapped += (size + 2 * PAGE - 1) / PAGE * PAGE; // with a page between mappings
    return (void *)address;
}

void rh_world_start_thread(const char *function)
{
    const struct rh_world_driver *driver = &rh__process.world->options.driver;
    if (driver->starts_thread)
        driver->starts_thread(driver->context, function);
    rh_world_cannot_undo(function);
}

// Devices, and what the kernel shows as files, hold nothing for the next execution.
static bool holds_nothing(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

// Whether a path is that of an entry, or was made of it as of a pattern, by mkstemp or in what
// mkdtemp has made: by a name that is another one each time.
static bool is_told_by(const char *entry, size_t length, const char *path)
{
    enum { MADE_UP = 6 };
    if (strlen(path) == length && strncmp(entry, path, length) == 0)
        return true;
    bool is_pattern = length > MADE_UP && strncmp(entry + length - MADE_UP, "XXXXXX", MADE_UP) == 0;
    return is_pattern && strlen(path) >= length && strncmp(entry, path, length - MADE_UP) == 0 &&
           strchr("/", path[length]);
}

static bool is_told(const struct rh_files_told *told, const char *path)
{
    size_t length;
    for (const char *entry = told->outside; *entry;
         entry += length + strspn(entry + length, ", ")) {
        length = strcspn(entry, ",");
        if (is_told_by(entry, length, path))
            return true;
    }
    return false;
}

// Notes a file that all executions share.
static void tell_outside(struct rh_files_told *told, const char *path)
{
    size_t used = strlen(told->outside);
    size_t room = sizeof told->outside - used;
    if (!holds_nothing(path) && !is_told(told, path) && strlen(path) + 3 < room)
        snprintf(told->outside + used, room, "%s%s", used > 0 ? ", " : "", path);
}

static void prepare_file(struct rh_files_told *told, int directory, const char *path)
{
    char whole[RH_FILES_PATH_MOST];
    struct rh_status status = rh_files_prepare(directory, path);
    if (!rh_is_ok(&status)) {
        rh_files_share();
        if (told)
            told->refusal = status;
    }
    if (told && rh_files_is_outside(directory, path, whole))
        tell_outside(told, whole);
}

const char *rh_world_file(int directory, const char *path, bool alters)
{
    int was_inside = rh__process.in_handler;
    rh__process.in_handler = 0;
    if (alters)
        prepare_file(rh__process.world->options.files_told, directory, path);
    const char *name = rh_files_name(directory, path);
    rh__process.in_handler = was_inside;
    return name;
}

const char *rh_world_directory(void)
{
    int was_inside = rh__process.in_handler;
    rh__process.in_handler = 0;
    const char *directory = rh_files_directory();
    rh__process.in_handler = was_inside;
    return directory;
}

void rh_world_keep_signal_mask(void)
{
    struct rh_world *world = rh__process.world;
    if (!world->keeps_signal_mask)
        pthread_sigmask(SIG_BLOCK, NULL, &world->signal_mask);
    world->keeps_signal_mask = true;
}

// All actors share one rest of a text. Most programs never notice: within a delivery nobody else
// touches it.
char **rh_world_tokens(bool continues)
{
    struct rh_world *world = rh__process.world;
    bool from_before = continues && world->tokens_in != world->generation;
    if (from_before && world->options.driver.shares_tokens) {
        int was_inside = rh__process.in_handler;
        rh__process.in_handler = 0;
        world->options.driver.shares_tokens(world->options.driver.context);
        rh__process.in_handler = was_inside;
    }
    if (from_before || world->options.tokens_shared)
        rh_world_cannot_undo("strtok");
    world->tokens_in = world->generation;
    return &world->tokens;
}

void rh_world_count_memory_stream(int change)
{
    rh__process.world->memory_streams += change;
}

_Noreturn void rh_world_exit(int status, const char *function)
{
    struct rh_world *world = rh__process.world;
    rh__process.in_handler = 0;
    rh_world_fail(world, RH_FINDING_EXIT, NULL, 0, "the program called %s(%d)", function, status);
    rh_stack_leave(&rh__process.world_stack);
}

bool rh_world_is_in_body(void)
{
    return rh__process.world && rh__process.world->stage == RH_STAGE_SETUP;
}

void rh_world_begin_run(void)
{
    rh__process.world->is_before_run = false;
}

_Noreturn void rh_world_end_body(void)
{
    rh__process.in_handler = 0;
    rh_stack_leave(&rh__process.world_stack);
}

// gcc gives the name of a C function, clang its whole declaration.
static void only_name(char *name, size_t size, const char *function)
{
    size_t end = strcspn(function, "(");
    size_t start = end;
    while (start > 0 && !strchr(" *&", function[start - 1]))
        start--;
    snprintf(name, size, "%.*s", (int)(end - start), function + start);
}

_Noreturn void rh_world_assert(const char *condition, const char *file, unsigned line,
                               const char *function)
{
    struct rh_world *world = rh__process.world;
    rh__process.in_handler = 0;
    char name[128];
    only_name(name, sizeof name, function ? function : "");
    rh_world_fail(world, RH_FINDING_CRASH, file, (int)line, "assertion failed in %s: %s", name,
                  condition);
    rh_stack_leave(&rh__process.world_stack);
}

bool rh_world_answer(const char *function, uint64_t *value)
{
    struct rh_world *world = rh__process.world;
    const struct rh_world_driver *driver = &world->options.driver;
    if (!driver->answer || world->is_before_run ||
        (world->stage != RH_STAGE_HANDLER && world->stage != RH_STAGE_SETUP))
        return false;
    int was_inside = rh__process.in_handler;
    rh__process.in_handler = 0;
    bool is_known = driver->answer(driver->context, function, value);
    if (is_known)
        rh_trace_self(world, RH_EVENT_ANSWER, function, (int64_t)*value, NULL, 0);
    rh__process.in_handler = was_inside;
    return is_known;
}

uint64_t rh_world_random(void)
{
    struct rh_actor_record *record = running();
    rh_world_look(rh__process.world, RH_LOOK_RANDOM);
    return rh_hash64_pair(record->random_seed, ++record->random_count);
}

uint64_t rh_world_clock_ns(void)
{
    rh_world_look(rh__process.world, RH_LOOK_TIME);
    // 1 January 2020, so that dates look like dates.
    return UINT64_C(1577836800) * 1000000000 + running()->now * 1000000;
}

void rh_world_free_given(void)
{
    rh_gift_protect(rh__process.world, 0, false);
}

void rh_world_open_given(bool open)
{
    rh_fence_open(&rh__process.world->fence, open);
}
