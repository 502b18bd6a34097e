// SPDX-License-Identifier: MIT
// What functions do whose code is not there but which are known: LLVM's own, and those of libc.
#ifndef REHEARSE_FLOW_MODELS_H
#define REHEARSE_FLOW_MODELS_H

#include "bitcode/module.h"

// What a function does, as far as addresses are concerned. It gives an address only where its
// effect says so.
enum rh__flow_effect {
    RH__FLOW_NOTHING, // does nothing with addresses
    RH__FLOW_FILLS,   // fills what its arguments point to with numbers; gives the first argument
    RH__FLOW_PUTS,    // fills what its arguments point to with numbers
    // Fills from the first argument on as many bytes as the third says; gives the first.
    RH__FLOW_SETS,
    RH__FLOW_CLEARS,     // zeroes from the first argument on as many bytes as the second says
    RH__FLOW_GIVES_INTO, // gives an address in what the first argument points to
    // Puts an address in what the first argument points to where the second points to.
    RH__FLOW_ENDS,
    // Copies from the second argument to the first, as many bytes as the third says; gives the
    // first.
    RH__FLOW_COPIES,
    RH__FLOW_ALLOCATES,   // gives new memory
    RH__FLOW_REALLOCATES, // gives new memory with the contents of the old
    RH__FLOW_DUPLICATES,  // gives new memory without addresses in it
    RH__FLOW_FILLS_FIRST, // puts the address of new memory where the first argument points to
    RH__FLOW_OPAQUE,      // gives something of the library's own, without addresses that matter
    RH__FLOW_SORTS,       // calls the fourth argument with elements of the first
    // Calls the fifth argument with the first and elements of the second; gives one.
    RH__FLOW_SEARCHES,
    RH__FLOW_STARTS_LIST,  // starts a list of variable arguments
    RH__FLOW_COPIES_LIST,  // copies a list of variable arguments
    RH__FLOW_SAME,         // gives what it is given
    RH__FLOW_SAVES,        // writes what the first argument points to, for instance to a file
    RH__FLOW_SAVES_SECOND, // writes what the second argument points to
    // Fills what its arguments point to, also with what was saved; gives the first.
    RH__FLOW_RESTORES,
    RH__FLOW_PARSES, // gives a number, which may be an address that was shown before
    RH__FLOW_OPENS,  // opens a stream to or from what the first argument points to
    RH__FLOW_RUNS,   // runs functions that unknown code was given
    RH__FLOW_FINDS,  // finds something by its name, the second argument
    // Formats; the first argument is the format, which may ask for a number to be put.
    RH__FLOW_SHOWS,
    RH__FLOW_SHOWS_TO, // formats; the second argument is the format
    RH__FLOW_SHOWS_IN, // formats into what the first argument points to; the second is the format
    // Formats into what the first argument points to; the third is the format.
    RH__FLOW_SHOWS_SOME,
    RH__FLOW_SHOWS_NEW,      // formats into new memory; the second argument is the format
    RH__FLOW_LOADS_RELATIVE, // gives an address from a table of distances to addresses
};

// Whether the function is known, and what it does.
bool rh__flow_effect_find(const struct rh_ir_module *module, const struct rh_ir_function *function,
                          enum rh__flow_effect *effect);
// How many arguments the effect looks at; with fewer the function is not the one that is known.
uint32_t rh__flow_effect_needs(enum rh__flow_effect effect);

#endif
