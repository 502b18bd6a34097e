// SPDX-License-Identifier: MIT
// Actors on threads. A carrier is a thread that runs actors: it takes an actor that has messages,
// lets the actor handle a batch of them, and takes the next actor. Programs that are explored never
// come here.
//
// Rules:
// 1. An actor is in one queue at most, or one carrier runs it, or it waits, or its mailbox is idle.
// 2. Messages from one sender to one receiver arrive in order: mailbox and inbox both keep it.
// 3. A handler that waits (rh_ask, or a full mailbox) goes on in the thread that it began in, so
//    that thread-local variables, errno among them, stay what they were. The handler's carrier goes
//    on with another stack meanwhile.
// 4. Whoever puts an actor into a queue wakes a sleeping thread, unless a thread is looking for
//    work already (idle.c).
#ifndef REHEARSE_RUNTIME_RUNTIME_H
#define REHEARSE_RUNTIME_RUNTIME_H

#include <pthread.h>

#include <rehearse/run.h>
#include <rehearse/test.h>

#include "base/rng.h"
#include "base/vector.h"
#include "entry/process.h"
#include "runtime/queue.h"
#include "runtime/recorder.h"
#include "runtime/timer.h"
#include "runtime/transit.h"

struct rh_runtime;
struct rh_carrier;

// A stack that handlers run on. A stack belongs to one carrier for good.
struct rh_handler_stack {
    struct rh_handler_stack *next;
    char *memory; // a page at its lower end may not be touched by anybody
    size_t size;
    void *fiber; // the stack's handle in ThreadSanitizer
    void *fake;  // AddressSanitizer's data of the stack while nothing runs on it
};

enum rh_delivery_stage {
    RH_AT_HANDLER,
    RH_AT_GUARD,
    RH_AT_STOP,
};

// Time stands still in a delivery, and the delivery's timers are set when its handler has returned.
struct rh_timing {
    bool has_now;
    bool has_told; // whether rh_now has told the program
    uint64_t now;  // milliseconds since the start
    struct rh_mail *timers, *last_timer;
};

// What a carrier is doing with an actor. Lies on the handler's stack, and stays there while the
// handler waits.
struct rh_delivery {
    struct rh_cell *cell;
    struct rh_mail *mail;
    enum rh_delivery_stage stage;
    struct rh_mail *replies;  // replies that the handler has got; valid until the handler returns
    struct rh_cell *reserved; // actors that the handler has reserved and not spawned
    struct rh_timing timing;
};

// A handler, or a thread from outside, that waits. Lies on the stack of the handler or thread.
struct rh_wait {
    struct rh_wait *next;
    struct rh_carrier *carrier; // carrier of the handler; NULL: a thread from outside
    void *stack_pointer;
    struct rh_handler_stack *stack;
    struct rh_delivery *delivery;
    struct rh_mail *reply;      // the reply that ended the wait
    const struct rh_type *type; // type of the message that asks, or wants to be sent
    bool asked;                 // false: waits for room in a mailbox
    uint32_t woken;             // whether a thread from outside was woken; atomic
};

// Numbers for the summary; each carrier has its own, and so do threads from outside.
struct rh_counts {
    uint64_t spawned, delivered, undelivered, dropped, unhandled, stopped;
    const struct rh_type *first_undelivered;
    const struct rh_type *first_unhandled;
    const char *unhandled_by; // name of the behaviour that got first_unhandled
};

// What a thread needs to make messages and actors. Each carrier has a post, all other threads share
// one under a lock.
struct rh_post {
    struct rh_mail_cache mails;
    struct rh_cell_cache cells;
    struct rh_counts counts;
    struct rh_rng rng;
};

// What a carrier that looks for work remembers of another carrier.
struct rh_sight {
    uint32_t ticks; // the other's `ticks` when the watcher looked last
    struct rh_ring_sight ring;
    uint64_t when; // when the ring was seen like `ring`, in nanoseconds
};

