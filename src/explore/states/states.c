// SPDX-License-Identifier: MIT
#include "explore/states/states.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mapping.h"
#include "base/status.h"
#include "base/valgrind.h"
#include "world/state/canonical.h"

static const uint64_t FIRST_CAPACITY = UINT64_C(1) << 16;
// Entries that find no place before the end of the table go behind it: no search ever wraps round.
// At three quarters full, runs of entries are some hundred long at the most.
enum { TAIL = 4096 };
// 1 GiB, of which only pages with a bit in them are really there; and how many bits stand for a
// state.
enum { BITS_SHIFT = 33, BITS_OF_STATE = 3 };

// Valgrind keeps books about every page that could be touched.
static size_t whole_bytes(void)
{
    return (size_t)1 << (rh_valgrind_is_running() ? 28 : 40);
}

static uint64_t last_capacity(void)
{
    return UINT64_C(1) << (rh_valgrind_is_running() ? 22 : 32);
}

static size_t size_of(uint64_t capacity)
{
    return (capacity + TAIL) * sizeof(rh_hash128);
}

static size_t places_size(void)
{
    return (last_capacity() + TAIL) * sizeof(uint64_t);
}

static size_t table_size(const struct rh_states *states)
{
    return states->mode == RH_STATES_BITSTATE ? states->capacity / 8 : size_of(last_capacity());
}

bool rh_states_open(struct rh_states *states, enum rh_states_mode mode, enum rh_states_kept kept)
{
    uint64_t capacity = mode == RH_STATES_BITSTATE ? UINT64_C(1) << BITS_SHIFT : FIRST_CAPACITY;
    *states = (struct rh_states){.mode = mode, .capacity = capacity, .bytes_most = UINT64_MAX};
    states->entries = rh_map_shared(table_size(states));
    if (kept == RH_KEEP_WHOLE)
        states->whole = rh_map_shared(whole_bytes());
    if (kept != RH_KEEP_NOTHING)
        states->places = rh_map_shared(places_size());
    return states->entries && (kept != RH_KEEP_WHOLE || states->whole) &&
           (kept == RH_KEEP_NOTHING || states->places);
}

bool rh_states_init(struct rh_states *states)
{
    return rh_states_open(states, RH_STATES_EXACT, RH_KEEP_NOTHING);
}

void rh_states_fini(struct rh_states *states)
{
    rh_unmap_shared(states->entries, table_size(states));
    rh_unmap_shared(states->whole, whole_bytes());
    rh_unmap_shared(states->places, places_size());
    *states = (struct rh_states){0};
}

void rh_states_clear(struct rh_states *states)
{
    bool has_bits = states->mode == RH_STATES_BITSTATE;
    if (has_bits)
        madvise(states->entries, table_size(states), MADV_REMOVE);
    else
        memset(states->entries, 0, size_of(states->capacity));
    states->count = states->bits_set = states->whole_top = 0;
}

// The set. Entries are in ascending order, and each is at or behind the place that its upper half
// gives it, with no free entry between that place and the entry.

static uint64_t home_of(const struct rh_states *states, rh_hash128 fingerprint)
{
    return (uint64_t)((rh_hash128)(uint64_t)(fingerprint >> 64) * states->capacity >> 64);
}

// Where the fingerprint is, or where it belongs.
static uint64_t find(const struct rh_states *states, rh_hash128 fingerprint)
{
    uint64_t at = home_of(states, fingerprint);
    while (states->entries[at] != 0 && states->entries[at] < fingerprint)
        at++;
    return at;
}

static void move(struct rh_states *states, uint64_t to, uint64_t from, uint64_t count)
{
    memmove(states->entries + to, states->entries + from, count * sizeof *states->entries);
    if (states->places)
        memmove(states->places + to, states->places + from, count * sizeof *states->places);
}

