// SPDX-License-Identifier: MIT
// Which ways of going on a reduced search has tried at each point of its present execution, and
// which are left. What an event is, a delivery or a step of a thread, is the caller's: here it is a
// label, whose set says what it depends on. So are the events that race: whoever has found that one
// could have come before another asks for the sequence that shows it.
//
// Invariants:
//  1. The sleep set of a point holds labels such that everything that begins with one of them there
//     has been run, or is of a class that has been.
//  2. The wakeup tree of a point holds the sequences that are still to be begun with there.
//  3. All memory outlives the process that runs executions.
#ifndef REHEARSE_REDUCE_WAYS_H
#define REHEARSE_REDUCE_WAYS_H

#include "reduce/wakeup.h"

// Of one point.
struct rh_ways {
    uint32_t sleep, sleep_count; // in `labels` of the search
    uint32_t wakeup;             // the tree; 0: nothing is left
    struct rh_faults left;       // faults that may still come
};

// Of a search.
struct rh_ways_memory {
    // Sequences are run as they are found. If not, only their first labels are: source sets.
    bool is_optimal;
    struct rh_label *labels; // a stack
    struct rh_lists outcomes;
    struct rh_wakeup wakeup;
};

// false if there is no memory.
bool rh_ways_init(struct rh_ways_memory *memory, bool is_optimal);
void rh_ways_fini(struct rh_ways_memory *memory);
// Forgets all trees: the search begins anew.
void rh_ways_reset(struct rh_ways_memory *memory);

// Begins the ways of the point behind another, at which an event with the label `made` was made:
// what sleeps there and does not depend on that goes on sleeping. `commutes` knows of labels that
// do not depend on it nevertheless; may be NULL. false if there is no room.
typedef bool rh_commutes(const void *context, const struct rh_label *sleeping);
bool rh_ways_inherit(struct rh_ways_memory *memory, const struct rh_ways *before,
                     const struct rh_label *made, rh_commutes *commutes, const void *context,
                     struct rh_ways *ways);
// Everything that begins with the label has been tried at the last point.
void rh_ways_put_to_sleep(struct rh_ways_memory *memory, struct rh_ways *ways,
                          const struct rh_label *label);

// Whether a label in the sleep set stands for this one too.
bool rh_is_asleep(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                  const struct rh_label *label);
// Whether the event is asleep with each outcome that begins like `outcomes` and that these faults
// allow. The list is given back as it was.
bool rh_are_asleep(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                   uint64_t identity, const struct rh_faults *left, rh_outcomes *outcomes);
// Whether the event is asleep with every outcome that these faults allow.
bool rh_is_wholly_asleep(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                         uint64_t identity, const struct rh_faults *left);

// Whether the sequence of a race, up to the race, is enough to say that nothing has to be done
// about the race: an event that can come first is asleep, or is the branch of the tree into which
// the sequence would be inserted, and a leaf. Then nothing has to be done as long as the events up
// to the race are the same: what is asleep stays so, and leaves remain.
bool rh_ways_are_settled(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                         const rh_sequence *beginning);
// Sees to it that the search begins with the sequence at the point, or with an equivalent one,
// unless it has. The sequence is used up. false if there is no room.
bool rh_ways_try(struct rh_ways_memory *memory, struct rh_ways *ways, rh_sequence *sequence);
// The same for one label of any outcome, whatever could follow it.
bool rh_ways_try_one(struct rh_ways_memory *memory, struct rh_ways *ways,
                     const struct rh_label *label);

// The label stands for each outcome from here on.
void rh_label_make_any(struct rh_label *label);

#endif
