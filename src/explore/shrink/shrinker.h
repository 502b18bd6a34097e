// SPDX-License-Identifier: MIT
// The parts of shrinking: lists of deliveries, holds, and the cause.
#ifndef REHEARSE_EXPLORE_SHRINK_SHRINKER_H
#define REHEARSE_EXPLORE_SHRINK_SHRINKER_H

#include "explore/shrink/moves.h"
#include "explore/shrink/trial.h"

struct rh_shrinker {
    struct rh_trial trial;
    struct rh_shown *shown; // what is shrunk
    struct rh_outcome best; // the smallest execution so far that shows the finding
    struct rh_moves moves;  // moves of best.execution
    bool shows_at_end;      // the finding shows at the end and not in a delivery
};

// Runs the draft, which is done with afterwards, and takes its execution over if it shows the
// finding.
bool rh_shrinker_adopt(struct rh_shrinker *shrinker, struct rh_schedule *draft);
// Like rh_shrinker_adopt, but steps that can't be made are left out.
bool rh_shrinker_adopt_part(struct rh_shrinker *shrinker, struct rh_schedule *draft);

// Like rh_shrinker_adopt_part, for a draft that may lead elsewhere. The execution is taken over
// only if it makes fewer moves, or as many with fewer outcomes that are not the first.
bool rh_shrinker_adopt_fewer(struct rh_shrinker *shrinker, struct rh_schedule *draft);

// Tries the first outcome where there is another, and no fault where there is one. Gives whether
// something has changed.
bool rh_shrinker_simplify(struct rh_shrinker *shrinker);

// Makes moves before those that were sent later, as far as the finding shows. Gives whether
// something has changed.
bool rh_shrinker_sort(struct rh_shrinker *shrinker);

// A finding that shows in a delivery: leaves moves out and puts them into sending order.
void rh_shrink_moves(struct rh_shrinker *shrinker);

// A finding that shows at the end: gives the schedule, whose strings are owned.
struct rh_schedule rh_shrink_holds(struct rh_shrinker *shrinker);

// One sentence, owned: what must be the other way round for the finding to vanish.
char *rh_shrink_cause(struct rh_shrinker *shrinker);

#endif
