// SPDX-License-Identifier: MIT
// What a worker knows about ways round: it notes the states of an execution that may have been cut
// off while it went round, watches a lap that it is told to make, and writes the graph of a search
// that has gone round.
#ifndef REHEARSE_EXPLORE_PROCESS_ROUNDS_H
#define REHEARSE_EXPLORE_PROCESS_ROUNDS_H

#include "explore/process/shared.h"
#include "explore/states/graph_record.h"
#include "explore/states/lap.h"
#include "explore/states/livelock.h"

struct rh_rounds {
    const struct rh_job *job; // borrowed
    struct rh_world *world;   // borrowed
    bool on;                  // there is something to note about states
    struct rh_livelock livelock;
    struct rh_lap lap;
    struct rh_lap_claim claim; // of the livelock that is being reported
    struct rh_graph_record record;
};

void rh_rounds_init(struct rh_rounds *rounds, const struct rh_job *job, struct rh_world *world);

// The world is in a state in which `count` messages are in world->deliverable; the delivery that
// led there has made these choices.
void rh_rounds_note(struct rh_rounds *rounds, uint32_t count, const struct rh_decision *choices,
                    uint32_t choice_count);
// A search was in the world's state before, and does not go on from there.
void rh_rounds_note_known(struct rh_rounds *rounds, const struct rh_decision *choices,
                          uint32_t choice_count);

// The search has come to a state with this fingerprint, which it may know. true: the search has
// gone round, and begins anew.
bool rh_rounds_note_trail(struct rh_rounds *rounds, rh_hash128 fingerprint, bool is_known);
// The search has only repeated a delivery. An earlier worker may have ended before it had noted the
// state.
void rh_rounds_note_repeated(struct rh_rounds *rounds);

// Whether the execution is as long as a lap makes it.
bool rh_rounds_makes_lap(const struct rh_rounds *rounds);
// No further delivery is wanted: reports the lap if it ends in the state in which it began.
void rh_rounds_finish_lap(struct rh_rounds *rounds);

// The way round that is to be reported of an execution that was cut off; `to` is 0 if there is
// none.
struct rh_livelock_round rh_rounds_found(const struct rh_rounds *rounds);
void rh_rounds_report(struct rh_rounds *rounds, struct rh_livelock_round round);

#endif
