// SPDX-License-Identifier: MIT
// Plug in a message library: what the core needs to know to drive programs written against that
// library. The core keeps the actors, the pending messages, the clock and the undo log; an adapter
// says whether an actor can take a message now, and hands the message over. There are the native
// adapter (actor.h itself) and one for programs that use ZeroMQ; this header shows the shape of an
// adapter and is not yet stable.
//
//     const struct rh_adapter_ops rh_zmq_adapter = {.name = "zmq",
//                                                   .process = process,
//                                                   .keeps_state = true};
#ifndef REHEARSE_ADAPTER_H
#define REHEARSE_ADAPTER_H

#include <rehearse/actor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rh_adapter_ops {
    const char *name;
    // Whether the actor can take the message now. Called between deliveries; changes nothing. NULL
    // if no actor has a guard.
    bool (*accepts)(rh_actor *actor, const rh_message *message);
    // Hands the message over. Called on the handler stack, as the actor; returns when the actor has
    // handled the message. NULL if the actor's behaviour is called with its state.
    void (*process)(rh_actor *actor, const rh_message *message);
    // Gives the numbers of what the delivery of this message will touch besides its receiver, as
    // far as that was known when the message was sent, and how many numbers there are. A message
    // declares the same as long as it is pending, and an object has the same number in every
    // execution. What a delivery touches beyond that is told when it happens. May be NULL.
    unsigned (*touches)(const rh_message *message, const uint64_t **objects);
    // The program has state outside of the world: deliveries can't be undone, states can't be
    // compared, and each execution runs in a process of its own. A message in the world only stands
    // for one that the program sends: its payload is text for people, or empty.
    bool keeps_state;
    // Called when nothing is deliverable. Whether the program goes on by itself, for example
    // because time passes; if so, something has been sent when the call returns. May be NULL.
    bool (*go_on_idle)(void);
    // The code at which the actor will go on, for debuggers. NULL if actors go on in their
    // behaviours.
    const void *(*resumes_at)(rh_actor *actor);
    // Judges an execution in which nothing is deliverable any more, instead of the world. May be
    // NULL.
    void (*judge)(void);
    // Says which actors go on and which wait in an execution that is cut off because it is too
    // long. The caller frees the text. May be NULL.
    char *(*describe)(void);
    // Gives the sentence `index` about all executions that belongs to the result, for example about
    // what was not under control; NULL behind the last sentence. The caller frees the sentence. May
    // be NULL.
    char *(*say)(unsigned index);
    // Whether executions have met something that can turn out otherwise in the real library and
    // that was not tried. No search is complete then, and one of the sentences of `say` gives the
    // reason. May be NULL.
    bool (*omits)(void);
    // Called at the start of an execution's process. Calls run(order) at the place where the
    // execution belongs and does not return, or returns if the caller is to call run(order) itself.
    // May be NULL.
    void (*launch)(void (*run)(const void *order), const void *order);
};

#ifdef __cplusplus
}
#endif

#endif
