// SPDX-License-Identifier: MIT
// Shared by the interposed libc functions: whether to intervene, and where the real function is.
//
// An interposed function does exactly what libc does unless rh__controlled(). Include this header
// before any other: it keeps libc's headers from replacing the names that are defined here.
#ifndef REHEARSE_LIBC_REAL_H
#define REHEARSE_LIBC_REAL_H

// With these macros, libc's headers define read as an inline function, gettext as a macro and open
// as another name for open64.
#undef _FORTIFY_SOURCE
#undef __OPTIMIZE__
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "entry/entry.h"
#include "entry/process.h"
#include "libc/functions.h"

// Whether the caller is code under control. Outside of handlers the first test is the whole cost.
static inline bool rh__controlled(void)
{
    return __builtin_expect(rh__process.in_handler, 0) && !rh__local.is_free;
}

// Serves calls as if outside of the handler, until the result is given to rh__step_inside.
static inline int rh__step_outside(void)
{
    int was_inside = rh__process.in_handler;
    rh__process.in_handler = 0;
    return was_inside;
}

static inline void rh__step_inside(int was_inside)
{
    rh__process.in_handler = was_inside;
}

// Finds the definitions that the process would use without ours. An address is NULL if there is
// none.
void rh__real_resolve(const char *const *names, void **addresses, size_t count);

// The common shapes of an interposed function. The last argument holds the statements that come
// first while in a handler: CANNOT_UNDO, rh_globals_touch, or an early return. They leave errno
// alone.
//
// INSIDE: memory that the real function allocates is the caller's, so it is the actor's.
#define INSIDE(type, name, parameters, arguments, ...)                                             \
    RH_ENTRY(type, name, parameters)                                                               \
    {                                                                                              \
        if (rh__controlled()) {                                                                    \
            int kept_errno = errno;                                                                \
            __VA_ARGS__;                                                                           \
            errno = kept_errno;                                                                    \
        }                                                                                          \
        return REAL(name) arguments;                                                               \
    }

// OUTSIDE: memory that the real function allocates is libc's own, and so must outlive an undo.
#define OUTSIDE(type, name, parameters, arguments, ...)                                            \
    RH_ENTRY(type, name, parameters)                                                               \
    {                                                                                              \
        if (!rh__controlled()) {                                                                   \
            return REAL(name) arguments;                                                           \
        }                                                                                          \
        int kept_errno = errno;                                                                    \
        __VA_ARGS__;                                                                               \
        errno = kept_errno;                                                                        \
        int was_inside = rh__step_outside();                                                       \
        type outcome = REAL(name) arguments;                                                       \
        rh__step_inside(was_inside);                                                               \
        return outcome;                                                                            \
    }

// OUTSIDE for a function without a result.
#define OUTSIDE_VOID(name, parameters, arguments, ...)                                             \
    RH_ENTRY_VOID(name, parameters)                                                                \
    {                                                                                              \
        if (!rh__controlled()) {                                                                   \
            REAL(name) arguments;                                                                  \
            return;                                                                                \
        }                                                                                          \
        int kept_errno = errno;                                                                    \
        __VA_ARGS__;                                                                               \
        errno = kept_errno;                                                                        \
        int was_inside = rh__step_outside();                                                       \
        REAL(name) arguments;                                                                      \
        rh__step_inside(was_inside);                                                               \
    }

// For the body of an interposed function.
#define CANNOT_UNDO rh_world_cannot_undo(__func__ + sizeof RH_BODY_PREFIX - 1)

// A call that keeps its caller's return address on the stack, for functions that look at this
// address.
#ifdef __clang__
#define RH_TAIL_CALLER
#define RH_TAIL_CALL __attribute__((musttail)) return
#else
#define RH_TAIL_CALLER __attribute__((optimize("O2"), noinline))
#define RH_TAIL_CALL return
#endif

// Fills the tables of real functions, one for each file. A reference to these functions also makes
// the linker take the files, so that shared libraries meet the interposed functions even if the
// program itself calls none.
__attribute__((constructor(101))) void rh__resolve_input(void);
__attribute__((constructor(101))) void rh__resolve_outside(void);
__attribute__((constructor(101))) void rh__resolve_descriptor(void);
__attribute__((constructor(101))) void rh__resolve_buffer(void);
__attribute__((constructor(101))) void rh__resolve_process(void);
__attribute__((constructor(101))) void rh__resolve_database(void);
__attribute__((constructor(101))) void rh__resolve_specific(void);

// Takes keys for thread-specific data that handlers can create. Called once, before anything is
// watched.
void rh__reserve_keys(void);

// Opens a descriptor from which the actor's own random bytes can be read; -1 with errno as open.
int rh__open_random(int flags);

// Whether the path names one of the kernel's sources of random bytes.
bool rh__is_random_path(const char *path);

#endif
