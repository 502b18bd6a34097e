// SPDX-License-Identifier: MIT
// Workers without work. A worker looks into all queues for a moment, then sleeps, and uses no
// processor time until it is woken. No wake-up is lost:
//
//     who adds work                         who goes to sleep
//     1. puts an actor into a queue         1. sets its `parked`
//     2. looks at `sleeping`, `searching`   2. counts itself in `sleeping`, out of `searching`
//     3. wakes one if some sleep and        3. looks into all queues again
//        nobody searches                    4. sleeps while `parked` is ASLEEP
//
// All of these steps are sequentially consistent: either who adds work sees that the other sleeps,
// or who goes to sleep sees the actor. Whoever makes `parked` WAKING counts the sleeper out of
// `sleeping` and into `searching`, and then makes `parked` AWAKE. The sleeper waits for AWAKE, or
// it could count itself as asleep again before it was counted out. tests/runtime/mailbox.pml is a
// model of this protocol.
//
// A worker that goes to sleep as the last one, and finds nothing, has found the end of the run.
//
// What to take. Moving the cache lines of an actor, or of its messages, to another core takes
// several times as long as everything else that is done for a message. With two cores moving an
// actor is a loss unless handlers compute; with many cores it may pay. So a worker takes an actor
// from another's ring only if the actor has been there for some time, which means that the owner
// does not come round to it; the more workers there are, the shorter that time is. As long as
// owners do come round, a worker with nothing else to do naps: it counts as a searcher, so that
// nobody wakes another worker, and looks again a little later. A worker with something in its ring
// is awake, so no actor in a ring depends on other workers.
//
// The watcher. An actor that the running actor wakes runs next in the same thread, which is fast,
// and no other thread is woken for it. Should the running actor go on for long, somebody must
// notice: one of the sleeping workers sleeps for a short time only, and takes a successor that has
// waited since its last look. This watcher stops looking when all workers have slept for a while;
// whoever wakes a worker then wakes the watcher too.
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/runtime.h"

enum {
    LOOK_NS = 5000, // time of looking before a nap or sleep
    PAUSES = 12,    // pauses between two looks
    NAP_NS = 50000, // longest nap
    // How long an actor has been in a ring before another worker takes it, times the number of
    // workers.
    WAITED_NS = 200000,
    WATCH_NAPS = 40, // naps between two looks for a stuck successor
    WATCH_MS = 2,    // milliseconds between two looks of the watcher
    DEEP_AFTER = 25  // looks in vain before the watcher sleeps until it is woken
};

// Values of `parked`.
enum { AWAKE, ASLEEP, WAKING, NAPPING };

// In runtime->watcher: the watcher sleeps until it is woken.
#define DEEP (UINT32_C(1) << 31)

static void futex_wait(uint32_t *word, uint32_t expected, const struct timespec *limit)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, limit, NULL, 0);
}

static void futex_wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static uint32_t load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

// Waking.

