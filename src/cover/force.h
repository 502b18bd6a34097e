// SPDX-License-Identifier: MIT
// Makes a run follow a schedule, which may be partial: what it names later is held back until its turn, which blocks
// nobody, since sending is not held back; what it does not name is delivered while the next that it names can't be.
#ifndef REHEARSE_COVER_FORCE_H
#define REHEARSE_COVER_FORCE_H

#include "base/rng.h"
#include "cover/coverage.h"
#include "cover/generate.h"
#include "cover/record.h"
#include "explore/holds.h"
#include "explore/strategy.h"

// In memory that outlives the workers.
struct rh_force {
    // A schedule that was generated.
    uint64_t *identities;
    uint32_t count, step;           // receives, and how many of them have happened
    uint32_t way;                   // the last of these, among what was deliverable
    uint32_t number;                // of the schedule, from 1
    struct rh_record_place *places; // by event: its step in the schedule of that number
    bool is_stuck;                  // it can't be followed
    // One from a file, for the first run.
    const struct rh_schedule *file; // NULL if there is none
    size_t file_step;
    struct rh_holds holds;
};

// false if there is no address space.
bool rh_force_open(struct rh_force *force);
void rh_force_close(struct rh_force *force);

void rh_force_start(struct rh_force *force, const struct rh_coverage *coverage,
                    const struct rh_receives *run, const struct rh_plan *plan);
// Steps that cover can't follow, such as faults, are refused.
struct rh_status rh_force_check_file(const struct rh_schedule *schedule);
void rh_force_start_file(struct rh_force *force, const struct rh_schedule *schedule);
void rh_force_stop_file(struct rh_force *force);

static inline bool rh_force_is_done(const struct rh_force *force)
{
    return force->step == force->count;
}

// Which of the ways to go; RH_NONE if the schedule leaves that open. `rng` chooses among what a file does not hold; the
// first without one.
uint32_t rh_force_choose(struct rh_force *force, const struct rh_coverage *coverage,
                         const struct rh_choice_point *point, struct rh_rng *rng);

// What the file says that the function gives which is called next; false if it says nothing about it.
bool rh_force_answer(struct rh_force *force, const char *function, uint64_t *value);

// Nothing is deliverable any more. A file that could not be followed so far is refused here.
void rh_force_end(struct rh_force *force, struct rh_world *world);

#endif
