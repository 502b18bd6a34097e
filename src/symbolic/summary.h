// SPDX-License-Identifier: MIT
// What a handler does with one type of message, whatever its state and the message are: each path
// through it as an outcome, with the conditions under which it is taken, the state that it leaves,
// what it sends and what it creates, in terms of the state and the message before.
#ifndef REHEARSE_SYMBOLIC_SUMMARY_H
#define REHEARSE_SYMBOLIC_SUMMARY_H

#include "symbolic/internal.h"
#include "symbolic/target.h"

// Actors of an outcome: the one whose handler runs, the sender of its message, then others whose
// addresses the state or the message has, or that the handler creates.
enum { RH__SYM_SELF = 0, RH__SYM_SENDER = 1 };

struct rh__sym_outcome {
    struct rh__sym_situation *situation; // as the handler leaves it, or on the place; owned
    bool is_place;                       // the path ends on the place that is looked for
    // In the names of the summary: the situation's conditions and what was decided about addresses.
    RH_VECTOR(rh_term) conditions;
};

struct rh__sym_summary {
    uint32_t behaviour, type; // indexes of the engine's
    // Before: a variable for each number. Owned; NULL: nothing in it.
    struct rh__sym_object *state, *message;
    RH_VECTOR(struct rh__sym_outcome) outcomes;
    bool is_whole; // there is nothing else that it can do, and it depends on nothing else
};

struct rh__sym_summaries {
    struct rh__sym *sym;
    struct rh_generate_options *limits; // of the engine: changed while a handler is run
    const struct rh__sym_target *target;
    enum rh_reach_goal goal;
    uint32_t line;
    rh_term self, sender; // variables: their addresses
    RH_VECTOR(struct rh__sym_summary *) items;
};

void rh__sym_summaries_init(struct rh__sym_summaries *summaries, struct rh__sym *sym,
                            struct rh_generate_options *limits, const struct rh__sym_target *target,
                            const struct rh_reach_options *options);
void rh__sym_summaries_fini(struct rh__sym_summaries *summaries);
// Paths that end on the place come in addition to those that pass it.
const struct rh__sym_summary *rh__sym_summary_of(struct rh__sym_summaries *summaries,
                                                 uint32_t behaviour, uint32_t type);
// The variable of this name, of this many bits.
rh_term rh__sym_summary_variable(struct rh__sym *sym, unsigned bits, const char *name);
// The address of an actor of an outcome as a variable; RH_NONE: of one that it creates.
rh_term rh__sym_outcome_address(const struct rh__sym_summaries *summaries,
                                const struct rh__sym_outcome *outcome, uint32_t actor);
// The term, where that is the address of an actor as rh__sym_outcome_address has it.
rh_term rh__sym_outcome_term(const struct rh__sym_summaries *summaries,
                             const struct rh__sym_outcome *outcome, rh_term term);

#endif
