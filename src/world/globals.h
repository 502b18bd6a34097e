// SPDX-License-Identifier: MIT
// Writable data of the program and of the libraries it uses. Pages stay read-only while a search runs; the first
// write faults, and from then on the page is compared after each delivery, and restored by undo.
//
// Of the program itself (the executable, and libraries outside of the system's directories) a write
// inside a handler is a finding. Data of other libraries is part of the world without one. libc, the
// dynamic linker and the tool's own libraries are left alone.
#ifndef REHEARSE_WORLD_GLOBALS_H
#define REHEARSE_WORLD_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct rh_world;

// Learns where the program and its libraries are loaded. Called once, before anything else here.
void rh_globals_learn(void);

// Begins to watch: what is there now is the start. Called after the test's body.
void rh_globals_watch(struct rh_world *world);

// A write to this address faulted. true if it was a watched page, which is writable now.
bool rh_globals_fault(void *address);

// After a delivery: reports what the program wrote, updates the fingerprint, and saves for undo. Gives the offset
// in the undo stack of what was saved, 0 if nothing changed.
size_t rh_globals_settle(struct rh_world *world);

// After a guard or a judge: reports what it wrote and puts it back. false if there was a finding.
bool rh_globals_put_back(struct rh_world *world);

// Undoes one rh_globals_settle.
void rh_globals_restore(struct rh_world *world, size_t saved);

// Sum of the hashes of all pages that differ from the start.
rh_hash128 rh_globals_hash(struct rh_world *world);

// A code or constant address of the program or a library as a number that does not depend on where it was
// loaded. false if it is in none.
bool rh_globals_canonical(uint64_t address, uint64_t *canonical);

#endif
