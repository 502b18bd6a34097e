// SPDX-License-Identifier: MIT
// Must-happen-before of one execution: which of two receives must come first in every execution in
// which both have the same past. With another past an actor may send the messages in another order,
// or a guard may let another one in: what holds whatever the past is far less
// (rh_happens_before_certain). After Tasharofi, Pradel, Lin and Johnson, "Bita" (ASE 2013),
// definitions 5 to 7.
//
// Receive q must come after receive p if
//  - sent, created: the handler of p has sent q's message, or created q's receiver;
//  - indirect: p came at the actor that did so before the receive in which it did, and may have led
//    the actor to do it;
//  - carried: p came at another actor before that receive or one that may have led to it, and both
//    touch something by which the one may change what the other does, such as a lock of threads and
//    what they keep under it. (What an invariant looks at changes nothing: two receives that an
//    invariant sees depend on each other, but neither has to come first because of that.)
//  - order: p and q have one sender and one receiver, and the order of their messages is kept;
//  - enabled: a guard refused q's message since it was sent, or since a receive that must come
//    before q, and let it in after p or after a later receive of p's actor;
//  - asks: q must come after another receive of q's actor, and p is a reply that the handler of
//    that receive waited for;
//  - timers: p and q are timers of one actor, p is due earlier and no guard has refused p; or time
//    is strict and q is a timer;
//  - and if q must come after a receive that must come after p.
#ifndef REHEARSE_COVER_HAPPENS_BEFORE_H
#define REHEARSE_COVER_HAPPENS_BEFORE_H

#include <stddef.h>

#include "base/text.h"
#include "cover/receive.h"

// A table with a row of bits for each receive; the bits stand for places. The largest execution
// that fits has RH_RECEIVES_MOST receives.
struct rh_happens_before {
    uint64_t *rows; // row of a receive: the places of the receives that must come before it
    // Row of a receive: its own place, the places of all receives before it that may have led its
    // actor to what it does, and all that is in `rows` for any of these.
    uint64_t *whole;
    size_t words;    // length of a row
    bool is_certain; // the rows have only what holds whatever the past
    size_t size;     // bytes reserved for `rows`, and as many for `whole`
};

enum { RH_RECEIVES_MOST = 1 << 16 };

// Reserves the address space, shared with processes that are forked later. false if there is none.
bool rh_happens_before_open(struct rh_happens_before *before);
void rh_happens_before_close(struct rh_happens_before *before);

struct rh_coverage;

// Fills the table for an execution of at most RH_RECEIVES_MOST receives, whose actors and events
// the coverage knows.
void rh_happens_before_of(struct rh_happens_before *before, const struct rh_coverage *coverage,
                          const struct rh_receives *execution, bool strict_time);

// Fills only `rows`, and only with what follows at once: a receive comes after the receive whose
// handler sent its message, the one whose handler created its receiver, the one ahead of it in the
// order of messages, and all that these come after.
void rh_happens_before_direct(struct rh_happens_before *before,
                              const struct rh_receives *execution);

// Fills only `rows`, and only with what holds in every execution that has both receives, however
// actors react to messages. A receive comes after the receive whose handler sent its message, the
// one whose handler created its receiver, and all that these come after: identities say so. And it
// comes after those of the same channel whose messages were sent before in every execution: by the
// test's body, or by a receive that comes before the one that has sent its message. (Two messages
// of one delivery may be sent in another order where the sender has another state.) Where there are
// guards, a message that one refuses lets others of its channel pass.
void rh_happens_before_certain(struct rh_happens_before *before, const struct rh_coverage *coverage,
                               const struct rh_receives *execution);

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

// Why a receive must come after an earlier one, in one step.
enum rh_reason {
    RH_REASON_SENT,
    RH_REASON_CREATED,
    RH_REASON_LED_TO_SEND,   // the earlier receive may have led an actor to send the message later
    RH_REASON_LED_TO_CREATE, // the earlier receive may have led an actor to create the receiver
    RH_REASON_ORDER,
    RH_REASON_ENABLED,
    RH_REASON_ASK,
    RH_REASON_TIMER,
};

struct rh_because {
    enum rh_reason reason;
    uint32_t place; // place of the later receive
    // Place of the receive that sent the later one's message, created its receiver or let it in:
    // the earlier receive, or one that the earlier receive may have led to that.
    uint32_t via;
};

// Fills `chain`, which has room for `most` steps, with the shortest chain of steps from `first` to
// `second`, a receive that must come after `first`. If the table has only what is certain, so has
// the chain. Gives the number of steps; 0 if there are more
// than `most`.
uint32_t rh_happens_before_explain(const struct rh_happens_before *before,
                                   const struct rh_coverage *coverage,
                                   const struct rh_receives *execution, uint32_t first,
                                   uint32_t second, bool strict_time, struct rh_because *chain,
                                   uint32_t most);

#endif
