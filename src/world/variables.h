// SPDX-License-Identifier: MIT
// Data that memory/globals.h watches, as a part of the world: what deliveries have written is a
// finding or part of the state, is in the fingerprint, and is put back by undo.
#ifndef REHEARSE_WORLD_VARIABLES_H
#define REHEARSE_WORLD_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "memory/watched.h"

struct rh_world;

// Begins to watch, after the test's body.
void rh_variables_watch(struct rh_world *world);

// After a delivery: reports variables that the program wrote, updates the fingerprint, and saves
// for undo. Gives the offset in the undo stack of what was saved, 0 if nothing changed.
size_t rh_variables_settle(struct rh_world *world);

// While a handler has not ended yet: whether it has written a pointer into an actor's memory where
// handlers of other actors find it.
bool rh_variables_reach_actors(const struct rh_world *world);

// After a guard or a judge: reports variables that it wrote and puts them back. false if there was
// a finding.
bool rh_variables_put_back(struct rh_world *world);

// Undoes one rh_variables_settle.
void rh_variables_restore(struct rh_world *world, size_t saved);

// Sum of the hashes of all pages that differ from the start, from their contents.
rh_hash128 rh_variables_hash(struct rh_world *world);

// variables_written.c: the variables that a handler wrote.
struct rh_written {
    struct rh_text names; // "a, b"
    const char *file;     // where the first variable is declared; NULL if unknown
    int line;
    size_t count;
    const struct rh_write *write; // the write to the first variable; NULL if unknown
};
// Adds the variables that have changed in a place; `change` is the first changed byte. Variables of
// a library are not added: gives whether there are any among them.
bool rh_written_note(struct rh_world *world, const struct rh_watched *place, char *change,
                     struct rh_written *written);
// Makes a finding of the variables, if there are any, and frees them.
void rh_written_report(struct rh_world *world, struct rh_written *written);

#endif
