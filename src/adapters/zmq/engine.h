// SPDX-License-Identifier: MIT
// The engine under programs that use ZeroMQ: their threads run one at a time, and everything that
// one thread does to another goes through the world as a message, so that the core decides when it
// happens.
//
// Each thread is an actor. A delivery to a thread applies what has come (a message arrives in the
// queue of a socket, a peer connects), and if the thread waits for that, lets it run until it waits
// again. The rules:
//
//  1. A thread runs only inside a delivery to it. The director, which is the worker's own thread,
//     waits meanwhile.
//  2. A delivery changes only what belongs to its thread: the thread's sockets, their pipes, what
//     the thread waits for. Where threads share something nevertheless (a mutex, an endpoint's
//     name), rh__zmq_touch says so. A message that lets a thread go on declares the locks that the
//     thread has or waits for, which are what it will probably use: deliveries of messages that
//     declare the same lock depend on each other. What a delivery uses without such a word makes
//     the core take all deliveries to that thread for dependent on others that use it.
//  3. A call whose result depends on what has come until then (a poll, a receive that does not
//     wait), or on what other threads have done without sending (bound an endpoint, taken a socket
//     over), is an event of its own: the thread sends itself a `step`. A call that waits for one
//     certain thing is no event.
//  4. Time passes when nothing else can happen, and the process ends when nothing else can happen.
//
// Thread rule: whoever has the turn uses the engine, the director or the one thread that runs.
#ifndef REHEARSE_ADAPTERS_ZMQ_ENGINE_H
#define REHEARSE_ADAPTERS_ZMQ_ENGINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <rehearse/adapter.h>

#include "base/rng.h"
#include "base/vector.h"

enum { RH_ZMQ_THREADS_MOST = 64, RH_ZMQ_NAME_MOST = 96 };
#define RH_ZMQ_NEVER UINT64_MAX

// What is sent from thread to thread.
#define RH_ZMQ_EVENTS(X)                                                                           \
    X(START, start)           /* a thread begins */                                                \
    X(JOIN, join)             /* somebody waits for the thread's end until a deadline */           \
    X(ENDED, ended)           /* to who waits for a thread: it has ended */                        \
    X(EXIT, exit)             /* the process ends */                                               \
    X(TERMINATE, terminate)   /* a context is being terminated that the thread has sockets of */   \
    X(STEP, step)             /* a call goes on that looks at what has come */                     \
    X(TIMEOUT, timeout)       /* a wait was not over in time */                                    \
    X(CONNECT, connect)       /* a socket has a new peer */                                        \
    X(DISCONNECT, disconnect) /* a peer has gone */                                                \
    X(ROOM, room)             /* a queue that was full has room */                                 \
    X(CLOSED, closed)         /* to the context's owner: a socket was closed */                    \
    X(UNLOCK, unlock)         /* a mutex that the thread waits for is free */                      \
    X(WAKE, wake)             /* a condition variable that the thread waits for was signalled */   \
    X(ARRIVE, arrive)         /* a message comes into the queue of a socket */

enum rh_zmq_event {
#define X(event, name) RH_ZMQ_##event,
    RH_ZMQ_EVENTS(X)
#undef X
};

struct rh_zmq_thread;

// For each thread, how much of what it has done is known at some place: the number of its newest
// known delivery, or of the newest known parcel that it has sent.
struct rh_zmq_clock {
    uint32_t at[RH_ZMQ_THREADS_MOST];
};

// Something that several threads use without sending.
struct rh_zmq_shared {
    // What messages declare the object by, the same in every execution; 0: none declares it.
    uint64_t number;
    // Each thread's newest delivery that has used the object.
    struct rh_zmq_clock used;
    // Each thread's newest delivery that has used the object and whose message did not declare it.
    struct rh_zmq_clock undeclared;
    struct rh_zmq_clock past; // what the threads that have released the object knew
};

// Something on its way to a thread. The director calls `apply` when the parcel is delivered;
// `apply` frees what the parcel holds.
struct rh_zmq_parcel {
    void (*apply)(struct rh_zmq_thread *to, void *object, void *content);
    void *object, *content;
    // Points to the thread that the parcel is for by now; NULL: the thread that it was sent to.
    struct rh_zmq_thread *const *owner;
};

