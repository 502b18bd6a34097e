// SPDX-License-Identifier: MIT
// Randomness of the program: each thread has a stream of its own, which is seeded from the stream
// of the thread that made it. So what a thread draws does not depend on what others do, and is the
// same in every execution.
#ifndef REHEARSE_ADAPTERS_ZMQ_RANDOM_H
#define REHEARSE_ADAPTERS_ZMQ_RANDOM_H

#include <stdbool.h>
#include <stdio.h>

// Whether a thread of the program opens one of the system's devices for random numbers.
bool rh__zmq_random_is_source(const char *path);
// A thread of the program has opened such a device: reading the descriptor gives the thread's
// stream.
void rh__zmq_random_add_source(int descriptor);
// Gives such a device as a FILE.
FILE *rh__zmq_random_open(void);

#endif
