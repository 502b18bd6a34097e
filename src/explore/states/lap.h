// SPDX-License-Identifier: MIT
// A lap: the part of an execution from a state to where that state comes back. A worker watches a
// lap while it makes one, and decides in the end what the lap is.
//
// The state may come back with other names of actors, other addresses of blocks, and at another
// time; then the same follows but for these. A lap is fair if no message could be delivered in all
// of its states: if the lap is repeated for ever, with messages that correspond delivered in each
// lap, then no message waits for ever that could be delivered all the time.
#ifndef REHEARSE_EXPLORE_STATES_LAP_H
#define REHEARSE_EXPLORE_STATES_LAP_H

#include "base/vector.h"
#include "world/world.h"

// Combinations of what a program can look at without telling names apart: time and random numbers.
enum { RH_LAP_LOOKS = RH_LOOK_TIME + RH_LOOK_RANDOM + 1 };

struct rh_lap {
    bool on;
    uint32_t start; // deliveries before the lap
    rh_hash128 fingerprint;
    rh_hash128 forms[RH_LAP_LOOKS]; // of the state, for each combination
    unsigned looks;                 // what the lap looks at: enum rh_look
    bool progress;                  // a delivery in the lap has called rh_progress
    RH_VECTOR(uint32_t) waiting;    // numbers of messages that could be delivered all along
};

// The world is in a state in which `count` messages are in world->deliverable: begin: the first
// state of the lap; note: another one.
void rh_lap_begin(struct rh_lap *lap, struct rh_world *world, uint32_t count);
void rh_lap_note(struct rh_lap *lap, const struct rh_world *world, uint32_t count);

// NONE: the state is another one, or there was progress. RENAMED: the state has come back with
// other names.
enum rh_lap_end { RH_LAP_NONE, RH_LAP_SAME, RH_LAP_RENAMED };
enum rh_lap_end rh_lap_finish(struct rh_lap *lap, struct rh_world *world);

// A state that comes back.
struct rh_lap_claim {
    uint32_t start;  // deliveries before the state
    uint32_t length; // deliveries until the state is back
    bool renamed;    // the state comes back with other names, addresses and times
    uint32_t never;  // a message that could be delivered all along; RH_NONE: none, the lap is fair
};

struct rh_lap_claim rh_lap_claim(const struct rh_lap *lap, const struct rh_world *world,
                                 enum rh_lap_end end);
// Reports the livelock.
void rh_lap_report(const struct rh_lap_claim *claim, struct rh_world *world);

#endif