struct rh_carrier {
    struct rh_ring ring;
    // The actor that the running actor woke last. It runs next here, while its message is in the
    // cache. Atomic: a thread that finds the owner busy for long takes the successor away.
    _Alignas(64) struct rh_cell *successor;
    uint32_t ticks;          // grows with each actor that runs; atomic
    struct rh_wait *resumed; // handlers that can go on, newest first; everybody pushes
    uint32_t parked;         // whether the carrier sleeps: idle.c; atomic
    _Alignas(64) struct rh_delivery *delivery;
    struct rh_runtime *runtime;
    struct rh_lane *lane; // NULL unless the run is recorded
    struct rh_post post;
    struct rh_wait *ready; // taken from `resumed`, oldest first
    unsigned streak;       // actors in a row that did not come from the ring
    unsigned sent;         // messages sent by the actor whose turn it is
    struct rh_sight *seen; // what this carrier remembers of each carrier
    struct rh_handler_stack *stack, *spare_stacks, *retired_stack;
    void *home; // stack pointer of the thread's own stack
    void *home_fiber;
    void *home_fake;
    const void *home_bottom;
    size_t home_size;
    pthread_t thread;
    unsigned index;
    void *signal_stack;
};

struct rh_runtime_judge {
    rh_judge *judge;
    const char *name;
    bool at_end;
    void *context;
};

struct rh_runtime {
    rh_options options;
    struct rh_cells cells;
    struct rh_mail_office office;
    struct rh_carrier *carriers;
    unsigned carrier_count;
    bool repeats_types; // see rh_program_repeats_types
    bool has_guards;
    bool has_receptionists;
    bool stays;        // goes on when nothing is left to do; atomic
    bool shut_down;    // whether rh_shutdown was called; atomic
    uint32_t finished; // atomic
    uint64_t start_ns;
    struct rh_wheel wheel;
    struct rh_transit transit;

    _Alignas(64) struct rh_shared_queue queue;
    _Alignas(64) uint32_t sleeping; // carriers that sleep, or are about to; atomic
    uint32_t searching;             // carriers that look for work; atomic
    uint32_t awakenings;            // how often a carrier has stopped sleeping; atomic
    uint32_t watcher;               // a sleeping carrier that wakes up now and then: idle.c; atomic

    pthread_mutex_t outside_lock;
    struct rh_post outside;
    // Actors that setup, or threads from outside, have reserved and not spawned; guarded by
    // outside_lock.
    struct rh_cell *reserved;
    // How many actors of each behaviour these have created; guarded by outside_lock.
    RH_VECTOR(struct rh_created {
        const char *name;
        uint32_t count;
    })
    created;
    RH_VECTOR(const char *) senders; // names of the cells of rh_outside; guarded by outside_lock
    pthread_mutex_t room_lock;
    struct rh_timing setup_timing;
    struct rh_mail *unfired; // timers, and messages under way, after the threads have ended
    RH_VECTOR(struct rh_runtime_judge) judges;
    const struct rh_runtime_judge *judging;
    struct rh_recorder *recorder; // NULL: nothing is recorded
    bool in_setup;
    pthread_t setup_thread; // the thread that has called setup
};

// The post of this thread. A thread from outside holds a lock from here until rh_post_leave.
static inline struct rh_post *rh_post_enter(struct rh_runtime *runtime, struct rh_carrier *carrier)
{
    if (carrier)
        return &carrier->post;
    pthread_mutex_lock(&runtime->outside_lock);
    return &runtime->outside;
}

static inline void rh_post_leave(struct rh_runtime *runtime, const struct rh_carrier *carrier)
{
    if (!carrier)
        pthread_mutex_unlock(&runtime->outside_lock);
}

// Types are the same if name and size agree.
bool rh_same_type(const struct rh_type *one, const struct rh_type *other);

// deposit.c

// Hands the message to its receiver's mailbox, and sees to it that the receiver runs. Takes the
// message. `carrier` is that of this thread, or NULL.
void rh_deposit(struct rh_runtime *runtime, struct rh_carrier *carrier, struct rh_mail *mail);
// Sees to it that an actor with messages runs.
void rh_schedule(struct rh_runtime *runtime, struct rh_carrier *carrier, struct rh_cell *cell);
// Counts and frees a list of messages that nobody will handle.
void rh_discard(struct rh_runtime *runtime, struct rh_post *post, struct rh_mail *mail);
// Puts an actor that has something to do behind the others in the carrier's ring, or in the shared
// queue if the ring is full.
void rh_enqueue(struct rh_carrier *carrier, struct rh_cell *cell);

// carrier.c

