// SPDX-License-Identifier: MIT
// Tests and types of the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

#include "entry/program.h"
#include "explore/run.h"
#include "explore/run/order.h"

// Made by RH_TEST and RH_MESSAGE.
extern const struct rh_test *const __start_rh_tests[] __attribute__((weak));
extern const struct rh_test *const __stop_rh_tests[] __attribute__((weak));
extern const struct rh_type *const __start_rh_types[] __attribute__((weak));
extern const struct rh_type *const __stop_rh_types[] __attribute__((weak));

// Compilers do not describe a type that nothing in its source file uses; its descriptor is there
// nevertheless.
static bool has_descriptor(struct rh_debug *debug, const struct rh_type *type)
{
    struct rh_text name = {0};
    const char *file;
    bool is_found = rh_debug_variable_at(debug, (uintptr_t)type, &name, &file, NULL) && file;
    rh_text_fini(&name);
    return is_found;
}

static bool knows_type(struct rh_debug *debug, const struct rh_type *type)
{
    char name[256];
    snprintf(name, sizeof name, "struct %s", type->name);
    return type->size == 0 || rh_debug_find_type(debug, name, type->size) ||
           has_descriptor(debug, type);
}

// The library may have debug information where the program has none, so that only the program's own
// types tell.
bool rh_run_knows_types(struct rh_debug *debug, const struct rh_adapter_ops *adapter)
{
    if (adapter->keeps_state)
        return true;
    bool all = rh_debug_has_types(debug);
    for (const struct rh_type *const *entry = __start_rh_types; all && entry < __stop_rh_types;
         entry++)
        all = knows_type(debug, *entry);
    return all;
}

bool rh_run_has_fixed_addresses(void)
{
    int personality_now = personality(0xffffffff);
    return personality_now != -1 && (personality_now & ADDR_NO_RANDOMIZE);
}

size_t rh_test_count(void)
{
    return (size_t)(__stop_rh_tests - __start_rh_tests);
}

// Source order; names decide between tests of one line.
static int compare(const void *left, const void *right)
{
    const struct rh_test *one = *(const struct rh_test *const *)left;
    const struct rh_test *other = *(const struct rh_test *const *)right;
    int files = strcmp(one->file, other->file);
    if (files != 0 || one->line != other->line)
        return files != 0 ? files : one->line < other->line ? -1 : 1;
    return strcmp(one->name, other->name);
}

// Compilers lay the entries down in any order.
const struct rh_test **rh_test_list(void)
{
    size_t count = rh_test_count();
    const struct rh_test **tests = rh_alloc(sizeof *tests * (count + 1));
    for (size_t i = 0; i < count; i++)
        tests[i] = __start_rh_tests[i];
    qsort(tests, count, sizeof *tests, compare);
    return tests;
}

static struct rh_status check_tests(void)
{
    for (size_t i = 0; i < rh_test_count(); i++)
        for (size_t k = 0; k < i; k++) {
            const struct rh_test *one = __start_rh_tests[k], *other = __start_rh_tests[i];
            if (strcmp(one->name, other->name) == 0)
                return rh_bad_input("there are two tests %s, at %s:%d and at %s:%d: a schedule or "
                                    "--test could not tell them apart; rename one",
                                    one->name, one->file, one->line, other->file, other->line);
        }
    return rh_ok();
}

// Sanitizers that can't work under control, each told by a function of its run time.
static struct rh_status check_sanitizers(void)
{
    extern void __tsan_init(void) __attribute__((weak));
    extern void __msan_init(void) __attribute__((weak));
    extern void __hwasan_init(void) __attribute__((weak));
    if (__tsan_init)
        return rh_bad_input(
            "the program is built with ThreadSanitizer, which leaves no room at the "
            "addresses of actors: build it with -fsanitize=address,undefined or "
            "without; ThreadSanitizer can watch actors on threads (rh_run)");
    if (__msan_init)
        return rh_bad_input("the program is built with MemorySanitizer, for which every library "
                            "would have to be built too, Rehearse's own among them: build it with "
                            "-fsanitize=address,undefined or without, and run it under Valgrind");
    if (__hwasan_init)
        return rh_bad_input("the program is built with HWAddressSanitizer, whose addresses are "
                            "not those of actors: build it with -fsanitize=address instead");
    return rh_ok();
}

struct rh_status rh_check_program(void)
{
    struct rh_status status = check_sanitizers();
    if (rh_is_ok(&status))
        status = check_tests();
    if (rh_is_ok(&status))
        status = rh_order_check_all();
    return rh_is_ok(&status) ? rh_program_check_types() : status;
}
