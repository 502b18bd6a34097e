// SPDX-License-Identifier: MIT
// Terms: what a handler or a whole system does, as an expression over leaves. A leaf is a number
// that means something to whoever makes the terms: a place in a handler's graph, or a message with
// all that follows from it. Terms are hash-consed: equal ones have equal numbers.
#ifndef REHEARSE_SKETCH_TERM_H
#define REHEARSE_SKETCH_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/none.h"
#include "base/table.h"
#include "base/vector.h"

enum rh__term_kind {
    RH__TERM_SKIP, // always term 0
    RH__TERM_LEAF,
    RH__TERM_SEQUENCE,
    RH__TERM_WEAK,
    RH__TERM_PARALLEL,
    RH__TERM_CHOICE,
    RH__TERM_LOOP,
};
enum { RH__SKIP = 0 };

struct rh__term {
    enum rh__term_kind kind;
    uint32_t leaf;         // of a leaf
    uint32_t first, count; // of all others: parts, in `parts`
    uint32_t least;        // of a loop: how many rounds there are at least, 0 or 1
    bool is_parallel;      // of a loop: in which order its rounds come is open
    bool can_skip;         // nothing needs to happen
};

struct rh__terms {
    RH_VECTOR(struct rh__term) items;
    RH_VECTOR(uint32_t) parts;
    struct rh_table table;
};

void rh__terms_init(struct rh__terms *terms);
void rh__terms_fini(struct rh__terms *terms);

// A list of terms.
struct rh__term_list {
    uint32_t *items;
    size_t count, capacity;
};
static inline void rh__term_list_add(struct rh__term_list *list, uint32_t term)
{
    *rh_vector_push(list) = term;
}

uint32_t rh__term_leaf(struct rh__terms *terms, uint32_t leaf);
// Makes a term of several, and frees the list. Lists in lists of the same kind become one, what is
// skipped is left out, and a choice has each way once.
uint32_t rh__term_join(struct rh__terms *terms, enum rh__term_kind kind,
                       struct rh__term_list *list);
uint32_t rh__term_pair(struct rh__terms *terms, enum rh__term_kind kind, uint32_t left,
                       uint32_t right);
uint32_t rh__term_loop(struct rh__terms *terms, uint32_t body, uint32_t least, bool is_parallel);

// The same with other leaves: `replace` gives a term for each.
typedef uint32_t rh__term_replace(void *context, uint32_t leaf);
uint32_t rh__term_map(struct rh__terms *terms, uint32_t term, rh__term_replace *replace,
                      void *context);
// The same with the parts of parallels and choices in ascending order.
uint32_t rh__term_sorted(struct rh__terms *terms, uint32_t term);
// How many leaves the term has, those in both of two parts twice.
size_t rh__term_size(const struct rh__terms *terms, uint32_t term);

static inline struct rh__term rh__term_get(const struct rh__terms *terms, uint32_t term)
{
    return terms->items.items[term];
}
static inline uint32_t rh__term_part(const struct rh__terms *terms, uint32_t term, uint32_t index)
{
    return terms->parts.items[terms->items.items[term].first + index];
}

#endif
