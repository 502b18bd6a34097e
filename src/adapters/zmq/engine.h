// SPDX-License-Identifier: MIT
// The engine under programs that use ZeroMQ: their threads run one at a time, and everything that one thread does to
// another goes through the world as a message, so that the core decides when it happens.
//
// Each thread is an actor. A delivery to it applies what has come (a message arrives in the queue of a socket, a peer
// connects), and if the thread waits for that, lets it run until it waits again. The rules:
//
//  1. A thread runs only inside a delivery to it. The director, which is the worker's own thread, waits meanwhile.
//  2. A delivery changes what belongs to its thread: its sockets, their pipes, what it waits for. Where threads
//     share something nevertheless (a mutex, an endpoint's name), rh__zmq_touch says so, and the core takes
//     deliveries to these threads for dependent.
//  3. A call whose result depends on what has come until then (a poll, a receive that does not wait), or on what other
//     threads have done without sending (bound an endpoint, taken a socket over), is an event of its own: the thread
//     sends itself a `step`. A call that waits for one certain thing is none.
//  4. Time passes when nothing else can happen, and the process ends when nothing else can happen.
//
// Thread rule: whoever has the turn uses the engine, the director or the one thread that runs.
#ifndef REHEARSE_ADAPTERS_ZMQ_ENGINE_H
#define REHEARSE_ADAPTERS_ZMQ_ENGINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rehearse/adapter.h>

#include "base/rng.h"
#include "base/vector.h"

enum { RH_ZMQ_THREADS_MOST = 64, RH_ZMQ_NAME_MOST = 96 };
#define RH_ZMQ_NEVER UINT64_MAX

// What is sent from thread to thread.
#define RH_ZMQ_EVENTS(X)                                                                           \
    X(START, start)           /* a thread begins */                                                \
    X(JOIN, join)             /* somebody waits for the thread's end */                            \
    X(ENDED, ended)           /* to those who do: it has ended */                                  \
    X(EXIT, exit)             /* the process ends */                                               \
    X(TERMINATE, terminate)   /* the context of its sockets is being terminated */                 \
    X(STEP, step)             /* goes on with a call that looks at what has come */                \
    X(TIMEOUT, timeout)       /* what it waits for has not come in time */                         \
    X(CONNECT, connect)       /* a peer at a socket */                                             \
    X(DISCONNECT, disconnect) /* a peer has gone */                                                \
    X(ROOM, room)             /* a queue that was full has room */                                 \
    X(CLOSED, closed)         /* to the context's owner: a socket was closed */                    \
    X(UNLOCK, unlock)         /* a mutex that it waits for is free */                              \
    X(WAKE, wake)             /* a condition variable that it waits for */                         \
    X(ARRIVE, arrive)         /* a message in the queue of a socket */

enum rh_zmq_event {
#define X(event, name) RH_ZMQ_##event,
    RH_ZMQ_EVENTS(X)
#undef X
};

struct rh_zmq_thread;

// When each thread did something, as far as it is known here: numbers of its deliveries, or of what it has sent.
struct rh_zmq_clock {
    uint32_t at[RH_ZMQ_THREADS_MOST];
};

// Something on its way to a thread. `apply` is called by the director when it is delivered, and frees what it holds.
struct rh_zmq_parcel {
    void (*apply)(struct rh_zmq_thread *to, void *object, void *content);
    void *object, *content;
    struct rh_zmq_thread *const *owner; // whom it is for by now; NULL: whom it was sent to
};

// What a thread waits for.
struct rh_zmq_wait {
    const char *call;                     // "zmq_recv"
    const char *object;                   // what the call is about, for reports; "" if nothing
    bool (*is_over)(const void *context); // NULL: only time, or rh__zmq_wake
    const void *context;
    uint64_t deadline; // nanoseconds of logical time; RH_ZMQ_NEVER: none
    bool is_outside;   // it may also end by something that is not under control
    bool observes;     // its result depends on what else has come: going on is an event of its own
};

