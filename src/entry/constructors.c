// SPDX-License-Identifier: MIT
#include "entry/constructors.h"

#include "entry/program.h"

typedef void constructor(int argc, char **argv, char **environment);

// What the linker has made of all of them, sorted by priority. A library has no such symbols.
extern constructor *const __init_array_start[] __attribute__((weak, visibility("hidden")));
extern constructor *const __init_array_end[] __attribute__((weak, visibility("hidden")));
extern void _init(void);

// The next one to run, from where they were put off.
static constructor *const *due;

// Ours have priority 101, the first that is free for programs, and compilers' have less: those of
// the program come behind this one.
__attribute__((constructor(102), used)) static void end_ours(int argc, char **argv,
                                                             char **environment)
{
    (void)argc;
    (void)argv;
    (void)environment;
    __asm__ volatile(""); // compilers leave out a constructor that does nothing
}

void rh_constructors_put_off(int argc, char **argv, char **environment)
{
    constructor *const *end = __init_array_end;
    struct rh_program_start *start = &rh__program_start;
    start->argc = argc;
    start->argv = argv;
    start->environment = environment;
    _init();
    for (due = __init_array_start; due < end && *due != end_ours; due++)
        (*due)(argc, argv, environment);
}

bool rh_constructors_are_due(void)
{
    constructor *const *end = __init_array_end;
    return due && due < end;
}

void rh_constructors_run(void)
{
    const struct rh_program_start *start = &rh__program_start;
    while (rh_constructors_are_due())
        (*due++)(start->argc, start->argv, start->environment);
}
