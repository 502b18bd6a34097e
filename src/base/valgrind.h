// SPDX-License-Identifier: MIT
// Talking to Valgrind, if the process runs under it: Valgrind takes a sequence of instructions that
// does nothing on a processor for a request.
#ifndef REHEARSE_BASE_VALGRIND_H
#define REHEARSE_BASE_VALGRIND_H

#include <stdbool.h>
#include <stdint.h>

enum { RH_VALGRIND_IS_RUNNING = 0x1001, RH_VALGRIND_ADD_STACK = 0x1501 };

static inline uint64_t rh_valgrind_ask(uint64_t request, uint64_t first, uint64_t second)
{
    volatile uint64_t arguments[6] = {request, first, second, 0, 0, 0};
    volatile uint64_t *address = arguments;
    uint64_t result = 0;
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(address)
                     : "cc", "memory");
    return result;
}

static inline bool rh_valgrind_is_running(void)
{
    return rh_valgrind_ask(RH_VALGRIND_IS_RUNNING, 0, 0) != 0;
}

// Tells Valgrind about a stack. Otherwise it takes a switch to that stack for a very large frame.
static inline void rh_valgrind_add_stack(const void *start, const void *end)
{
    rh_valgrind_ask(RH_VALGRIND_ADD_STACK, (uint64_t)start, (uint64_t)end - 1);
}

#endif
