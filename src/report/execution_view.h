// SPDX-License-Identifier: MIT
// An execution as reports show it: values with the names of their fields and of actors, and files
// by short names. Borrows the execution, which must outlive the view.
#ifndef REHEARSE_REPORT_EXECUTION_VIEW_H
#define REHEARSE_REPORT_EXECUTION_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"
#include "debug/debug.h"
#include "result/execution.h"

struct rh_execution_view {
    const struct rh_execution *execution;
    struct rh_debug *debug;        // borrowed
    RH_VECTOR(const char *) files; // borrowed; the files that events name, each once
    bool misses_types;             // some payload was shown as bytes, since its type is not known
    bool has_untyped; // some payload was shown as bytes, since it has no type: rh_spawn_sized
};

void rh_execution_view_init(struct rh_execution_view *view, const struct rh_execution *execution,
                            struct rh_debug *debug);
void rh_execution_view_fini(struct rh_execution_view *view);

// The file of a place as a table shows it. A long path would push everything apart and goes without
// its folders, unless the execution has files of the same name in different folders. Borrows.
const char *rh_execution_short_file(const struct rh_execution_view *view, const char *file);

// Adds the event's payload as a value of its type: "{amount = 70}"; nothing for a signal.
void rh_execution_add_payload(struct rh_execution_view *view, struct rh_text *text,
                              const struct rh_event *event);

#endif
