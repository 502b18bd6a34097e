// SPDX-License-Identifier: MIT
// Leaves the direction flag set, in which libc and compilers trust.
#include "beside.h"

static void harm(struct victim *victim, const rh_message *message)
{
    (void)victim;
    (void)message;
    __asm__ volatile("std");
}
