// SPDX-License-Identifier: MIT
// Takes away the register by which libc finds what each thread has for itself.
#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "beside.h"

static void harm(struct victim *victim, const rh_message *message)
{
    (void)victim;
    (void)message;
#ifdef SEGMENT
    __asm__ volatile("movl $0, %%eax\n\tmovl %%eax, %%fs" : : : "eax");
#else
    long result = SYS_arch_prctl;
    __asm__ volatile("syscall" : "+a"(result) : "D"(ARCH_SET_FS), "S"(0) : "rcx", "r11", "memory");
#endif
}