static void insert(struct rh_states *states, uint64_t at, rh_hash128 fingerprint)
{
    uint64_t end = at;
    while (states->entries[end] != 0)
        end++;
    rh_assert(end < states->capacity + TAIL - 1 && at >= home_of(states, fingerprint));
    rh_assert((at == 0 || states->entries[at - 1] < fingerprint) &&
              (end == at || states->entries[at] > fingerprint));
    move(states, at + 1, at, end - at);
    states->entries[at] = fingerprint;
    states->count++;
    rh_assert(states->count <= states->capacity / 4 * 3);
}

static void show_life(uint64_t step, _Atomic uint64_t *beat)
{
    if ((step & 0xffff) == 0)
        atomic_fetch_add(beat, 1);
}

static void move_one(struct rh_states *states, uint64_t to, uint64_t from)
{
    rh_hash128 entry = states->entries[from];
    states->entries[from] = 0;
    states->entries[to] = entry;
    if (states->places)
        states->places[to] = states->places[from];
}

static uint64_t next_capacity(const struct rh_states *states)
{
    uint64_t capacity = states->capacity + states->capacity / 9;
    return capacity < last_capacity() ? capacity : last_capacity();
}

static uint64_t bytes_with(const struct rh_states *states, uint64_t capacity, uint64_t whole)
{
    uint64_t places = states->places ? (capacity + TAIL) * sizeof *states->places : 0;
    return size_of(capacity) + places + whole;
}

uint64_t rh_states_bytes(const struct rh_states *states)
{
    if (!states->entries || states->mode == RH_STATES_BITSTATE)
        return 0;
    return bytes_with(states, states->capacity, states->whole_top);
}

// Makes the table a ninth larger, in place. First all entries go to the end of the new table, the
// last one first; from there each goes to its home, or behind the entry before it, the first one
// first. Behind the place that an entry gets there is room for all entries that follow, so no entry
// is put where another still waits.
static void grow(struct rh_states *states, _Atomic uint64_t *beat)
{
    uint64_t from = states->capacity + TAIL;
    states->capacity = next_capacity(states);
    uint64_t end = states->capacity + TAIL - 1, to = end;
    while (from-- > 0) {
        if (states->entries[from] != 0)
            move_one(states, --to, from);
        show_life(from, beat);
    }
    uint64_t next = 0;
    for (; to < end; to++, next++) {
        uint64_t home = home_of(states, states->entries[to]);
        if (next < home)
            next = home;
        rh_assert(next <= to);
        move_one(states, next, to);
        show_life(to, beat);
    }
}

enum rh_states_answer rh_states_add(struct rh_states *states, rh_hash128 fingerprint,
                                    _Atomic uint64_t *beat)
{
    return rh_states_add_whole(states, fingerprint, NULL, 0, beat);
}

// Whole states: each lies behind its size.

static bool has_room(const struct rh_states *states, size_t size)
{
    return !states->whole || size + sizeof size <= whole_bytes() - states->whole_top;
}

static void keep_whole(struct rh_states *states, uint64_t at, const void *bytes, size_t size)
{
    if (!states->whole)
        return;
    rh_assert(bytes != NULL);
    char *to = states->whole + states->whole_top;
    states->places[at] = states->whole_top;
    memcpy(to, &size, sizeof size);
    memcpy(to + sizeof size, bytes, size);
    states->whole_top += sizeof size + ((size + 7) & ~(size_t)7);
}

static bool is_same(const struct rh_states *states, uint64_t at, const void *bytes, size_t size)
{
    if (!states->whole)
        return true;
    rh_assert(bytes != NULL);
    const char *kept = states->whole + states->places[at];
    return memcmp(kept, &size, sizeof size) == 0 && memcmp(kept + sizeof size, bytes, size) == 0;
}

