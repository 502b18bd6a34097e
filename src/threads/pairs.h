// SPDX-License-Identifier: MIT
// Which accesses of different threads have been brought against each other. A pair is two places of
// the program: `first` was made by one thread while another stood before `second`, and was the last
// access to some of its bytes that matters to it: one of both writes. To stand before an access is
// to have made the one before it, or to have begun the operation that it belongs to, so that pairs
// of operations which run one after the other are none. Locks on the way to an access belong to it.
// (After the location pairs of Tasiran, Elmas, Bolukbasi and Keremoglu, 2005, where the state that
// a transition is required from has both locations and says that a dependent action was made.)
//
// Which pairs there are is learned from executions: places that ever touched common bytes in two
// threads. Each execution also says which pairs its own events would have shown in another order
// that keeps the order of dependent events; such orders are followed afterwards, so that what is
// covered has been run. If executions of all classes were looked at, no others are possible.
#ifndef REHEARSE_THREADS_PAIRS_H
#define REHEARSE_THREADS_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "base/vector.h"
#include "threads/engine.h"

struct rh_pair_place {
    uintptr_t code;
    uint32_t operation; // number in `operations`; RH_NONE: outside of operations
    bool writes;
};

// Why no order brings a pair about, in the executions that were looked at.
enum {
    RH_APART_LOCK = 1,  // both hold the same lock
    RH_APART_ORDER = 2, // one thread had ended, or the other had not begun
    RH_APART_ELSE = 4,
};

struct rh_pair {
    uint32_t first, second; // places
    uintptr_t address;      // of memory that both touch, once
    bool is_covered;
    bool was_run;       // with these turns
    int failed;         // orders that should bring it about and were followed in vain
    uint64_t execution; // that has covered it, from 1
    unsigned apart;
    uintptr_t lock; // with RH_APART_LOCK: one of those
    // What brings it about, or should; empty: not known.
    RH_VECTOR(struct rh_turn) turns;
    RH_VECTOR(int) choices;
};

struct rh_pairs {
    RH_VECTOR(struct rh_pair_place) places;
    RH_VECTOR(char *) operations; // names
    RH_VECTOR(struct rh_pair) pairs;
    struct rh_table place_table, pair_table;
    bool is_complete;   // what is not covered is impossible
    uint64_t followed;  // executions that were made for pairs
    uint64_t last_news; // execution that was the last to cover a pair
    struct rh_pairs_scratch *scratch;
};

struct rh_pairs *rh__pairs_new(void);
void rh__pairs_free(struct rh_pairs *pairs);

// Looks at the present execution, the numbered one, after rh__look_back.
void rh__pairs_look(struct rh_pairs *pairs, uint64_t execution);
// More accesses are events now than before: what was covered has to be shown again, by the same
// turns unless the search begins anew.
void rh__pairs_grown(struct rh_pairs *pairs, bool begins_anew);
// A pair that is not covered and has an order to follow; NULL: there is none.
struct rh_pair *rh__pairs_open(struct rh_pairs *pairs);
// The order of the numbered pair was followed.
void rh__pairs_followed(struct rh_pairs *pairs, size_t number);

#endif
