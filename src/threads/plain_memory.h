// SPDX-License-Identifier: MIT
// Comes first in the sources of this folder but memory.c, which defines memcpy and its like for the
// program under test, with a point before each access. What our own code calls by these names at a
// point, and what the compiler makes of its assignments, must be no points.
#ifndef REHEARSE_THREADS_PLAIN_MEMORY_H
#define REHEARSE_THREADS_PLAIN_MEMORY_H

__asm__("memcpy = rh__plain_memcpy\n"
        "memmove = rh__plain_memmove\n"
        "memset = rh__plain_memset\n"
        "memcmp = rh__plain_memcmp\n");

#endif