// What a thread waits for.
struct rh_zmq_wait {
    const char *call;   // "zmq_recv"
    const char *object; // what the call is about, for reports; "" if nothing
    // NULL: only time, or rh__zmq_wake, ends the wait.
    bool (*is_over)(const void *context);
    const void *context;
    // What the wait is about, or what the thread will use when it goes on, if others use that too:
    // only a message that declares the object ends the wait. NULL: there is no such object.
    const struct rh_zmq_shared *shared;
    // Points to the thread that alone can end the wait; NULL: any may.
    struct rh_zmq_thread *const *holder;
    // Gives an endpoint at which a peer in another process may end the wait, since nobody else in
    // this one has ever used it; NULL: there is none. May be NULL itself.
    const char *(*lacks_peer)(const void *context);
    uint64_t deadline; // nanoseconds of logical time; RH_ZMQ_NEVER: none
    bool is_outside;   // whether something that is not under control may end the wait
    // Whether the result depends on what else has come: then going on is an event of its own.
    bool observes;
};

// A route by which a thread sends: parcels of different routes have no order.
struct rh_zmq_route {
    char *name; // owned
    uint32_t slot;
};

// A thread of the program.
// Something that a thread has done in its delivery of this number. `sent` is how much the thread
// had sent by then; 0 if it had sent nothing in this delivery.
struct rh_zmq_haste {
    uint32_t thread, delivery, sent;
};

struct rh_zmq_thread {
    uint32_t slot;   // slot of the thread's actor
    uint32_t number; // number among all threads
    char *name;      // name of the thread's function; owned
    pthread_t handle;
    void *(*start)(void *argument);
    void *argument;
    void *result;
    int turn; // a futex: 1 while the thread may run
    bool has_ended, is_detached, was_joined;
    // The thread that waits for this one's end until a deadline; NULL: none yet.
    struct rh_zmq_thread *joined_by;
    // The thread that waits for this one's end in pthread_join, and identity and number of the
    // delivery in which it has called that; NULL: none yet.
    struct {
        struct rh_zmq_thread *thread;
        uint64_t delivery;
        uint32_t delivered;
    } joining;
    // When the thread has ended: the number of that delivery, and `clock` and `past` there.
    struct {
        uint32_t delivered;
        struct rh_zmq_clock clock, past;
    } end;
    // Used when the thread is joined, and when it sends something after its end.
    struct rh_zmq_shared ending;
    // By number: whether a thread that this one has waited for has ended.
    bool knows_end[RH_ZMQ_THREADS_MOST];
    const struct rh_zmq_wait *wait; // NULL while the thread does not wait
    uint64_t wait_number;           // how many waits the thread has had
    bool is_woken;                  // whether rh__zmq_wake has ended the wait
    bool was_late;                  // whether the wait's time was over
    // Whether the step with which the thread goes on is on its way.
    bool has_step;
    // Whether the thread has called exit, and waits until nothing else can happen.
    bool is_leaving;
    int status;             // the exit status, if is_leaving
    uint64_t delivery;      // identity of the newest delivery to this thread
    uint32_t delivered;     // number of the newest delivery among all deliveries
    uint32_t ran;           // number among its deliveries of the newest one in which it has run
    uint32_t caused_by;     // number of the thread that caused the newest delivery
    uint32_t sent_before;   // how much this thread had sent before the newest delivery
    const void *resumes_at; // for debuggers: code of the program
    // The newest call for a socket that has not waited, and the one before the present call.
    struct rh_zmq_haste did, did_before;
    // The newest delivery in which the thread has made a call, and the newest in which one was made
    // behind something else that happens to sockets, with the context; NULL: with several.
    uint32_t called;
    struct rh_zmq_between {
        uint32_t delivery;
        const void *context;
    } between, between_before;
    // The newest end of a wait for peers: in which of the thread's deliveries, which thread has
    // sent what ended the wait, and how much that thread had sent by then.
    struct {
        uint32_t delivery, by, sent;
    } woken;
    struct rh_zmq_clock clock;
    // How much each thread has sent, as far as this thread can know.
    struct rh_zmq_clock past;
    // Numbers of messages to this thread that are there as soon as it can know of them
    // (rh__zmq_post_at_once).
    RH_VECTOR(uint32_t) unapplied;
    RH_VECTOR(struct rh_zmq_route) routes;
    // Numbers of what messages declare that let the thread go on: the locks that the thread has,
    // and what it waits for.
    RH_VECTOR(uint64_t) expected;
    uint32_t initialised; // how many objects the thread has initialised (rh__zmq_number_new)
    struct rh_rng rng;    // the thread's stream of random numbers
    unsigned seed;        // seed of libc's generator for this thread
    struct rh_zmq_generator *generator; // libc's generator for this thread; NULL until it is used
};

