// SPDX-License-Identifier: MIT
// The place that is to be reached.
#ifndef REHEARSE_SYMBOLIC_TARGET_H
#define REHEARSE_SYMBOLIC_TARGET_H

#include "symbolic/internal.h"
#include "symbolic/reach.h"

// A behaviour with a type of messages that it takes.
struct rh__sym_pair {
    const struct rh__sym_handling *handling;
    uint32_t distance; // deliveries that are still needed at least; RH_NONE: it never helps
};

struct rh__sym_target {
    size_t count;                     // instructions on the line
    bool has_file;                    // some code is in the file
    bool is_in_handlers;              // nothing but handlers, by their types, comes to the line
    bool is_in_behaviour;             // a behaviour, or what it calls, has it
    bool is_judged;                   // a judge's check on the line is to fail
    bool is_judged_at_end;            // and the judge looks at the end only
    bool is_in_judge;                 // a judge, or what it calls, has the line
    bool has_line;                    // the program that runs has code of the line
    uint32_t line_before, line_after; // the nearest lines with code; 0: none
    RH_VECTOR(struct rh__sym_pair) pairs;
};

// Marks the instructions of the line (sym->marks), before the engine has looked at any handler.
void rh__sym_target_init(struct rh__sym *sym, struct rh__sym_target *target,
                         const struct rh_reach_options *options);
void rh__sym_target_fini(struct rh__sym_target *target);
// Whether such messages are looked at.
bool rh__sym_target_has(const struct rh__sym_target *target, uint32_t behaviour, uint32_t type);
// How far a message of this type to an actor of this behaviour is from the place.
uint32_t rh__sym_target_distance(const struct rh__sym_target *target, uint32_t behaviour,
                                 uint32_t type);

#endif
