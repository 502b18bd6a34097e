// SPDX-License-Identifier: MIT
// A call of a function whose code is not in the sources, as data: what is asked of a process of the
// program, and what it answers.
#ifndef REHEARSE_RESULT_FOREIGN_H
#define REHEARSE_RESULT_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RH_FOREIGN_ARGUMENTS = 14, // at most: what fits into registers
    RH_FOREIGN_INTEGERS = 6,
    RH_FOREIGN_REALS = 8,
    RH_FOREIGN_BYTES = 4096, // of what all arguments point to
    RH_FOREIGN_NAME = 128,
};

enum rh_foreign_kind {
    RH_FOREIGN_NOTHING, // of a result: there is none
    RH_FOREIGN_INTEGER,
    RH_FOREIGN_REAL, // float or double: the bits of either
    RH_FOREIGN_MEMORY,
};

struct rh_foreign_argument {
    uint32_t kind;
    bool is_writable; // of memory: the function may change it
    uint32_t first;   // of memory: where its bytes begin in those of the call
    uint32_t size;
    uint32_t offset; // of memory: what the address has beyond its beginning
    uint64_t bits;   // of a number
};

struct rh_foreign_call {
    char name[RH_FOREIGN_NAME];
    uint32_t count;
    struct rh_foreign_argument arguments[RH_FOREIGN_ARGUMENTS];
    uint32_t result; // kind
    unsigned char bytes[RH_FOREIGN_BYTES];
    bool is_unset[RH_FOREIGN_BYTES]; // the byte has no value: the function must not depend on it
};

struct rh_foreign_answer {
    bool is_made;      // otherwise `refused` says why the call can't be taken over
    char refused[120]; // "the call of time, which asks the operating system"
    uint64_t bits;     // of the result
    unsigned char bytes[RH_FOREIGN_BYTES];
    bool is_written[RH_FOREIGN_BYTES]; // the function has changed or set the byte
};

// Makes calls in a process of the program.
struct rh_foreign_caller {
    void *context;
    void (*call)(void *context, const struct rh_foreign_call *call,
                 struct rh_foreign_answer *answer);
};

#endif
