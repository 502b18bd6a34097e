// SPDX-License-Identifier: MIT
// Which lines of a program and which ways of its branches were taken in executions.
#ifndef REHEARSE_RESULT_LINE_COVERAGE_H
#define REHEARSE_RESULT_LINE_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

struct rh_covered_line {
    uint32_t number;
    bool is_reached;
};

// From a branch to a line of the same source.
struct rh_covered_way {
    uint32_t to; // 0 if it is not known
    bool is_taken;
};

// A place where it is decided which of several ways is gone. A line may have several.
struct rh_covered_branch {
    uint32_t line;
    RH_VECTOR(struct rh_covered_way) ways;
};

struct rh_covered_function {
    char *name; // owned
    uint32_t first, last;
};

struct rh_covered_source {
    char *file;                                      // owned
    RH_VECTOR(struct rh_covered_function) functions; // by their first lines
    RH_VECTOR(struct rh_covered_line) lines;         // that have code, in their order
    RH_VECTOR(struct rh_covered_branch) branches;    // by line
};

struct rh_line_coverage {
    RH_VECTOR(struct rh_covered_source) sources; // by name
};

struct rh_covered_figures {
    uint64_t lines, reached; // lines with code, and those that were reached
    uint64_t ways, taken;    // ways of branches, and those that were taken
};

void rh_line_coverage_fini(struct rh_line_coverage *reached);

// Gives the source of this name, which is added if it is not there yet.
struct rh_covered_source *rh_line_coverage_add_source(struct rh_line_coverage *reached,
                                                      const char *file);

// Whether both are about the same code: what they say differs at most in what was taken.
bool rh_line_coverage_is_alike(const struct rh_line_coverage *one,
                               const struct rh_line_coverage *other);
// Adds what the other one says was taken. Both are alike, or `reached` is empty.
void rh_line_coverage_merge(struct rh_line_coverage *reached, const struct rh_line_coverage *other);

// Adds the figures of a source.
void rh_line_coverage_count(const struct rh_covered_source *source,
                            struct rh_covered_figures *figures);
// The function that the line stands in; NULL if it is not known.
const char *rh_line_coverage_function_of(const struct rh_covered_source *source, uint32_t line);

#endif
