// SPDX-License-Identifier: MIT
// The interposed functions of one file. interpose_WHERE.c defines IN_WHERE(...) as its arguments
// and RESOLVE as the name of the function that fills its table, and includes this header behind
// those of libc. The header has the table of the real functions, which REAL looks up, and
// definitions of the functions that functions.def describes in full. The file itself defines the
// others.

#ifndef IN_malloc
#define IN_malloc(...)
#endif
#ifndef IN_input
#define IN_input(...)
#endif
#ifndef IN_outside
#define IN_outside(...)
#endif
#ifndef IN_specific
#define IN_specific(...)
#endif
#ifndef IN_database
#define IN_database(...)
#endif
#ifndef IN_descriptor
#define IN_descriptor(...)
#endif
#ifndef IN_process
#define IN_process(...)
#endif
#ifndef IN_buffer
#define IN_buffer(...)
#endif
#define IN_libc(...)

// The table is filled before main, or by the first call if that comes from a constructor; never
// while globals are protected. The first address is stored last, so that it stands for all of them.
struct real_functions {
#define FUNCTION(where, how, name, ...) IN_##where(__typeof__(&name) name;)
#include "libc/functions.def"
};

static union {
    struct real_functions function;
    void *address[sizeof(struct real_functions) / sizeof(void *)];
} real;

__attribute__((noinline)) void RESOLVE(void)
{
    static const char *const names[] = {
#define FUNCTION(where, how, name, ...) IN_##where(#name, )
#include "libc/functions.def"
    };
    rh__real_resolve(names, real.address, sizeof names / sizeof *names);
}

static inline const struct real_functions *real_functions(void)
{
    if (__builtin_expect(!__atomic_load_n(&real.address[0], __ATOMIC_ACQUIRE), 0)) {
        RESOLVE();
    }
    return &real.function;
}

#define REAL(name) (real_functions()->name)

// Statements before the call of the real function, for what it does beyond memory.
#define BEFORE_NOTHING (void)0
#define BEFORE_ASKS (void)0
#define BEFORE_CHANGES CANNOT_UNDO
#define BEFORE_CHANGES_AS(name) rh_world_cannot_undo(#name)

// Statements before the call for the function's effects on memory: a buffer that the kernel is
// about to fill is touched.
#define FILLS(argument, length)                                                                    \
    __extension__({                                                                                \
        __typeof__(argument) rh__filled = (argument);                                              \
        rh_globals_touch(rh__filled, FILLED_##length);                                             \
    })
#define RECEIVES FILLS
#define FILLED_OBJECT sizeof *rh__filled
#define FILLED_BYTES(count) (size_t)(count)
#define FILLED_ITEMS(count) (size_t)(count) * sizeof *rh__filled
#define FILLED_BLOCKS(count, size) (count) * (size)
#define FILLED_COUNTED(count) (count) ? *(count) : 0
// Statements for the names of files: the name may become that of a file in the execution's own
// directory.
#define NAMES(directory, path) (path = rh_world_file(directory, path, false))
#define ALTERS(directory, path) (path = rh_world_file(directory, path, true))
#define READS(...) (void)0
#define WRITES(...) (void)0
#define SENDS(...) (void)0
#define PUTS_NEW(...) (void)0
#define PUTS_INTO(...) (void)0
#define GIVES(...) (void)0
#define GIVES_INTO(...) (void)0
#define GIVES_OWN (void)0
#define ALLOCATES(...) (void)0
#define FREES(...) (void)0
#define CALLS(...) (void)0
#define KEEPS(...) (void)0
#define SHOWS(...) (void)0
#define RUNS (void)0
#define MORE (void)0
#define NONE (void)0

#define SERVE_INSIDE INSIDE
#define SERVE_OUTSIDE OUTSIDE
#define SERVE_BY_HAND(...)
#define SERVE_OUTSIDE_VOID OUTSIDE_VOID
#define SERVE_BY_HAND_VOID(...)
#define FUNCTION(where, how, name, result, parameters, arguments, outside, ...)                    \
    IN_##where(SERVE_##how(result, name, parameters, arguments, BEFORE_##outside, __VA_ARGS__))
#define PROCEDURE(where, how, name, parameters, arguments, outside, ...)                           \
    IN_##where(SERVE_##how##_VOID(name, parameters, arguments, BEFORE_##outside, __VA_ARGS__))
#include "libc/functions.def"
