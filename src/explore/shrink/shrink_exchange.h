// SPDX-License-Identifier: MIT
// Two deliveries the other way round: what an execution shows in which just they are exchanged, and
// how much else is different then.
#ifndef REHEARSE_EXPLORE_SHRINK_SHRINK_EXCHANGE_H
#define REHEARSE_EXPLORE_SHRINK_SHRINK_EXCHANGE_H

#include "explore/shrink/shrinker.h"

// A delivery that came too late: a later move, or that of a message that was not delivered or not
// even sent.
struct rh_late {
    size_t move;         // 0: it is no move
    struct rh_step step; // strings borrowed; but of what is no move, the comment is owned
    size_t parent;       // SIZE_MAX if it was not sent, as `sent`
    size_t sent;
    uint64_t receiver;
    bool is_timer;
};

// An exchange without which the finding shows, and with which it does not.
struct rh_exchange {
    size_t first, late; // moves; `late` is 0 if what came too late is none
    bool is_elsewhere;  // at two actors
    bool is_clean;      // nothing else is wrong then
    bool has_timer;     // one of the two is a timer
    size_t lost;        // other moves that are not made then, or not in the same order
    size_t added;       // deliveries besides the moves, up to the late one
    size_t crossed;     // pairs of moves to one actor that are the other way round then
    // Place of each move among the deliveries that are made then, from 1; 0: it is not made. Owned.
    size_t *places;
};

void rh_exchange_fini(struct rh_exchange *exchange);

struct rh_late rh_late_move(const struct rh_shrinker *shrinker, size_t move);
// Owns its comment.
struct rh_late rh_late_waiting(const struct rh_shrinker *shrinker,
                               const struct rh_waiting *waiting);
// A message that another execution delivers, whose strings it borrows. Owns its comment.
struct rh_late rh_late_elsewhere(const struct rh_shrinker *shrinker,
                                 const struct rh_execution *execution,
                                 const struct rh_event *delivered);
void rh_late_fini(struct rh_late *late);

// How many moves there are up to a lap: a trial is to show whether the program goes round by
// itself.
size_t rh_moves_tried(const struct rh_moves *moves);
const struct rh_step *rh_moves_step(const struct rh_moves *moves, size_t move);

// Whether the late one can come before the first: it did not come of it, and is a move or had been
// sent by then.
bool rh_exchange_is_possible(const struct rh_shrinker *shrinker, size_t first,
                             const struct rh_late *late);

// Makes the late one come before the first: brings it forward if it had been sent by then,
// otherwise puts the first off. Whether the finding vanishes; *exchange is to be ended only then.
bool rh_exchange_try(struct rh_shrinker *shrinker, size_t first, const struct rh_late *late,
                     struct rh_exchange *exchange);

// Runs the moves without this one and what came of it, to the end. The caller ends the outcome.
struct rh_outcome rh_exchange_run_without(struct rh_shrinker *shrinker, size_t move);

// Holds the first until the late one, which no move sends, was delivered. As rh_exchange_try.
bool rh_exchange_try_held(struct rh_shrinker *shrinker, size_t first, const struct rh_late *late,
                          struct rh_exchange *exchange);

#endif
