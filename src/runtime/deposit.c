// SPDX-License-Identifier: MIT
// The way of a message into its receiver's mailbox, and of its receiver into a queue.
#include "runtime/runtime.h"

void rh_discard(struct rh_runtime *runtime, struct rh_post *post, struct rh_mail *mail)
{
    while (mail) {
        struct rh_mail *next = mail->next;
        if (post->counts.undelivered++ == 0)
            post->counts.first_undelivered = mail->type;
        rh_mail_free(&runtime->office, &post->mails, mail);
        mail = next;
    }
}

void rh_enqueue(struct rh_carrier *carrier, struct rh_cell *cell)
{
    if (!rh_ring_push(&carrier->ring, cell))
        rh_ring_spill(&carrier->ring, cell, &carrier->runtime->queue);
    rh_wake_one(carrier->runtime);
}

void rh_schedule(struct rh_runtime *runtime, struct rh_carrier *carrier, struct rh_cell *cell)
{
    if (!carrier) {
        rh_shared_queue_push(&runtime->queue, cell);
        rh_wake_one(runtime);
        return;
    }
    // Releases the actor to whoever takes the successor.
    struct rh_cell *before = __atomic_exchange_n(&carrier->successor, cell, __ATOMIC_ACQ_REL);
    if (before)
        rh_enqueue(carrier, before);
}

static void return_to_sender(struct rh_runtime *runtime, struct rh_carrier *carrier,
                             struct rh_cell *cell, struct rh_mail *mail)
{
    if (runtime->options.mailbox_limit > 0)
        __atomic_sub_fetch(&cell->load, 1, __ATOMIC_SEQ_CST);
    mail->next = NULL;
    rh_discard(runtime, rh_post_enter(runtime, carrier), mail);
    rh_post_leave(runtime, carrier);
}

void rh_deposit(struct rh_runtime *runtime, struct rh_carrier *carrier, struct rh_mail *mail)
{
    struct rh_cell *cell = &runtime->cells.cells[mail->cell];
    if (carrier)
        carrier->sent++;
    switch (rh_mailbox_push(&cell->mailbox, mail)) {
    case RH_PUSHED:
        break;
    case RH_PUSHED_AND_WOKE:
        rh_schedule(runtime, carrier, cell);
        break;
    case RH_NOT_PUSHED:
        return_to_sender(runtime, carrier, cell, mail);
        break;
    }
}
