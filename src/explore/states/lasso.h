// SPDX-License-Identifier: MIT
// A lasso: a way from the start to a component of the graph, and round in the component. The graph
// knows states and ranks; from these a worker finds the deliveries of the lasso, step by step,
// since messages have other identities in each lap.
//
// A fair lap gets rid of the messages that wait at its start, always of the one that is got rid of
// soonest, and then goes back to the start. What the graph says about a message holds for every
// message of that rank, whichever way the state was reached, so each delivery made for a message
// brings it one step closer to being got rid of.
#ifndef REHEARSE_EXPLORE_STATES_LASSO_H
#define REHEARSE_EXPLORE_STATES_LASSO_H

#include "explore/states/component.h"
#include "explore/states/lap.h"
#include "explore/states/livelock_search.h"
#include "explore/states/ranks.h"
#include "explore/strategy/strategy.h"

struct rh_lasso {
    const struct rh_state_graph *graph;
    const struct rh_states *states;
    bool fair;
    uint64_t variety;
    RH_VECTOR(uint32_t) stem; // edges; the first is the test's body
    uint32_t start;           // node where the lap begins
    struct rh_component component;
    uint32_t *places; // of the component
    uint32_t *routes; // from nodes of the component to `start`
    // How far a worker has come.
    uint32_t edge; // edge that the newest decision belongs to
    uint32_t choices_made;
    bool lost; // the program did not do what it did before
    struct rh_ranks ranks;
};

// Makes a lasso for one component of the group. false if no way leads there.
bool rh_lasso_init(struct rh_lasso *lasso, const struct rh_state_graph *graph,
                   const struct rh_states *states, const struct rh_livelock_group *group);
void rh_lasso_fini(struct rh_lasso *lasso);

// Deliveries before the lap.
uint32_t rh_lasso_lap(const struct rh_lasso *lasso);

// As a strategy's choose; RH_NONE where the lap ends.
uint32_t rh_lasso_choose(struct rh_lasso *lasso, const struct rh_lap *lap,
                         const struct rh_choice_point *point);

#endif
