// SPDX-License-Identifier: MIT
// What comes in from code that was compiled with -fsanitize=thread: a call before each access.
#ifndef REHEARSE_THREADS_HOOKS_H
#define REHEARSE_THREADS_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The engine's memory is there.
extern bool rh__has_engine;

// The running thread is about to access these bytes.
void rh__hook(uintptr_t address, size_t size, bool writes, uintptr_t code);

#endif
