// SPDX-License-Identifier: MIT
// What a carrier does: takes an actor that has messages and lets it handle a batch of them.
#include <errno.h>
#include <stdlib.h>

#include "runtime/record_delivery.h"
#include "runtime/runtime.h"

enum {
    BATCH = 128, // messages that an actor may handle, or send, before others have their turn
    STREAK = 32, // actors in a row that may pass those in the ring
    SHARED = 64, // after so many actors the shared queue comes first
};

// Guards.

static bool accepts(struct rh_carrier *carrier, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_delivery delivery = {.cell = cell, .mail = mail, .stage = RH_AT_GUARD};
    carrier->delivery = &delivery;
    bool accepted = cell->guard(cell->state, (const rh_message *)mail);
    carrier->delivery = NULL;
    mail->handled = false;
    return accepted;
}

static void keep(struct rh_cell *cell, struct rh_mail *mail)
{
    mail->next = NULL;
    if (cell->last_refused)
        cell->last_refused->next = mail;
    else
        cell->refused = mail;
    cell->last_refused = mail;
}

// The oldest message that was refused and is accepted now; NULL if there is none.
static struct rh_mail *reconsider(struct rh_carrier *carrier, struct rh_cell *cell)
{
    struct rh_mail *before = NULL;
    for (struct rh_mail *mail = cell->refused; mail; before = mail, mail = mail->next) {
        if (cell->guard && !accepts(carrier, cell, mail))
            continue;
        if (before)
            before->next = mail->next;
        else
            cell->refused = mail->next;
        if (cell->last_refused == mail)
            cell->last_refused = before;
        return mail;
    }
    return NULL;
}

// Handling.

static void free_list(struct rh_carrier *carrier, struct rh_mail *mail)
{
    while (mail) {
        struct rh_mail *next = mail->next;
        rh_mail_free(&carrier->runtime->office, &carrier->post.mails, mail);
        mail = next;
    }
}

static void note_unhandled(struct rh_carrier *carrier, const struct rh_cell *cell,
                           const struct rh_mail *mail)
{
    struct rh_counts *counts = &carrier->post.counts;
    if (counts->unhandled++ == 0) {
        counts->first_unhandled = mail->type;
        counts->unhandled_by = cell->behaviour_name;
    }
}

static void run_at_stop(struct rh_carrier *carrier, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_delivery delivery = {.cell = cell, .mail = mail, .stage = RH_AT_STOP};
    carrier->delivery = &delivery;
    cell->at_stop(rh_cell_address(&carrier->runtime->cells, cell), cell->state);
    rh_check_reserved(carrier->runtime, delivery.reserved);
    carrier->delivery = NULL;
    rh_timing_end(carrier->runtime, &delivery.timing);
    free_list(carrier, delivery.replies);
}

static void stop(struct rh_carrier *carrier, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_runtime *runtime = carrier->runtime;
    if (cell->at_stop)
        run_at_stop(carrier, cell, mail);
    struct rh_mail *newest = rh_mailbox_close(&cell->mailbox);
    if (runtime->options.mailbox_limit > 0)
        rh_open_room(runtime, cell);
    rh_discard(runtime, &carrier->post, cell->refused);
    rh_discard(runtime, &carrier->post, cell->inbox);
    rh_discard(runtime, &carrier->post, newest);
    if (cell->state != cell->small)
        free(cell->state);
    carrier->post.counts.stopped++;
    rh_cells_give(&runtime->cells, &carrier->post.cells, cell);
}

// Gives false if the actor has stopped.
static bool handle(struct rh_carrier *carrier, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_delivery delivery = {.cell = cell, .mail = mail, .stage = RH_AT_HANDLER};
    carrier->delivery = &delivery;
    if (carrier->lane)
        rh_record_delivery(carrier->lane, cell, mail, false);
    errno = 0;
    cell->behaviour(rh_cell_address(&carrier->runtime->cells, cell), cell->state,
                    (const rh_message *)mail);
    rh_check_reserved(carrier->runtime, delivery.reserved);
    carrier->delivery = NULL;
    rh_timing_end(carrier->runtime, &delivery.timing);
    carrier->post.counts.delivered++;
    if (!mail->handled)
        note_unhandled(carrier, cell, mail);
    if (delivery.replies)
        free_list(carrier, delivery.replies);
    if (carrier->runtime->options.mailbox_limit > 0)
        rh_make_room(carrier->runtime, cell);
    bool stopping = cell->stopping;
    if (stopping)
        stop(carrier, cell, mail);
    rh_mail_free(&carrier->runtime->office, &carrier->post.mails, mail);
    return !stopping;
}

