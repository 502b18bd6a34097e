// SPDX-License-Identifier: MIT
// Answers questions about a trace quickly: which event sent a message, which actor is at an
// address. Borrows the trace, which must outlive the index.
#ifndef REHEARSE_REPORT_TRACE_INDEX_H
#define REHEARSE_REPORT_TRACE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"
#include "debug/debug.h"
#include "result/event.h"

struct rh_trace_key {
    uint64_t key;   // identity of a message, or address of an actor
    uint32_t event; // index in the trace
};

struct rh_trace_index {
    const struct rh_trace *trace;
    struct rh_debug *debug;     // borrowed
    struct rh_trace_key *sends; // owned; sends, asks, replies, timers and duplicates by identity
    size_t send_count;
    struct rh_trace_key *actors; // owned; spawns by address
    size_t actor_count;
    RH_VECTOR(const char *) files; // borrowed; the files that events name, each once
    bool misses_types;             // some payload was shown as bytes, since its type is not known
    bool has_untyped; // some payload was shown as bytes, since it has no type: rh_spawn_sized
};

void rh_trace_index_init(struct rh_trace_index *index, const struct rh_trace *trace,
                         struct rh_debug *debug);
void rh_trace_index_fini(struct rh_trace_index *index);

// The event that sent the message with this identity, or NULL.
const struct rh_event *rh_trace_find_send(const struct rh_trace_index *index, uint64_t identity);

// Whether two executions made the same deliveries and choices.
bool rh_trace_has_same_path(const struct rh_trace *one, const struct rh_trace *other);

// The file of a place as a table shows it. A long path would push everything apart and goes without
// its folders, unless the trace has files of the same name in different folders. Borrows.
const char *rh_trace_short_file(const struct rh_trace_index *index, const char *file);

// Adds the event's payload as a value of its type: "{amount = 70}"; nothing for a signal.
void rh_trace_add_payload(struct rh_trace_index *index, struct rh_text *text,
                          const struct rh_event *event);

#endif