// A way by which a thread sends, in no order with the others.
struct rh_zmq_way {
    char *name; // owned
    uint32_t slot;
};

// A thread of the program.
struct rh_zmq_thread {
    uint32_t slot;   // of its actor
    uint32_t number; // among all threads
    char *name;      // owned; of its function
    pthread_t handle;
    void *(*start)(void *argument);
    void *argument;
    void *result;
    int turn; // a futex: 1 while it may run
    bool has_ended, is_detached, was_joined;
    struct rh_zmq_thread *joined_by;     // waits for its end; NULL if nobody does yet
    bool knows_end[RH_ZMQ_THREADS_MOST]; // which of the threads that it has waited for have ended
    const struct rh_zmq_wait *wait;      // NULL while it does not wait
    uint64_t wait_number;                // how many waits it has had
    bool is_woken;                       // a message has ended the wait
    bool was_late;                       // time has
    bool has_step;                       // the step that goes on is on its way
    bool is_leaving;        // it has called exit, and waits until nothing else can happen
    int status;             // of that
    uint64_t delivery;      // identity of its newest one
    uint32_t delivered;     // that one's number among all
    uint32_t caused_by;     // the thread that has sent it
    uint32_t sent_before;   // how much this thread had sent until then
    const void *resumes_at; // for debuggers: code of the program
    struct rh_zmq_clock clock;
    struct rh_zmq_clock past;      // what each has sent, as far as this one can know
    RH_VECTOR(uint32_t) unapplied; // numbers of messages to it that are there once it knows of them
    RH_VECTOR(struct rh_zmq_way) ways;
    struct rh_rng rng;                  // its stream of random numbers
    unsigned seed;                      // of libc's generator, for this thread
    struct rh_zmq_generator *generator; // that; NULL until it is used
};

extern const struct rh_adapter_ops rh_zmq_adapter;

// The thread that calls, if it is the program's; NULL for the director and before an execution begins.
struct rh_zmq_thread *rh__zmq_self(void);
// The same where there must be one: otherwise it says that `call` was made outside of the program's threads.
struct rh_zmq_thread *rh__zmq_caller(const char *call);

// The thread that calls, or the one to which something is being delivered.
struct rh_zmq_thread *rh__zmq_acting(void);

// Begins the execution: the thread on which main will run. Called in the test's body.
void rh__zmq_begin(void);
// In a program that is started anew, on its first thread, which is to be that one: returns when it may run.
void rh__zmq_enter(void);

// Makes a thread; it begins with a delivery. NULL if there are too many.
struct rh_zmq_thread *rh__zmq_spawn(void *(*start)(void *), void *argument,
                                    const pthread_attr_t *attributes, int *error);
// Waits until the thread has ended.
void rh__zmq_join(struct rh_zmq_thread *thread);
// The same, until then at most: false if it has not, and `call` is an event.
bool rh__zmq_join_until(struct rh_zmq_thread *thread, const char *call, uint64_t deadline);
// Whether all other threads have ended, as far as the caller knows.
bool rh__zmq_is_alone(void);
// The newest thread with this handle; NULL if there is none.
struct rh_zmq_thread *rh__zmq_find(pthread_t handle);

// Sends something in the caller's name. The text is for people.
void rh__zmq_post(struct rh_zmq_thread *to, enum rh_zmq_event event, const char *text,
                  struct rh_zmq_parcel parcel);
// The same in the name of the thread to which something is being delivered.
void rh__zmq_post_from(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                       enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel);
// The same with what is there for whoever can know that it was sent: see rh__zmq_catch_up.
void rh__zmq_post_at_once(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                          enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel);
// Sends what is being applied on to whom it is for by now. That can know of it from what it could know of it before.
void rh__zmq_post_on(struct rh_zmq_thread *from, struct rh_zmq_thread *to, enum rh_zmq_event event,
                     const char *text, struct rh_zmq_parcel parcel);

