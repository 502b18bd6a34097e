// SPDX-License-Identifier: MIT
// The stack that handlers run on, and switching to and from it. There is one, at a fixed address:
// when a handler waits for a reply the used part is copied into its actor's memory, and copied back
// on resume.
#ifndef REHEARSE_ENTRY_STACK_H
#define REHEARSE_ENTRY_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RH_STACK_BASE UINT64_C(0x1f0000000000)
#define RH_STACK_SIZE (UINT64_C(8) << 20)
#define RH_STACK_TOP ((char *)(RH_STACK_BASE + RH_STACK_SIZE))
// Most handlers use no more of their stack than this: the least that is cleared before each.
#define RH_STACK_SHALLOW 512
// Where a handler's first frame begins, so that what most handlers use ends with a page. Above it
// there is more room than arguments take (RH_WORDS_ANY).
#define RH_STACK_START (RH_STACK_TOP - 4096 + RH_STACK_SHALLOW)

// Maps the stack with guard pages below it. Called once in a process. false if the address is not
// to be had.
bool rh_stack_map(void);

// How a stack of the program's is mapped: executable if the program's own is, as for functions
// inside of functions.
int rh_stack_protection(void);

// A call of a function with up to three arguments that are no floating numbers.
struct rh_call {
    void (*function)(void);
    const void *arguments[3];
};

// Makes the call on the stack that ends at `top`, with nothing of ours in registers and in its
// frame. Returns when the function returns, with the register in which its result is, or when the
// handler leaves or asks. *world receives our own stack pointer meanwhile.
uint64_t rh_stack_start(void **world, char *top, const struct rh_call *call);

// Whether the address is one of the handler stack.
static inline bool rh_stack_has(const void *address)
{
    return (uint64_t)address - RH_STACK_BASE < RH_STACK_SIZE;
}

// Makes the rh__ask whose handler's stack pointer is `handler` return `value`. Returns as
// rh_stack_start does.
void rh_stack_resume(void **world, void *handler, const void *value);

// AddressSanitizer, if the program has it, must know which stack it is on, or it takes a call that
// does not return for one that it can't clean up after. Both functions are called on the world's
// stack: announce before a switch to the stack with this top, withdraw after the way back with what
// announce gave.
extern void __sanitizer_start_switch_fiber(void **saved, const void *bottom, size_t size)
    __attribute__((weak));
void *rh__stack_announce(char *top);
void rh__stack_withdraw(void *announced);
static inline void *rh_stack_announce(char *top)
{
    return __sanitizer_start_switch_fiber ? rh__stack_announce(top) : NULL;
}
static inline void rh_stack_withdraw(void *announced)
{
    if (__sanitizer_start_switch_fiber)
        rh__stack_withdraw(announced);
}

// Called on the handler stack: abandons the handler and goes back to the world.
_Noreturn void rh_stack_leave(void **world);

#endif
