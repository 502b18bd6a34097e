// SPDX-License-Identifier: MIT
// Runs schedules, one after the other, to see whether they show a certain finding. Where deliveries
// can be taken back a worker that lives on finds that out; an execution whose output is wanted too
// runs in a worker of its own.
#ifndef REHEARSE_EXPLORE_SHRINK_TRIAL_H
#define REHEARSE_EXPLORE_SHRINK_TRIAL_H

#include "explore/process/confirm.h"
#include "explore/process/living.h"

struct rh_trial {
    const struct rh_job *job;         // borrowed; of the search that found the finding
    const struct rh_finding *finding; // borrowed; what is to show
    uint64_t max_executions;          // budget; 0: no bound
    uint64_t max_deliveries;
    double until; // what rh_clock_seconds says when there is no more time; 0: no bound
    struct rh_progress progress; // what is shown meanwhile; `executions` counts those spent here
    double told;                 // when progress was last shown
    uint64_t executions;         // so far
    uint64_t cost; // executions so far, where one that hangs counts as rh_hang_cost says
    uint64_t deliveries;
    uint64_t longest; // an execution with more deliveries does not count as showing the finding
    bool is_stopped;  // a budget is used up, or the user wants no more
    bool is_patient;  // a hang, too, is waited for as long as when it was found
    struct rh_living living[2]; // workers that live on; the second leaves steps out
};

// Ends the workers that live on.
void rh_trial_fini(struct rh_trial *trial);

// What is wanted of an execution besides what it shows: nothing; its events; its events and output,
// from a worker of its own; or these only if it shows the finding.
enum rh_wanted { RH_WANT_NOTHING, RH_WANT_EVENTS, RH_WANT_ALL, RH_WANT_ALL_SHOWN };

// How many executions that end take as long as a handler that hangs up to the limit: fifty a
// second.
uint64_t rh_hang_cost(const struct rh_run_options *options);

struct rh_outcome {
    bool shows;                    // the execution shows the finding
    struct rh_finding finding;     // as it shows; numbers of deliveries in its message may differ
    bool has_error;                // something else is wrong
    bool is_refused;               // the program can't follow the schedule
    struct rh_execution execution; // owned; empty unless wanted
    struct rh_text output;         // owned; empty unless wanted
    rh_touched_list touched;       // owned; by each delivery; empty unless all is wanted
};

// Whether the user wants no more.
bool rh_trial_is_interrupted(const struct rh_trial *trial);
// Whether there is no more time.
bool rh_trial_is_late(const struct rh_trial *trial);

void rh_outcome_fini(struct rh_outcome *outcome);

// Between these two only the user can prevent an execution; restore_bounds takes the bounds from
// `old`.
void rh_trial_lift_bounds(struct rh_trial *trial);
void rh_trial_restore_bounds(struct rh_trial *trial, const struct rh_trial *old);

// Runs the schedule. Nothing shows if the program can't follow the schedule, or if the budget is
// used up. `lenient`: steps that can't be made are left out. An execution that is run once more for
// its output counts once.
struct rh_outcome rh_trial_run(struct rh_trial *trial, const struct rh_schedule *schedule,
                               bool lenient, enum rh_wanted wanted);

#endif
