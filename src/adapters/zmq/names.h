// SPDX-License-Identifier: MIT
// What things of a program that uses ZeroMQ are called for people.
#ifndef REHEARSE_ADAPTERS_ZMQ_NAMES_H
#define REHEARSE_ADAPTERS_ZMQ_NAMES_H

#include <stddef.h>

#include <rehearse/actor.h>

#include "base/text.h"

// The name of a thread, owned by the caller: that of the function which the thread runs, or, for an
// actor of CZMQ, of the actor's own function. `*behaviour` receives the function's address.
char *rh__zmq_thread_name(void *(*start)(void *), const void *argument, rh_behaviour **behaviour);

// Whether the code at this address belongs to a library of the system and not to the program.
bool rh__zmq_is_library(const void *code);

// Where the call that the program has made returns to: the innermost code that is neither this
// library's nor a system library's. NULL if there is none.
const void *rh__zmq_find_return(void);

// Adds the contents of a frame: text as it is, anything else in hexadecimal.
void rh__zmq_add_frame(struct rh_text *text, const void *bytes, size_t size);

#endif
