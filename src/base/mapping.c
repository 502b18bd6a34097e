// SPDX-License-Identifier: MIT
#include "base/mapping.h"

#include <sys/mman.h>

void *rh_map_shared(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void rh_unmap_shared(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}
