// SPDX-License-Identifier: MIT
// Names of behaviours, the same under control and on threads.
#ifndef REHEARSE_WORLD_BEHAVIOUR_H
#define REHEARSE_WORLD_BEHAVIOUR_H

#include <rehearse/actor.h>

#include "debug/debug.h"

// The behaviour's name as written in the source, without the mark of RH__BEHAVIOUR_NAME and without
// an `&`. Where something that holds the behaviour was written, such as a variable, it is the name
// that the executable's symbols give the function; without any, what was written. Stays as it is
// until the process ends. Any thread may call it.
const char *rh_behaviour_name(rh_behaviour *behaviour, const char *written, struct rh_debug *debug);

#endif
