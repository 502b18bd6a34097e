// SPDX-License-Identifier: MIT
// Goals that are no orders: the outcomes of choices, how many messages of an rh_may_come come, and
// faults. A point is a place in an execution where there is such a choice, the same in every
// execution: the first way of each is the usual one. Each other way is a goal, which an execution
// of its own is for, since several at once lead far from what usually happens.
#ifndef REHEARSE_COVER_OUTCOMES_H
#define REHEARSE_COVER_OUTCOMES_H

#include "base/rng.h"
#include "base/store.h"
#include "base/table.h"
#include "cover/coverage.h"
#include "cover/record.h"
#include "explore/strategy/strategy.h"

struct rh_outcome_point {
    uint64_t identity;
    uint64_t covered; // a bit for each way
    uint32_t count;   // ways that are goals, the usual one among them
    uint32_t tries;   // executions that were to reach a way of this point and did not
    bool is_fault;
};

// Lives in memory that outlives the workers.
struct rh_outcomes {
    struct rh_table table; // in a store: numbers of points by identity
    struct rh_outcome_point *points;
    uint32_t count, capacity;
    uint32_t first;  // points before this one have no goal that is still wanted
    uint32_t target; // the point that the present execution is for; RH_NONE: none
    uint32_t way;    // of it
    // The present execution is for a goal that it comes by, behind so many others of its kind.
    bool is_opportune;
    uint32_t passes;
    bool has_struck; // the present execution has taken a way that is not the usual one
    // By slot of an actor: the number of an execution, and what the actor has received in it.
    struct rh_record_place *received;
    struct rh_goal_count totals[2]; // of outcomes, of faults
};

enum { RH_OUTCOMES_CHOICES, RH_OUTCOMES_FAULTS };

// false if there is no address space.
bool rh_outcomes_open(struct rh_outcomes *outcomes);
void rh_outcomes_close(struct rh_outcomes *outcomes);

// Makes the next execution one for a goal; false if there is none to be had. `is_opportune`: for
// one that the execution comes by.
bool rh_outcomes_start(struct rh_outcomes *outcomes, bool is_opportune, struct rh_rng *rng);
// The next execution is for no goal.
void rh_outcomes_rest(struct rh_outcomes *outcomes);
// The execution is over.
void rh_outcomes_end(struct rh_outcomes *outcomes);

// The way of a choice with this identity, of which `usual` is the usual one: that one, unless the
// execution is for another. Notes what is chosen.
uint32_t rh_outcomes_choose(struct rh_outcomes *outcomes, struct rh_store *store, uint64_t identity,
                            uint32_t count, uint32_t usual, bool is_fault);

// An actor receives a message.
void rh_outcomes_receive(struct rh_outcomes *outcomes, uint32_t execution, uint32_t slot);
// The crash to be made here, among the ways from `first` on; RH_NONE: none. A goal is the crash of
// an actor that has received so many messages.
uint32_t rh_outcomes_crash(struct rh_outcomes *outcomes, struct rh_store *store, uint32_t execution,
                           const struct rh_choice_point *point, uint32_t first);

#endif
