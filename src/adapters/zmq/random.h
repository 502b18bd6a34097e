// SPDX-License-Identifier: MIT
// Randomness of the program: each thread has a stream of its own, which it has from the thread that made it. So what a
// thread draws does not depend on what others do, and is the same in every execution.
#ifndef REHEARSE_ADAPTERS_ZMQ_RANDOM_H
#define REHEARSE_ADAPTERS_ZMQ_RANDOM_H

#include <stdbool.h>
#include <stdio.h>

// Whether a thread of the program opens one of the system's devices for random numbers.
bool rh__zmq_random_is_source(const char *path);
// It has: what is read from the descriptor is the stream.
void rh__zmq_random_add_source(int descriptor);
// The same as a file.
FILE *rh__zmq_random_open(void);

#endif
