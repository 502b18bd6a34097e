// SPDX-License-Identifier: MIT
// Must-happen-before of one run: which of two receives must come first in every run in which both have the same past.
// After Tasharofi, Pradel, Lin and Johnson, "Bita" (ASE 2013), definitions 5 to 7.
//
// q must come after p if
//  - sent, created: handling p has sent q's message, or created its receiver;
//  - indirect: p came before such a receive at the same actor, and may have led it to do that;
//  - order: both are from one sender to one receiver, where that order is kept;
//  - enabled: p, or something before it at the same actor, made a guard let q in, which had refused it since it was
//    sent, or since a receive that must come before q;
//  - asks: p's handler waited for replies; who must come after p at that actor must come after those;
//  - timers: p is a timer of the same actor that was due earlier; with strict time a timer comes after all else;
// and whenever that follows from these by transitivity.
#ifndef REHEARSE_COVER_HAPPENS_BEFORE_H
#define REHEARSE_COVER_HAPPENS_BEFORE_H

#include <stddef.h>

#include "base/text.h"
#include "cover/receive.h"

// A row of bits for each receive. The largest run that fits has RH_RECEIVES_MOST.
struct rh_happens_before {
    uint64_t *rows; // what must come before it
    uint64_t *
        whole; // that, the receive itself, and all before it at its actor with what must come before those
    size_t words; // of a row
    size_t size;  // bytes reserved for each of both
};

enum { RH_RECEIVES_MOST = 1 << 16 };

// Reserves the address space, shared with processes that are forked. false if there is none.
bool rh_happens_before_open(struct rh_happens_before *before);
void rh_happens_before_close(struct rh_happens_before *before);

// Computes it for a run of at most RH_RECEIVES_MOST receives. Actors have numbers below `actors`.
void rh_happens_before_of(struct rh_happens_before *before, const struct rh_receives *run,
                          uint32_t actors, bool strict_time);

// The part of it that does not depend on what actors do with what they get: the receive that sent the message, and the
// one that created the receiver; what is ahead of it in the order of messages; and whatever follows from these.
void rh_happens_before_direct(struct rh_happens_before *before, const struct rh_receives *run);

// Whether the receive at `first` must come before the one at `second`.
static inline bool rh_must_precede(const struct rh_happens_before *before, uint32_t first,
                                   uint32_t second)
{
    return before->rows[second * before->words + first / 64] >> first % 64 & 1;
}

static inline const uint64_t *rh_happens_before_row(const struct rh_happens_before *before,
                                                    uint32_t place)
{
    return before->rows + place * before->words;
}

// Why: one step from a receive to a later one that must come after it.
enum rh_reason {
    RH_REASON_SENT,
    RH_REASON_CREATED,
    RH_REASON_LED_TO_SEND, // may have led an actor to what is above
    RH_REASON_LED_TO_CREATE,
    RH_REASON_ORDER,
    RH_REASON_ENABLED,
    RH_REASON_ASK,
    RH_REASON_TIMER,
};

struct rh_because {
    enum rh_reason reason;
    uint32_t place; // of the later receive
    uint32_t via;   // of the one that sent, created or let it in, where the earlier one led to that
};

// The shortest chain of such steps from `first` to `second`, which must come after it; `chain` has room for `most`.
// Gives how many there are; 0 if there are more than that.
uint32_t rh_happens_before_explain(const struct rh_happens_before *before,
                                   const struct rh_receives *run, uint32_t first, uint32_t second,
                                   bool strict_time, struct rh_because *chain, uint32_t most);

#endif
