// SPDX-License-Identifier: MIT
// Comes first in every source of librehearse-threads.a. That library defines memcpy and its like
// for the program under test, with a point before each access (memory.c). What the library's own
// code calls by these names, and what the compiler makes of its assignments, must be no points.
#ifndef REHEARSE_THREADS_PLAIN_MEMORY_H
#define REHEARSE_THREADS_PLAIN_MEMORY_H

#ifndef RH_SERVES_MEMORY
__asm__("memcpy = rh__plain_memcpy\n"
        "memmove = rh__plain_memmove\n"
        "memset = rh__plain_memset\n"
        "memcmp = rh__plain_memcmp\n");
#endif

#endif
