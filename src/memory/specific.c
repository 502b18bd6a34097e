// SPDX-License-Identifier: MIT
#include "memory/specific.h"

#include <stddef.h>
#include <sys/mman.h>

#include "base/status.h"

static const size_t SIZE = sizeof(struct rh_specific) * PTHREAD_KEYS_MAX;

struct rh_specific *rh__specific;

void rh_specific_map(void)
{
    void *pages = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        rh_panic("no memory for thread-specific data");
    rh__specific = pages;
}

void rh_specific_get(char **start, char **end)
{
    *start = (char *)rh__specific;
    *end = *start + (rh__specific ? SIZE : 0);
}
