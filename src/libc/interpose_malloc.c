// SPDX-License-Identifier: MIT
// The malloc family. Inside of a handler it is served from the memory of the running actor.
//
// This file is left out of a program whose sanitizer brings its own malloc. No other function may
// be defined here, and other files may refer to nothing but the weak flag.
#include "libc/real.h"

#include "memory/early.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libc's own definitions under the names that are not preempted.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

extern const int rh__malloc_is_ours;
const int rh__malloc_is_ours = 1;

enum { LEAST_ALIGNMENT = 16 };

static size_t (*real_usable_size)(void *block);

static void resolve_usable_size(void)
{
    union {
        void *address;
        size_t (*function)(void *block);
    } symbol = {.address = dlsym(RTLD_NEXT, "malloc_usable_size")};
    real_usable_size = symbol.function;
}

// Before main, since the pointer can't be written while globals are protected.
__attribute__((constructor(101))) static void resolve_early(void)
{
    int was_inside = rh__step_outside();
    resolve_usable_size();
    rh__step_inside(was_inside);
}

static void *or_no_memory(void *block)
{
    if (!block) {
        errno = ENOMEM;
    }
    return block;
}

// Whether a handler or the test's body is running, and no constructor in the body's place.
static bool is_in_test(void)
{
    return rh__controlled() && __builtin_expect(!rh__early_has_resumed, 1);
}

// A block that the program allocates before its tests; NULL if libc serves.
static void *early_block(size_t alignment, size_t size)
{
    bool asks = rh__controlled() ? rh__early_has_resumed : rh__early_asks;
    return __builtin_expect(asks, 0) ? rh_early_alloc(alignment, size) : NULL;
}

RH_ENTRY(void *, malloc, (size_t size))
{
    if (!is_in_test()) {
        void *early = early_block(LEAST_ALIGNMENT, size);
        return early ? early : __libc_malloc(size);
    }
    return or_no_memory(size <= PTRDIFF_MAX ? rh_memory_malloc(size) : NULL);
}

RH_ENTRY(void *, calloc, (size_t count, size_t size))
{
    size_t total;
    bool fits = !__builtin_mul_overflow(count, size, &total) && total <= PTRDIFF_MAX;
    if (!is_in_test()) {
        void *early = fits ? early_block(LEAST_ALIGNMENT, total) : NULL;
        return early ? early : __libc_calloc(count, size);
    }
    return or_no_memory(fits ? rh_memory_calloc(count, size) : NULL);
}

// An actor's block is the actor's whoever frees it. A block of libc's that a handler frees was
// allocated before the search, or by a call that was served outside: freeing the block could not be
// undone, so it stays. What can't be a block of libc's is no block at all.
RH_ENTRY_VOID(free, (void *block))
{
    if (!block) {
        return;
    }
    if (rh_memory_owns(block)) {
        rh_memory_free(block);
    } else if (rh_early_owns(block)) {
        rh_early_free(block);
    } else if (is_in_test()) {
        rh_memory_check_block(block);
    } else {
        __libc_free(block);
    }
}

// A handler's realloc of a block of libc's leaves the block alone, as free does.
static void *copy_block(void *block, size_t size)
{
    if (is_in_test()) {
        rh_memory_check_block(block);
    }
    size_t old_size = malloc_usable_size(block);
    void *copy = malloc(size);
    if (copy) {
        memcpy(copy, block, old_size < size ? old_size : size);
    }
    return copy;
}

// The block is an actor's, or a handler is running.
static void *actor_realloc(void *block, size_t size)
{
    if (!block) {
        return malloc(size);
    }
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (!rh_memory_owns(block)) {
        return copy_block(block, size);
    }
    return or_no_memory(size <= PTRDIFF_MAX ? rh_memory_realloc(block, size) : NULL);
}

static void *early_realloc(void *block, size_t size)
{
    void *copy = size > 0 ? copy_block(block, size) : NULL;
    if (copy || size == 0) {
        rh_early_free(block);
    }
    return copy;
}

RH_ENTRY(void *, realloc, (void *block, size_t size))
{
    if (is_in_test() || rh_memory_owns(block)) {
        return actor_realloc(block, size);
    }
    if (!block) {
        return malloc(size);
    }
    return rh_early_owns(block) ? early_realloc(block, size) : __libc_realloc(block, size);
}

RH_ENTRY(void *, reallocarray, (void *block, size_t count, size_t size))
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, total);
}

// As glibc: an alignment that is no power of two counts as the next one.
static size_t round_alignment(size_t alignment)
{
    size_t rounded = LEAST_ALIGNMENT;
    while (rounded < alignment) {
        rounded *= 2;
    }
    return rounded;
}

static void *actor_memalign(size_t alignment, size_t size)
{
    if (alignment > SIZE_MAX / 2 + 1) {
        errno = EINVAL;
        return NULL;
    }
    bool fits = size <= PTRDIFF_MAX && alignment <= PTRDIFF_MAX - size;
    return or_no_memory(fits ? rh_memory_memalign(round_alignment(alignment), size) : NULL);
}

RH_ENTRY(void *, memalign, (size_t alignment, size_t size))
{
    if (is_in_test()) {
        return actor_memalign(alignment, size);
    }
    void *early = alignment <= PTRDIFF_MAX ? early_block(round_alignment(alignment), size) : NULL;
    return early ? early : __libc_memalign(alignment, size);
}

RH_ENTRY(void *, aligned_alloc, (size_t alignment, size_t size))
{
    return memalign(alignment, size);
}

RH_ENTRY(int, posix_memalign, (void **result, size_t alignment, size_t size))
{
    bool power_of_two = alignment && !(alignment & (alignment - 1));
    if (!power_of_two || alignment % sizeof(void *)) {
        return EINVAL;
    }
    int kept_errno = errno;
    void *block = memalign(alignment, size);
    errno = kept_errno;
    if (!block) {
        return ENOMEM;
    }
    *result = block;
    return 0;
}

RH_ENTRY(void *, valloc, (size_t size))
{
    return memalign((size_t)getpagesize(), size);
}

RH_ENTRY(void *, pvalloc, (size_t size))
{
    size_t page = (size_t)getpagesize();
    if (size > PTRDIFF_MAX - page) {
        return or_no_memory(NULL);
    }
    return memalign(page, (size + page - 1) / page * page);
}

RH_ENTRY(size_t, malloc_usable_size, (void *block))
{
    if (rh_memory_owns(block)) {
        return rh_memory_usable_size(block);
    }
    if (rh_early_owns(block)) {
        return rh_early_usable_size(block);
    }
    if (!real_usable_size) {
        resolve_early();
    }
    return real_usable_size ? real_usable_size(block) : 0;
}
