// SPDX-License-Identifier: MIT
// Switching stacks on x86-64 (System V). Each function saves the callee-saved registers on the
// stack it leaves, so that a stack pointer is all there is to remember.

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

    .text

// void rh_stack_start(void **world, char *top, void (*function)(void *), void *argument)
    .globl  rh_stack_start
    .type   rh_stack_start, @function
rh_stack_start:
    .cfi_startproc
    endbr64
    save_registers
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    // The first frame: where `world` is kept, for the way back, and a return address of zero, at which
    // debuggers stop unwinding.
    pushq   %rdi
    pushq   $0
    .cfi_undefined rip
    // Nothing of ours in the registers that a waiting handler keeps.
    xorl    %ebp, %ebp
    xorl    %ebx, %ebx
    xorl    %r12d, %r12d
    xorl    %r13d, %r13d
    xorl    %r14d, %r14d
    xorl    %r15d, %r15d
    movq    %rcx, %rdi
    call    *%rdx
    movq    8(%rsp), %rdi
    movq    (%rdi), %rsp
    restore_registers
    ret
    .cfi_endproc
    .size   rh_stack_start, . - rh_stack_start

// void rh_stack_resume(void **world, void *handler, const void *value)
    .globl  rh_stack_resume
    .type   rh_stack_resume, @function
rh_stack_resume:
    .cfi_startproc
    endbr64
    save_registers
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    movq    %rdx, %rax
    restore_registers
    ret
    .cfi_endproc
    .size   rh_stack_resume, . - rh_stack_resume

// const rh_message *rh__ask(to, type, payload, size, file, line)
//
// Leaves nothing of the tool on the handler stack: registers of the caller only, so that what is kept of a
// waiting handler depends on the program alone. The work is done on the world's stack, by
// rh__ask_on_world with the handler's stack pointer as a seventh argument; rh_stack_resume makes
// this function return.
    .globl  rh__ask
    .type   rh__ask, @function
rh__ask:
    .cfi_startproc
    endbr64
    save_registers
    .cfi_adjust_cfa_offset 48
    movq    %rsp, %rax
    leaq    rh__process(%rip), %r11
    movq    (%r11), %r10
    testq   %r10, %r10
    jz      1f
    movq    %r10, %rsp
    pushq   %rax
    call    rh__ask_on_world
    leaq    rh__process(%rip), %r11
    movq    (%r11), %rsp
    restore_registers
    ret
1:  // Not on the handler stack: nobody to wait for us. rh__ask_on_world says so and does not return.
    pushq   %rax
    call    rh__ask_on_world
    hlt
    .cfi_endproc
    .size   rh__ask, . - rh__ask

// void rh_stack_leave(void **world)
    .globl  rh_stack_leave
    .type   rh_stack_leave, @function
rh_stack_leave:
    .cfi_startproc
    endbr64
    movq    (%rdi), %rsp
    restore_registers
    ret
    .cfi_endproc
    .size   rh_stack_leave, . - rh_stack_leave

    .section .note.GNU-stack, "", @progbits
