// SPDX-License-Identifier: MIT
// Run a program of actors on threads, at full speed. The command `rehearse` explores the same
// actors with the same setup.
//
//     int main(void)
//     {
//         return rh_run(&(rh_options){.threads = 4}, setup);
//     }
//
// docs/runtime.md says what happens at the end, under overload and in a crash.
//
// Thread rule: while the actors run, any thread of the process may send to them (rh_send,
// rh_send_from, rh_after), create some (rh_spawn, rh_reserve) and call rh_drain or rh_shutdown.
// There is one run at a time in a process.
#ifndef REHEARSE_RUN_H
#define REHEARSE_RUN_H

#include <rehearse/actor.h>

#ifdef __cplusplus
extern "C" {
#endif

// What happens to a message for an actor that has rh_options.mailbox_limit messages to handle
// already. Replies, timers and messages of an actor to itself always find room.
enum rh_overload {
    RH_BLOCK,       // the sender waits until there is room; other actors run meanwhile
    RH_DROP_NEWEST, // the message is lost, and counted
    RH_FAIL,        // the process says who sent what to whom, and aborts
};

// What a run has done. Messages to stopped actors, and whatever else is left, are counted and not
// lost in silence.
struct rh_summary {
    uint64_t spawned;     // actors that were created
    uint64_t delivered;   // messages handed to a behaviour, timers and replies included
    uint64_t undelivered; // messages to actors that had stopped
    uint64_t dropped;     // messages that RH_DROP_NEWEST has lost
    uint64_t unhandled;   // deliveries in which no rh_as matched and rh_ignore was not called
    uint64_t left; // messages that still waited at the end: refused by a guard, or shut down before
    uint64_t waiting; // actors that waited for a reply, or for room, at the end
    uint64_t alive;   // actors that had not stopped at the end
};

// Zero is a good choice for each option.
typedef struct rh_options {
    // Threads that run actors; 0: one for each processor that this process may use.
    int threads;
    // Messages that one actor may have to handle at a time; 0: any number.
    size_t mailbox_limit;
    enum rh_overload overload;
    // Whether to go on when nothing is left to do, until rh_drain or rh_shutdown: for programs that
    // send from outside.
    bool stay;
    // Seed of the numbers that rh_choose gives, and of delays.
    uint64_t seed;
    // Each send waits a random time of up to so many microseconds, which shakes the order of
    // deliveries: to compare other ways of finding bad orders with.
    uint64_t delay_us;
    // Each message is under way for a random time of up to so many microseconds; senders do not
    // wait.
    uint64_t transit_us;
    // Size of the stack of a handler, in bytes; 0: 8 MiB, as in a controlled world.
    size_t stack_size;
    void *context;              // given to setup
    struct rh_summary *summary; // filled at the end, unless NULL
    bool quiet;                 // whether the run says nothing at the end
} rh_options;

// Creates the first actors and sends the first messages, in the name of `outside`, as a test's body
// does. No message is delivered before setup returns.
typedef void rh_setup(void *context);

// Runs setup, then the actors, until no message is left to deliver and no timer to fire, or until
// rh_shutdown. Gives the exit status of the program: 0; 1 if something was left that never can be
// delivered, or was not handled (see docs/runtime.md); 2 if an option is wrong; 3 if memory or
// threads are not to be had.
//
//     return rh_run(NULL, setup);
int rh_run(const rh_options *options, rh_setup *setup);

// rh_start and rh_wait do what rh_run does in two steps, for programs that do something else
// meanwhile. rh_start gives 0, or 2 or 3 as rh_run does; when it returns, setup has returned.
//
//     if (rh_start(&(rh_options){.stay = true}, setup) != 0)
//         return 2;
int rh_start(const rh_options *options, rh_setup *setup);

// Waits until the actors of rh_start are done, and frees them. Not for handlers. Threads that send
// must have ended.
//
//     int status = rh_wait();
int rh_wait(void);

// Says that nothing more comes from outside: a run with the option `stay` ends as soon as nothing
// is left to do, as a run without the option does. May be called where rh_shutdown may.
//
//     rh_drain();
void rh_drain(void);

// Ends the run when the handlers that are running have returned; what is pending stays undelivered.
// May be called by a handler, by any other thread, and in a signal handler.
//
//     rh_shutdown();
void rh_shutdown(void);

#ifdef __cplusplus
}
#endif

#endif
