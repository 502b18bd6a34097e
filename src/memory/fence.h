// SPDX-License-Identifier: MIT
// The fence around blocks that were given away. Such a block stays where it was, out of use. While
// its giver runs, the pages it lies on can't be accessed. An access to something else on these
// pages is let through one instruction at a time. So is a system call: the kernel would answer
// EFAULT where an access of the program's own faults, so it asks us first (syscall user dispatch,
// which Linux has since 5.11).
#ifndef REHEARSE_MEMORY_FENCE_H
#define REHEARSE_MEMORY_FENCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "memory/memory.h"

// A stretch of whole pages.
struct rh_pages {
    uint64_t start, end;
};

struct rh_fence {
    // Called if the kernel does not let us close a page; does not return.
    void (*give_up)(void *context, const char *reason);
    void *context;
    RH_VECTOR(struct rh_heap_block) given; // blocks that the running actor gave away, by address
    RH_VECTOR(struct rh_pages) pages;      // pages of the blocks in `given`; no two stretches touch
    // Stretch around the fenced pages that one instruction may access; end 0: none.
    struct rh_pages opened;
    bool ours; // code of ours is running, not the program's: pages it opens stay open until it ends
    bool set_apart;      // the kernel keeps fenced pages apart from others
    bool watches_calls;  // the kernel knows `asks`
    volatile char asks;  // read by the kernel: 1 if it is to ask before it makes a system call
    volatile bool is_on; // the pages are closed, but for those opened for one instruction
    bool asks_too;       // the kernel is to ask also while no page is closed here
    uint64_t filled;     // buffer that the system call which was let through fills; 0: none
};

// Makes the blocks that were given away out of the heap inaccessible, while its actor runs.
void rh_fence_begin(struct rh_fence *fence, const struct rh_heap *heap, uint32_t slot);
// Makes all given blocks accessible again.
void rh_fence_end(struct rh_fence *fence);

// Lets the kernel ask about system calls from now on, whenever `asks` is set. false if it can't.
bool rh_fence_watch(struct rh_fence *fence);

// For signal handlers; `context` is their ucontext_t. Between rh_fence_pause and rh_fence_resume
// our own system calls need no permission.
void rh_fence_pause(struct rh_fence *fence);
static inline void rh_fence_resume(struct rh_fence *fence)
{
    // The kernel must not ask while an instruction that was let through has still to run.
    fence->asks = (fence->asks_too | fence->is_on) && fence->opened.end == 0;
}
// Whether the kernel is to ask also while no page is closed here.
static inline void rh_fence_ask(struct rh_fence *fence, bool asks_too)
{
    fence->asks_too = asks_too;
    rh_fence_resume(fence);
}
// SIGSEGV: an access to this address faulted. RH_ACCESS_NEIGHBOUR: the address lies beside a given
// block; the instruction is to run again, and SIGTRAP may follow.
enum rh_access { RH_ACCESS_OTHER, RH_ACCESS_NEIGHBOUR, RH_ACCESS_GIVEN };
enum rh_access rh_fence_fault(struct rh_fence *fence, uint64_t address, void *context);
// SIGSYS: the kernel asks about a system call. The answer means what it does for rh_fence_fault.
enum rh_access rh_fence_call(struct rh_fence *fence, const siginfo_t *info, void *context);
// SIGTRAP: the instruction that was let through has run. RH_ACCESS_OTHER: the signal has another
// cause.
enum rh_access rh_fence_step(struct rh_fence *fence, void *context);
// Makes fenced pages accessible, or closes again those that were made accessible.
void rh_fence_open(struct rh_fence *fence, bool open);

#endif
