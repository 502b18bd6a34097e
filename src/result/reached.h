// SPDX-License-Identifier: MIT
// What a search for a line has found, as data: reports print it.
#ifndef REHEARSE_RESULT_REACHED_H
#define REHEARSE_RESULT_REACHED_H

#include "result/generated.h"
#include "trace/schedule.h"

enum rh_reached_verdict {
    RH_REACHED_NOT,         // no way was found, which says nothing
    RH_REACHED_YES,         // a run has come there
    RH_REACHED_UNREACHABLE, // nothing leads there
};

// Why nothing leads there.
enum rh_reached_proof { RH_PROOF_STATE, RH_PROOF_GRAPH, RH_PROOF_SEARCH };

// What has found the way, cheapest first.
enum rh_reached_step { RH_STEP_SAMPLE, RH_STEP_FORWARD };

// What is to happen on the line.
enum rh_reached_goal { RH_GOAL_LINE, RH_GOAL_CHECK, RH_GOAL_DEREFERENCE };

struct rh_reached {
    const char *program; // as the user names it
    const char *file;
    uint32_t line;
    enum rh_reached_goal goal;
    enum rh_reached_verdict verdict;
    enum rh_reached_step step;
    const char *test;                     // that the way begins with
    const char *saved;                    // the file of the schedule
    const struct rh_schedule *schedule;   // NULL: none
    const char *told;                     // how the run went, line by line
    enum rh_reached_proof proof;          // of RH_REACHED_UNREACHABLE
    const char *reason;                   // why nothing leads there
    bool is_tried;                        // nothing with as many messages as `messages` leads there
    uint64_t messages;                    // from outside, at most
    uint64_t runs;                        // samples that were taken
    uint64_t situations, queries;         // looked at; asked of the solver
    uint64_t refuted;                     // ways that were found and that a run did not go
    const struct rh_generate_note *notes; // what could not be followed
    size_t note_count;
};

#endif