// Runs actors until the run is over. Never returns: goes back to the thread's own stack.
void rh_carrier_loop(void *carrier);

// idle.c

// Looks for an actor with work until there is one, asleep if need be. NULL when the run is over, or
// when a handler of this carrier can go on.
struct rh_cell *rh_idle(struct rh_carrier *carrier);
// Wakes a sleeping carrier, unless one is looking for work: something was put into a queue.
void rh_wake_one(struct rh_runtime *runtime);
void rh_wake_carrier(struct rh_carrier *carrier);
// Says that the run is over, and wakes all carriers.
void rh_finish(struct rh_runtime *runtime);

// wait.c

// The running handler waits until rh_resume.
void rh_suspend(struct rh_carrier *carrier, struct rh_wait *wait);
// Ends the wait; from any thread.
void rh_resume(struct rh_wait *wait);
static inline void rh_resume_with(struct rh_wait *wait, struct rh_mail *reply)
{
    wait->reply = reply;
    rh_resume(wait);
}
// Takes up a handler that can go on, on that handler's stack. Does not return.
_Noreturn void rh_go_on(struct rh_carrier *carrier, struct rh_wait *wait);
// Counts one more message for a cell whose mailbox is limited. Waits for room if need be, or gives
// false if the message is to be dropped. Called without locks.
bool rh_find_room(struct rh_runtime *runtime, struct rh_carrier *carrier, struct rh_cell *cell,
                  const struct rh_type *type, const char *file, int line);
// The cell is closed: whoever waits for room in its mailbox goes on.
void rh_open_room(struct rh_runtime *runtime, struct rh_cell *cell);
// The cell has handled a message: a sender that waits for room goes on.
void rh_make_room(struct rh_runtime *runtime, struct rh_cell *cell);

// stack.c

// Switches to a stack of the carrier and calls rh_carrier_loop there. *stack_pointer is where to go
// back to.
void rh_stack_run(struct rh_carrier *carrier, void **stack_pointer);
// Goes back to where rh_stack_run was called on `stack`; the present stack becomes spare.
_Noreturn void rh_stack_back(struct rh_carrier *carrier, struct rh_handler_stack *stack,
                             void **stack_pointer);
// Frees the carrier's spare stacks.
void rh_stacks_free(struct rh_carrier *carrier);
// Frees the stack of a handler that will never go on.
void rh_stack_free(struct rh_handler_stack *stack);

// crash.c

// Says what is wrong at this place and who was doing what, and aborts. file may be NULL.
_Noreturn void rh_runtime_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Catches fatal signals for as long as actors run.
void rh_crash_watch(bool on);
// Gives this thread a stack on which a fatal signal can be handled, even at the end of the
// handlers' stack.
void rh_crash_prepare(struct rh_carrier *carrier);
void rh_crash_release(struct rh_carrier *carrier);

// summary.c

// Counts what is left and says what is wrong. Gives the exit status.
int rh_runtime_conclude(struct rh_runtime *runtime);
// The name of a cell's actor, as in `account#3`; cut if it is longer.
enum { RH_NAME_SIZE = 128 };
void rh_cell_name(const struct rh_runtime *runtime, const struct rh_cell *cell,
                  char name[RH_NAME_SIZE]);

static inline bool rh_is_finished(const struct rh_runtime *runtime)
{
    return __atomic_load_n(&runtime->finished, __ATOMIC_ACQUIRE);
}

// Fails if a handler, or setup, ends or waits with actors that it has reserved and not spawned.
_Noreturn void rh__check_reserved(const struct rh_runtime *runtime, const struct rh_cell *cell);
static inline void rh_check_reserved(const struct rh_runtime *runtime,
                                     const struct rh_cell *reserved)
{
    if (__builtin_expect(reserved != NULL, 0))
        rh__check_reserved(runtime, reserved);
}

uint64_t rh_clock_ns(void);

// Sets the timers of a delivery whose handler has returned, or waits: a handler that goes on after
// a wait is in another delivery.
void rh__timing_end(struct rh_runtime *runtime, struct rh_timing *timing);
static inline void rh_timing_end(struct rh_runtime *runtime, struct rh_timing *timing)
{
    if (timing->timers || timing->has_now)
        rh__timing_end(runtime, timing);
}

#endif
