// SPDX-License-Identifier: MIT
// Between the files of the verb `reach`: one place that is gone to, and all of them.
#ifndef REHEARSE_CLI_ANALYSIS_REACH_H
#define REHEARSE_CLI_ANALYSIS_REACH_H

#include "cli/analysis.h"
#include "cli/analysis_foreign.h"
#include "cli/coverage.h"
#include "result/reached.h"
#include "symbolic/reach.h"

struct rh_reaching {
    const struct rh_options *options;
    const struct rh_ir_module *module;
    struct rh_reach_options asked;
    struct rh_reached reached;
    struct rh_text folder;         // of the program; ends in a slash
    struct rh_schedule schedule;   // the way, once there is one
    struct rh_reach_result result; // of the search that was the last
    struct rh_text saved, replay, told, reason;
    struct rh_arena kept; // texts of what was nearest
    bool is_open;         // from some test nothing is proved
    bool has_check;       // an rh_check is on the line
};

static inline bool rh_reaching_is_reached(const struct rh_reaching *reaching)
{
    return reaching->reached.verdict == RH_REACHED_YES;
}

void rh_reaching_fini(struct rh_reaching *reaching);

struct rh_reaching_places {
    RH_VECTOR(struct rh_reaching) items;
    struct rh_reach_tests tests;
    struct rh_coverage_set coverage;    // of --uncovered and --coverage; has the names of the files
    uint64_t left_out;                  // lines that no handler comes to
    bool are_found;                     // and not named by the user
    struct rh_analysis_foreign foreign; // makes calls of functions that are not in the sources
};

// analysis_reach_places.c: the places that are asked for. Bad input if one of those that the user
// has named is none.
struct rh_status rh_reaching_places_find(struct rh_reaching_places *places,
                                         const struct rh_options *options,
                                         const struct rh_ir_module *module);

// Whether the file says that a run has come to the line.
bool rh_reaching_is_covered(const struct rh_line_coverage *reached, const char *file,
                            uint32_t line);

// analysis_reach_ladder.c: one step after another, until one of them has come to the place.
struct rh_status rh_reaching_climb(struct rh_reaching *reaching, const struct rh_reach_tests *tests,
                                   const struct rh_coverage_set *coverage);

// analysis_reach_run.c: the program, run by the command.
void rh_reaching_begin_words(const struct rh_reaching *reaching, struct rh_words *words,
                             const char *verb);
void rh_reaching_add_until(const struct rh_reaching *reaching, struct rh_words *words);
// Whether the finding of a schedule, or of a line "KIND FILE:LINE", is the one that is looked for.
bool rh_reaching_is_wanted(const struct rh_reaching *reaching, const char *kind, const char *file,
                           uint32_t line);
// Whether the run that the schedule says comes to the place.
bool rh_reaching_is_confirmed(const struct rh_reaching *reaching, const char *path);
// Saves the schedule, and has it replayed once more to tell of it.
struct rh_status rh_reaching_tell(struct rh_reaching *reaching);

#endif
