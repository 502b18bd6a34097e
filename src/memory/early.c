// SPDX-License-Identifier: MIT
#include "memory/early.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "entry/process.h"
#include "entry/program.h"

bool rh__early_asks = true, rh__early_has_resumed;

static const uint32_t SLOT = RH_SLOT_MOST;

static struct {
    struct rh_heap heap;
    bool is_wanted; // this is a test program, as was known when the tool started
    bool is_mapped;
    bool is_full; // an allocation or a mapping did not fit
} early = {.heap = {.used = RH_STATE_OFFSET}};

// A program that only runs actors on threads keeps to libc's memory, and Valgrind to its own.
static bool is_test_program(void)
{
    extern const struct rh_test *const __start_rh_tests[] __attribute__((weak));
    extern const struct rh_test *const __stop_rh_tests[] __attribute__((weak));
    const struct rh_test *const *first = __start_rh_tests, *const *end = __stop_rh_tests;
    return (first < end || getenv(RH_REQUEST_VARIABLE)) && !rh_valgrind_is_running();
}

static bool map(void)
{
    void *wanted = rh_slot_base(SLOT);
    void *got = mmap(wanted, RH_SLOT_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != MAP_FAILED && got != wanted)
        munmap(got, RH_SLOT_SIZE);
    return got == wanted;
}

// ThreadSanitizer maps memory before code that it has instrumented can run, in the first of all
// constructors. Nobody else may use the mappings that it makes for itself.
#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
static bool has_begun = false;
#else
static bool has_begun = true;
#endif

__attribute__((no_sanitize("thread"))) bool rh_early_is_open(void)
{
    return has_begun && rh__early_asks && __libc_single_threaded;
}

static bool may_change(void)
{
    return rh_early_is_open() || (rh__early_has_resumed && __libc_single_threaded);
}

// libc knows the environment before it calls the first constructor. Mapping may allocate: it is
// none of the program's doing, and such allocations are libc's.
static bool is_ready(void)
{
    if (!early.is_mapped && environ) {
        bool asks = rh__early_asks;
        int was_inside = rh__process.in_handler;
        rh__early_asks = false;
        rh__process.in_handler = 0;
        early.is_mapped = (early.is_wanted || is_test_program()) && map();
        rh__process.in_handler = was_inside;
        rh__early_asks = asks && early.is_mapped;
    }
    return early.is_mapped;
}

void *rh_early_alloc(size_t alignment, size_t size)
{
    if (!may_change() || !is_ready())
        return NULL;
    void *block = rh_heap_memalign(&early.heap, SLOT, alignment, size);
    early.is_full |= !block;
    return block;
}

// Runs before the constructors of the program; those of its libraries have run.
__attribute__((constructor(101))) static void begin(void)
{
    has_begun = true;
}

void rh_early_end(void)
{
    early.is_wanted |= is_test_program();
    rh__early_asks = rh__early_has_resumed = false;
}

void rh_early_resume(void)
{
    rh__early_has_resumed = early.is_wanted;
}

void rh_early_get(char **start, char **end)
{
    *start = rh_slot_base(SLOT);
    *end = *start + (early.heap.live_count > 0 ? early.heap.used : 0);
}

bool rh_early_is_full(void)
{
    return early.is_full;
}

void rh_early_leave_out(void)
{
    early.is_full = true;
}

// After the tool has started a freed block just stays.
void rh_early_free(void *block)
{
    if (may_change() && !rh_heap_free(&early.heap, SLOT, block))
        abort();
}

size_t rh_early_usable_size(const void *block)
{
    return rh_heap_block_size(&early.heap, SLOT, block);
}
