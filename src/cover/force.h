// SPDX-License-Identifier: MIT
// Makes an execution follow a schedule, which may be partial. A message that the schedule names
// later is held back until its turn; that blocks nobody, since actors go on sending. While the
// message that the schedule names next is not deliverable, messages that it does not name are
// delivered.
#ifndef REHEARSE_COVER_FORCE_H
#define REHEARSE_COVER_FORCE_H

#include "base/rng.h"
#include "cover/coverage.h"
#include "cover/generate.h"
#include "cover/record.h"
#include "explore/strategy/holds.h"
#include "explore/strategy/strategy.h"

// Lives in memory that outlives the workers.
struct rh_force {
    // The schedule that was generated for the present execution.
    uint64_t *identities;           // messages of the schedule, in its order
    uint32_t count;                 // steps of the schedule
    uint32_t step;                  // steps that have been made
    uint32_t way;                   // position of the newest step among what was deliverable
    uint32_t number;                // number of the schedule, from 1
    struct rh_record_place *places; // by event: the schedule's number, and its step in the schedule
    bool is_stuck;                  // the schedule can't be followed any further
    // The schedule from a file, which the first execution follows.
    const struct rh_schedule *file; // NULL if there is none
    size_t file_step;               // the next step of the file
    struct rh_holds holds;
};

// false if there is no address space.
bool rh_force_open(struct rh_force *force);
void rh_force_close(struct rh_force *force);

void rh_force_start(struct rh_force *force, const struct rh_coverage *coverage,
                    const struct rh_receives *execution, const struct rh_plan *plan);
// Refuses a schedule with steps that cover can't follow, such as faults.
struct rh_status rh_force_check_file(const struct rh_schedule *schedule);
void rh_force_start_file(struct rh_force *force, const struct rh_schedule *schedule);
void rh_force_stop_file(struct rh_force *force);

static inline bool rh_force_is_done(const struct rh_force *force)
{
    return force->step == force->count;
}

// Gives the way to go; RH_NONE if the schedule leaves the choice open. When all steps of a file are
// made, `rng` chooses among what its holds allow; without `rng` the first comes.
uint32_t rh_force_choose(struct rh_force *force, const struct rh_coverage *coverage,
                         const struct rh_choice_point *point, struct rh_rng *rng);

// Gives the value that the file says for the next call of `function`; false if the file says none.
bool rh_force_answer(struct rh_force *force, const char *function, uint64_t *value);

// Nothing is deliverable any more. Refuses a file with a step that was not made, or a hold of which
// no message was sent.
void rh_force_end(struct rh_force *force, struct rh_world *world);

#endif
