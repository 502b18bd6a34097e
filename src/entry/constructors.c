// SPDX-License-Identifier: MIT
#include "entry/constructors.h"

#include <elf.h>
#include <link.h>

#include "entry/program.h"

typedef void constructor(int argc, char **argv, char **environment);

// What the linker has made of all of them, sorted by priority. A library has no such symbols.
extern constructor *const __init_array_start[] __attribute__((weak, visibility("hidden")));
extern constructor *const __init_array_end[] __attribute__((weak, visibility("hidden")));
extern void _init(void);

// The next one to run, from where they were put off, and where they end.
static constructor *const *due, *const *due_end;
// The function that comes before them; NULL: it has run.
static constructor *due_first;

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

static void call(constructor *function)
{
    const struct rh_program_start *start = &rh__program_start;
    function(start->argc, start->argv, start->environment);
}

// Where a library finds the executable's, as libc does. The first object is the executable.
static int take_executable(struct dl_phdr_info *executable, size_t size, void *context)
{
    const ElfW(Dyn) *entry = NULL;
    uintptr_t base = executable->dlpi_addr, array = 0, array_size = 0, first = 0;
    (void)size;
    (void)context;
    for (int i = 0; i < executable->dlpi_phnum; i++)
        if (executable->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(base + executable->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_INIT)
            first = base + entry->d_un.d_ptr;
        if (entry->d_tag == DT_INIT_ARRAY)
            array = base + entry->d_un.d_ptr;
        if (entry->d_tag == DT_INIT_ARRAYSZ)
            array_size = entry->d_un.d_val;
    }
    due_first = (constructor *)first;
    due = (constructor *const *)array;
    due_end = due + array_size / sizeof *due;
    return 1;
}

static void take_own(void)
{
    _init();
    due_end = __init_array_end;
    for (due = __init_array_start; due < due_end && *due != end_ours; due++)
        call(*due);
}

void rh_constructors_put_off(int argc, char **argv, char **environment)
{
    constructor *const *end = __init_array_end;
    struct rh_program_start *start = &rh__program_start;
    start->argc = argc;
    start->argv = argv;
    start->environment = environment;
    if (end)
        take_own();
    else
        dl_iterate_phdr(take_executable, NULL);
}

bool rh_constructors_are_due(void)
{
    return due_first || due < due_end;
}

void rh_constructors_run(void)
{
    constructor *first = due_first;
    due_first = NULL;
    if (first)
        call(first);
    while (due < due_end)
        call(*due++);
}
