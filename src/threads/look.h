// SPDX-License-Identifier: MIT
// The component's state, looked at while nothing else runs: its view, and whether its invariant
// holds. Neither is computed again as long as nothing that it has read was written: where all code
// of the program can be seen, what marks have to do with is followed (shared.c), and so each write
// that counts comes by.
#ifndef REHEARSE_THREADS_LOOK_H
#define REHEARSE_THREADS_LOOK_H

#include "threads/history.h"

void rh__look_start(const struct rh_component *component);
// What was looked at may be something else now.
void rh__look_forget(void);
// These bytes are about to be written.
void rh__look_note(uintptr_t address, size_t size);

// Takes the view, and gives its hash.
uint64_t rh__view_take(void (*look)(rh_view *view), struct rh_view *view);

// Asks the component's invariant. If it fails, that is a finding which names the operation, whose
// commit or return this is.
void rh__invariant_check(enum rh_moment_kind kind, int operation);
// "", or, while the invariant is asked, when that is: ", when insert(7) commits".
void rh__invariant_print(struct rh_text *text);

#endif
