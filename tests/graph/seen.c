// SPDX-License-Identifier: MIT
// Writes down what the executions of a program do, for comparison with its graph: linked to a program with
// `-Wl,--wrap=rh_world_deliver,--wrap=rh_world_send,--wrap=rh_world_spawn,--wrap=rh_world_spawn_at`, it notes who creates whom and who receives
// what from whom, in the file that $SEEN names. Functions are written as addresses in the executable, for nm to name.
//
//     creates FROM TO FILE:LINE
//     TYPE FROM TO FILE:LINE
//
// Everything is in memory that processes share, so that nothing is taken back when a delivery is undone. The file ends in
// zeros; what it has already stays.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/world.h"

enum { SLOTS = 1 << 16, MESSAGES = 1 << 20, TEXT = 1 << 22 };

struct notes {
    uint64_t known[SLOTS];           // hashes of the lines
    rh_behaviour *handled[MESSAGES]; // by message: the behaviour that it was handed to
    rh_behaviour *sender[MESSAGES];  // by message: the behaviour that ran when it was sent
};

extern const char __executable_start[];

static struct notes *notes;
static char *text;
static size_t *text_length; // in a file beside that of the text: several processes write at a time

static void *map(int descriptor, size_t size)
{
    int flags = MAP_SHARED | (descriptor < 0 ? MAP_ANONYMOUS : 0);
    // Past what watches the program's own memory.
    long mapped = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    if (mapped == -1)
        abort();
    return (void *)mapped;
}

static void *map_file(const char *path, size_t size)
{
    int descriptor = open(path, O_RDWR | O_CREAT, 0666);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)size) < 0)
        abort();
    void *mapped = map(descriptor, size);
    close(descriptor);
    return mapped;
}

// Runs in each process that makes executions.
__attribute__((constructor)) static void open_notes(void)
{
    const char *path = getenv("SEEN");
    char beside[4096];
    if (!path)
        return;
    snprintf(beside, sizeof beside, "%s.length", path);
    text = map_file(path, TEXT);
    text_length = map_file(beside, sizeof *text_length);
    notes = map(-1, sizeof *notes);
}

static unsigned long place_of(rh_behaviour *behaviour)
{
    return behaviour ? (unsigned long)((const char *)(uintptr_t)behaviour - __executable_start) : 0;
}

static void note(const char *what, rh_behaviour *from, rh_behaviour *to, const char *file, int line)
{
    char line_text[600];
    int length = snprintf(line_text, sizeof line_text, "%s %lx %lx %s:%d\n", what, place_of(from),
                          place_of(to), file ? file : "?", line);
    uint64_t hash = rh_hash64(line_text, (size_t)length, 1) | 1;
    size_t at = hash % SLOTS;
    for (; notes->known[at]; at = (at + 1) % SLOTS)
        if (notes->known[at] == hash)
            return;
    notes->known[at] = hash;
    size_t start = __atomic_fetch_add(text_length, (size_t)length, __ATOMIC_SEQ_CST);
    if (start + (size_t)length > TEXT)
        abort();
    memcpy(text + start, line_text, (size_t)length);
}

// What runs: a behaviour stays the same until its handler ends, whatever it becomes. NULL for the test's body.
static rh_behaviour *running(const struct rh_world *world, uint32_t slot)
{
    const struct rh_actor_record *record = &world->actors[slot];
    return record->status == RH_ACTOR_OUTSIDE ? NULL : notes->handled[record->handling];
}

bool __real_rh_world_deliver(struct rh_world *world, uint32_t message);
uint32_t __real_rh_world_send(struct rh_world *world, const struct rh_sending *sending);
uint32_t __real_rh_world_spawn(struct rh_world *world, const struct rh_spawning *spawning);
bool __real_rh_world_spawn_at(struct rh_world *world, uint32_t slot,
                              const struct rh_spawning *spawning);

bool __wrap_rh_world_deliver(struct rh_world *world, uint32_t index);
uint32_t __wrap_rh_world_send(struct rh_world *world, const struct rh_sending *sending);
uint32_t __wrap_rh_world_spawn(struct rh_world *world, const struct rh_spawning *spawning);
bool __wrap_rh_world_spawn_at(struct rh_world *world, uint32_t slot,
                              const struct rh_spawning *spawning);

bool __wrap_rh_world_deliver(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    if (notes && index < MESSAGES && message->kind <= RH_TIMER) {
        rh_behaviour *receiver = message->kind == RH_REPLY
                                     ? running(world, message->receiver)
                                     : world->actors[message->receiver].behaviour;
        if (message->kind != RH_REPLY)
            notes->handled[index] = receiver;
        if (!message->copy)
            note(message->type->name, notes->sender[index], receiver, message->file, message->line);
    }
    return __real_rh_world_deliver(world, index);
}

uint32_t __wrap_rh_world_send(struct rh_world *world, const struct rh_sending *sending)
{
    uint32_t index = __real_rh_world_send(world, sending);
    if (notes && index < MESSAGES)
        notes->sender[index] = running(world, sending->sender);
    return index;
}

uint32_t __wrap_rh_world_spawn(struct rh_world *world, const struct rh_spawning *spawning)
{
    if (notes)
        note("creates", running(world, world->current), spawning->behaviour, spawning->file,
             spawning->line);
    return __real_rh_world_spawn(world, spawning);
}

bool __wrap_rh_world_spawn_at(struct rh_world *world, uint32_t slot,
                              const struct rh_spawning *spawning)
{
    bool is_reserved = __real_rh_world_spawn_at(world, slot, spawning);
    if (notes && is_reserved)
        note("creates", running(world, world->current), world->actors[slot].behaviour,
             spawning->file, spawning->line);
    return is_reserved;
}
