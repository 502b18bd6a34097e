// SPDX-License-Identifier: MIT
// Switching stacks on x86-64 (System V). Each function saves the callee-saved registers on the
// stack it leaves, so that a stack pointer is all there is to remember.

// Offset of calls_on_world in struct rh_process; process.h asserts it.
#define CALLS_ON_WORLD 22

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

// Registers that a function may leave with anything in them, but for those of arguments and results. Functions with
// variable arguments put vector registers on the stack without knowing what is in them.
    .macro  clear_scratch
    xorl    %r8d, %r8d
    xorl    %r9d, %r9d
    xorl    %r10d, %r10d
    xorl    %r11d, %r11d
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    pxor    %xmm\number, %xmm\number
    .endr
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

// void rh_stack_call(void (*function)(void), const void *first, const void *second, const void *third)
    .globl  rh_stack_call
    .type   rh_stack_call, @function
rh_stack_call:
    .cfi_startproc
    endbr64
    save_registers
    movq    %rsp, %rax
    // Our frames above take less than this.
    andq    $-1024, %rsp
    pushq   %rax
    pushq   $0
    .cfi_undefined rip
    xorl    %ebp, %ebp
    xorl    %ebx, %ebx
    xorl    %r12d, %r12d
    xorl    %r13d, %r13d
    xorl    %r14d, %r14d
    xorl    %r15d, %r15d
    movq    %rdi, %rax
    movq    %rsi, %rdi
    movq    %rdx, %rsi
    movq    %rcx, %rdx
    xorl    %ecx, %ecx
    clear_scratch
    call    *%rax
    movq    8(%rsp), %rsp
    restore_registers
    ret
    .cfi_endproc
    .size   rh_stack_call, . - rh_stack_call

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
    clear_scratch
    xorl    %ecx, %ecx
    xorl    %edx, %edx
    xorl    %esi, %esi
    xorl    %edi, %edi
1:  ret
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

// What programs call. Each entry hands on to the C function of the same name with _body; see
// adapters/native/entries.h. Where the padding of messages is not known its bytes count, and they are what earlier
// calls left on the handlers' stack. There the body runs on the world's stack, as that of rh__ask does, so that what
// is left depends on the program alone: not on the compiler that built us, nor on whether we had to make room.
    .macro  entry name
    .globl  \name
    .type   \name, @function
\name:
    .cfi_startproc
    endbr64
    cmpb    $0, rh__process+CALLS_ON_WORLD(%rip)
    jne     1f
0:  jmp     \name\()_body
1:  movq    rh__process(%rip), %r10
    testq   %r10, %r10
    jz      0b
    movq    %rsp, %rax
    movq    %r10, %rsp
    pushq   %rax
    pushq   %rax
    // The seventh argument, if there is one.
    pushq   8(%rax)
    // The caller's frame begins 8 bytes above the stack pointer that lies at 16(%rsp).
    .cfi_escape 0x0f, 5, 0x77, 16, 0x06, 0x23, 8
    call    \name\()_body
    movq    16(%rsp), %rsp
    .cfi_def_cfa %rsp, 8
    clear_scratch
    xorl    %ecx, %ecx
    xorl    %edx, %edx
    xorl    %esi, %esi
    xorl    %edi, %edi
    ret
    .cfi_endproc
    .size   \name, . - \name
    .endm

    entry   rh__send
    entry   rh__send_from
    entry   rh__after
    entry   rh__reply
    entry   rh__spawn
    entry   rh__as
    entry   rh__become
    entry   rh__stop
    entry   rh_at_stop
    entry   rh__choose
    entry   rh__input
    entry   rh__check
    entry   rh_ignore
    entry   rh__give
    entry   rh_outside
    entry   rh_receptionist
    entry   rh__judge

    .section .note.GNU-stack, "", @progbits
