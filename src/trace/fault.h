// SPDX-License-Identifier: MIT
// Faults that an execution may hold beside what the program does: messages that are lost or come
// more than once, actors that crash.
#ifndef REHEARSE_TRACE_FAULT_H
#define REHEARSE_TRACE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

// Not 0: these numbers also tell the choice of a fault from an rh_choose.
enum rh_fault { RH_FAULT_DROP = 1, RH_FAULT_DUPLICATE = 2, RH_FAULT_CRASH = 3 };

// How many of each fault there may be, in all.
struct rh_faults {
    uint16_t drops;
    uint16_t duplicates;
    uint16_t crashes;
    bool restarts; // an actor that crashes begins anew
    // By enum rh_fault: what it may befall, borrowed; NULL: anything. A drop and a duplicate name
    // TYPE, @RECEIVER or TYPE@RECEIVER, a crash an actor. An actor is named by its behaviour, as
    // in "worker", or as reports do, as in "worker#2".
    const char *aims[RH_FAULT_CRASH + 1];
};

// Whether the aim names a message of this type. One that names only receivers does not name what a
// test's body sends.
bool rh_aim_has_type(const char *aim, const char *type, bool is_of_body);
// What an aim says about the actor: behind the @, or all of a crash's. NULL: any actor.
const char *rh_aim_actor(const char *aim, enum rh_fault fault);

#define RH_FAULTS_MOST UINT16_MAX

static inline bool rh_faults_any(const struct rh_faults *faults)
{
    return faults->drops > 0 || faults->duplicates > 0 || faults->crashes > 0;
}

// "1 drop, 2 crashes with restart".
void rh_faults_add_text(struct rh_text *text, const struct rh_faults *faults);

#endif
