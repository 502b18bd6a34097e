// SPDX-License-Identifier: MIT
// Writable data of the program and of the libraries it uses. Pages stay read-only while a search
// runs; the first write faults, and from then on the page is compared after each delivery, and
// restored by undo.
//
// A write inside a handler to data of the program itself (the executable, and libraries outside of
// the system's directories) is a finding. Data of other libraries is part of the world without a
// finding. libc, the dynamic linker and the tool's own libraries are left alone. Memory that the
// test's body has allocated or mapped, and handlers write to, is part of the world like the data of
// other libraries.
#ifndef REHEARSE_MEMORY_GLOBALS_H
#define REHEARSE_MEMORY_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct rh_world;
struct rh_actor_record;

// Learns where the program and its libraries are loaded. Called once, before all other functions
// here.
void rh_globals_learn(void);

// Begins to watch: the present contents are the start. Called after the test's body.
void rh_globals_watch(struct rh_world *world);

// The test's body has mapped writable memory; or the body or a handler has unmapped some. Called
// outside.
void rh_globals_map(void *start, size_t size);
void rh_globals_unmap(void *start, size_t size);

// Handles a fault of a write to this address. true if the page is watched; it is writable now.
bool rh_globals_fault(void *address);

enum { RH_WRITE_FRAMES_MOST = 16 };

// Where a watched page was written first: innermost frame first, addresses as in struct rh_crash.
struct rh_write {
    uint64_t address;
    int frame_count;
    uint64_t frames[RH_WRITE_FRAMES_MOST];
};

// With the option note_writes: the page of this address has just become writable. Gives a record
// for whoever knows the frames to fill; NULL if writes are not noted, or if there have been many.
struct rh_write *rh_globals_note(void *address);

// With the option note_writes: code of the program is about to run, and its first write to each
// page will fault again.
void rh_globals_rewatch(const struct rh_world *world);

// Makes the tables writable in which the dynamic linker notes where functions are. The first call
// of a function writes there, which must not fault in a signal handler.
void rh_globals_open_tables(void);

// Makes every page writable again, in a process that is about to end.
void rh_globals_release(void);

// After a delivery: reports variables that the program wrote, updates the fingerprint, and saves
// for undo. Gives the offset in the undo stack of what was saved, 0 if nothing changed.
size_t rh_globals_settle(struct rh_world *world);

// After a guard or a judge: reports variables that it wrote and puts them back. false if there was
// a finding.
bool rh_globals_put_back(struct rh_world *world);

// Undoes one rh_globals_settle.
void rh_globals_restore(struct rh_world *world, size_t saved);

// With --private-library. enter: before a handler of this actor runs, the actor's version of the
// libraries' data takes the place of the data at the start. leave: afterwards the actor's version
// goes back into its memory. forget: the actor stops.
void rh_globals_enter(const struct rh_actor_record *record);
void rh_globals_leave(struct rh_world *world, uint32_t slot);
void rh_globals_forget(struct rh_world *world, uint32_t slot);

// Visits all data that has been written since the start.
void rh_globals_visit(void (*visit)(void *context, const void *bytes, size_t size), void *context);

// Sum of the hashes of all pages that differ from the start.
rh_hash128 rh_globals_hash(struct rh_world *world);

// rh_globals_hash as it stands in the fingerprint, without looking at the pages.
rh_hash128 rh_globals_term(void);

// An address in the program, in a library or in a mapping of the test's body, as a number that does
// not depend on where these were loaded. false if the address is in none of them.
bool rh_globals_canonical(uint64_t address, uint64_t *canonical);

#endif
