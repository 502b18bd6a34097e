// SPDX-License-Identifier: MIT
// How the program's variables end after whole operations, and whether an execution has left them
// otherwise. Where nobody says what the state means that is a hint, and no more.
#ifndef REHEARSE_THREADS_UNSERIAL_H
#define REHEARSE_THREADS_UNSERIAL_H

#include <stdbool.h>
#include <stdint.h>

// Call before the variables are taken.
void rh__unserial_start(void);
void rh__unserial_forget(void);
// Whole operations have ended so, in some order.
void rh__unserial_add(void);
// Whether the present execution has ended as none of these: `address` has a variable that differs
// from the nearest of them.
bool rh__is_unserial(uintptr_t *address);

#endif
