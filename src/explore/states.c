// SPDX-License-Identifier: MIT
#include "explore/states.h"

#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "world/valgrind.h"

static const uint64_t FIRST_CAPACITY = UINT64_C(1) << 16;
// Entries that find no place before the end of the table go behind it: no search ever wraps round. At three quarters
// full, runs of entries are some hundred long at the most.
enum { TAIL = 4096 };

// Valgrind keeps books about every page that could be touched.
static uint64_t last_capacity(void)
{
    return UINT64_C(1) << (rh_valgrind_is_running() ? 22 : 32);
}

static size_t size_of(uint64_t capacity)
{
    return (capacity + TAIL) * sizeof(rh_hash128);
}

bool rh_states_init(struct rh_states *states)
{
    void *memory = mmap(NULL, size_of(last_capacity()), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    *states = (struct rh_states){.entries = memory, .capacity = FIRST_CAPACITY};
    return true;
}

void rh_states_fini(struct rh_states *states)
{
    if (states->entries)
        munmap(states->entries, size_of(last_capacity()));
    *states = (struct rh_states){0};
}

void rh_states_clear(struct rh_states *states)
{
    memset(states->entries, 0, size_of(states->capacity));
    states->count = 0;
}

// Where the fingerprint is, or the free entry where it belongs.
static rh_hash128 *find(const struct rh_states *states, rh_hash128 fingerprint)
{
    uint64_t at = (uint64_t)fingerprint & (states->capacity - 1);
    while (states->entries[at] != 0 && states->entries[at] != fingerprint)
        at++;
    rh_assert(at < states->capacity + TAIL - 1);
    return &states->entries[at];
}

static void put_back(struct rh_states *states, rh_hash128 *entry)
{
    rh_hash128 fingerprint = *entry;
    *entry = 0;
    if (fingerprint != 0)
        *find(states, fingerprint) = fingerprint;
}

// Twice the size, in place. In the larger table an entry belongs where it belonged, or as far into the new half. What
// lies behind the old table is set aside first; then, in ascending order, each entry finds a place at or before its
// old one, or in the new half, where nothing waits to be moved: no entry ends up behind one that will leave.
static void grow(struct rh_states *states, _Atomic uint64_t *beat)
{
    uint64_t old = states->capacity;
    rh_hash128 tail[TAIL];
    memcpy(tail, states->entries + old, sizeof tail);
    memset(states->entries + old, 0, sizeof tail);
    states->capacity = old * 2;
    for (uint64_t i = 0; i < old; i++) {
        put_back(states, &states->entries[i]);
        if ((i & 0xffff) == 0)
            atomic_fetch_add(beat, 1);
    }
    for (int i = 0; i < TAIL; i++)
        put_back(states, &tail[i]);
}

enum rh_states_answer rh_states_add(struct rh_states *states, rh_hash128 fingerprint,
                                    _Atomic uint64_t *beat)
{
    if (fingerprint == 0)
        fingerprint = 1;
    rh_hash128 *entry = find(states, fingerprint);
    if (*entry != 0)
        return RH_STATES_KNOWN;
    if (states->count + 1 > states->capacity / 4 * 3) {
        if (states->capacity == last_capacity())
            return RH_STATES_FULL;
        grow(states, beat);
        entry = find(states, fingerprint);
    }
    *entry = fingerprint;
    states->count++;
    return RH_STATES_NEW;
}

double rh_states_collision_chance(const struct rh_states *states, uint64_t actors)
{
    double count = (double)states->count, names = (double)actors;
    return count * count / 2 / 0x1p128 + names * names / 2 / 0x1p64;
}
