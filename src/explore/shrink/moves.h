// SPDX-License-Identifier: MIT
// An execution as something that can be changed: its moves, which are deliveries and crashes, each
// with its choices and the faults that strike in it; and drafts, which are schedules made of some
// of the moves.
#ifndef REHEARSE_EXPLORE_SHRINK_MOVES_H
#define REHEARSE_EXPLORE_SHRINK_MOVES_H

#include "reduce/touched.h"
#include "result/execution.h"
#include "trace/schedule.h"

struct rh_move {
    size_t first, end; // the move's steps in the schedule
    // The move that sent the message, or created the actor that crashes; 0: the test's body.
    size_t parent;
    size_t sent;       // event of the sending; SIZE_MAX for a crash, which nobody sends
    uint64_t receiver; // address
    uint64_t identity;
    const struct rh_touched *touched; // what the move touches; NULL: not known
};

// A message that was sent and not delivered.
struct rh_waiting {
    const struct rh_event *event; // of the sending
    size_t parent, sent;
    uint64_t receiver;
    uint64_t identity;
};

struct rh_moves {
    struct rh_schedule schedule;     // owned: the whole execution
    RH_VECTOR(struct rh_move) items; // the first is the test's body
    RH_VECTOR(struct rh_waiting) waiting;
    bool has_lap;
    size_t lap; // moves before the lap begins
};

// Takes the schedule of the execution, which must outlive the moves. `touched` has what each
// delivery touches, from the first one on; there may be fewer.
void rh_moves_init(struct rh_moves *moves, const struct rh_execution *execution,
                   const rh_touched_list *touched, struct rh_schedule *schedule);
void rh_moves_fini(struct rh_moves *moves);

// Whether the order of two moves may matter.
bool rh_moves_depend(const struct rh_moves *moves, size_t a, size_t b);

// Whether b could have been delivered when a was, for all that the execution says: b had been sent.
bool rh_move_was_pending(const struct rh_moves *moves, size_t a, size_t b);

// Whether a was made before the later move b, against sending order: b had been sent before a.
bool rh_moves_are_inverted(const struct rh_moves *moves, size_t a, size_t b);

// A step that delivers a message of which there is no step yet: one that was sent and not
// delivered, or one that an event delivered. The step borrows its strings.
struct rh_step rh_waiting_step(const struct rh_waiting *waiting);
struct rh_step rh_event_step(const struct rh_event *delivered);

// A schedule that borrows its strings from others.
void rh_draft_init(struct rh_schedule *draft, const struct rh_moves *moves);
void rh_draft_fini(struct rh_schedule *draft);
void rh_draft_add(struct rh_schedule *draft, const struct rh_moves *moves, size_t move);

// Makes the draft's deliveries be found by type, receiver and sender, and not by identity. Where a
// round of an exchange is left out, messages of the next one take the place of its messages.
void rh_draft_forget_identities(struct rh_schedule *draft);

// Whether an actor gets messages of one type from one sender more than once.
bool rh_moves_repeat(const struct rh_moves *moves);

// A draft of all moves but those left out and those that can't be made without them.
void rh_draft_without(struct rh_schedule *draft, const struct rh_moves *moves,
                      const bool *left_out);

#endif
