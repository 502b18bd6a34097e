// SPDX-License-Identifier: MIT
// What the files of the engine have in common: engine.c has threads and their turns, parcels.c what
// they send, sharing.c what they share, joins.c their ends, director.c the adapter, judge.c what is
// said when nothing can happen any more.
#ifndef REHEARSE_ADAPTERS_ZMQ_DIRECTOR_H
#define REHEARSE_ADAPTERS_ZMQ_DIRECTOR_H

#include "adapters/zmq/engine.h"
#include "world/world.h"

// What is known of a message in the world: the parcel behind it, and what its sender knew.
struct rh_zmq_sent {
    struct rh_zmq_parcel parcel;
    struct rh_zmq_clock clock;
    struct rh_zmq_clock past;
    uint64_t wait_number; // of a timeout: which wait it ends
    enum rh_zmq_event event;
    uint32_t sender; // number of a thread
    // A thread knows of the parcel if it knows `known_at` or more of what thread `known_by` has
    // sent.
    uint32_t known_by;
    uint32_t known_at;
    // What the message declares; owned.
    uint64_t *objects;
    uint32_t object_count;
};

// What will be sent when its time has come.
struct rh_zmq_later {
    uint64_t at;
    struct rh_zmq_thread *const *owner; // points to who sends and receives it
    enum rh_zmq_event event;
    char text[RH_ZMQ_NAME_MOST];
    struct rh_zmq_parcel parcel;
};

// The engine of this process. There is one execution in it.
struct rh_zmq_engine {
    int turn; // a futex: 1 while the director may run
    bool has_left;
    // Whether nothing is deliverable: what is sent now comes after everything.
    bool is_idle;
    struct rh_zmq_thread *leaving;  // the thread that has called exit first; NULL: none
    struct rh_zmq_clock left;       // what `leaving` knew then
    struct rh_zmq_thread *receiver; // the thread to which something is being delivered
    uint64_t now;
    RH_VECTOR(struct rh_zmq_later) later; // in the order of posting
    // Until when something may have taken in ZeroMQ that has happened at once; 0: nothing.
    uint64_t hastened_until;
    uint32_t thread_count;
    struct rh_zmq_thread threads[RH_ZMQ_THREADS_MOST];
    RH_VECTOR(struct rh_zmq_sent) parcels; // by message number
    uint32_t delivering;                   // number of the message that is being delivered
    uint32_t applying;                     // number of the message that is being applied
};
extern struct rh_zmq_engine rh__zmq_engine;

// Lets the thread run until it waits or ends. Called by the director.
void rh__zmq_run(struct rh_zmq_thread *thread);
// Whether what the thread waits for has come.
bool rh__zmq_can_go_on(const struct rh_zmq_thread *thread);
// The thread that has called exit ends the process.
void rh__zmq_end_process(const struct rh_zmq_thread *thread);

// parcels.c
const struct rh_type *rh__zmq_type_of(enum rh_zmq_event event);
// A message that `sender`, a slot, would send to the thread.
struct rh_sending rh__zmq_sending_of(uint32_t sender, const struct rh_zmq_thread *to,
                                     enum rh_zmq_event event, const char *text);
// Sends the message and keeps what is known of it. Gives the message's number.
uint32_t rh__zmq_send(const struct rh_sending *sending, const struct rh_zmq_sent *sent);
// The message lets the thread go on, which waits until then: the message declares what the thread
// expects to use.
void rh__zmq_declare(struct rh_zmq_sent *sent, const struct rh_zmq_thread *thread);
// The thread sends itself the step with which it goes on.
void rh__zmq_post_step(struct rh_zmq_thread *thread, const char *call, const char *object);

// sharing.c
// Whether the message that is being delivered declares the object.
bool rh__zmq_is_declared(const struct rh_zmq_shared *shared);
// Notes in `clock` what `from` knows.
void rh__zmq_learn(struct rh_zmq_clock *clock, const struct rh_zmq_clock *from);

// joins.c
// The thread has come to its end: tells who waits for that.
void rh__zmq_end_thread(struct rh_zmq_thread *thread);

// judge.c
// Whether a thread waits for something that is not under control.
bool rh__zmq_waits_for_outside(void);
// Called when nothing can happen any more, which is fine if the process has ended.
void rh__zmq_judge(void);
// Says who goes on and who waits in an execution that is cut off; the caller frees it.
char *rh__zmq_describe(void);

#endif
