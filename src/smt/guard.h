// SPDX-License-Identifier: MIT
// Calls of code that may crash or never come back, made such that the caller goes on.
//
// A call that takes too much processor time is asked to end (`interrupt`), and is left where it is
// if it does not. It is left only while it runs code of the watched library itself, so that no lock
// of malloc is held: what the call was at work on must not be used any more.
//
// Thread rule: one call at a time in a thread.
#ifndef REHEARSE_SMT_GUARD_H
#define REHEARSE_SMT_GUARD_H

#include <stdint.h>

enum rh__outcome {
    RH__RETURNED,
    RH__REFUSED, // by rh__guard_refuse
    RH__CRASHED, // or ran away
};

struct rh__guard;

// `library` is a part of the file name of the library that is called; where none has it, the
// library is in the program's own file. `nanoseconds`: of processor time, for one call.
struct rh__guard *rh__guard_new(const char *library, uint64_t nanoseconds);
void rh__guard_free(struct rh__guard *guard);

// `interrupt` is called in a signal handler, and gets the same argument; NULL: there is no asking.
enum rh__outcome rh__guard_call(struct rh__guard *guard, void (*call)(void *argument),
                                void (*interrupt)(void *argument), void *argument);
// Ends the call that is going on, from inside of it.
_Noreturn void rh__guard_refuse(void);

#endif
