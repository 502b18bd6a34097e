// SPDX-License-Identifier: MIT
// Programs whose libraries start threads in their constructors. A process that has threads can't be
// forked, so executions can't begin from one in which constructors have run: each execution has to
// start the program anew.
//
// The program is executed once more, and this library, whose constructor the dynamic linker calls
// before all others (the linker's option `-z initfirst`), becomes the keeper there. A worker is
// forked from that keeper before any constructor of the program has run: the worker's first thread
// goes back to the dynamic linker and runs the constructors and main as the program's first thread,
// under control from its first instruction on, and the director is a thread beside it. The keeper
// works on a stack of its own: the director uses what the keeper has left there, while the first
// thread goes on with the original stack.
#ifndef REHEARSE_ADAPTERS_ZMQ_ANEW_H
#define REHEARSE_ADAPTERS_ZMQ_ANEW_H

#include <pthread.h>
#include <stdbool.h>

#include "base/status.h"

// Whether this process is a keeper that was executed anew, or was forked from one.
bool rh__zmq_is_anew(void);
// The first thread of this process.
pthread_t rh__zmq_first_thread(void);
// Executes the program once more. Returns if that fails.
struct rh_status rh__zmq_execute_anew(void);
// Called in a worker: see `launch` in adapter.h.
void rh__zmq_launch(void (*run)(const void *job), const void *job);

#endif
