// SPDX-License-Identifier: MIT
// Shared by the files in assembly: where the process's flags lie, and the registers that a function
// must leave as they are. A handler that waits has these registers on its stack as save_registers
// puts them there, whoever resumes the handler.
#ifndef REHEARSE_ENTRY_REGISTERS_X86_64_H
#define REHEARSE_ENTRY_REGISTERS_X86_64_H

// Offset of calls_on_world in struct rh_process; process.h asserts it.
#define CALLS_ON_WORLD 22
// Offset of runs_threads, the byte after calls_on_world.
#define RUNS_THREADS 23
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
// clang-format on

#endif
