// SPDX-License-Identifier: MIT
// The two bodies of each operation of entry/operations.def: NAME_body runs in a controlled world,
// NAME_threaded while actors run on threads. Both are declared as actor.h and test.h declare NAME,
// and an operation that lacks one of them can't be linked.
#ifndef REHEARSE_ENTRY_OPERATIONS_H
#define REHEARSE_ENTRY_OPERATIONS_H

#include <rehearse/actor.h>
#include <rehearse/test.h>

#define OPERATION(name, ...) extern __typeof__(name) name##_body, name##_threaded;
#define WAITING_OPERATION(name, ...) extern __typeof__(name) name##_threaded;
#include "entry/operations.def"

// Works on the world's stack. `handler` is the handler's stack pointer; rh_stack_resume makes
// rh__ask return there.
void rh__ask_body(rh_actor *to, const struct rh_type *type, const void *payload, size_t size,
                  const char *file, int line, void *handler);

#endif
