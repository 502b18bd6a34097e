// SPDX-License-Identifier: MIT
// The search backward from a place (chapter 3 of TAP): from the handler that comes there to the
// delivery before it that matters, and so on, until what is needed is what a test's body has left
// and what the outside may send. A step back is a whole handler (heuristic H1), as a summary: what
// is needed before it follows from what is needed after it.
//
// Which chain is gone on with is decided by weights (heuristic H2: few actors, few messages without
// a sender) and by feedback (F): where a chain can't begin with what a body has left, the solver's
// unsatisfiable core names fields, and deliveries that write these are tried before others. Neither
// leaves anything out.
//
// Invariants:
//  1. A chain's conditions can hold together, with values for the fields of its actors before the
//     first of its deliveries and for the messages that are still needed then.
//  2. Deliveries that are not in a chain change nothing that its conditions depend on.
#ifndef REHEARSE_SYMBOLIC_BACKWARD_H
#define REHEARSE_SYMBOLIC_BACKWARD_H

#include "symbolic/forward.h"
#include "symbolic/summary.h"

enum { RH__SYM_CHAIN_ACTORS = 5, RH__SYM_CHAIN_REQUESTS = 6 };

struct rh__sym_chain_actor {
    uint32_t behaviour; // index of the engine's; before the chain's deliveries
    bool is_created;    // by one of the chain's deliveries
    rh_term address;
    const rh_term *fields; // by leaf of the state; in the arena
};

// A message that one of the chain's deliveries takes, and that nothing in the chain sends.
struct rh__sym_chain_request {
    uint32_t type, actor;
    const rh_term *fields; // by leaf of the message
    rh_term sender;
};

// The actor of the chain that the delivery creates, as the nth of its behaviour; RH_NONE: none.
struct rh__sym_chain_birth {
    uint32_t actor, nth;
};

// Deliveries up to the place; in the arena.
struct rh__sym_chain {
    const struct rh__sym_chain *after; // the chain without the first delivery; NULL: that is it
    uint32_t actor, type;              // of the first delivery
    struct rh__sym_chain_birth birth;
    uint32_t deliveries, outside; // how many; messages that certainly come from outside
    struct rh__sym_chain_actor actors[RH__SYM_CHAIN_ACTORS];
    struct rh__sym_chain_request requests[RH__SYM_CHAIN_REQUESTS];
    uint32_t actor_count, request_count, term_count;
    const rh_term *terms;
};

// Why a chain can't begin with what is there.
struct rh__sym_feedback {
    bool has_any;                               // otherwise nothing is known
    bool lacks_actor[RH__SYM_CHAIN_ACTORS];     // no such actor is there: something creates it
    bool lacks_message[RH__SYM_CHAIN_REQUESTS]; // it is not pending, and not from outside either
    RH_VECTOR(rh_term) fields;                  // variables of unsatisfiable cores
};

struct rh__sym_chain_waiting {
    const struct rh__sym_chain *chain;
    struct rh__sym_feedback feedback;
    bool is_led_done; // the deliveries that the feedback asks for were tried: others are left
};

struct rh__sym_backward {
    struct rh__sym *sym;
    const struct rh_reach_options *options;
    uint32_t messages_most; // from outside
    const struct rh__sym_target *target;
    const struct rh__sym_situations *begun; // what the body may leave
    struct rh__sym_summaries summaries;
    struct rh__sym_forward *guide; // follows what is found
    RH_VECTOR(struct rh__sym_chain_waiting) waiting;
    RH_VECTOR(const struct rh__sym_chain *) seen;
    const struct rh__sym_feedback *feedback; // of the chain that is looked at; NULL: none
    bool is_led_turn;     // what the feedback speaks for is tried now; otherwise the rest
    bool *is_spawned;     // by behaviour: some handler creates such actors
    bool spawns_anything; // some handler creates actors
    bool is_cut;          // something was left out
    bool is_bounded;      // but only more messages from outside
    uint64_t looked_at;
};

// Searches until a run has gone a way that was found, nothing is left or the budget has ended.
// `guide` has begun (rh__sym_forward_begin).
void rh__sym_backward_run(struct rh__sym_backward *search);
void rh__sym_backward_fini(struct rh__sym_backward *search);

// back_begin.c: whether a run has gone the chain's way from what a test's body has left; if it
// can't begin, `feedback` says why.
bool rh__sym_chain_begins(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                          struct rh__sym_feedback *feedback);
// Whether the variable is one of those of unsatisfiable cores.
bool rh__sym_is_in_feedback(const struct rh__sym_feedback *feedback, rh_term variable);

// back_step.c
// The numbers and addresses of a behaviour's state, and of a message.
struct rh__sym_leaves rh__sym_state_leaves(struct rh__sym *sym, uint32_t behaviour);
struct rh__sym_leaves rh__sym_message_leaves(struct rh__sym *sym, uint32_t type);
// What is needed before a delivery. NULL: nothing makes it so.
struct rh__sym_step {
    const struct rh__sym_summary *summary;
    const struct rh__sym_outcome *outcome;
    const rh_term *conditions; // of the outcome, but for those that make no difference
    uint32_t condition_count;
    uint32_t actor;                         // of the chain; its number of actors: one more
    uint32_t sends[RH__SYM_CHAIN_REQUESTS]; // by request: the pending message of the outcome
    uint32_t created;                       // actor of the chain that the delivery creates
    uint32_t created_as;                    // which actor of the outcome that is
};
// Whether such a message to an actor of this behaviour may always come from outside.
bool rh__sym_is_from_outside(const struct rh__sym_backward *search, uint32_t behaviour,
                             uint32_t type);
const struct rh__sym_chain *rh__sym_step_back(struct rh__sym_backward *search,
                                              const struct rh__sym_chain *chain,
                                              const struct rh__sym_step *step);

// back_merge.c: the steps that such a delivery may be, of an actor of the chain or a new one; those
// that end on the place, or those that pass it.
struct rh__sym_steps {
    struct rh__sym_step *items;
    size_t count, capacity;
};
void rh__sym_steps_find(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                        const struct rh__sym_summary *summary, uint32_t actor, bool to_place,
                        struct rh__sym_steps *steps);

// plan.c: follows the chain from what the body has left. `actors`: which actor each of the chain
// is, for those that are there at the beginning. Gives whether a run has gone this way.
bool rh__sym_follow(struct rh__sym_backward *search, const struct rh__sym_situation *begun,
                    const struct rh__sym_chain *chain, const uint32_t *actors);

#endif
