// SPDX-License-Identifier: MIT
#include "entry/program.h"

#include <link.h>
#include <string.h>

extern const struct rh_guard_entry *const __start_rh_guards[] __attribute__((weak));
extern const struct rh_guard_entry *const __stop_rh_guards[] __attribute__((weak));
extern const struct rh_type *const __start_rh_types[] __attribute__((weak));
extern const struct rh_type *const __stop_rh_types[] __attribute__((weak));
extern const struct rh_test_judge *const __start_rh_judges[] __attribute__((weak));
extern const struct rh_test_judge *const __stop_rh_judges[] __attribute__((weak));

struct rh_program_start rh__program_start;

bool rh_world_has_guards(void)
{
    const struct rh_guard_entry *const *first = __start_rh_guards, *const *end = __stop_rh_guards;
    return first < end;
}

rh_guard *rh_program_find_guard(rh_behaviour *behaviour)
{
    for (const struct rh_guard_entry *const *entry = __start_rh_guards; entry < __stop_rh_guards;
         entry++)
        if ((*entry)->behaviour == behaviour)
            return (*entry)->guard;
    return NULL;
}

const struct rh_type *rh_program_find_type(const char *name)
{
    for (const struct rh_type *const *type = __start_rh_types; type < __stop_rh_types; type++)
        if (strcmp((*type)->name, name) == 0)
            return *type;
    return NULL;
}

const struct rh_type *const *rh_program_types(size_t *count)
{
    *count = (size_t)(__stop_rh_types - __start_rh_types);
    return __start_rh_types;
}

const struct rh_test_judge *const *rh_program_judges(size_t *count)
{
    *count = (size_t)(__stop_rh_judges - __start_rh_judges);
    return __start_rh_judges;
}

// The first object is the executable.
static int take_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uintptr_t *)context = info->dlpi_addr;
    return 1;
}

uintptr_t rh_program_base(void)
{
    uintptr_t base = 0;
    dl_iterate_phdr(take_base, &base);
    return base;
}

// The first pair of descriptors of one name, from *one on; false if there is none.
static bool find_pair(size_t *one, size_t *other)
{
    size_t count = (size_t)(__stop_rh_types - __start_rh_types);
    for (; *one < count; ++*one, *other = 0)
        for (; *other < *one; ++*other)
            if (strcmp(__start_rh_types[*one]->name, __start_rh_types[*other]->name) == 0)
                return true;
    return false;
}

struct rh_status rh_program_check_types(void)
{
    size_t i = 0, k = 0;
    for (; find_pair(&i, &k); k++) {
        const struct rh_type *one = __start_rh_types[i], *other = __start_rh_types[k];
        if (one->size != other->size)
            return rh_bad_input("two sources of the program disagree on message %s: %zu and "
                                "%zu bytes; declare it once, in a header that both include",
                                one->name, other->size, one->size);
    }
    return rh_ok();
}

bool rh_program_repeats_types(void)
{
    size_t i = 0, k = 0;
    return find_pair(&i, &k);
}
