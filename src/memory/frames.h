// SPDX-License-Identifier: MIT
// The handlers' stack is empty when a handler begins, so that variables and padding that nobody has
// set are the same whatever was delivered, or undone, before. Only what may have been used is
// cleared: the stack is closed below that, and the first access there faults. A handler that goes
// deep opens the stack, and its pages are given back when the next one begins.
//
// The kernel would answer EFAULT where an access of the program's own faults: while the stack is
// closed it must ask before system calls (fence.h), and the stack is opened then.
#ifndef REHEARSE_MEMORY_FRAMES_H
#define REHEARSE_MEMORY_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct rh_frames {
    char *start;       // what lies from here to RH_STACK_START is cleared before each handler
    uint32_t openings; // how many times the stack was opened
    bool closes;       // whether the stack is to be closed again; false where faults are not caught
    bool is_closed;    // below `start`
    bool is_wide;      // the processor has wide vectors
    uint8_t fill;      // the byte that is put where the stack is cleared
    int access;        // how the stack is mapped where it is open
};

// `closes` if somebody calls rh_frames_fault on SIGSEGV and rh_frames_open on system calls.
// If `fill` is not 0, the stack is full of that byte before each handler, as far as most reach, and
// never closed.
void rh_frames_init(struct rh_frames *frames, bool closes, uint8_t fill);
// A handler is about to begin.
void rh_frames_clear(struct rh_frames *frames);
// For signal handlers. false if the address is not one of the closed part.
bool rh_frames_fault(struct rh_frames *frames, uint64_t address);
void rh_frames_open(struct rh_frames *frames);

#endif