// Makes the worker a searcher; gives false if it was awake.
static bool unpark(struct rh_run_worker *worker)
{
    struct rh_runtime *runtime = worker->runtime;
    uint32_t expected = ASLEEP;
    if (load(&worker->parked) != ASLEEP ||
        !__atomic_compare_exchange_n(&worker->parked, &expected, WAKING, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return false;
    __atomic_add_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    // Counted in this order, since is_end reads the two counts in the other order.
    __atomic_sub_fetch(&runtime->sleeping, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&runtime->awakenings, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&worker->parked, AWAKE, __ATOMIC_SEQ_CST);
    return true;
}

static bool end_nap(struct rh_run_worker *worker)
{
    uint32_t expected = NAPPING;
    return load(&worker->parked) == NAPPING &&
           __atomic_compare_exchange_n(&worker->parked, &expected, AWAKE, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

// Wakes a worker. Gives false if it did not sleep; a worker that naps looks around again, too.
static bool wake(struct rh_run_worker *worker)
{
    bool slept = unpark(worker);
    if (slept || end_nap(worker))
        futex_wake(&worker->parked);
    return slept;
}

// Called when a worker is awake again: the watcher must look after that worker.
static void wake_watcher(struct rh_runtime *runtime)
{
    uint32_t watcher = load(&runtime->watcher);
    if (watcher & DEEP)
        wake(&runtime->workers[(watcher & ~DEEP) - 1]);
}

void rh_wake_worker(struct rh_run_worker *worker)
{
    if (wake(worker))
        wake_watcher(worker->runtime);
}

static void wake_any(struct rh_runtime *runtime)
{
    uint32_t watcher = load(&runtime->watcher) & ~DEEP;
    for (unsigned i = 0; i < runtime->worker_count; i++)
        if (i + 1 != watcher && wake(&runtime->workers[i])) {
            wake_watcher(runtime);
            return;
        }
    if (watcher > 0)
        wake(&runtime->workers[watcher - 1]);
}

void rh_wake_one(struct rh_runtime *runtime)
{
    if (load(&runtime->sleeping) > 0 && load(&runtime->searching) == 0)
        wake_any(runtime);
}

void rh_finish(struct rh_runtime *runtime)
{
    __atomic_store_n(&runtime->finished, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < runtime->worker_count; i++)
        wake(&runtime->workers[i]);
}

// Searching.

static bool is_over_or_ready(const struct rh_run_worker *worker)
{
    return rh_is_finished(worker->runtime) || worker->ready ||
           __atomic_load_n(&worker->resumed, __ATOMIC_SEQ_CST);
}

static struct rh_cell *look_at_shared(struct rh_run_worker *worker)
{
    return rh_shared_queue_pop(&worker->runtime->queue, &worker->ring);
}

// Takes from a ring in which the same actors have waited for some time. In other rings waiting
// begins now.
static struct rh_cell *steal(struct rh_run_worker *worker, uint64_t now)
{
    struct rh_runtime *runtime = worker->runtime;
    struct rh_cell *cell = NULL;
    for (unsigned i = 1; i < runtime->worker_count && !cell; i++) {
        unsigned other = (worker->index + i) % runtime->worker_count;
        struct rh_ring *ring = &runtime->workers[other].ring;
        struct rh_sight *seen = &worker->seen[other];
        if (!rh_ring_has_since(ring, seen->ring)) {
            seen->ring = rh_ring_look(ring);
            seen->when = now;
        } else if (now - seen->when >= WAITED_NS / runtime->worker_count) {
            cell = rh_ring_steal(ring, &worker->ring);
        }
    }
    return cell;
}

static struct rh_cell *look_around(struct rh_run_worker *worker)
{
    struct rh_cell *cell = look_at_shared(worker);
    if (worker->runtime->worker_count == 1)
        return cell;
    for (uint64_t start = rh_clock_ns(), now = start;
         !cell && !is_over_or_ready(worker) && now - start < LOOK_NS; now = rh_clock_ns()) {
        cell = steal(worker, now);
        for (int i = 0; i < PAUSES && !cell; i++)
            __builtin_ia32_pause();
        if (!cell)
            cell = look_at_shared(worker);
    }
    return cell;
}

// The successor of a worker that has been busy with the same actor since the last look.
static struct rh_cell *take_stuck(struct rh_run_worker *worker)
{
    struct rh_runtime *runtime = worker->runtime;
    struct rh_cell *cell = NULL;
    for (unsigned i = 0; i < runtime->worker_count && !cell; i++) {
        struct rh_run_worker *other = &runtime->workers[i];
        uint32_t ticks = __atomic_load_n(&other->ticks, __ATOMIC_RELAXED);
        if (other != worker && worker->seen[i].ticks == ticks &&
            __atomic_load_n(&other->successor, __ATOMIC_RELAXED))
            // Acquires the actor from the exchange that made it the successor.
            cell = __atomic_exchange_n(&other->successor, NULL, __ATOMIC_ACQ_REL);
        worker->seen[i].ticks = ticks;
    }
    return cell;
}

// Sleeping.

static bool has_work(const struct rh_runtime *runtime)
{
    bool found = !rh_shared_queue_is_empty(&runtime->queue);
    for (unsigned i = 0; i < runtime->worker_count && !found; i++)
        found = !rh_ring_is_empty(&runtime->workers[i].ring);
    return found;
}

// Whether nothing is left to do. A worker whose handler is resumed by another worker's handler
// counts as awake before that handler returns. Timers are looked at before the queues, since a
// timer leaves the wheel after its receiver has come into a queue. If nobody has stopped sleeping
// meanwhile, only threads from outside can have added something.
static bool is_end(const struct rh_runtime *runtime)
{
    uint32_t awakenings = load(&runtime->awakenings);
    return !__atomic_load_n(&runtime->stays, __ATOMIC_SEQ_CST) &&
           load(&runtime->sleeping) == runtime->worker_count &&
           __atomic_load_n(&runtime->wheel.pending, __ATOMIC_SEQ_CST) == 0 &&
           __atomic_load_n(&runtime->transit.pending, __ATOMIC_SEQ_CST) == 0 &&
           !has_work(runtime) && load(&runtime->awakenings) == awakenings;
}

static bool become_watcher(struct rh_run_worker *worker)
{
    uint32_t nobody = 0, me = worker->index + 1;
    return worker->runtime->worker_count > 1 &&
           (__atomic_compare_exchange_n(&worker->runtime->watcher, &nobody, me, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
            (nobody & ~DEEP) == me);
}

static void sleep_while_parked(struct rh_run_worker *worker, const struct timespec *limit)
{
    do {
        futex_wait(&worker->parked, ASLEEP, limit);
    } while (!limit && load(&worker->parked) == ASLEEP);
}

// Ends this worker's sleep, unless another thread has ended it or is about to.
static void wake_up(struct rh_run_worker *worker)
{
    if (!unpark(worker))
        while (load(&worker->parked) == WAKING)
            futex_wait(&worker->parked, WAKING, NULL);
}

// Sleeps; the worker is a searcher when park returns. `looks` counts the watcher's looks in vain.
static void park(struct rh_run_worker *worker, unsigned *looks)
{
    struct rh_runtime *runtime = worker->runtime;
    bool watches = become_watcher(worker);
    bool deep = watches && *looks >= DEEP_AFTER;
    if (deep)
        __atomic_store_n(&runtime->watcher, (worker->index + 1) | DEEP, __ATOMIC_SEQ_CST);
    __atomic_store_n(&worker->parked, ASLEEP, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&runtime->sleeping, 1, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    bool everybody = load(&runtime->sleeping) == runtime->worker_count;
    const struct timespec limit = {.tv_nsec = WATCH_MS * 1000000L};
    if (is_end(runtime))
        rh_finish(runtime);
    else if (!has_work(runtime) && !is_over_or_ready(worker) && !(deep && !everybody))
        sleep_while_parked(worker, watches && !deep ? &limit : NULL);
    wake_up(worker);
    *looks = watches && everybody ? *looks + 1 : 0;
    if (deep)
        __atomic_store_n(&runtime->watcher, worker->index + 1, __ATOMIC_SEQ_CST);
}

// Naps for a short time, or until a handler of this worker can go on.
static void nap(struct rh_run_worker *worker)
{
    const struct timespec limit = {.tv_nsec = NAP_NS};
    __atomic_store_n(&worker->parked, NAPPING, __ATOMIC_SEQ_CST);
    if (!is_over_or_ready(worker) && rh_shared_queue_is_empty(&worker->runtime->queue))
        futex_wait(&worker->parked, NAPPING, &limit);
    __atomic_store_n(&worker->parked, AWAKE, __ATOMIC_SEQ_CST);
}

// Called when this worker is awake: another must watch, and help if there is more to do.
static void stop_watching(struct rh_run_worker *worker)
{
    struct rh_runtime *runtime = worker->runtime;
    if (load(&runtime->watcher) == worker->index + 1)
        __atomic_store_n(&runtime->watcher, 0, __ATOMIC_SEQ_CST);
    wake_watcher(runtime);
    if (load(&runtime->watcher) == 0 || has_work(runtime))
        rh_wake_one(runtime);
}

struct rh_cell *rh_idle(struct rh_run_worker *worker)
{
    struct rh_runtime *runtime = worker->runtime;
    unsigned looks = 0, naps = 0;
    __atomic_add_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    struct rh_cell *cell = look_around(worker);
    while (!cell && !is_over_or_ready(worker)) {
        bool naps_now = has_work(runtime);
        if (naps_now)
            nap(worker);
        else
            park(worker, &looks);
        cell = look_around(worker);
        bool watches =
            naps_now ? ++naps % WATCH_NAPS == 0 : load(&runtime->watcher) == worker->index + 1;
        if (!cell && watches)
            cell = take_stuck(worker);
    }
    __atomic_sub_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    stop_watching(worker);
    return cell;
}
