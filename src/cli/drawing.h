// SPDX-License-Identifier: MIT
// A diagram that is inferred for a test, for one configuration or for many: what `diagram` prints.
#ifndef REHEARSE_CLI_DRAWING_H
#define REHEARSE_CLI_DRAWING_H

#include "cli/subject.h"
#include "diagram/fit.h"
#include "diagram/notes.h"

// One point of the grid of parameters, or one beyond it that is held out.
struct rh_drawing_point {
    struct rh_subject subject;
    struct rh_judgement judgement; // of the diagram
    bool is_held_out;
};

struct rh_drawing {
    const struct rh_options *options;
    const struct rh_test *test;
    struct rh_arena arena;
    RH_VECTOR(struct rh_drawing_point) points;
    size_t trained;          // how many points are not held out; they come first
    struct rh_points values; // of parameters, at each of these
    struct rh_diagram diagram;
    enum rh_grade grade;   // the least of all points
    struct rh_notes notes; // of the diagram's arrows; none if nobody asks
};

// Looks at all points, and finds the best diagram for them. After an error too it is to be freed.
struct rh_status rh_drawing_init(struct rh_drawing *drawing, const struct rh_options *options,
                                 const struct rh_test *test);
void rh_drawing_fini(struct rh_drawing *drawing);

#endif