extern const struct rh_adapter_ops rh_zmq_adapter;

// The thread of the program that calls; NULL for the director and before an execution begins.
struct rh_zmq_thread *rh__zmq_self(void);
// As rh__zmq_self, where there must be a thread: otherwise says that `call` was made outside of the
// program's threads.
struct rh_zmq_thread *rh__zmq_caller(const char *call);

// The thread that calls, or the one to which something is being delivered.
struct rh_zmq_thread *rh__zmq_acting(void);

// Begins the execution: the thread on which main will run. Called in the test's body.
void rh__zmq_begin(void);
// Called on the first thread of a program that is started anew, which becomes the thread of
// rh__zmq_begin: returns when that thread may run.
void rh__zmq_enter(void);

// Makes a thread, which begins with a delivery. NULL with *error if the system gives none.
struct rh_zmq_thread *rh__zmq_spawn(void *(*start)(void *), void *argument,
                                    const pthread_attr_t *attributes, int *error);
// Waits until the thread has ended.
void rh__zmq_join(struct rh_zmq_thread *thread);
// As rh__zmq_join, at most until the deadline: false if the thread has not ended by then. `call` is
// an event.
bool rh__zmq_join_until(struct rh_zmq_thread *thread, const char *call, uint64_t deadline);
// Whether all other threads have ended, as far as the caller knows.
bool rh__zmq_is_alone(void);
// The newest thread with this handle; NULL if there is none.
struct rh_zmq_thread *rh__zmq_find(pthread_t handle);

// Sends a parcel in the caller's name. The text is for people.
void rh__zmq_post(struct rh_zmq_thread *to, enum rh_zmq_event event, const char *text,
                  struct rh_zmq_parcel parcel);
// As rh__zmq_post, in the name of the thread to which something is being delivered.
void rh__zmq_post_from(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                       enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel);
// As rh__zmq_post_from, for a parcel that is there as soon as its receiver can know that it was
// sent: see rh__zmq_catch_up.
void rh__zmq_post_at_once(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                          enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel);
// Sends on the parcel that is being applied, to the thread that it is for by now. The receiver can
// know of the parcel as soon as it can know of the parcel's first sending.
void rh__zmq_post_on(struct rh_zmq_thread *from, struct rh_zmq_thread *to, enum rh_zmq_event event,
                     const char *text, struct rh_zmq_parcel parcel);

// Applies the parcels of rh__zmq_post_at_once that the caller can know of, by messages that it has
// received and by locks and the like; also parcels that were sent to another thread and are for the
// caller by now. Delivering such a parcel later does nothing. Called where ZeroMQ would look for
// what has come: what comes while a thread looks at several sockets need not be seen in all of
// them.
void rh__zmq_catch_up(void);

// As rh__zmq_post_from, by the route of this name: parcels that go by one route keep their order,
// and have no order with anything else that the thread sends, its own steps too.
void rh__zmq_post_by(const char *route, struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                     enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel);

// As rh__zmq_post, when this time has come, in the name of the thread that `owner` points to then.
void rh__zmq_post_later(uint64_t at, struct rh_zmq_thread *const *owner, enum rh_zmq_event event,
                        const char *text, struct rh_zmq_parcel parcel);
// Something happens now for which ZeroMQ would take until some time before `until`: says so if time
// matters to anybody until then.
void rh__zmq_hasten(uint64_t until, const char *what);

// Waits until the wait is over. Gives false if its time was over first.
bool rh__zmq_wait(const struct rh_zmq_wait *wait);
// Lets the caller go on as an event of its own.
void rh__zmq_step(const char *call, const char *object);
// As rh__zmq_step, if the thread has started or sent something in the present delivery, which may
// lead to something that comes before the call.
void rh__zmq_give_way(const char *call, const char *object);
// As rh__zmq_step, for a call that uses the object: the step declares it.
void rh__zmq_step_for(const char *call, const char *object, const struct rh_zmq_shared *shared);
// Whether the thread has sent something in the present delivery.
bool rh__zmq_has_sent(const struct rh_zmq_thread *thread);

