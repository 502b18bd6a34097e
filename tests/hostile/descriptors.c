// SPDX-License-Identifier: MIT
// Does something to every descriptor there is, past libc: closes it, or writes to what it leads to, or cuts
// that off.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "beside.h"

enum { DESCRIPTORS = 2000 };

static void harm(struct victim *victim, const rh_message *message)
{
    (void)victim;
    (void)message;
#if defined CLOSE
    syscall(SYS_close_range, 0, ~0u, 0);
#elif defined WRITE
    for (int i = 3; i < DESCRIPTORS; i++)
        syscall(SYS_write, i, "avnf garbage", 12);
#else
    for (int i = 3; i < DESCRIPTORS; i++)
        syscall(SYS_ftruncate, i, 0);
#endif
}
