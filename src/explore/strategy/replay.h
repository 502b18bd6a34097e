// SPDX-License-Identifier: MIT
// What the worker asks the strategy "replay", whose memory it has, and how steps of a schedule are
// recognised.
#ifndef REHEARSE_EXPLORE_STRATEGY_REPLAY_H
#define REHEARSE_EXPLORE_STRATEGY_REPLAY_H

#include <stdbool.h>

#include "trace/schedule.h"
#include "world/world.h"

// Whether a replay has made all its steps.
bool rh_replay_is_done(const void *memory);
// How many steps a replay has made; and to go on behind so many steps.
size_t rh_replay_position(const void *memory);
void rh_replay_skip(void *memory, size_t position);
// Whether a lap begins here. If so, the replay goes on behind that step.
bool rh_replay_takes_lap(void *memory);
const struct rh_step *rh_replay_step(const void *memory);

// Whether a step of a schedule is the delivery of this message.
bool rh_step_matches(struct rh_world *world, const struct rh_step *step,
                     const struct rh_message *message);

#endif