// What the acting thread does now.
struct rh_zmq_haste rh__zmq_haste(void);
// Whether another thread has done what `haste` says, and the acting thread is here because of
// something that the other one had sent before in the same delivery, and not because of anything
// later. The acting thread could have come first, and no order of deliveries shows that.
bool rh__zmq_was_hasty(const struct rh_zmq_haste *haste);
// Called when a call for a socket of this context begins, and again if the call does the same
// whatever has come.
void rh__zmq_call_begin(struct rh_zmq_thread *thread, const void *context);
void rh__zmq_call_forget(struct rh_zmq_thread *thread);
// A thread whose newest call was hasty; NULL: there is none.
const struct rh_zmq_thread *rh__zmq_find_hasty(void);
// Chooses one of `count` outcomes, from 0 on, where nothing that the threads do decides which; all
// are tried, and 0 is the outcome where nobody has said otherwise. People see the choice as `about`
// followed by `of`.
int rh__zmq_choose(int count, const char *about, const char *of);
// Ends the wait of a thread, when something is applied to the thread. A WAKE ends the wait that the
// thread was in when it was sent, by itself.
void rh__zmq_wake(struct rh_zmq_thread *thread);

// Notes where static storage is. Called before main.
void rh__zmq_numbers_begin(void);
// The number of an object that was found at this address. Those that lie in static storage have
// numbers of their own, all others have one in common: where they lie may depend on the order of
// deliveries.
uint64_t rh__zmq_number_at(const void *address);
// The number of an object that the caller initialises at this address.
uint64_t rh__zmq_number_new(const void *address);
// The caller has the object from now on, and will give it back. Can be called several times.
void rh__zmq_expect(const struct rh_zmq_shared *shared);
// Takes back one call of rh__zmq_expect, if there was one.
void rh__zmq_expect_no_more(const struct rh_zmq_shared *shared);
// Notes that the acting thread has used the object.
void rh__zmq_note(struct rh_zmq_shared *shared);
// What the acting thread does depends on whether others have used the object: its deliveries and
// those of every thread whose use is in no order with it depend on each other. If messages declare
// the object, only those deliveries do that have used it; where one has without a declaration, all
// deliveries to that thread.
void rh__zmq_check(const struct rh_zmq_shared *shared);
// Whether the acting thread comes after all that others have done with the object.
bool rh__zmq_knows_all(const struct rh_zmq_shared *shared);
// The acting thread has used the object, and whoever acquires it from now on comes after that use.
void rh__zmq_release(struct rh_zmq_shared *shared);
// The acting thread comes after all threads that have released the object.
void rh__zmq_acquire(const struct rh_zmq_shared *shared);
// Acquires and releases.
void rh__zmq_touch(struct rh_zmq_shared *shared);
// The caller has let others run, as a thread does that waits for a variable to change: by that
// variable it may have seen all that others had done until now.
void rh__zmq_see_all(void);
// Deliveries to these threads depend on each other.
void rh__zmq_tie(const struct rh_zmq_thread *one, const struct rh_zmq_thread *other);

// Logical time in nanoseconds since the execution began.
uint64_t rh__zmq_now(void);
// A deadline so many milliseconds from now; RH_ZMQ_NEVER if negative.
uint64_t rh__zmq_deadline(int64_t milliseconds);
// From a time of one of the program's clocks to logical time; now if that time is over.
uint64_t rh__zmq_time_of(const struct timespec *time, int clock);
// What the program's clock on the wall shows at this logical time.
struct timespec rh__zmq_wall_time(uint64_t now);

// Whether there is a context that ZeroMQ would have threads for.
bool rh__zmq_contexts_are_used(void);
// The process has ended: reports messages that nobody has received.
void rh__zmq_sockets_judge(void);

// The next number of the caller's random stream.
uint64_t rh__zmq_random(void);

// Ends the search with a sentence: the program needs what this version does not have.
_Noreturn void rh__zmq_give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Ends the execution with a finding; the caller does not go on.
_Noreturn void rh__zmq_fail(int kind, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Lets the caller end the process when nothing else can happen any more.
_Noreturn void rh__zmq_leave(int status);

// The function of this name behind this library's own.
void *rh__zmq_real(const char *name);

#endif
