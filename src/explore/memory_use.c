// SPDX-License-Identifier: MIT
#include "explore/memory_use.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool rh_memory_use(struct rh_memory_use *use)
{
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    unsigned long long all, resident, shared;
    if (sscanf(text, "%llu %llu %llu", &all, &resident, &shared) != 3 || shared > resident)
        return false;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    *use = (struct rh_memory_use){.own = (resident - shared) * page, .shared = shared * page};
    return true;
}
