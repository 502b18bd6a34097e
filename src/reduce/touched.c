// SPDX-License-Identifier: MIT
#include "reduce/touched.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/text.h"

static const size_t BYTES_MOST = (size_t)1 << 32;
enum { SETS_MOST = 3 << 18, UNIT = 16 };

// Ranges of bytes may overlap without being equal: they have a bit for each eight bytes that they
// touch, and long ones have all.
enum { BITS = 64, PART = 8, PARTS_MOST = 8 };

bool rh_touched_init(struct rh_touched_sets *sets)
{
    *sets = (struct rh_touched_sets){0};
    return rh_store_open(&sets->sets, BYTES_MOST) &&
           rh_store_open(&sets->slots, rh_table_store_size(SETS_MOST));
}

void rh_touched_fini(struct rh_touched_sets *sets)
{
    rh_store_close(&sets->sets);
    rh_store_close(&sets->slots);
    *sets = (struct rh_touched_sets){0};
}

static bool overlap(const struct rh_object *one, const struct rh_object *other)
{
    return one->kind == other->kind && one->first <= other->last && other->first <= one->last;
}

bool rh__touched_overlap(const struct rh_touched *one, const struct rh_touched *other)
{
    for (uint32_t i = 0; i < one->count; i++)
        for (uint32_t j = 0; j < other->count; j++)
            if ((one->touches[i].writes || other->touches[j].writes) &&
                overlap(&one->touches[i].object, &other->touches[j].object))
                return true;
    return false;
}

bool rh_touched_has(const struct rh_touched *set, uint64_t number, bool writes)
{
    for (uint32_t i = 0; set && i < set->count; i++) {
        const struct rh_touch *touch = &set->touches[i];
        if (touch->object.kind == RH_OBJECT_NUMBER && touch->object.first == number &&
            touch->writes >= writes)
            return true;
    }
    return false;
}

// Putting touches in order.

static int compare_numbers(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

// Where ranges begin together the longer comes first, and where they are equal the one that writes:
// a touch that includes another comes before it.
static int compare(const void *first, const void *second)
{
    const struct rh_touch *one = first, *other = second;
    int order = compare_numbers(one->object.kind, other->object.kind);
    if (order == 0)
        order = compare_numbers(one->object.first, other->object.first);
    if (order == 0)
        order = compare_numbers(other->object.last, one->object.last);
    return order != 0 ? order : (int)other->writes - (int)one->writes;
}

// Of touches in order, drops those that an earlier one includes. Gives how many are left.
static uint32_t squeeze(struct rh_touch *touches, uint32_t count)
{
    uint32_t kept = 0;
    // Of the earlier touches of this kind, by whether they write: whether there are any, and how
    // far they reach.
    bool is_any[2] = {0};
    uint64_t last[2] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_touch touch = touches[i];
        if (kept > 0 && touch.object.kind != touches[kept - 1].object.kind)
            is_any[0] = is_any[1] = false;
        if (is_any[touch.writes] && touch.object.last <= last[touch.writes])
            continue;
        for (int writes = 0; writes <= (int)touch.writes; writes++) {
            if (!is_any[writes] || last[writes] < touch.object.last)
                last[writes] = touch.object.last;
            is_any[writes] = true;
        }
        touches[kept++] = touch;
    }
    return kept;
}

// Interning.

static uint64_t bits_of(const struct rh_object *object)
{
    uint64_t part = object->kind == RH_OBJECT_BYTES ? PART : 1, bits = 0;
    uint64_t first = object->first / part, last = object->last / part;
    if (last - first >= PARTS_MOST)
        return UINT64_MAX;
    for (uint64_t i = 0; i <= last - first; i++)
        bits |= UINT64_C(1) << rh_hash64_pair(first + i, object->kind) % BITS;
    return bits;
}

static uint64_t hash_touches(const struct rh_touch *touches, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_object *object = &touches[i].object;
        uint64_t kind = (uint64_t)object->kind << 1 | touches[i].writes;
        hash =
            rh_hash64_pair(hash, rh_hash64_pair(rh_hash64_pair(kind, object->first), object->last));
    }
    return hash;
}

static const struct rh_touched *set_at(const struct rh_touched_sets *sets, uint32_t number)
{
    return (const struct rh_touched *)(sets->sets.memory + (size_t)number * UNIT);
}

static bool is_set(const struct rh_touched *set, const struct rh_touch *touches, uint32_t count)
{
    if (set->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (compare(&set->touches[i], &touches[i]) != 0)
            return false;
    return true;
}

// Whether the touches are in ascending order, and none is within another.
static bool is_in_order(const struct rh_touch *touches, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_object *object = &touches[i].object;
        if (object->first > object->last || (i > 0 && compare(&touches[i - 1], &touches[i]) >= 0))
            return false;
        for (uint32_t before = 0; before < i; before++) {
            const struct rh_touch *other = &touches[before];
            if (other->object.kind == object->kind && other->object.last >= object->last &&
                other->writes >= touches[i].writes)
                return false;
        }
    }
    return true;
}

static const struct rh_touched *add_set(struct rh_touched_sets *sets, uint64_t hash,
                                        const struct rh_touch *touches, uint32_t count)
{
    rh_assert(is_in_order(touches, count));
    uint32_t number = (uint32_t)(sets->sets.top / UNIT);
    struct rh_touched *set =
        rh_store_take(&sets->sets, sizeof(struct rh_touched) + sizeof *touches * count);
    if (!set || !rh_table_add(&sets->table, &sets->slots, hash, number))
        return NULL;
    set->count = count;
    for (uint32_t i = 0; i < count; i++) {
        set->touches[i] = touches[i];
        set->bits |= bits_of(&touches[i].object);
        set->writes |= touches[i].writes;
    }
    return set;
}

// The set of touches that are in order.
static const struct rh_touched *find_set(struct rh_touched_sets *sets, struct rh_touch *touches,
                                         uint32_t count)
{
    count = squeeze(touches, count);
    uint64_t hash = hash_touches(touches, count);
    struct rh_probe probe = rh_table_probe(&sets->table, hash);
    while (rh_probe_next(&probe))
        if (is_set(set_at(sets, probe.number), touches, count))
            return set_at(sets, probe.number);
    return add_set(sets, hash, touches, count);
}

const struct rh_touched *rh_touched_set(struct rh_touched_sets *sets, struct rh_touch *touches,
                                        uint32_t count)
{
    qsort(touches, count, sizeof *touches, compare);
    return find_set(sets, touches, count);
}

static void merge(const struct rh_touched *one, const struct rh_touched *other,
                  struct rh_touch *merged)
{
    uint32_t i = 0, j = 0;
    while (i < one->count || j < other->count) {
        bool is_other = i == one->count ||
                        (j < other->count && compare(&other->touches[j], &one->touches[i]) < 0);
        *merged++ = is_other ? other->touches[j++] : one->touches[i++];
    }
}

const struct rh_touched *rh_touched_union(struct rh_touched_sets *sets,
                                          const struct rh_touched *one,
                                          const struct rh_touched *other)
{
    if (one == other || !other)
        return one;
    if (!one)
        return other;
    uint32_t count = one->count + other->count;
    struct rh_touch *merged = rh_alloc(sizeof *merged * count);
    merge(one, other, merged);
    const struct rh_touched *set = find_set(sets, merged, count);
    free(merged);
    return set;
}
