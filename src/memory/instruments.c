// SPDX-License-Identifier: MIT
// Variables that compilers add to a program so as to watch it: counters of coverage and profiles,
// and the books of a sanitizer's run time that is linked into the executable. They are no part of
// the program's state: what they hold is neither a finding nor put back.
#include <string.h>

#include "memory/watched.h"

static void add_hole(const struct rh_debug_data *data)
{
    *rh_vector_push(&rh__globals.holes) =
        (struct rh_range){(char *)data->start, (char *)data->start + data->size};
}

static void extend_hole(const struct rh_debug_data *data)
{
    rh__globals.holes.items[rh__globals.holes.count - 1].end = (char *)data->start + data->size;
}

bool rh_is_sanitizer_variable(const char *name)
{
    static const char *const parts[] = {"__sanitizer", "__asan", "__ubsan", "__lsan",
                                        "__interception"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

// A sanitizer's run time is linked as one piece, so within a section its variables stand together,
// and those between two of them are its own whatever they are called. Only C++ names tell:
// compilers put plain names of a sanitizer into the program's objects too.
static void add_sanitizer_hole(void *context, const struct rh_debug_data *data)
{
    unsigned *section = context;
    if (strncmp(data->name, "_Z", 2) != 0 || !rh_is_sanitizer_variable(data->name))
        return;
    if (*section == data->section)
        extend_hole(data);
    else
        add_hole(data);
    *section = data->section;
}

// Counters stand one behind the other, a few for each function; together they are one hole.
static void add_counter_hole(void *context, const struct rh_debug_data *data)
{
    bool *follows = context;
    bool is_counter = strncmp(data->name, "__gcov", 6) == 0 ||
                      strncmp(data->name, "__llvm_gcov", 11) == 0 ||
                      strncmp(data->name, "__llvm_profile", 14) == 0;
    if (is_counter && *follows)
        extend_hole(data);
    else if (is_counter)
        add_hole(data);
    *follows = is_counter;
}

// Names are looked up only in a program that has something of the kind.
static void add_named(struct rh_debug *debug)
{
    extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
    extern void __gcov_init(void *) __attribute__((weak));
    extern void llvm_gcov_init(void (*)(void), void (*)(void)) __attribute__((weak));
    extern void __llvm_profile_initialize(void) __attribute__((weak));
    unsigned section = 0;
    bool follows = false;
    if (__sanitizer_set_death_callback)
        rh_debug_visit_data(debug, add_sanitizer_hole, &section);
    if (__gcov_init || llvm_gcov_init || __llvm_profile_initialize)
        rh_debug_visit_data(debug, add_counter_hole, &follows);
}

#define COUNTER_SECTIONS(SECTION)                                                                  \
    SECTION(__llvm_prf_cnts)                                                                       \
    SECTION(__llvm_prf_data)                                                                       \
    SECTION(__llvm_prf_vnds)                                                                       \
    SECTION(__sancov_bools)                                                                        \
    SECTION(__sancov_cntrs)                                                                        \
    SECTION(__sancov_guards)

#define DECLARE(name)                                                                              \
    extern char __start_##name[] __attribute__((weak));                                            \
    extern char __stop_##name[] __attribute__((weak));
COUNTER_SECTIONS(DECLARE)

// clang's counters have no names, but sections of their own.
static void add_sections(void)
{
#define BOUNDS(name) {__start_##name, __stop_##name},
    const struct rh_range sections[] = {COUNTER_SECTIONS(BOUNDS)};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (sections[i].start)
            *rh_vector_push(&rh__globals.holes) = sections[i];
}

void rh_globals_find_instruments(struct rh_debug *debug)
{
    if (debug)
        add_named(debug);
    add_sections();
}
