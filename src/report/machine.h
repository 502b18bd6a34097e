// SPDX-License-Identifier: MIT
// The state machine of an actor in Graphviz's language.
#ifndef REHEARSE_REPORT_MACHINE_H
#define REHEARSE_REPORT_MACHINE_H

#include "diagram/machine.h"

// States have two circles where the execution may be over.
void rh_report_machine_dot(struct rh_text *text, const struct rh_machine *machine,
                           const char *actor);

#endif
