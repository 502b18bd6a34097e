// SPDX-License-Identifier: MIT
// What is said about a cause.
#ifndef REHEARSE_EXPLORE_SHRINK_SHRINK_SENTENCE_H
#define REHEARSE_EXPLORE_SHRINK_SHRINK_SENTENCE_H

#include "explore/shrink/shrink_exchange.h"

// "set from writer#2 reached replica#2 before set from writer#1". Of two messages of one type, the
// fields in which they differ are named.
void rh_sentence_add_pair(struct rh_text *text, const struct rh_moves *moves, size_t first,
                          const struct rh_late *late);

// "receipt from account#1 to client#1 was lost": a fault or an outcome that belongs to the move.
void rh_sentence_add_step(struct rh_text *text, const struct rh_moves *moves, size_t move,
                          const struct rh_step *step);

#endif