enum rh_states_answer rh_states_add_whole(struct rh_states *states, rh_hash128 fingerprint,
                                          const void *bytes, size_t size, _Atomic uint64_t *beat)
{
    if (fingerprint == 0)
        fingerprint = 1;
    uint64_t at = find(states, fingerprint);
    if (states->entries[at] == fingerprint)
        return is_same(states, at, bytes, size) ? RH_STATES_KNOWN : RH_STATES_CLASH;
    bool is_full = states->count + 1 > states->capacity / 4 * 3;
    if ((is_full && states->capacity == last_capacity()) || !has_room(states, size))
        return RH_STATES_FULL;
    uint64_t capacity = is_full ? next_capacity(states) : states->capacity;
    if ((is_full || states->whole) &&
        bytes_with(states, capacity, states->whole_top + size) > states->bytes_most)
        return RH_STATES_BEYOND;
    if (is_full) {
        grow(states, beat);
        at = find(states, fingerprint);
    }
    insert(states, at, fingerprint);
    keep_whole(states, at, bytes, size);
    return RH_STATES_NEW;
}

uint64_t *rh_states_remember(struct rh_states *states, rh_hash128 fingerprint,
                             _Atomic uint64_t *beat)
{
    enum rh_states_answer answer = rh_states_add(states, fingerprint, beat);
    if (answer == RH_STATES_FULL)
        return NULL;
    uint64_t at = find(states, fingerprint == 0 ? 1 : fingerprint);
    if (answer == RH_STATES_NEW)
        states->places[at] = 0;
    return &states->places[at];
}

// The two halves of a state's fingerprint say where its first bit is and how far the next ones are.
static enum rh_states_answer add_bits(struct rh_states *states, rh_hash128 fingerprint)
{
    unsigned char *bits = (unsigned char *)states->entries;
    uint64_t at = (uint64_t)fingerprint, step = (uint64_t)(fingerprint >> 64) | 1;
    bool is_new = false;
    for (int i = 0; i < BITS_OF_STATE; i++, at += step) {
        uint64_t bit = at & (states->capacity - 1);
        unsigned char mask = (unsigned char)(1u << (bit & 7));
        if (bits[bit >> 3] & mask)
            continue;
        bits[bit >> 3] |= mask;
        states->bits_set++;
        is_new = true;
    }
    states->count += is_new;
    return is_new ? RH_STATES_NEW : RH_STATES_KNOWN;
}

// States.

static rh_hash128 hash_of(struct rh_form_bytes form)
{
    return rh_hash128_of(form.bytes, form.size, 0);
}

// Whether actors may have other names. A judge that sees messages in an order of their senders'
// names can tell.
static bool renames(const struct rh_states *states)
{
    return states->mode == RH_STATES_ACTORS && !(states->looks & RH_LOOK_NAMES);
}

rh_hash128 rh_states_fingerprint(const struct rh_states *states, struct rh_world *world)
{
    if (states->mode == RH_STATES_DEPTH)
        return world->fingerprint + rh_hash128_of(&world->number, sizeof world->number, 0);
    if (!renames(states))
        return world->fingerprint;
    return hash_of(rh_world_form(world, RH_FORM_ACTORS, states->looks));
}

enum rh_states_answer rh_states_visit(struct rh_states *states, struct rh_world *world,
                                      _Atomic uint64_t *beat)
{
    states->latest = world->fingerprint;
    if (states->mode == RH_STATES_BITSTATE)
        return add_bits(states, world->fingerprint);
    if (!states->whole) {
        states->latest = rh_states_fingerprint(states, world);
        return rh_states_add(states, states->latest, beat);
    }
    bool is_renamed = renames(states);
    struct rh_form_bytes form =
        rh_world_form(world, is_renamed ? RH_FORM_ACTORS : RH_FORM_EXACT, states->looks);
    if (is_renamed)
        states->latest = hash_of(form);
    return rh_states_add_whole(states, states->latest, form.bytes, form.size, beat);
}

double rh_states_collision_chance(const struct rh_states *states, uint64_t actors)
{
    double count = (double)states->count, names = (double)actors;
    return count * count / 2 / 0x1p128 + names * names / 2 / 0x1p64;
}

double rh_states_omission_chance(const struct rh_states *states)
{
    double full = (double)states->bits_set / (double)states->capacity;
    double each = pow(full, BITS_OF_STATE);
    return -expm1((double)states->count * log1p(-each));
}
