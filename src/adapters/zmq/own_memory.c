// SPDX-License-Identifier: MIT
// Memory of the tool's own code in the program's process. It lies elsewhere than what the program
// allocates: so the program's addresses do not depend on what the tool does beside it, which is
// more where an execution is written down than in a search.
//
// These functions are for the code of this library alone, which does not export them. What libc has
// allocated, for a library or for the program, is libc's to free. Whoever has the turn calls them.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "adapters/zmq/real.h"

#define BASE ((char *)0x170000000000)
#define SIZE ((size_t)1 << 38)

// A block has 2^class bytes, with its header.
enum { SMALLEST_CLASS = 5, CLASSES = 38 };

struct header {
    struct header *next; // while the block is free: the next free one of its class
    uint64_t class;
};

static struct {
    char *top; // what was never given out begins here; NULL: nothing is mapped yet
    struct header *free[CLASSES];
} own;

static bool is_own(const void *block)
{
    return (const char *)block > BASE && (const char *)block < BASE + SIZE;
}

static unsigned class_of(size_t size)
{
    unsigned class = SMALLEST_CLASS;
    while (class < CLASSES && ((size_t)1 << class) - sizeof(struct header) < size)
        class ++;
    return class;
}

static bool is_mapped(void)
{
    if (!own.top)
        own.top = mmap(BASE, SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return own.top != MAP_FAILED;
}

// A block that is all zeros.
static struct header *take_new(unsigned class)
{
    struct header *header = (struct header *)own.top;
    if (((size_t)1 << class) > (size_t)(BASE + SIZE - own.top))
        return NULL;
    own.top += (size_t)1 << class;
    return header;
}

static struct header *take_free(unsigned class)
{
    struct header *header = own.free[class];
    if (!header)
        return NULL;
    own.free[class] = header->next;
    memset(header, 0, (size_t)1 << class);
    return header;
}

void *calloc(size_t count, size_t size)
{
    size_t whole;
    bool is_too_large = __builtin_mul_overflow(count, size, &whole);
    if (!is_mapped())
        return RH_ZMQ_REAL(calloc)(count, size);
    unsigned class = is_too_large ? CLASSES : class_of(whole);
    struct header *header = class < CLASSES ? take_free(class) : NULL;
    if (!header && class < CLASSES)
        header = take_new(class);
    if (!header) {
        errno = ENOMEM;
        return NULL;
    }
    header->class = class;
    return header + 1;
}

void free(void *block)
{
    if (!is_own(block)) {
        RH_ZMQ_REAL(free)(block);
        return;
    }
    struct header *header = (struct header *)block - 1;
    header->next = own.free[header->class];
    own.free[header->class] = header;
}

void *realloc(void *block, size_t size)
{
    if (block && !is_own(block))
        return RH_ZMQ_REAL(realloc)(block, size);
    size_t room =
        block ? ((size_t)1 << ((struct header *)block - 1)->class) - sizeof(struct header) : 0;
    if (block && size <= room)
        return block;
    void *moved = calloc(1, size);
    if (moved && block) {
        memcpy(moved, block, room);
        free(block);
    }
    return moved;
}
