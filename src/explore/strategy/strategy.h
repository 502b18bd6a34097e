// SPDX-License-Identifier: MIT
// Strategies: what chooses the next delivery. A strategy is a table of functions over memory that
// outlives the processes that run executions.
#ifndef REHEARSE_EXPLORE_STRATEGY_STRATEGY_H
#define REHEARSE_EXPLORE_STRATEGY_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/run.h"
#include "reduce/touched.h"
#include "world/world.h"

struct rh_commute;
struct rh_footprints;
struct rh_states;

// A point at which an execution could go several ways, and the way it went.
struct rh_decision {
    // Of the delivered message or of the crash; 0 for an rh_choose. For a drop, a duplicate and the
    // end as a choice, their number in enum rh_fault.
    uint64_t identity;
    uint64_t digest; // of the state after the decision, where undo is verified
    uint32_t index;  // the way taken
    uint32_t count;  // how many ways there were
    // With --shortest and when shrinking, of a delivery: what it touches, and the numbers of the
    // deliveries that its message came of, see rh_message.
    const struct rh_touched *touched;
    uint32_t sent_at, also_sent_at;
    bool is_needed; // in the path of a finding: the finding does not show without this decision
};

// Whether the decision is no delivery. Identities are hashes, and none of them is as small as a
// number of enum rh_fault but by a chance that is left out of account everywhere.
static inline bool rh_decision_is_outcome(const struct rh_decision *decision)
{
    return decision->identity <= RH_FAULT_DUPLICATE;
}
static inline bool rh_decision_is_fault(const struct rh_decision *decision)
{
    return decision->identity != 0 && rh_decision_is_outcome(decision) && decision->index > 0;
}

// The decisions of the present execution, in order. After a strategy's `next`, the first `length`
// of them are prescribed, and the first `keep` of those are as they were.
struct rh_path {
    uint32_t length;
    uint32_t keep;
    bool cut; // the last delivery has ended the execution before its time
    struct rh_decision *decisions;
};

// Prescribes another outcome for the last choice of the path that has one, of the choices from
// decision number `first` on. false if there is none: then the path ends before that decision.
bool rh_path_next_outcome(struct rh_path *path, uint32_t first);

// What a strategy may look at when it chooses.
struct rh_choice_point {
    struct rh_world *world;
    uint32_t count;
    // Whether the choice is among world->deliverable. If not, it is the outcome of an rh_choose,
    // unless `comes` or `fault` says otherwise.
    bool is_delivery;
    bool comes;          // the choice is how many messages of an rh_may_come are to come
    enum rh_fault fault; // the choice is whether a drop or a duplicate befalls `sent`; 0: it is not
    const struct rh_message *sent; // message that is being sent, if `fault`
    const struct rh_path *path;
    uint64_t execution; // number of this execution, from 0
    struct rh_footprints *footprints;
    struct rh_commute *commute;
    struct rh_states *states; // for strategies that remember states; see rh_states_remember
    _Atomic uint64_t *heartbeat;
    bool *pruned; // to be set if the execution is not worth going on with, and does not count
};

enum rh_takes {
    RH_TAKES_DEPTH = 1 << 0,     // --depth
    RH_TAKES_DELAYS = 1 << 1,    // --delays
    RH_TAKES_SEQUENCE = 1 << 2,  // --order
    RH_TAKES_COMMUTING = 1 << 3, // --commuting
    RH_TAKES_STATES = 1 << 4,    // --states exact, together with a reduction
};

struct rh_strategy_ops {
    const char *name;
    bool can_complete; // when `next` finds no further execution, nothing is left to be tried
    bool tries_all;    // the strategy tries every order, one by one: it leaves out nothing
    bool replays;      // the strategy makes one execution, and its trace is what is wanted
    bool has_schedule; // the strategy follows a schedule: replay.h works on its memory
    bool begins_anew;  // no execution begins with deliveries of the one before
    // The strategy asks what deliveries touch, and goes on as before when more becomes known of
    // that. One with `reset` asks too, and starts again.
    bool asks_footprints;
    unsigned takes; // options that mean something to the strategy: enum rh_takes
    // false if there is not enough memory.
    bool (*init)(void *memory, const struct rh_run_options *options);
    void (*fini)(void *memory);
    // Forgets everything: what the strategy has relied on about the program turned out to be wrong.
    // NULL if the strategy relies on nothing.
    void (*reset)(void *memory);
    // Called before the deliverable messages are found: after the test's body, and after each
    // delivery. May be NULL.
    void (*prepare)(void *memory, struct rh_world *world);
    // The answer of a function about time or chance to the program; false if nothing is known. May
    // be NULL.
    bool (*answer)(void *memory, const char *function, uint64_t *value);
    // Which of the `count` ways to go; RH_NONE ends the execution here.
    uint32_t (*choose)(void *memory, const struct rh_choice_point *point);
    // Nothing is deliverable any more. NULL if the strategy does not look at ends.
    void (*ended)(void *memory, const struct rh_choice_point *point);
    // An execution has ended: prescribes the beginning of the next one; false if there is none.
    bool (*next)(void *memory, struct rh_path *path, uint64_t executions);
    // Estimates how many executions there are, when so many are over; 0 if nothing is known yet.
    // NULL if the strategy never knows.
    double (*estimate)(const void *memory, const struct rh_path *path, uint64_t executions);
    // Adds what the strategy has to say about the result, when so many executions are over. NULL if
    // it never has anything to say.
    void (*note)(const void *memory, uint64_t executions, struct rh_text *text);
    // Adds what only the strategy knows to what is shown while the search runs. May be NULL.
    void (*progress)(const void *memory, struct rh_progress *progress);
};

// Whether the strategy is a reduction: it is complete without trying every order.
static inline bool rh_strategy_reduces(const struct rh_strategy_ops *strategy)
{
    return strategy->can_complete && !strategy->tries_all;
}

// Whether the strategy makes one execution.
static inline bool rh_strategy_runs_once(const struct rh_strategy_ops *strategy)
{
    return strategy->replays || strategy->has_schedule;
}

enum { RH_STRATEGY_MEMORY = 1 << 16 };

extern const struct rh_strategy_ops rh_strategy_dfs;
extern const struct rh_strategy_ops rh_strategy_random;
extern const struct rh_strategy_ops rh_strategy_pct;
extern const struct rh_strategy_ops rh_strategy_pos;
extern const struct rh_strategy_ops rh_strategy_delay;
extern const struct rh_strategy_ops rh_strategy_mixed;
extern const struct rh_strategy_ops rh_strategy_replay;
extern const struct rh_strategy_ops rh_strategy_order;

#endif
