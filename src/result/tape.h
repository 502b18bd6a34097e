// SPDX-License-Identifier: MIT
// The events of an execution as they happen, in memory that the process which runs the execution
// shares with the one that reads them: a crash loses nothing. Events of deliveries that are undone
// are taken off again, so that a tape always holds the present execution.
#ifndef REHEARSE_RESULT_TAPE_H
#define REHEARSE_RESULT_TAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "result/execution.h"

// A tape lies in reserved memory of its own, with its records behind it.
struct rh_tape {
    size_t room; // bytes
    size_t top;  // bytes of whole records
};

struct rh_tape *rh_tape_new(void); // NULL if there is no address space
void rh_tape_free(struct rh_tape *tape);

// Adds an event. Strings may be NULL (written as ""). Nothing is allocated. false if there is no
// room.
bool rh_tape_write(struct rh_tape *tape, const struct rh_event *event);

// Reads all events. The program under test may have written over them: then this fails, and the
// execution is empty.
struct rh_status rh_tape_read(const struct rh_tape *tape, struct rh_execution *execution);

#endif
