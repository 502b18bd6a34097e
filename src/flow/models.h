// SPDX-License-Identifier: MIT
// What functions whose code is not there do, as far as that is known: LLVM's own, and those of libc.
#ifndef REHEARSE_FLOW_MODELS_H
#define REHEARSE_FLOW_MODELS_H

#include "bitcode/module.h"

// What a function does, as far as addresses are concerned.
enum rh__effect {
    RH__NOTHING,    // and gives no address
    RH__FILLS,      // what its arguments point to, without addresses; gives the first
    RH__PUTS,       // fills what its arguments point to, too, and gives no address
    RH__SETS,       // as many bytes from the first argument on as the third says; gives the first
    RH__CLEARS,     // as many bytes from the first argument on as the second says
    RH__GIVES_INTO, // an address in what the first argument points to
    RH__ENDS,       // puts such an address where the second argument points to
    RH__COPIES, // from the second to the first argument, as many bytes as the third says; gives the first
    RH__ALLOCATES,   // gives something new
    RH__REALLOCATES, // gives something new with the contents of the old
    RH__DUPLICATES,  // gives something new without addresses in it
    RH__FILLS_FIRST, // puts the address of something new where the first argument points to
    RH__OPAQUE,      // gives something of the library's without addresses that matter
    RH__SORTS,       // calls the fourth argument with elements of the first
    RH__SEARCHES, // calls the fifth argument with the first and elements of the second; gives one
    RH__STARTS_LIST, // of variable arguments
    RH__COPIES_LIST,
    RH__SAME,         // gives whatever it is given
    RH__SAVES,        // what the first argument points to: to a file, say
    RH__SAVES_SECOND, // what the second argument points to
    RH__RESTORES,     // fills what its arguments point to, with what was saved too; gives the first
    RH__PARSES,       // gives a number that may be an address which was shown
    RH__OPENS,        // a stream to or from what the first argument points to
    RH__RUNS,         // functions that code which is not known was given
    RH__FINDS,        // something by its name, the second argument
    RH__SHOWS, // in the form that the first argument says; puts a number somewhere if that says so
    RH__SHOWS_TO,       // in the form that the second argument says
    RH__SHOWS_IN,       // the same, in what the first argument points to
    RH__SHOWS_SOME,     // the same, if the second argument says how much; the third is the form
    RH__SHOWS_NEW,      // in the form that the second argument says, in memory of its own
    RH__LOADS_RELATIVE, // an address, of a table of distances to addresses
};

// Whether it is known what the function does.
bool rh__effect_find(const struct rh_ir_module *module, const struct rh_ir_function *function,
                     enum rh__effect *effect);
// How many arguments the effect looks at.
uint32_t rh__effect_needs(enum rh__effect effect);

#endif