// Applies what the caller can know to have been sent to it, by what it has received and by locks and the like, and what
// is there then (rh__zmq_post_at_once). Delivering that later does nothing. Called where ZeroMQ would look for what has
// come: what comes while a thread looks at several sockets need not be seen in all of them. Also what is for the caller by
// now, and was sent to another thread.
void rh__zmq_catch_up(void);

// The same by the way of this name: what goes by it keeps its order, and has none with what the thread sends otherwise,
// its own steps too.
void rh__zmq_post_by(const char *way, struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                     enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel);

// Waits until the wait is over. false if its time was over first.
bool rh__zmq_wait(const struct rh_zmq_wait *wait);
// Goes on as an event of its own.
void rh__zmq_step(const char *call, const char *object);
// The same if what the thread has started or sent in the present delivery may lead to something that comes first.
void rh__zmq_give_way(const char *call, const char *object);
// Whether the thread has sent something in the present delivery.
bool rh__zmq_has_sent(const struct rh_zmq_thread *thread);

// Something that a thread has done in this delivery of its, behind what it had sent in it; `sent`: how much by then, 0: nothing
// in this delivery.
struct rh_zmq_haste {
    uint32_t thread, delivery, sent;
};
// What the acting thread does now.
struct rh_zmq_haste rh__zmq_haste(void);
// Whether another thread has done that, the acting one is here because of what was sent before it in the same delivery, and
// not because of anything later: it could have come first, and no order of deliveries shows that.
bool rh__zmq_was_hasty(const struct rh_zmq_haste *haste);
// One of so many outcomes, from 0 on, where nothing that the threads do decides which; all are tried. What is chosen is for
// people, `about` and what that is of. 0 is what happens where nobody has said otherwise.
int rh__zmq_choose(int count, const char *about, const char *of);
// Ends the wait of a thread, when something is applied to it.
void rh__zmq_wake(struct rh_zmq_thread *thread);

// What several threads use without sending: when they did.
struct rh_zmq_shared {
    struct rh_zmq_clock used;
    struct rh_zmq_clock past; // of those who have released it
};
// The acting thread has used it.
void rh__zmq_note(struct rh_zmq_shared *shared);
// What that does depends on whether others have: of those whom nothing orders with it, deliveries depend on each other.
void rh__zmq_check(const struct rh_zmq_shared *shared);
// The acting thread has used it, and whoever acquires it from now on comes after that.
void rh__zmq_release(struct rh_zmq_shared *shared);
// The acting thread comes after all who have released it.
void rh__zmq_acquire(const struct rh_zmq_shared *shared);
// Both.
void rh__zmq_touch(struct rh_zmq_shared *shared);
// The caller has let others run, as who waits for a variable does: what they had done until now it may have seen there.
void rh__zmq_see_all(void);
// Deliveries to these threads depend on each other.
void rh__zmq_tie(const struct rh_zmq_thread *one, const struct rh_zmq_thread *other);

// Logical time in nanoseconds since the execution began.
uint64_t rh__zmq_now(void);
// A deadline so many milliseconds from now; RH_ZMQ_NEVER if negative.
uint64_t rh__zmq_deadline(int64_t milliseconds);
// From a time of one of the program's clocks to logical time; now if it is over.
struct timespec;
uint64_t rh__zmq_time_of(const struct timespec *time, int clock);

// The process has ended: reports messages that nobody has received.
void rh__zmq_sockets_judge(void);

// The next number of the caller's random stream.
uint64_t rh__zmq_random(void);

// The program needs what this version does not have: ends the search with that sentence.
_Noreturn void rh__zmq_give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
// A finding ends the execution; the caller does not go on.
_Noreturn void rh__zmq_fail(int kind, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The caller ends the process, when nothing else can happen any more.
_Noreturn void rh__zmq_leave(int status);

// The function of this name behind ours.
void *rh__zmq_real(const char *name);

#endif
