// SPDX-License-Identifier: MIT
// A system call past libc, whose `syscall` is the program's.
#ifndef REHEARSE_THREADS_KERNEL_H
#define REHEARSE_THREADS_KERNEL_H

// Gives what the kernel gives: a negative number is an error's.
static inline long rh__kernel(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    register long sixth __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}

#endif
