// SPDX-License-Identifier: MIT
// What functions do whose code is not there but which are known: LLVM's own, and those of libc.
#ifndef REHEARSE_FLOW_MODELS_H
#define REHEARSE_FLOW_MODELS_H

#include "bitcode/module.h"

// What a function does, as far as addresses are concerned. It gives an address only where its
// effect says so.
enum rh__effect {
    RH__NOTHING, // does nothing with addresses
    RH__FILLS,   // fills what its arguments point to with numbers; gives the first argument
    RH__PUTS,    // fills what its arguments point to with numbers
    RH__SETS,   // fills from the first argument on as many bytes as the third says; gives the first
    RH__CLEARS, // zeroes from the first argument on as many bytes as the second says
    RH__GIVES_INTO, // gives an address in what the first argument points to
    RH__ENDS, // puts an address in what the first argument points to where the second points to
    // Copies from the second argument to the first, as many bytes as the third says; gives the
    // first.
    RH__COPIES,
    RH__ALLOCATES,   // gives new memory
    RH__REALLOCATES, // gives new memory with the contents of the old
    RH__DUPLICATES,  // gives new memory without addresses in it
    RH__FILLS_FIRST, // puts the address of new memory where the first argument points to
    RH__OPAQUE,      // gives something of the library's own, without addresses that matter
    RH__SORTS,       // calls the fourth argument with elements of the first
    RH__SEARCHES, // calls the fifth argument with the first and elements of the second; gives one
    RH__STARTS_LIST,  // starts a list of variable arguments
    RH__COPIES_LIST,  // copies a list of variable arguments
    RH__SAME,         // gives what it is given
    RH__SAVES,        // writes what the first argument points to, for instance to a file
    RH__SAVES_SECOND, // writes what the second argument points to
    RH__RESTORES, // fills what its arguments point to, also with what was saved; gives the first
    RH__PARSES,   // gives a number, which may be an address that was shown before
    RH__OPENS,    // opens a stream to or from what the first argument points to
    RH__RUNS,     // runs functions that unknown code was given
    RH__FINDS,    // finds something by its name, the second argument
    RH__SHOWS,    // formats; the first argument is the format, which may ask for a number to be put
    RH__SHOWS_TO, // formats; the second argument is the format
    RH__SHOWS_IN, // formats into what the first argument points to; the second is the format
    RH__SHOWS_SOME,     // formats into what the first argument points to; the third is the format
    RH__SHOWS_NEW,      // formats into new memory; the second argument is the format
    RH__LOADS_RELATIVE, // gives an address from a table of distances to addresses
};

// Whether the function is known, and what it does.
bool rh__effect_find(const struct rh_ir_module *module, const struct rh_ir_function *function,
                     enum rh__effect *effect);
// How many arguments the effect looks at; with fewer the function is not the one that is known.
uint32_t rh__effect_needs(enum rh__effect effect);

#endif
