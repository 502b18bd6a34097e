// SPDX-License-Identifier: MIT
// The keeper's side of a run, for the files that make it up: run.c keeps workers at work until the
// search is over, run_notes.c says what its result rests on.
#ifndef REHEARSE_EXPLORE_RUN_RUN_STATE_H
#define REHEARSE_EXPLORE_RUN_RUN_STATE_H

#include "explore/process/confirm.h"
#include "explore/process/shared.h"
#include "explore/run.h"

// A lead that was confirmed.
struct rh_found {
    uint64_t key, path; // of the lead: with another path it has to be confirmed again
    struct rh_shown shown;
};

struct rh_run {
    struct rh_run_options own_options; // the caller's options, with what follows from others
    const struct rh_run_options *options;
    struct rh_job job;
    struct rh_shared *shared;
    struct rh_status status;
    struct rh_status failure; // of the tool, after something had been found: the result has that
    struct rh_status unconfirmed; // why a finding could not be repeated
    double started;
    double told;                             // when progress was last shown
    const struct rh_strategy_ops *reduction; // the reduction that was given up; NULL if none was
    struct rh_status no_room; // why the reduction was given up, if that was for lack of room
    int bell[2];              // see process/questions.h
    uint32_t hang_ms;         // suspect a hang after so long
    // Execution that was repeated because a worker died outside of any handler, or because nobody
    // reads what it prints.
    uint64_t retried;
    uint64_t progress; // hash of how far the search was when the last worker left it to the next
    uint32_t vain;     // workers in a row that have ended there
    RH_VECTOR(struct rh_found) found;
    struct rh_trace_room room;               // of a replay
    struct rh_run_options automatic_options; // of the second part of an automatic search
    bool types_unknown;                      // see rh_run_knows_types
};

// Whether the search leaves out orders, or has done so until it gave its reduction up.
static inline bool rh_run_is_reduced(const struct rh_run *run)
{
    return rh_strategy_reduces(run->reduction ? run->reduction : run->job.strategy);
}

// Adds what a reader of the result should know about how it was come by.
void rh_run_add_notes(const struct rh_run *run, struct rh_result *result);

// Says what is known about errors that are shorter than the ones reported. A confirmed error has
// more deliveries than were counted if it did not show without those that it seemed not to need. A
// shrunk error has fewer only if the count is wrong: then nothing is claimed.
void rh_run_note_shortest(const struct rh_run *run, struct rh_result *result,
                          const struct rh_lead *leads);

#endif
