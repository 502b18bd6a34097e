// SPDX-License-Identifier: MIT
#include "memory/frames.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/platform/x86.h>

#include "base/status.h"
#include "entry/stack.h"

enum {
    PAGE = 4096,
    // Up to this depth clearing costs less than a fault and giving pages back.
    CLEARED_MOST = RH_STACK_SHALLOW + 8 * PAGE,
    // So many handlers that went deep tell that others will.
    OPENINGS_MOST = 64,
    // How much is filled where that is asked for.
    FILLED = 64 << 10,
};

static char *const BOTTOM = (char *)RH_STACK_BASE;

static bool set_access(char *start, char *end, int access)
{
    return mprotect(start, (size_t)(end - start), access) == 0;
}

static void close_again(struct rh_frames *frames)
{
    frames->is_closed = frames->closes && set_access(BOTTOM, frames->start, PROT_NONE);
}

void rh_frames_init(struct rh_frames *frames, bool closes, uint8_t fill)
{
    *frames = (struct rh_frames){.start = RH_STACK_START - RH_STACK_SHALLOW,
                                 .closes = closes && fill == 0,
                                 .fill = fill,
                                 .is_wide = CPU_FEATURE_ACTIVE(AVX),
                                 .access = rh_stack_protection()};
    close_again(frames);
}

// For so few bytes memset is slower. Volatile, or the compiler would call memset.
#define CLEAR(width)                                                                               \
    typedef uint64_t vector __attribute__((vector_size(width)));                                   \
    _Static_assert(RH_STACK_SHALLOW % (8 * sizeof(vector)) == 0, "eight at a time");               \
    volatile vector *at = (vector *)(RH_STACK_START - RH_STACK_SHALLOW);                           \
    for (; at < (vector *)RH_STACK_START; at += 8)                                                 \
        at[0] = at[1] = at[2] = at[3] = at[4] = at[5] = at[6] = at[7] = (vector)                   \
        {                                                                                          \
            0                                                                                      \
        }

__attribute__((target("avx"))) static void clear_wide(void)
{
    CLEAR(32);
}

static void clear_narrow(void)
{
    CLEAR(16);
}

// Out of line: most handlers use nothing of it.
static __attribute__((noinline)) void clear_deep(struct rh_frames *frames)
{
    memset(frames->start, 0, (size_t)(RH_STACK_START - RH_STACK_SHALLOW - frames->start));
    if (frames->is_closed)
        return;
    madvise(BOTTOM, (size_t)(frames->start - BOTTOM), MADV_DONTNEED);
    if (frames->fill != 0)
        memset(RH_STACK_START - FILLED, frames->fill, FILLED);
    close_again(frames);
}

void rh_frames_clear(struct rh_frames *frames)
{
    if (frames->is_wide)
        clear_wide();
    else
        clear_narrow();
    if (!frames->is_closed || frames->start < RH_STACK_START - RH_STACK_SHALLOW)
        clear_deep(frames);
}

void rh_frames_open(struct rh_frames *frames)
{
    if (!frames->is_closed)
        return;
    bool is_open = set_access(BOTTOM, frames->start, frames->access);
    rh_assert(is_open);
    frames->is_closed = false;
    frames->closes = ++frames->openings < OPENINGS_MOST;
}

bool rh_frames_fault(struct rh_frames *frames, uint64_t address)
{
    char *end = frames->start;
    if (!frames->is_closed || address < RH_STACK_BASE || address >= (uint64_t)end)
        return false;
    uint64_t depth = (uint64_t)RH_STACK_START - address;
    if (depth > CLEARED_MOST) {
        rh_frames_open(frames);
        return true;
    }
    frames->start = (char *)(address & ~(uint64_t)(PAGE - 1));
    bool is_open = set_access(frames->start, end, frames->access);
    rh_assert(is_open);
    return true;
}
