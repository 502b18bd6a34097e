// SPDX-License-Identifier: MIT
// Switching stacks on x86-64 (System V). Each function saves the callee-saved registers on the
// stack it leaves, so that a stack pointer is all there is to remember.

// Offset of calls_on_world in struct rh_process; process.h asserts it.
#define CALLS_ON_WORLD 22
// Of runs_threads, the byte after it.
#define RUNS_THREADS 23
// Offsets in struct rh_entry; entry.h asserts them.
#define ENTRY_WIDTH 8
#define ENTRY_WORDS 12
// The handlers' stack is the only memory whose addresses begin with this number; stack.c asserts it.
#define HANDLERS_STACK_SHIFT 23
#define HANDLERS_STACK_NUMBER 0x3e0000

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
    .irp    number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
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

// uint64_t rh_stack_call(void (*function)(void), const void *first, const void *second, const void *third)
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
    pxor    %xmm0, %xmm0
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
    pxor    %xmm0, %xmm0
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
    leaq    rh__process(%rip), %r11
    cmpb    $0, RUNS_THREADS(%r11)
    je      3f
    jmp     rh__ask_run
3:  save_registers
    .cfi_adjust_cfa_offset 48
    movq    %rsp, %rax
    movq    (%r11), %r10
    testq   %r10, %r10
    jz      1f
    cmpb    $0, CALLS_ON_WORLD(%r11)
    jne     2f
0:  movq    %r10, %rsp
    pushq   %rax
    call    rh__ask_on_world
    leaq    rh__process(%rip), %r11
    movq    (%r11), %rsp
    restore_registers
    ret
2:  movq    %rax, %r11
    shrq    $HANDLERS_STACK_SHIFT, %r11
    cmpq    $HANDLERS_STACK_NUMBER, %r11
    je      0b
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

// What programs call: see entry.h. %r11 is the function's struct rh_entry; everything else is as its caller left it.
    .globl  rh__on_world
    .type   rh__on_world, @function
rh__on_world:
    .cfi_startproc
    movq    rh__process(%rip), %r10
    testq   %r10, %r10
    jz      9f
    // A thread of the program's own, or a function that something called back that is on the world's stack already.
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
    // The caller's frame begins 8 bytes above the stack pointer that lies at 16(%rbp), and its %rbp lies at (%rbp).
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
    // Only that part of the register in which the result is.
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

// An entry of the API: hands on to the C function of the same name with _body (see adapters/native/entries.h), or with
// _run if actors run on threads (see runtime/operations.c). `width` is the size of what it returns.
    .macro  entry name, width
    .section .data.rel.ro, "aw"
    .balign 8
1:  .quad   \name\()_body
    .long   \width, 4
    .text
    .globl  \name
    .type   \name, @function
\name:
    .cfi_startproc
    endbr64
    // Both flags at once.
    cmpw    $0, rh__process+CALLS_ON_WORLD(%rip)
    jne     2f
    jmp     \name\()_body
2:  cmpb    $0, rh__process+RUNS_THREADS(%rip)
    je      3f
    jmp     \name\()_run
3:  leaq    1b(%rip), %r11
    jmp     rh__on_world
    .cfi_endproc
    .size   \name, . - \name
    .endm

    entry   rh__send, 0
    entry   rh__send_from, 0
    entry   rh__after, 0
    entry   rh__reply, 0
    entry   rh__spawn, 8
    entry   rh__as, 8
    entry   rh__become, 0
    entry   rh__stop, 0
    entry   rh_at_stop, 0
    entry   rh_self, 8
    entry   rh_sender, 8
    entry   rh_size, 8
    entry   rh_name, 8
    entry   rh_now, 8
    entry   rh_progress, 0
    entry   rh__choose, 4
    entry   rh__input, 8
    entry   rh__check, 0
    entry   rh_ignore, 0
    entry   rh__unhandled, 0
    entry   rh__give, 8
    entry   rh_outside, 8
    entry   rh_receptionist, 0
    entry   rh__may_come, 0
    entry   rh__judge, 0
    entry   rh_view_state, 8
    entry   rh_view_alive, 1
    entry   rh__view_pending, 8
    entry   rh__view_count, 8

    .section .note.GNU-stack, "", @progbits
