// SPDX-License-Identifier: MIT
// Carriers without work. A carrier looks into all queues for a moment, then sleeps, and uses no
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
// A carrier that goes to sleep as the last one, and finds nothing, has found the end of the run.
//
// What to take. Moving the cache lines of an actor, or of its messages, to another core takes
// several times as long as everything else that is done for a message. With two cores moving an
// actor is a loss unless handlers compute; with many cores it may pay. So a carrier takes an actor
// from another's ring only if the actor has been there for some time, which means that the owner
// does not come round to it; the more carriers there are, the shorter that time is. As long as
// owners do come round, a carrier with nothing else to do naps: it counts as a searcher, so that
// nobody wakes another carrier, and looks again a little later. A carrier with something in its
// ring is awake, so no actor in a ring depends on other carriers.
//
// The watcher. An actor that the running actor wakes runs next in the same thread, which is fast,
// and no other thread is woken for it. Should the running actor go on for long, somebody must
// notice: one of the sleeping carriers sleeps for a short time only, and takes a successor that has
// waited since its last look. This watcher stops looking when all carriers have slept for a while;
// whoever wakes a carrier then wakes the watcher too.
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
    // How long an actor has been in a ring before another carrier takes it, times the number of
    // carriers.
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

// Makes the carrier a searcher; gives false if it was awake.
static bool unpark(struct rh_carrier *carrier)
{
    struct rh_runtime *runtime = carrier->runtime;
    uint32_t expected = ASLEEP;
    if (load(&carrier->parked) != ASLEEP ||
        !__atomic_compare_exchange_n(&carrier->parked, &expected, WAKING, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return false;
    __atomic_add_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    // Counted in this order, since is_end reads the two counts in the other order.
    __atomic_sub_fetch(&runtime->sleeping, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&runtime->awakenings, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&carrier->parked, AWAKE, __ATOMIC_SEQ_CST);
    return true;
}

static bool end_nap(struct rh_carrier *carrier)
{
    uint32_t expected = NAPPING;
    return load(&carrier->parked) == NAPPING &&
           __atomic_compare_exchange_n(&carrier->parked, &expected, AWAKE, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

// Wakes a carrier. Gives false if it did not sleep; a carrier that naps looks around again, too.
static bool wake(struct rh_carrier *carrier)
{
    bool slept = unpark(carrier);
    if (slept || end_nap(carrier))
        futex_wake(&carrier->parked);
    return slept;
}

// Called when a carrier is awake again: the watcher must look after that carrier.
static void wake_watcher(struct rh_runtime *runtime)
{
    uint32_t watcher = load(&runtime->watcher);
    if (watcher & DEEP)
        wake(&runtime->carriers[(watcher & ~DEEP) - 1]);
}

void rh_wake_carrier(struct rh_carrier *carrier)
{
    if (wake(carrier))
        wake_watcher(carrier->runtime);
}

static void wake_any(struct rh_runtime *runtime)
{
    uint32_t watcher = load(&runtime->watcher) & ~DEEP;
    for (unsigned i = 0; i < runtime->carrier_count; i++)
        if (i + 1 != watcher && wake(&runtime->carriers[i])) {
            wake_watcher(runtime);
            return;
        }
    if (watcher > 0)
        wake(&runtime->carriers[watcher - 1]);
}

void rh_wake_one(struct rh_runtime *runtime)
{
    if (load(&runtime->sleeping) > 0 && load(&runtime->searching) == 0)
        wake_any(runtime);
}

void rh_finish(struct rh_runtime *runtime)
{
    __atomic_store_n(&runtime->finished, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < runtime->carrier_count; i++)
        wake(&runtime->carriers[i]);
}

// Searching.

static bool is_over_or_ready(const struct rh_carrier *carrier)
{
    return rh_is_finished(carrier->runtime) || carrier->ready ||
           __atomic_load_n(&carrier->resumed, __ATOMIC_SEQ_CST);
}

static struct rh_cell *look_at_shared(struct rh_carrier *carrier)
{
    return rh_shared_queue_pop(&carrier->runtime->queue, &carrier->ring);
}

// Takes from a ring in which the same actors have waited for some time. In other rings waiting
// begins now.
static struct rh_cell *steal(struct rh_carrier *carrier, uint64_t now)
{
    struct rh_runtime *runtime = carrier->runtime;
    struct rh_cell *cell = NULL;
    for (unsigned i = 1; i < runtime->carrier_count && !cell; i++) {
        unsigned other = (carrier->index + i) % runtime->carrier_count;
        struct rh_ring *ring = &runtime->carriers[other].ring;
        struct rh_sight *seen = &carrier->seen[other];
        if (!rh_ring_has_since(ring, seen->ring)) {
            seen->ring = rh_ring_look(ring);
            seen->when = now;
        } else if (now - seen->when >= WAITED_NS / runtime->carrier_count) {
            cell = rh_ring_steal(ring, &carrier->ring);
        }
    }
    return cell;
}

static struct rh_cell *look_around(struct rh_carrier *carrier)
{
    struct rh_cell *cell = look_at_shared(carrier);
    if (carrier->runtime->carrier_count == 1)
        return cell;
    for (uint64_t start = rh_clock_ns(), now = start;
         !cell && !is_over_or_ready(carrier) && now - start < LOOK_NS; now = rh_clock_ns()) {
        cell = steal(carrier, now);
        for (int i = 0; i < PAUSES && !cell; i++)
            __builtin_ia32_pause();
        if (!cell)
            cell = look_at_shared(carrier);
    }
    return cell;
}

// The successor of a carrier that has been busy with the same actor since the last look.
static struct rh_cell *take_stuck(struct rh_carrier *carrier)
{
    struct rh_runtime *runtime = carrier->runtime;
    struct rh_cell *cell = NULL;
    for (unsigned i = 0; i < runtime->carrier_count && !cell; i++) {
        struct rh_carrier *other = &runtime->carriers[i];
        uint32_t ticks = __atomic_load_n(&other->ticks, __ATOMIC_RELAXED);
        if (other != carrier && carrier->seen[i].ticks == ticks &&
            __atomic_load_n(&other->successor, __ATOMIC_RELAXED))
            // Acquires the actor from the exchange that made it the successor.
            cell = __atomic_exchange_n(&other->successor, NULL, __ATOMIC_ACQ_REL);
        carrier->seen[i].ticks = ticks;
    }
    return cell;
}

// Sleeping.

static bool has_work(const struct rh_runtime *runtime)
{
    bool found = !rh_shared_queue_is_empty(&runtime->queue);
    for (unsigned i = 0; i < runtime->carrier_count && !found; i++)
        found = !rh_ring_is_empty(&runtime->carriers[i].ring);
    return found;
}

// Whether nothing is left to do. A carrier whose handler is resumed by another carrier's handler
// counts as awake before that handler returns. Timers are looked at before the queues, since a
// timer leaves the wheel after its receiver has come into a queue. If nobody has stopped sleeping
// meanwhile, only threads from outside can have added something.
static bool is_end(const struct rh_runtime *runtime)
{
    uint32_t awakenings = load(&runtime->awakenings);
    return !__atomic_load_n(&runtime->stays, __ATOMIC_SEQ_CST) &&
           load(&runtime->sleeping) == runtime->carrier_count &&
           __atomic_load_n(&runtime->wheel.pending, __ATOMIC_SEQ_CST) == 0 &&
           __atomic_load_n(&runtime->transit.pending, __ATOMIC_SEQ_CST) == 0 &&
           !has_work(runtime) && load(&runtime->awakenings) == awakenings;
}

static bool become_watcher(struct rh_carrier *carrier)
{
    uint32_t nobody = 0, me = carrier->index + 1;
    return carrier->runtime->carrier_count > 1 &&
           (__atomic_compare_exchange_n(&carrier->runtime->watcher, &nobody, me, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
            (nobody & ~DEEP) == me);
}

static void sleep_while_parked(struct rh_carrier *carrier, const struct timespec *limit)
{
    do {
        futex_wait(&carrier->parked, ASLEEP, limit);
    } while (!limit && load(&carrier->parked) == ASLEEP);
}

// Ends this carrier's sleep, unless another thread has ended it or is about to.
static void wake_up(struct rh_carrier *carrier)
{
    if (!unpark(carrier))
        while (load(&carrier->parked) == WAKING)
            futex_wait(&carrier->parked, WAKING, NULL);
}

// Sleeps; the carrier is a searcher when park returns. `looks` counts the watcher's looks in vain.
static void park(struct rh_carrier *carrier, unsigned *looks)
{
    struct rh_runtime *runtime = carrier->runtime;
    bool watches = become_watcher(carrier);
    bool deep = watches && *looks >= DEEP_AFTER;
    if (deep)
        __atomic_store_n(&runtime->watcher, (carrier->index + 1) | DEEP, __ATOMIC_SEQ_CST);
    __atomic_store_n(&carrier->parked, ASLEEP, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&runtime->sleeping, 1, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    bool everybody = load(&runtime->sleeping) == runtime->carrier_count;
    const struct timespec limit = {.tv_nsec = WATCH_MS * 1000000L};
    if (is_end(runtime))
        rh_finish(runtime);
    else if (!has_work(runtime) && !is_over_or_ready(carrier) && !(deep && !everybody))
        sleep_while_parked(carrier, watches && !deep ? &limit : NULL);
    wake_up(carrier);
    *looks = watches && everybody ? *looks + 1 : 0;
    if (deep)
        __atomic_store_n(&runtime->watcher, carrier->index + 1, __ATOMIC_SEQ_CST);
}

// Naps for a short time, or until a handler of this carrier can go on.
static void nap(struct rh_carrier *carrier)
{
    const struct timespec limit = {.tv_nsec = NAP_NS};
    __atomic_store_n(&carrier->parked, NAPPING, __ATOMIC_SEQ_CST);
    if (!is_over_or_ready(carrier) && rh_shared_queue_is_empty(&carrier->runtime->queue))
        futex_wait(&carrier->parked, NAPPING, &limit);
    __atomic_store_n(&carrier->parked, AWAKE, __ATOMIC_SEQ_CST);
}

// Called when this carrier is awake: another must watch, and help if there is more to do.
static void stop_watching(struct rh_carrier *carrier)
{
    struct rh_runtime *runtime = carrier->runtime;
    if (load(&runtime->watcher) == carrier->index + 1)
        __atomic_store_n(&runtime->watcher, 0, __ATOMIC_SEQ_CST);
    wake_watcher(runtime);
    if (load(&runtime->watcher) == 0 || has_work(runtime))
        rh_wake_one(runtime);
}

struct rh_cell *rh_idle(struct rh_carrier *carrier)
{
    struct rh_runtime *runtime = carrier->runtime;
    unsigned looks = 0, naps = 0;
    __atomic_add_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    struct rh_cell *cell = look_around(carrier);
    while (!cell && !is_over_or_ready(carrier)) {
        bool naps_now = has_work(runtime);
        if (naps_now)
            nap(carrier);
        else
            park(carrier, &looks);
        cell = look_around(carrier);
        bool watches =
            naps_now ? ++naps % WATCH_NAPS == 0 : load(&runtime->watcher) == carrier->index + 1;
        if (!cell && watches)
            cell = take_stuck(carrier);
    }
    __atomic_sub_fetch(&runtime->searching, 1, __ATOMIC_SEQ_CST);
    stop_watching(carrier);
    return cell;
}
