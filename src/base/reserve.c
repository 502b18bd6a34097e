// SPDX-License-Identifier: MIT
#include "base/reserve.h"

#include <sys/mman.h>

void *rh_reserve(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void rh_release(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}
