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
enum rh_reached_proof { RH_PROOF_STATE, RH_PROOF_GRAPH, RH_PROOF_PAST, RH_PROOF_SEARCH };

// What has found the way, cheapest first.
enum rh_reached_step {
    RH_STEP_COVERAGE,
    RH_STEP_SAMPLE,
    RH_STEP_FORWARD,
    RH_STEP_BACKWARD,
    RH_STEP_RANDOM
};

// What is to happen on the line.
enum rh_reached_goal { RH_GOAL_LINE, RH_GOAL_CHECK, RH_GOAL_DEREFERENCE };

// A condition of the program, as of a path: "order.pieces <= 30".
struct rh_reached_condition {
    const char *file;
    uint32_t line;
    const char *text;
};

// How near a search has come to a place that it did not reach.
struct rh_reached_nearest {
    const char *missing; // the message that never came, if no handler has begun that comes there
    const char *file;    // of the condition that was not met; NULL: there is none
    uint32_t line;
    uint32_t far;            // conditions that are left on the way after this one
    uint32_t deliveries;     // before it
    const char *test;        // that the search began with; NULL: none
    const char *source;      // the line
    const char *const *seen; // what was compared, as it would have to be: "28 == 5"
    uint32_t seen_count;
    bool has_more;                              // there was more than that
    const struct rh_reached_condition *against; // conditions before that exclude it
    uint32_t against_count;
};

struct rh_reached {
    const char *program; // as the user names it
    const char *file;
    uint32_t line;
    enum rh_reached_goal goal;
    enum rh_reached_verdict verdict;
    enum rh_reached_step step;
    const char *test;                     // that the way begins with
    const char *saved;                    // the file of the schedule
    const char *replay;                   // the command that replays it
    const struct rh_schedule *schedule;   // NULL: none
    const char *told;                     // how the run went, line by line
    enum rh_reached_proof proof;          // of RH_REACHED_UNREACHABLE
    const char *reason;                   // why nothing leads there
    bool is_tried;                        // nothing with as many messages as `messages` leads there
    uint64_t messages;                    // from outside, at most
    struct rh_reached_nearest nearest;    // of a place that was not reached
    uint64_t runs;                        // samples that were taken
    uint64_t situations, queries;         // looked at; asked of the solver
    uint64_t refuted;                     // ways that were found and that a run did not go
    const struct rh_generate_note *notes; // what could not be followed
    size_t note_count;
};

#endif
