// SPDX-License-Identifier: MIT
// rh_debug_stop_here is in a file of its own, so that no compiler sees that it ignores its
// arguments and leaves them out at the call.
#include "explore/run.h"

void rh_debug_stop_here(unsigned number, const void *entry)
{
    __asm__ volatile("" : : "r"(number), "r"(entry) : "memory");
}
