// SPDX-License-Identifier: MIT
// Switching stacks on x86-64 (System V). Each function saves the callee-saved registers on the
// stack it leaves, so that a stack pointer is all there is to remember.

    .text

// void rh_stack_start(void **world, char *top, void (*function)(void *), void *argument)
    .globl  rh_stack_start
    .type   rh_stack_start, @function
rh_stack_start:
    .cfi_startproc
    endbr64
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    // The first frame: where `world` is kept, for the way back, and a return address of zero, at which
    // debuggers stop unwinding.
    pushq   %rdi
    pushq   $0
    .cfi_undefined rip
    xorl    %ebp, %ebp
    movq    %rcx, %rdi
    call    *%rdx
    movq    8(%rsp), %rdi
    movq    (%rdi), %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    ret
    .cfi_endproc
    .size   rh_stack_start, . - rh_stack_start

// void rh_stack_resume(void **world, void *handler)
    .globl  rh_stack_resume
    .type   rh_stack_resume, @function
rh_stack_resume:
    .cfi_startproc
    endbr64
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    ret
    .cfi_endproc
    .size   rh_stack_resume, . - rh_stack_resume

// void rh_stack_suspend(void **handler, void **world)
    .globl  rh_stack_suspend
    .type   rh_stack_suspend, @function
rh_stack_suspend:
    .cfi_startproc
    endbr64
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    movq    %rsp, (%rdi)
    movq    (%rsi), %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    ret
    .cfi_endproc
    .size   rh_stack_suspend, . - rh_stack_suspend

// void rh_stack_leave(void **world)
    .globl  rh_stack_leave
    .type   rh_stack_leave, @function
rh_stack_leave:
    .cfi_startproc
    endbr64
    movq    (%rdi), %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    ret
    .cfi_endproc
    .size   rh_stack_leave, . - rh_stack_leave

    .section .note.GNU-stack, "", @progbits
