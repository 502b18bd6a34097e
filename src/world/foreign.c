// SPDX-License-Identifier: MIT
#include "world/foreign.h"

#include <stddef.h>

#include "entry/process.h"
#include "memory/early.h"

// Written only before globals are watched.
static bool has_allocated;

static void note_foreign(const volatile void *block, size_t size)
{
    (void)block;
    (void)size;
    if (rh__early_asks || (rh__process.in_handler && rh_world_is_in_body()))
        has_allocated = true;
}

static void ignore_free(const volatile void *block)
{
    (void)block;
}

// Runs before the constructors of the program; those of its libraries have run.
__attribute__((constructor(101))) static void watch_foreign_malloc(void)
{
    typedef void malloc_hook(const volatile void *block, size_t size);
    typedef void free_hook(const volatile void *block);
    extern int __sanitizer_install_malloc_and_free_hooks(malloc_hook *, free_hook *)
        __attribute__((weak));
    if (__sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(note_foreign, ignore_free);
}

bool rh_foreign_has_allocated(void)
{
    return has_allocated;
}
