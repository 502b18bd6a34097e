// SPDX-License-Identifier: MIT
// Plug in a message library: what the core needs to know to drive programs written against it. The
// core keeps the actors, the pending messages, the clock and the undo log; an adapter says
// whether an actor can take a message now, and hands it over. In this version the native adapter
// (actor.h itself) is the only one; this header shows its shape and is not yet stable.
//
//     const struct rh_adapter_ops rh_native_adapter = {"native", accepts, process};
#ifndef REHEARSE_ADAPTER_H
#define REHEARSE_ADAPTER_H

#include <rehearse/actor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rh_adapter_ops {
    const char *name;
    // Whether the actor can take the message now. Called between deliveries; changes nothing.
    bool (*accepts)(rh_actor *actor, const rh_message *message);
    // Hands the message over. Called on the handler stack, as the actor; returns when the
    // actor has done with it.
    void (*process)(rh_actor *actor, const rh_message *message);
};

#ifdef __cplusplus
}
#endif

#endif
