// SPDX-License-Identifier: MIT
// Handlers that wait: for a reply, or for room in a mailbox.
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/runtime.h"

void rh_suspend(struct rh_carrier *carrier, struct rh_wait *wait)
{
    wait->stack = carrier->stack;
    wait->delivery = carrier->delivery;
    rh_timing_end(carrier->runtime, &wait->delivery->timing);
    carrier->delivery = NULL;
    rh_stack_run(carrier, &wait->stack_pointer);
    carrier->delivery = wait->delivery;
}

_Noreturn void rh_go_on(struct rh_carrier *carrier, struct rh_wait *wait)
{
    rh_stack_back(carrier, wait->stack, &wait->stack_pointer);
}

// A thread from outside sleeps for short times, so that it notices the end of the run.
static void sleep_outside(struct rh_runtime *runtime, struct rh_wait *wait)
{
    const struct timespec limit = {.tv_nsec = 20 * 1000000L};
    while (__atomic_load_n(&wait->woken, __ATOMIC_ACQUIRE) == 0 && !rh_is_finished(runtime))
        syscall(SYS_futex, &wait->woken, FUTEX_WAIT_PRIVATE, 0, &limit, NULL, 0);
}

void rh_resume(struct rh_wait *wait)
{
    struct rh_carrier *carrier = wait->carrier;
    if (!carrier) {
        __atomic_store_n(&wait->woken, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &wait->woken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        return;
    }
    struct rh_wait *newest = __atomic_load_n(&carrier->resumed, __ATOMIC_RELAXED);
    do {
        wait->next = newest;
        // Releases the wait, with its reply, to next_ready. Comes before the look at `parked`:
        // idle.c.
    } while (!__atomic_compare_exchange_n(&carrier->resumed, &newest, wait, true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    rh_wake_carrier(carrier);
}

// Room.

// The list is a ring: cell->senders is the newest wait, and next of that the oldest.
static void append(struct rh_cell *cell, struct rh_wait *wait)
{
    struct rh_wait *newest = cell->senders;
    wait->next = newest ? newest->next : wait;
    if (newest)
        newest->next = wait;
    __atomic_store_n(&cell->senders, wait, __ATOMIC_SEQ_CST);
}

// Takes the wait behind `before` out of the ring.
static struct rh_wait *take_after(struct rh_cell *cell, struct rh_wait *before)
{
    struct rh_wait *wait = before->next;
    before->next = wait->next;
    if (cell->senders == wait)
        __atomic_store_n(&cell->senders, wait == before ? NULL : before, __ATOMIC_SEQ_CST);
    return wait;
}

static bool has_room(const struct rh_runtime *runtime, const struct rh_cell *cell)
{
    return __atomic_load_n(&cell->load, __ATOMIC_SEQ_CST) < (int64_t)runtime->options.mailbox_limit;
}

// The wait before this one in the ring, or NULL if this one is not in the ring any more.
static struct rh_wait *find_before(const struct rh_cell *cell, const struct rh_wait *wait)
{
    struct rh_wait *before = cell->senders;
    for (; before && before->next != wait; before = before->next)
        if (before->next == cell->senders)
            return NULL;
    return before;
}

// A thread from outside takes its wait out of the ring. If another thread has done so already,
// rh_resume still has to write to the wait, and this thread must not return before.
static void leave(struct rh_runtime *runtime, struct rh_cell *cell, struct rh_wait *wait)
{
    pthread_mutex_lock(&runtime->room_lock);
    struct rh_wait *before = find_before(cell, wait);
    if (before)
        take_after(cell, before);
    pthread_mutex_unlock(&runtime->room_lock);
    while (!before && __atomic_load_n(&wait->woken, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
}

static void record(struct rh_carrier *carrier, enum rh_record_kind kind)
{
    if (carrier->lane)
        rh_record_wait(carrier->lane, kind,
                       rh_cell_number(&carrier->runtime->cells, carrier->delivery->cell));
}

static void wait_for_room(struct rh_runtime *runtime, struct rh_carrier *carrier,
                          struct rh_cell *cell, const struct rh_type *type)
{
    struct rh_wait wait = {.carrier = carrier, .type = type};
    pthread_mutex_lock(&runtime->room_lock);
    append(cell, &wait);
    // Either this thread sees that a message has been handled since, or rh_make_room sees the wait.
    bool waits = !has_room(runtime, cell);
    if (!waits)
        take_after(cell, find_before(cell, &wait));
    else if (carrier)
        carrier->delivery->cell->wait = &wait;
    pthread_mutex_unlock(&runtime->room_lock);
    if (waits && carrier) {
        record(carrier, RH_RECORD_WAIT);
        rh_suspend(carrier, &wait);
        record(carrier, RH_RECORD_CONTINUE);
        carrier->delivery->cell->wait = NULL;
    } else if (waits) {
        sleep_outside(runtime, &wait);
        leave(runtime, cell, &wait);
    }
}

static bool count_one_more(const struct rh_runtime *runtime, struct rh_cell *cell)
{
    int32_t count = __atomic_load_n(&cell->load, __ATOMIC_RELAXED);
    do {
        if (count >= (int64_t)runtime->options.mailbox_limit)
            return false;
    } while (!__atomic_compare_exchange_n(&cell->load, &count, count + 1, true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    return true;
}

static void count_dropped(struct rh_runtime *runtime, struct rh_carrier *carrier)
{
    rh_post_enter(runtime, carrier)->counts.dropped++;
    rh_post_leave(runtime, carrier);
}

bool rh_find_room(struct rh_runtime *runtime, struct rh_carrier *carrier, struct rh_cell *cell,
                  const struct rh_type *type, const char *file, int line)
{
    // Before the first delivery and after the run nobody makes room, and in its own mailbox an
    // actor always finds room.
    if (runtime->in_setup || rh_is_finished(runtime) ||
        (carrier && carrier->delivery->cell == cell)) {
        __atomic_add_fetch(&cell->load, 1, __ATOMIC_SEQ_CST);
        return true;
    }
    while (!count_one_more(runtime, cell)) {
        if (runtime->options.overload == RH_DROP_NEWEST) {
            count_dropped(runtime, carrier);
            return false;
        }
        if (runtime->options.overload == RH_FAIL) {
            char name[RH_NAME_SIZE];
            rh_cell_name(runtime, cell, name);
            rh_runtime_fail(file, line, "%s has %zu messages to handle, and %s is one more", name,
                            runtime->options.mailbox_limit, type->name);
        }
        wait_for_room(runtime, carrier, cell, type);
        if (rh_is_finished(runtime) && !carrier)
            return false;
    }
    return true;
}

void rh_make_room(struct rh_runtime *runtime, struct rh_cell *cell)
{
    __atomic_sub_fetch(&cell->load, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&cell->senders, __ATOMIC_SEQ_CST) || !has_room(runtime, cell))
        return;
    pthread_mutex_lock(&runtime->room_lock);
    struct rh_wait *wait = cell->senders ? take_after(cell, cell->senders) : NULL;
    pthread_mutex_unlock(&runtime->room_lock);
    if (wait)
        rh_resume(wait);
}

void rh_open_room(struct rh_runtime *runtime, struct rh_cell *cell)
{
    __atomic_store_n(&cell->load, 0, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&runtime->room_lock);
    while (cell->senders)
        rh_resume(take_after(cell, cell->senders));
    pthread_mutex_unlock(&runtime->room_lock);
}
