// SPDX-License-Identifier: MIT
// Shared by the files in assembly: where the process's flags lie, the registers that a function
// must leave as they are, and those that it must leave with nothing of ours in them. A handler that
// waits has the former on its stack as save_registers puts them there, whoever resumes the handler.
#ifndef REHEARSE_ENTRY_REGISTERS_X86_64_H
#define REHEARSE_ENTRY_REGISTERS_X86_64_H

// Offset of calls_on_world in struct rh_process; process.h asserts it.
#define CALLS_ON_WORLD 22
// Offset of runs_threads, the byte after calls_on_world.
#define RUNS_THREADS 23
// Offsets of the members of `taking`; process.h asserts the first.
#define TAKING_MESSAGE 64
#define TAKING_HANDLED 72
#define TAKING_TYPES 80
// The handlers' stack is the only memory whose addresses begin with this number; stack.c asserts
// it.
#define HANDLERS_STACK_SHIFT 23
#define HANDLERS_STACK_NUMBER 0x3e0000

// clang-format off
    .macro  save_registers
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    .endm

    .macro  restore_registers
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    .endm

// Clears registers that a function may leave with anything in them, but for those of arguments and
// results. Functions with variable arguments put vector registers on the stack without knowing what
// is in them.
    .macro  clear_scratch
    xorl    %r8d, %r8d
    xorl    %r9d, %r9d
    xorl    %r10d, %r10d
    xorl    %r11d, %r11d
    .irp    number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    pxor    %xmm\number, %xmm\number
    .endr
    .endm

// Clears registers of arguments, but for those that the result of a function may be in.
    .macro  clear_arguments
    xorl    %ecx, %ecx
    xorl    %edx, %edx
    xorl    %esi, %esi
    xorl    %edi, %edi
    .endm
// clang-format on

#endif
