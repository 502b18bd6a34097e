// SPDX-License-Identifier: MIT
// What code compiled with -fsanitize-coverage=trace-pc calls at the beginning of each block. Linked
// into a program only if that calls it. Nothing of ours is left on the handlers' stack nor in
// registers: what is kept of a waiting handler depends on the program alone.
#include "entry/registers_x86_64.h"

    .text
    .globl  __sanitizer_cov_trace_pc
    .type   __sanitizer_cov_trace_pc, @function
__sanitizer_cov_trace_pc:
    .cfi_startproc
    endbr64
    cmpq    $0, rh__lines(%rip)
    je      2f
    movq    (%rsp), %rdi
    movq    %rbp, %rsi
    movq    %rsp, %rdx
    movq    %rsp, %rax
    movq    %rsp, %r11
    shrq    $HANDLERS_STACK_SHIFT, %r11
    cmpq    $HANDLERS_STACK_NUMBER, %r11
    jne     1f
    movq    rh__process(%rip), %r10
    testq   %r10, %r10
    jz      1f
    movq    %r10, %rsp
1:  andq    $-16, %rsp
    pushq   %rax
    pushq   %rax
    .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 8
    call    rh__lines_note
    popq    %rsp
    .cfi_def_cfa %rsp, 8
    xorl    %eax, %eax
    pxor    %xmm0, %xmm0
    clear_arguments
    clear_scratch
2:  ret
    .cfi_endproc
    .size   __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc

// Says that the hook is this one, and not another library's.
    .section .rodata
    .globl  rh__hook_is_own
    .type   rh__hook_is_own, @object
rh__hook_is_own:
    .byte   1
    .size   rh__hook_is_own, 1

    .section .note.GNU-stack, "", @progbits
