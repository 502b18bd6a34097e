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

static int find_read(uintptr_t address, uintptr_t code)
{
    for (int i = 0; i < rh__current()->spin.count; i++)
        if (rh__current()->spin.reads[i].address == address &&
            rh__current()->spin.reads[i].code == code)
            return i;
    return -1;
}

static void add_read(uintptr_t address, size_t size, uintptr_t code, uint64_t value)
{
    __typeof__(&rh__current()->spin) spin = &rh__current()->spin;
    // What comes in the middle of a turn, or behind some, leaves the loop.
    if (spin->count == RH_SPIN_READS || spin->turns || spin->at != spin->count - 1)
        rh__spin_write();
    spin->at = spin->count;
    spin->reads[spin->count].address = address;
    spin->reads[spin->count].code = code;
    spin->reads[spin->count].size = (uint32_t)size;
    spin->reads[spin->count++].value = value;
}

// A read that came before is where a turn begins. What came before that one is no part of the loop.
static void begin_turn(int place)
{
    __typeof__(&rh__current()->spin) spin = &rh__current()->spin;
    spin->count -= place;
    memmove(spin->reads, spin->reads + place, (size_t)spin->count * sizeof *spin->reads);
    spin->at = spin->turns = 0;
}

void rh__spin_read(uintptr_t address, size_t size, uintptr_t code)
{
    __typeof__(&rh__current()->spin) spin = &rh__current()->spin;
    uint64_t value = value_at(address, size);
    int place = find_read(address, code);
    bool is_end = spin->at == spin->count - 1;
    if (place < 0 || spin->reads[place].value != value || (!is_end && place != spin->at + 1)) {
        if (place >= 0)
            rh__spin_write();
        add_read(address, size, code, value);
        return;
    }
    if (is_end && place > 0)
        begin_turn(place);
    else
        spin->at = place;
    spin->turns += spin->at == 0;
    spin->is_spinning = spin->at == 0 && spin->turns >= TURNS;
}

void rh__spin_silent(uintptr_t address, size_t size, bool writes, uintptr_t code)
{
    enum { LOOP_MOST = 64 };
    __typeof__(&rh__engine->repeated) repeated = &rh__engine->repeated;
    uint64_t value = value_at(address, size);
    if (rh__engine->silent == RH_SILENT_LONG)
        repeated->is_set = false;
    if (rh__engine->silent == RH_SILENT_MOST)
        rh__watch_silent(code);
    bool is_same = repeated->is_set && repeated->address == address && repeated->code == code;
    if (is_same && !writes && repeated->value == value) {
        rh__share(address, size);
        repeated->is_set = false;
    } else if (writes) {
        repeated->is_set = false;
    } else if (!repeated->is_set || ++repeated->age > LOOP_MOST) {
        repeated->address = address;
        repeated->code = code;
        repeated->value = value;
        repeated->age = 0;
        repeated->is_set = true;
    }
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
