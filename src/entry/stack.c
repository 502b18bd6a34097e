// SPDX-License-Identifier: MIT
#include "entry/stack.h"

#include <link.h>
#include <sys/mman.h>

enum { GUARD = 64 << 10 };

_Static_assert(RH_STACK_SIZE == 1 << 23 && RH_STACK_BASE >> 23 == 0x3e0000,
               "stack_x86_64.S counts on it");

_Static_assert(offsetof(struct rh_call, function) == 0 && offsetof(struct rh_call, arguments) == 8,
               "so does it on this");

static int find_executable_stack(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    bool *is_executable = context;
    for (int i = 0; i < info->dlpi_phnum; i++)
        *is_executable |=
            info->dlpi_phdr[i].p_type == PT_GNU_STACK && (info->dlpi_phdr[i].p_flags & PF_X);
    return *is_executable;
}

int rh_stack_protection(void)
{
    bool is_executable = false;
    dl_iterate_phdr(find_executable_stack, &is_executable);
    return PROT_READ | PROT_WRITE | (is_executable ? PROT_EXEC : 0);
}

bool rh_stack_map(void)
{
    void *wanted = (void *)(RH_STACK_BASE - GUARD);
    char *got = mmap(wanted, RH_STACK_SIZE + GUARD, rh_stack_protection(),
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return got == wanted && mprotect(got, GUARD, PROT_NONE) == 0;
}

extern void __sanitizer_finish_switch_fiber(void *saved, const void **bottom, size_t *size)
    __attribute__((weak));

// Between the start and the end of a switch the sanitizer looks at the stack pointer to know which
// stack it is on. It is told of the end only when the handler is through, so nothing needs to be
// called on the handler's side.
void *rh__stack_announce(char *top)
{
    void *saved = NULL;
    __sanitizer_start_switch_fiber(&saved, top - RH_STACK_SIZE, RH_STACK_SIZE);
    return saved;
}

void rh__stack_withdraw(void *announced)
{
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(announced, &bottom, &size);
    // Back to the stack of the world, on which this function runs.
    __sanitizer_start_switch_fiber(&announced, bottom, size);
    __sanitizer_finish_switch_fiber(announced, NULL, NULL);
}
