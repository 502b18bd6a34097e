// SPDX-License-Identifier: MIT
// What a delivery touches: a set of objects, each read or written; and the one question that
// everything asks which leaves out orders or deliveries: does the order of two deliveries that
// touch these sets matter?
//
// Invariants:
//  1. Equal sets are one set: they are kept once and compared by address.
//  2. The touches of a set are in ascending order, and none of them is within another.
//  3. A set is never changed, and lies in memory that outlives the processes that run executions,
//     at the same address in all of them.
#ifndef REHEARSE_REDUCE_TOUCHED_H
#define REHEARSE_REDUCE_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/store.h"
#include "base/table.h"
#include "base/vector.h"

// Something with a number, such as an actor by its identity, or a range of bytes.
enum rh_object_kind { RH_OBJECT_NUMBER, RH_OBJECT_BYTES };
struct rh_object {
    enum rh_object_kind kind;
    uint64_t first, last; // the number, twice; or the addresses of the first and the last byte
};

struct rh_touch {
    struct rh_object object;
    bool writes;
};

static inline struct rh_touch rh_touch_number(uint64_t number, bool writes)
{
    return (struct rh_touch){{RH_OBJECT_NUMBER, number, number}, writes};
}

static inline struct rh_touch rh_touch_bytes(uint64_t first, uint64_t last, bool writes)
{
    return (struct rh_touch){{RH_OBJECT_BYTES, first, last}, writes};
}

struct rh_touched {
    uint64_t bits; // of all objects: sets without a common bit have no common object
    uint32_t count;
    bool writes; // at least one object of the set is written
    struct rh_touch touches[];
};

bool rh__touched_overlap(const struct rh_touched *one, const struct rh_touched *other);

// Whether two deliveries that touch these sets depend on each other: both touch an object, and not
// both only read it. Two independent deliveries that follow each other can be swapped: what they do
// and what they lead to stays the same. The relation is symmetric, and not transitive: two
// deliveries that depend on a third need not depend on each other. Every delivery depends on
// itself, since it writes its receiver. NULL touches nothing.
static inline bool rh_depends(const struct rh_touched *one, const struct rh_touched *other)
{
    if (one == other)
        return one && one->writes;
    return one && other && (one->bits & other->bits) != 0 && rh__touched_overlap(one, other);
}

// The sets of several deliveries.
typedef RH_VECTOR(const struct rh_touched *) rh_touched_list;

// Whether the set has the number, and writes it if `writes`.
bool rh_touched_has(const struct rh_touched *set, uint64_t number, bool writes);

// All sets of a search.
struct rh_touched_sets {
    struct rh_store sets; // one behind the other
    struct rh_store slots;
    struct rh_table table; // in `slots`: where in `sets`, in units of 16 bytes
};

// false if there is no memory.
bool rh_touched_init(struct rh_touched_sets *sets);
void rh_touched_fini(struct rh_touched_sets *sets);

// The set of these touches, which come in any order and are rearranged. NULL if there is no room.
const struct rh_touched *rh_touched_set(struct rh_touched_sets *sets, struct rh_touch *touches,
                                        uint32_t count);

// The union of two sets, either of which may be NULL. NULL if there is no room, or both are NULL.
const struct rh_touched *rh_touched_union(struct rh_touched_sets *sets,
                                          const struct rh_touched *one,
                                          const struct rh_touched *other);

#endif
