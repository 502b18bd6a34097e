// SPDX-License-Identifier: MIT
// Plug in a message library: what the core needs to know to drive programs written against it. The
// core keeps the actors, the pending messages, the clock and the undo log; an adapter says
// whether an actor can take a message now, and hands it over. There are the native adapter (actor.h
// itself) and one for programs that use ZeroMQ; this header shows their shape and is not yet stable.
//
//     const struct rh_adapter_ops rh_native_adapter = {.name = "native",
//                                                      .accepts = accepts,
//                                                      .process = process};
#ifndef REHEARSE_ADAPTER_H
#define REHEARSE_ADAPTER_H

#include <rehearse/actor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rh_adapter_ops {
    const char *name;
    // Whether the actor can take the message now. Called between deliveries; changes nothing. NULL if
    // no actor has a guard.
    bool (*accepts)(rh_actor *actor, const rh_message *message);
    // Hands the message over. Called on the handler stack, as the actor; returns when the
    // actor has done with it.
    void (*process)(rh_actor *actor, const rh_message *message);
    // The program has state outside of the world: deliveries can't be undone, states can't be compared,
    // and each execution runs in a process of its own. What is sent in the world only stands for what
    // the program sends: payloads are text for people, or empty.
    bool keeps_state;
    // Nothing is deliverable: whether the program goes on by itself, such as by letting time pass. Then it
    // has sent something. May be NULL.
    bool (*go_on_idle)(void);
    // The code at which the actor will go on, for debuggers. May be NULL if that is its behaviour.
    const void *(*resumes_at)(rh_actor *actor);
    // Judges an execution in which nothing is deliverable any more, in the place of the world. May be NULL.
    void (*judge)(void);
    // An execution is cut off because it is too long: who goes on and who waits, which the caller frees. May be NULL.
    char *(*describe)(void);
    // In the process that watches over executions: the one in this process has ended, in whatever way. Removes
    // what it has left behind outside of it. May be NULL.
    void (*tidy)(int process);
    // The sentences about all executions that belong to the result, such as what was not under control, one by one
    // from 0 on; the caller frees each. NULL: there are no more. May be NULL.
    char *(*say)(unsigned index);
    // Whether executions have met something that can turn out otherwise in the real library, and that was not tried: then
    // no search is complete, and one of the sentences says why. May be NULL.
    bool (*omits)(void);
    // In the process of an execution, which has just been made: calls run(order) in the right place, if that is
    // another one than where it was called, and does not return then. May be NULL.
    void (*launch)(void (*run)(const void *order), const void *order);
};

#ifdef __cplusplus
}
#endif

#endif
