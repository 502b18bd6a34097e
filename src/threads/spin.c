// SPDX-License-Identifier: MIT
// Loops that wait for memory. A thread that reads the same values at the same places over and over,
// and writes nothing, goes round until somebody writes there; to repeat that in every number of
// turns would have no end. After some turns the thread waits for such a write.
#include <string.h>

#include "threads/engine.h"
#include "trace/finding_kind.h"

enum { TURNS = 6, RELEASES_MOST = 100 };

static uint64_t value_at(uintptr_t address, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, size < sizeof value ? size : sizeof value);
    return value;
}

void rh__spin_write(void)
{
    rh__current()->spin.count = rh__current()->spin.turns = 0;
}

void rh__spin_read(uintptr_t address, size_t size, uintptr_t code)
{
    __typeof__(&rh__current()->spin) spin = &rh__current()->spin;
    uint64_t value = value_at(address, size);
    for (int i = 0; i < spin->count; i++) {
        if (spin->reads[i].address != address || spin->reads[i].code != code)
            continue;
        if (spin->reads[i].value != value) {
            rh__spin_write();
            break;
        }
        // The first read of a turn counts turns.
        spin->turns += i == 0;
        spin->is_spinning = i == 0 && spin->turns >= TURNS;
        return;
    }
    if (spin->count == RH_SPIN_READS)
        rh__spin_write();
    spin->reads[spin->count].address = address;
    spin->reads[spin->count].code = code;
    spin->reads[spin->count].size = (uint32_t)size;
    spin->reads[spin->count++].value = value;
}

void rh__spin_wake(const struct rh_act *event)
{
    for (int i = 0; i < rh__engine->thread_count; i++) {
        struct rh_fiber *thread = &rh__engine->threads[i];
        if (!thread->spin.is_spinning || i == event->thread)
            continue;
        for (int k = 0; k < thread->spin.count; k++)
            if (thread->spin.reads[k].address < event->address + event->size &&
                event->address < thread->spin.reads[k].address + thread->spin.reads[k].size) {
                thread->spin.is_spinning = false;
                thread->spin.count = thread->spin.turns = 0;
                break;
            }
    }
}

bool rh__spin_release(void)
{
    bool is_released = false;
    for (int i = 0; i < rh__engine->thread_count; i++) {
        struct rh_fiber *thread = &rh__engine->threads[i];
        is_released = is_released || (thread->spin.is_spinning && thread->state == RH_THREAD_ALIVE);
        thread->spin.is_spinning = false;
        thread->spin.count = thread->spin.turns = 0;
    }
    if (is_released && ++rh__engine->spins > RELEASES_MOST)
        rh__deadlock();
    return is_released;
}
