// SPDX-License-Identifier: MIT
// Numbers of what threads share, by which messages declare it. An object has the same number in
// every execution in which the same has happened before it.
//
// The memory of the modules that are loaded before main lies at the same addresses in all
// executions, since all are forked from one process. Where other memory lies may depend on the
// order in which threads have asked for it.
#include <link.h>

#include "adapters/zmq/engine.h"
#include "world/world.h"

struct segment {
    uintptr_t start, end;
};

static struct {
    RH_VECTOR(struct segment) segments;
} own;

static int add_segments(struct dl_phdr_info *module, size_t size, void *context)
{
    (void)size, (void)context;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &module->dlpi_phdr[i];
        uintptr_t start = module->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD)
            *rh_vector_push(&own.segments) = (struct segment){start, start + header->p_memsz};
    }
    return 0;
}

void rh__zmq_numbers_begin(void)
{
    dl_iterate_phdr(add_segments, NULL);
}

static bool is_static(const void *address)
{
    for (size_t i = 0; i < own.segments.count; i++)
        if ((uintptr_t)address >= own.segments.items[i].start &&
            (uintptr_t)address < own.segments.items[i].end)
            return true;
    return false;
}

uint64_t rh__zmq_number_at(const void *address)
{
    return rh_hash64_pair(RH_OBJECT_SHARED, is_static(address) ? (uintptr_t)address : 0);
}

// What a thread has initialised before depends on nothing but its past.
uint64_t rh__zmq_number_new(const void *address)
{
    struct rh_zmq_thread *caller = rh__zmq_self();
    if (!caller || is_static(address))
        return rh__zmq_number_at(address);
    uint64_t thread = rh__process.world->actors[caller->slot].identity;
    return rh_hash64_pair(RH_OBJECT_SHARED, rh_hash64_pair(thread, ++caller->initialised));
}
