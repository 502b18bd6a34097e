// SPDX-License-Identifier: MIT
// Shared by the files that watch over global variables: see globals.h.
#ifndef REHEARSE_MEMORY_WATCHED_H
#define REHEARSE_MEMORY_WATCHED_H

#include <link.h>

#include "base/vector.h"
#include "entry/process.h"
#include "memory/globals.h"

enum { RH_PAGE = 4096, RH_WRITES_MOST = 16 };

// A stretch of memory that is compared after each delivery: a page of a data segment once it was
// written to, or a module's thread-local variables.
struct rh_watched {
    char *start;
    uint32_t size;
    bool of_program; // a write is a finding
    bool of_body; // memory that the test's body, or the program before it, has allocated or mapped
    bool is_private; // each actor has its own version
    bool hot;        // the place is compared after each delivery
    bool open;       // the page is writable now
    bool differs;    // a delivery has changed the place since it became hot
    char *shadow;    // contents after the newest delivery
    rh_hash128 base; // hash of the contents when watching began
    rh_hash128 hash; // hash of the shadow, less `base`; 0: as when watching began
};

struct rh_range {
    char *start;
    char *end;
};

struct rh_module {
    uint64_t start, end; // everything that is loaded of the module
    uint64_t name_hash;
};

struct rh_globals {
    RH_VECTOR(struct rh_watched) places; // pages in address order first, then thread-locals
    size_t page_count;
    RH_VECTOR(uint32_t) hot;
    RH_VECTOR(struct rh_module) modules;
    RH_VECTOR(struct rh_range)
    mappings;         // writable mappings of the test's body, and of the program before it
    uint64_t settled; // deliveries so far
    char *shadows;    // room for one copy of every place
    struct rh_globals_options options;
    rh_hash128 gone; // hashes of pages that were unmapped, and are in the fingerprint still
    size_t write_count;
    struct rh_write writes[RH_WRITES_MOST]; // by the code that is running, or ran last
    // Stretches within pages that are left alone: our own data, tables of the dynamic linker,
    // counters of coverage, books of a sanitizer.
    RH_VECTOR(struct rh_range) holes;
    RH_VECTOR(struct rh_range) copied; // libraries' variables that lie in the executable
} __attribute__((aligned(4096)));      // on pages of its own

_Static_assert(sizeof(struct rh_globals) % RH_PAGE == 0, "it has pages of its own");
extern struct rh_globals rh__globals;

// globals_find.c: finds the places that are to be watched, and watches none of them yet.
struct rh_status rh_globals_find(void);
// Whether the library in this file is part of the system, and whether its data is left alone.
bool rh_is_system_library(const char *path);
bool rh_is_ignored_library(const char *path);

// copied.c: finds the variables of libraries that lie in the executable, which was loaded at
// `base`; and whether an address lies in one of those that are watched.
void rh_globals_find_copied(uintptr_t base, const ElfW(Dyn) * dynamic);
bool rh_globals_is_copied(const char *address);

// instruments.c: finds what compilers have added to the program so as to watch it; and whether a
// variable with this name belongs to a sanitizer's run time. `debug` may be NULL.
void rh_globals_find_instruments(struct rh_debug *debug);
bool rh_is_sanitizer_variable(const char *name);

// Copies whole pages. AddressSanitizer keeps forbidden zones between the variables on them, so
// memcpy may not.
void rh_copy_raw(void *to, const void *from, size_t size);
// Whether the place is as it was after the newest delivery.
bool rh_watched_is_same(const struct rh_watched *place);
// First byte that differs from the shadow, at or after `from` and outside of the holes; NULL if
// there is none.
char *rh_watched_find_change(const struct rh_watched *place, uint32_t from);

#endif
