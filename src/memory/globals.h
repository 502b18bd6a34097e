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
#include "base/status.h"
#include "debug/debug.h"
#include "memory/memory.h"

// What is to be watched, and how.
struct rh_globals_options {
    bool protects;                 // pages are read-only until somebody calls rh_globals_fault
    bool notes_writes;             // rh_globals_note gives records
    const char *private_libraries; // of which each actor has its own version; NULL: none
    struct rh_debug *debug;        // borrowed; may be NULL
    const struct rh_heap *body;    // borrowed; what the test's body has allocated
};

// Learns where the program and its libraries are loaded. Called once, before all other functions
// here.
void rh_globals_learn(void);
// Learns where the memory is that the program has allocated before its tests. Called again once
// constructors that were put off have run.
void rh_globals_learn_early(void);

// Begins to watch: the present contents are the start. Called after the test's body. Fails if the
// program does not use a private library.
struct rh_status rh_globals_watch(const struct rh_globals_options *options);

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

// With the option notes_writes: the page of this address has just become writable. Gives a record
// for whoever knows the frames to fill; NULL if writes are not noted, or if there have been many.
struct rh_write *rh_globals_note(void *address);

// With the option notes_writes: code of the program is about to run, and its first write to each
// page will fault again.
void rh_globals_rewatch(void);

// Protects pages again that are as at the start. Whoever computes no hashes does not know which
// they are, and does not call this.
void rh_globals_cool_down(void);

// Makes the tables writable in which the dynamic linker notes where functions are. The first call
// of a function writes there, which must not fault in a signal handler.
void rh_globals_open_tables(void);

// Makes every page writable again, in a process that is about to end.
void rh_globals_release(void);

// Visits all data that has been written since the start.
void rh_globals_visit(void (*visit)(void *context, const void *bytes, size_t size), void *context);

// Sum of the hashes of all pages that differ from the start, as it stands in the fingerprint.
rh_hash128 rh_globals_term(void);

// An address in the program, in a library or in a mapping of the test's body, as a number that does
// not depend on where these were loaded. false if the address is in none of them.
bool rh_globals_canonical(uint64_t address, uint64_t *canonical);
// Whether the address lies in the program or in a library.
bool rh_globals_has_module(uint64_t address);

#endif
