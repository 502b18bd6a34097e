// SPDX-License-Identifier: MIT
// What searches of threads found, as text for people.
#ifndef REHEARSE_THREADS_SHOW_H
#define REHEARSE_THREADS_SHOW_H

#include "debug/debug.h"
#include "threads/run.h"

// The first line: "multiset.c: test pairs: FAILED after 2 executions, 17 in all".
void rh_threads_show_head(const struct rh_threads_result *result,
                          const struct rh_threads_options *options, struct rh_text *text);
// The finding, side by side with the specification, and the interleaving.
void rh_threads_show_finding(const struct rh_threads_shown *shown, struct rh_debug *debug,
                             struct rh_text *text);
// The interleaving, a line for each event.
void rh_threads_show_events(const struct rh_threads_shown *shown, struct rh_debug *debug,
                            struct rh_text *text);
// What the finding is, without its kind and place.
void rh_threads_show_sentence(const struct rh_threads_shown *shown, struct rh_debug *debug,
                              struct rh_text *text);
// " reads  count = 1", of an entry of the log.
void rh_threads_show_deed(const struct rh_threads_shown *shown, const struct rh_log_entry *entry,
                          struct rh_debug *debug, struct rh_text *text);
// "multiset.c:17", of code that has called in.
void rh_threads_show_place(uintptr_t code, struct rh_debug *debug, struct rh_text *text);
// "count", "slots+8" or "heap+48".
void rh_threads_show_variable(uintptr_t address, struct rh_debug *debug, struct rh_text *text);
void rh_threads_show_notes(const struct rh_threads_result *result, struct rh_text *text);

#endif
