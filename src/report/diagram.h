// SPDX-License-Identifier: MIT
// What `diagram` and `conform` say, for machines.
#ifndef REHEARSE_REPORT_DIAGRAM_H
#define REHEARSE_REPORT_DIAGRAM_H

#include "diagram/diagram.h"
#include "diagram/grade.h"
#include "diagram/notes.h"
#include "result/handler_graph.h"

// A configuration of a test, and what the diagram is worth there. Texts are "" where there is
// nothing to say.
struct rh_report_grade {
    const struct rh_binding *values; // of parameters; NULL: there are none
    enum rh_grade grade;
    bool is_held_out;
    size_t states;
    const char *difference, *reason, *failure;
    const char *schedule; // where the deliveries up to the difference were saved; NULL: nowhere
};

// One object that is being made: {"program", "verb", "tests": [...]}.
struct rh_report_protocol;
struct rh_report_protocol *rh_report_protocol_new(const char *program, const char *verb);
void rh_report_protocol_free(struct rh_report_protocol *protocol);
// Adds a test. With `diagram` also the diagram, as text and as a tree, in which arrows have what
// `notes` say of them.
void rh_report_protocol_add(struct rh_report_protocol *protocol, const char *test,
                            enum rh_grade grade, const struct rh_diagram *diagram,
                            const struct rh_notes *notes, const struct rh_report_grade *grades,
                            size_t count);
// Adds a sketch, with what is not known and the graph that it was made of.
void rh_report_sketch_add(struct rh_report_protocol *protocol, const struct rh_diagram *diagram,
                          const struct rh_unknown_place *places, size_t count,
                          const struct rh_handler_graph *graph);
void rh_report_protocol_print(struct rh_text *text, const struct rh_report_protocol *protocol);

#endif
