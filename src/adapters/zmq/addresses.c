// SPDX-License-Identifier: MIT
#include "adapters/zmq/addresses.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Below all that the system maps by itself, and above what the tool has at addresses of its own.
#define TOP UINT64_C(0x600000000000)

// The list of mappings, which the system gives in order.
static char list[1 << 18];

static bool read_list(void)
{
    int descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t got = descriptor >= 0 ? 1 : 0;
    while (got > 0 && length < sizeof list - 1) {
        got = read(descriptor, list + length, sizeof list - 1 - length);
        length += got > 0 ? (size_t)got : 0;
    }
    if (descriptor >= 0)
        close(descriptor);
    list[length] = '\0';
    return got == 0 && length > 0;
}

static void take(uint64_t from, uint64_t to)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (to > from)
        (void)mmap((void *)(uintptr_t)from, to - from, PROT_NONE, flags, -1, 0);
}

void rh__zmq_addresses_fix(void)
{
    uint64_t free_from = TOP, from, to;
    if (!read_list())
        return;
    for (const char *line = list; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) != 2)
            break;
        // The stack of the process grows into what is below it.
        bool is_stack = strncmp(line + strcspn(line, "[\n"), "[stack]", 7) == 0;
        if (is_stack)
            break;
        take(free_from, from);
        free_from = to > free_from ? to : free_from;
    }
}
