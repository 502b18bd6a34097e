// SPDX-License-Identifier: MIT
// Switching stacks on x86-64 (System V). Each function saves the callee-saved registers on the
// stack it leaves, so that a stack pointer is all there is to remember.

#include "entry/registers_x86_64.h"

// Offsets in struct rh_call; stack.c asserts them.
#define CALL_FUNCTION 0
#define CALL_ARGUMENTS 8
// Offsets in struct rh_entry; entry.h asserts them.
#define ENTRY_WIDTH 8
#define ENTRY_WORDS 12

    .text

// uint64_t rh_stack_start(void **world, char *top, const struct rh_call *call)
    .globl  rh_stack_start
    .type   rh_stack_start, @function
rh_stack_start:
    .cfi_startproc
    endbr64
    save_registers
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    // The first frame: where `world` is kept, for the way back, and a return address of zero, at
    // which debuggers stop unwinding.
    pushq   %rdi
    pushq   $0
    .cfi_undefined rip
    movq    CALL_FUNCTION(%rdx), %rax
    movq    CALL_ARGUMENTS(%rdx), %rdi
    movq    CALL_ARGUMENTS+8(%rdx), %rsi
    movq    CALL_ARGUMENTS+16(%rdx), %rdx
    // Nothing of ours in the registers that a waiting handler keeps, nor in any other.
    xorl    %ebp, %ebp
    xorl    %ebx, %ebx
    xorl    %ecx, %ecx
    xorl    %r12d, %r12d
    xorl    %r13d, %r13d
    xorl    %r14d, %r14d
    xorl    %r15d, %r15d
    pxor    %xmm0, %xmm0
    clear_scratch
    call    *%rax
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
    cmpb    $0, rh__process+CALLS_ON_WORLD(%rip)
    je      1f
    pxor    %xmm0, %xmm0
    clear_arguments
    clear_scratch
1:  ret
    .cfi_endproc
    .size   rh_stack_resume, . - rh_stack_resume

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

// Functions that programs call: see entry.h. %r11 is the function's struct rh_entry; everything
// else is as the caller left it.
    .globl  rh__on_world
    .type   rh__on_world, @function
rh__on_world:
    .cfi_startproc
    movq    rh__process(%rip), %r10
    testq   %r10, %r10
    jz      9f
    // A thread of the program's own, or a function that was called back on the world's stack
    // already.
    movq    %rsp, %rax
    shrq    $HANDLERS_STACK_SHIFT, %rax
    cmpq    $HANDLERS_STACK_NUMBER, %rax
    jne     9f
    movq    %rsp, %rax
    movq    %r10, %rsp
    pushq   %rax
    pushq   %r11
    pushq   %rbp
    movq    %rsp, %rbp
    // The caller's frame begins 8 bytes above the stack pointer that lies at 16(%rbp), and its %rbp
    // lies at (%rbp).
    .cfi_escape 0x0f, 5, 0x76, 16, 0x06, 0x23, 8
    .cfi_escape 0x10, 6, 2, 0x76, 0
    // Arguments on the stack, if there are any.
    movl    ENTRY_WORDS(%r11), %r10d
1:  pushq   (%rax, %r10, 8)
    decl    %r10d
    jnz     1b
    call    *(%r11)
    movq    8(%rbp), %r11
    movl    ENTRY_WIDTH(%r11), %r11d
    movq    16(%rbp), %r10
    movq    (%rbp), %rbp
    .cfi_same_value %rbp
    movq    %r10, %rsp
    .cfi_def_cfa %rsp, 8
    // Only the part of the register in which the result is.
    cmpl    $8, %r11d
    je      3f
    cmpl    $4, %r11d
    je      4f
    cmpl    $1, %r11d
    je      5f
    xorl    %eax, %eax
    testl   %r11d, %r11d
    jz      3f
    // A double is in the lower half.
    movq    %xmm0, %xmm0
    jmp     2f
4:  movl    %eax, %eax
    jmp     3f
5:  movzbl  %al, %eax
3:  pxor    %xmm0, %xmm0
2:  clear_scratch
    xorl    %ecx, %ecx
    xorl    %edx, %edx
    xorl    %esi, %esi
    xorl    %edi, %edi
    ret
9:  jmp     *(%r11)
    .cfi_endproc
    .size   rh__on_world, . - rh__on_world

    .section .note.GNU-stack, "", @progbits
