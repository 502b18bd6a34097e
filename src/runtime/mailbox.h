// SPDX-License-Identifier: MIT
// Where messages for one actor arrive: any thread pushes, the thread that runs the actor takes. One
// word says both which messages are there and whether somebody runs the actor, so that no wake-up
// can be lost and none is made twice:
//
//     IDLE    nothing is there and nobody runs the actor: whoever pushes now must schedule it
//     EMPTY   somebody runs the actor, or is about to, and has taken everything
//     CLOSED  no actor lives there
//     else    the newest message, linked to older ones; somebody runs the actor or is about to
//
//     rh_mailbox_push    IDLE, EMPTY, else -> else
//     rh_mailbox_take    EMPTY, else -> EMPTY
//     rh_mailbox_settle  EMPTY -> IDLE
//     rh_mailbox_close   any -> CLOSED
//     rh_mailbox_open    CLOSED -> IDLE
//     rh_mailbox_reserve CLOSED -> EMPTY
//
// All but push are for the thread that runs the actor. An actor that is reserved is run, so to say,
// by the thread that will give it its state: messages gather until that thread settles.
// tests/runtime/mailbox.pml is a model of the mailbox together with sleeping threads.
#ifndef REHEARSE_RUNTIME_MAILBOX_H
#define REHEARSE_RUNTIME_MAILBOX_H

#include "base/status.h"
#include "runtime/mail.h"

enum { RH_MAILBOX_EMPTY, RH_MAILBOX_IDLE, RH_MAILBOX_CLOSED };

struct rh_mailbox {
    uintptr_t newest;
};

enum rh_push {
    RH_PUSHED,
    RH_PUSHED_AND_WOKE, // the caller schedules the actor
    RH_NOT_PUSHED,      // closed; the message is still the caller's
};

static inline enum rh_push rh_mailbox_push(struct rh_mailbox *mailbox, struct rh_mail *mail)
{
    uintptr_t newest = __atomic_load_n(&mailbox->newest, __ATOMIC_RELAXED);
    do {
        if (newest == RH_MAILBOX_CLOSED)
            return RH_NOT_PUSHED;
        mail->next = newest > RH_MAILBOX_CLOSED ? (struct rh_mail *)newest : NULL;
        // Acquires what the last runner wrote before it settled, for the next runner; releases the
        // message to take.
    } while (!__atomic_compare_exchange_n(&mailbox->newest, &newest, (uintptr_t)mail, true,
                                          __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return newest == RH_MAILBOX_IDLE ? RH_PUSHED_AND_WOKE : RH_PUSHED;
}

static inline struct rh_mail *rh__mailbox_oldest_first(uintptr_t newest)
{
    struct rh_mail *mail = (struct rh_mail *)newest, *oldest = NULL;
    while (mail) {
        struct rh_mail *older = mail->next;
        mail->next = oldest;
        oldest = mail;
        mail = older;
    }
    return oldest;
}

// Takes all messages that have arrived, oldest first; NULL if there are none.
static inline struct rh_mail *rh_mailbox_take(struct rh_mailbox *mailbox)
{
    if (__atomic_load_n(&mailbox->newest, __ATOMIC_RELAXED) == RH_MAILBOX_EMPTY)
        return NULL;
    // Acquires the messages from push.
    uintptr_t newest = __atomic_exchange_n(&mailbox->newest, RH_MAILBOX_EMPTY, __ATOMIC_ACQUIRE);
    rh_verify(newest > RH_MAILBOX_CLOSED);
    return rh__mailbox_oldest_first(newest);
}

// Says that the runner has nothing left to do. Gives false if a message has arrived. After true the
// actor is another thread's, and the caller must not touch it.
static inline bool rh_mailbox_settle(struct rh_mailbox *mailbox)
{
    uintptr_t expected = RH_MAILBOX_EMPTY;
    // Releases what the runner wrote to the push that wakes the actor.
    return __atomic_compare_exchange_n(&mailbox->newest, &expected, RH_MAILBOX_IDLE, false,
                                       __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

// Gives the messages that had arrived, oldest first.
static inline struct rh_mail *rh_mailbox_close(struct rh_mailbox *mailbox)
{
    uintptr_t newest = __atomic_exchange_n(&mailbox->newest, RH_MAILBOX_CLOSED, __ATOMIC_ACQ_REL);
    return newest > RH_MAILBOX_CLOSED ? rh__mailbox_oldest_first(newest) : NULL;
}

static inline void rh_mailbox_open(struct rh_mailbox *mailbox)
{
    rh_verify(__atomic_load_n(&mailbox->newest, __ATOMIC_RELAXED) == RH_MAILBOX_CLOSED);
    // Releases the new actor to the push that wakes it.
    __atomic_store_n(&mailbox->newest, RH_MAILBOX_IDLE, __ATOMIC_RELEASE);
}

// A new actor that nobody runs before its state is there.
static inline void rh_mailbox_reserve(struct rh_mailbox *mailbox)
{
    rh_verify(__atomic_load_n(&mailbox->newest, __ATOMIC_RELAXED) == RH_MAILBOX_CLOSED);
    __atomic_store_n(&mailbox->newest, RH_MAILBOX_EMPTY, __ATOMIC_RELEASE);
}

#endif