// Handles a message that has arrived, and then those that the guard refused before and takes now.
// Gives false if the actor has stopped.
static bool receive(struct rh_carrier *carrier, struct rh_cell *cell, struct rh_mail *mail)
{
    if (__builtin_expect(mail->life != cell->life, 0)) {
        if (carrier->runtime->options.mailbox_limit > 0)
            rh_make_room(carrier->runtime, cell);
        mail->next = NULL;
        rh_discard(carrier->runtime, &carrier->post, mail);
        return true;
    }
    if (cell->guard && !accepts(carrier, cell, mail)) {
        keep(cell, mail);
        return true;
    }
    do {
        if (!handle(carrier, cell, mail))
            return false;
    } while (cell->refused && (mail = reconsider(carrier, cell)));
    return true;
}

// The next message; NULL if there is none: then the actor is not this carrier's any more.
static struct rh_mail *fetch(struct rh_cell *cell)
{
    while (!cell->inbox) {
        cell->inbox = rh_mailbox_take(&cell->mailbox);
        if (!cell->inbox && rh_mailbox_settle(&cell->mailbox))
            return NULL;
    }
    struct rh_mail *mail = cell->inbox;
    cell->inbox = mail->next;
    return mail;
}

// An actor that has more to do goes behind all others, those in the shared queue too: actors that
// it has sent messages to may be there, and their messages would pile up.
static void requeue(struct rh_carrier *carrier, struct rh_cell *cell)
{
    struct rh_shared_queue *queue = &carrier->runtime->queue;
    if (rh_shared_queue_is_empty(queue)) {
        rh_enqueue(carrier, cell);
    } else {
        rh_shared_queue_push(queue, cell);
        rh_wake_one(carrier->runtime);
    }
}

// An actor that sends more than it handles makes way for its receivers, or their messages would
// pile up.
static void run(struct rh_carrier *carrier, struct rh_cell *cell)
{
    carrier->sent = 0;
    for (int i = 0; i < BATCH && carrier->sent < BATCH; i++) {
        struct rh_mail *mail = fetch(cell);
        if (!mail || !receive(carrier, cell, mail))
            return;
    }
    requeue(carrier, cell);
}

// Who is next.

static struct rh_wait *next_ready(struct rh_carrier *carrier)
{
    if (!carrier->ready && __atomic_load_n(&carrier->resumed, __ATOMIC_RELAXED)) {
        // Acquires the wait that rh_resume released.
        struct rh_wait *wait = __atomic_exchange_n(&carrier->resumed, NULL, __ATOMIC_ACQUIRE);
        while (wait) {
            struct rh_wait *older = wait->next;
            wait->next = carrier->ready;
            carrier->ready = wait;
            wait = older;
        }
    }
    struct rh_wait *wait = carrier->ready;
    if (wait)
        carrier->ready = wait->next;
    return wait;
}

// Goes on with a handler that can go on, and does not return then; or gives the successor.
static struct rh_cell *next_in_cache(struct rh_carrier *carrier)
{
    struct rh_wait *wait = next_ready(carrier);
    if (wait)
        rh_go_on(carrier, wait);
    if (!__atomic_load_n(&carrier->successor, __ATOMIC_RELAXED))
        return NULL;
    return __atomic_exchange_n(&carrier->successor, NULL, __ATOMIC_ACQ_REL);
}

static struct rh_cell *next_shared(struct rh_carrier *carrier)
{
    return rh_shared_queue_pop(&carrier->runtime->queue, &carrier->ring);
}

static struct rh_cell *next_in_turn(struct rh_carrier *carrier, uint32_t tick)
{
    struct rh_cell *cell = tick % SHARED == 0 ? next_shared(carrier) : NULL;
    if (!cell)
        cell = rh_ring_pop(&carrier->ring);
    if (!cell)
        cell = next_in_cache(carrier);
    if (!cell)
        cell = next_shared(carrier);
    return cell;
}

static struct rh_cell *next_cell(struct rh_carrier *carrier)
{
    uint32_t tick = __atomic_load_n(&carrier->ticks, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&carrier->ticks, tick, __ATOMIC_RELAXED);
    if (++carrier->streak < STREAK && tick % SHARED != 0) {
        struct rh_cell *cell = next_in_cache(carrier);
        if (cell)
            return cell;
    }
    carrier->streak = 0;
    return next_in_turn(carrier, tick);
}

void rh_carrier_loop(void *argument)
{
    struct rh_carrier *carrier = argument;
    while (!rh_is_finished(carrier->runtime)) {
        struct rh_cell *cell = next_cell(carrier);
        if (!cell)
            cell = rh_idle(carrier);
        if (cell)
            run(carrier, cell);
    }
    rh_stack_back(carrier, NULL, &carrier->home);
}
