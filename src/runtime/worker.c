// SPDX-License-Identifier: MIT
// What a worker does: takes an actor that has messages and lets it handle a batch of them.
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

static bool accepts(struct rh_run_worker *worker, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_delivery delivery = {.cell = cell, .mail = mail, .stage = RH_AT_GUARD};
    worker->delivery = &delivery;
    bool accepted = cell->guard(cell->state, (const rh_message *)mail);
    worker->delivery = NULL;
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
static struct rh_mail *reconsider(struct rh_run_worker *worker, struct rh_cell *cell)
{
    struct rh_mail *before = NULL;
    for (struct rh_mail *mail = cell->refused; mail; before = mail, mail = mail->next) {
        if (cell->guard && !accepts(worker, cell, mail))
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

static void free_list(struct rh_run_worker *worker, struct rh_mail *mail)
{
    while (mail) {
        struct rh_mail *next = mail->next;
        rh_mail_free(&worker->runtime->office, &worker->post.mails, mail);
        mail = next;
    }
}

static void note_unhandled(struct rh_run_worker *worker, const struct rh_cell *cell,
                           const struct rh_mail *mail)
{
    struct rh_counts *counts = &worker->post.counts;
    if (counts->unhandled++ == 0) {
        counts->first_unhandled = mail->type;
        counts->unhandled_by = cell->behaviour_name;
    }
}

static void run_at_stop(struct rh_run_worker *worker, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_delivery delivery = {.cell = cell, .mail = mail, .stage = RH_AT_STOP};
    worker->delivery = &delivery;
    cell->at_stop(rh_cell_address(&worker->runtime->cells, cell), cell->state);
    worker->delivery = NULL;
    rh_timing_end(worker->runtime, &delivery.timing);
    free_list(worker, delivery.replies);
}

static void stop(struct rh_run_worker *worker, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_runtime *runtime = worker->runtime;
    if (cell->at_stop)
        run_at_stop(worker, cell, mail);
    struct rh_mail *newest = rh_mailbox_close(&cell->mailbox);
    if (runtime->options.mailbox_limit > 0)
        rh_open_room(runtime, cell);
    rh_discard(runtime, &worker->post, cell->refused);
    rh_discard(runtime, &worker->post, cell->inbox);
    rh_discard(runtime, &worker->post, newest);
    if (cell->state != cell->small)
        free(cell->state);
    worker->post.counts.stopped++;
    rh_cells_give(&runtime->cells, &worker->post.cells, cell);
}

// Gives false if the actor has stopped.
static bool handle(struct rh_run_worker *worker, struct rh_cell *cell, struct rh_mail *mail)
{
    struct rh_delivery delivery = {.cell = cell, .mail = mail, .stage = RH_AT_HANDLER};
    worker->delivery = &delivery;
    if (worker->lane)
        rh_record_delivery(worker->lane, cell, mail, false);
    errno = 0;
    cell->behaviour(rh_cell_address(&worker->runtime->cells, cell), cell->state,
                    (const rh_message *)mail);
    worker->delivery = NULL;
    rh_timing_end(worker->runtime, &delivery.timing);
    worker->post.counts.delivered++;
    if (!mail->handled)
        note_unhandled(worker, cell, mail);
    if (delivery.replies)
        free_list(worker, delivery.replies);
    if (worker->runtime->options.mailbox_limit > 0)
        rh_make_room(worker->runtime, cell);
    bool stopping = cell->stopping;
    if (stopping)
        stop(worker, cell, mail);
    rh_mail_free(&worker->runtime->office, &worker->post.mails, mail);
    return !stopping;
}

// Handles a message that has arrived, and then those that the guard refused before and takes now.
// Gives false if the actor has stopped.
static bool receive(struct rh_run_worker *worker, struct rh_cell *cell, struct rh_mail *mail)
{
    if (__builtin_expect(mail->life != cell->life, 0)) {
        if (worker->runtime->options.mailbox_limit > 0)
            rh_make_room(worker->runtime, cell);
        mail->next = NULL;
        rh_discard(worker->runtime, &worker->post, mail);
        return true;
    }
    if (cell->guard && !accepts(worker, cell, mail)) {
        keep(cell, mail);
        return true;
    }
    do {
        if (!handle(worker, cell, mail))
            return false;
    } while (cell->refused && (mail = reconsider(worker, cell)));
    return true;
}

// The next message; NULL if there is none: then the actor is not this worker's any more.
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
static void requeue(struct rh_run_worker *worker, struct rh_cell *cell)
{
    struct rh_shared_queue *queue = &worker->runtime->queue;
    if (rh_shared_queue_is_empty(queue)) {
        rh_enqueue(worker, cell);
    } else {
        rh_shared_queue_push(queue, cell);
        rh_wake_one(worker->runtime);
    }
}

// An actor that sends more than it handles makes way for its receivers, or their messages would
// pile up.
static void run(struct rh_run_worker *worker, struct rh_cell *cell)
{
    worker->sent = 0;
    for (int i = 0; i < BATCH && worker->sent < BATCH; i++) {
        struct rh_mail *mail = fetch(cell);
        if (!mail || !receive(worker, cell, mail))
            return;
    }
    requeue(worker, cell);
}

// Who is next.

static struct rh_wait *next_ready(struct rh_run_worker *worker)
{
    if (!worker->ready && __atomic_load_n(&worker->resumed, __ATOMIC_RELAXED)) {
        // Acquires the wait that rh_resume released.
        struct rh_wait *wait = __atomic_exchange_n(&worker->resumed, NULL, __ATOMIC_ACQUIRE);
        while (wait) {
            struct rh_wait *older = wait->next;
            wait->next = worker->ready;
            worker->ready = wait;
            wait = older;
        }
    }
    struct rh_wait *wait = worker->ready;
    if (wait)
        worker->ready = wait->next;
    return wait;
}

// Goes on with a handler that can go on, and does not return then; or gives the successor.
static struct rh_cell *next_in_cache(struct rh_run_worker *worker)
{
    struct rh_wait *wait = next_ready(worker);
    if (wait)
        rh_go_on(worker, wait);
    if (!__atomic_load_n(&worker->successor, __ATOMIC_RELAXED))
        return NULL;
    return __atomic_exchange_n(&worker->successor, NULL, __ATOMIC_ACQ_REL);
}

static struct rh_cell *next_shared(struct rh_run_worker *worker)
{
    return rh_shared_queue_pop(&worker->runtime->queue, &worker->ring);
}

static struct rh_cell *next_in_turn(struct rh_run_worker *worker, uint32_t tick)
{
    struct rh_cell *cell = tick % SHARED == 0 ? next_shared(worker) : NULL;
    if (!cell)
        cell = rh_ring_pop(&worker->ring);
    if (!cell)
        cell = next_in_cache(worker);
    if (!cell)
        cell = next_shared(worker);
    return cell;
}

static struct rh_cell *next_cell(struct rh_run_worker *worker)
{
    uint32_t tick = __atomic_load_n(&worker->ticks, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&worker->ticks, tick, __ATOMIC_RELAXED);
    if (++worker->streak < STREAK && tick % SHARED != 0) {
        struct rh_cell *cell = next_in_cache(worker);
        if (cell)
            return cell;
    }
    worker->streak = 0;
    return next_in_turn(worker, tick);
}

void rh_worker_loop(void *argument)
{
    struct rh_run_worker *worker = argument;
    while (!rh_is_finished(worker->runtime)) {
        struct rh_cell *cell = next_cell(worker);
        if (!cell)
            cell = rh_idle(worker);
        if (cell)
            run(worker, cell);
    }
    rh_stack_back(worker, NULL, &worker->home);
}
