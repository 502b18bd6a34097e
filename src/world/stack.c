// SPDX-License-Identifier: MIT
#include "world/stack.h"

#include <sys/mman.h>

enum { GUARD = 64 << 10 };

bool rh_stack_map(void)
{
    void *wanted = (void *)(RH_STACK_BASE - GUARD);
    char *got = mmap(wanted, RH_STACK_SIZE + GUARD, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return got == wanted && mprotect(got, GUARD, PROT_NONE) == 0;
}
