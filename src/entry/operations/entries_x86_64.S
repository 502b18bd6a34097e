// SPDX-License-Identifier: MIT
// The entries that programs call for the operations of entry/operations.def. An entry hands on to
// the C function of the same name with _body (adapters/native), or with _threaded (runtime) if
// actors run on threads.
#include "entry/registers_x86_64.h"

// Offsets in struct rh_message and struct rh_type_slot, and how many slots there are; native.c
// asserts them.
#define MESSAGE_TYPE 8
#define MESSAGE_PAYLOAD 16
#define SLOT_SIZE 8
#define SLOT_INFO 16
#define SLOT_COUNT 1024

// What rh__as_body does with the message of the running handler and a type that was looked up
// before: handlers do little else as often. Falls through to the body in all other cases.
    .macro  take_message
    cmpq    rh__process+TAKING_MESSAGE(%rip), %rdi
    jne     7f
    movq    (%rsi), %rax
    movq    %rax, %rcx
    shrq    $2, %rcx
    andl    $(SLOT_COUNT - 1), %ecx
    leaq    (%rcx, %rcx, 2), %rcx
    shlq    $3, %rcx
    addq    rh__process+TAKING_TYPES(%rip), %rcx
    cmpq    %rax, (%rcx)
    jne     7f
    movq    8(%rsi), %rax
    cmpq    %rax, SLOT_SIZE(%rcx)
    jne     7f
    movq    SLOT_INFO(%rcx), %rcx
    xorl    %eax, %eax
    cmpq    %rcx, MESSAGE_TYPE(%rdi)
    jne     6f
    movq    rh__process+TAKING_HANDLED(%rip), %rcx
    movb    $1, (%rcx)
    movq    MESSAGE_PAYLOAD(%rdi), %rax
6:  pxor    %xmm0, %xmm0
    clear_arguments
    clear_scratch
    ret
7:
    .endm

// An ordinary entry. `width` is the size of the operation's result, `count` how many arguments it
// has. Under control the body runs on the world's stack (see entry.h): no place is hotter, so each
// entry has the switch for itself, as far as it needs one.
    .macro  entry name, width, count
    .text
    .globl  \name
    .type   \name, @function
\name:
    .cfi_startproc
    endbr64
    // Both flags are compared at once.
    cmpw    $1, rh__process+CALLS_ON_WORLD(%rip)
    jne     8f
    movq    rh__process(%rip), %r10
    movq    %rsp, %rax
    movq    %rsp, %r11
    shrq    $HANDLERS_STACK_SHIFT, %r11
    // A thread of the program's own, or a function that was called back on the world's stack.
    cmpq    $HANDLERS_STACK_NUMBER, %r11
    jne     9f
    .ifc    \name, rh__as
    take_message
    movq    %rsp, %rax
    .endif
    movq    %r10, %rsp
    pushq   %rax
    .if \count > 6
    .if \count > 8
    .error "more arguments than the entry hands on"
    .endif
    pushq   16(%rax)
    pushq   8(%rax)
    // The caller's frame begins 8 bytes above the stack pointer that lies at 16(%rsp).
    .cfi_escape 0x0f, 5, 0x77, 16, 0x06, 0x23, 8
    .else
    .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 8
    .endif
    call    \name\()_body
    .if \count > 6
    addq    $16, %rsp
    .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 8
    .endif
    popq    %rsp
    .cfi_def_cfa %rsp, 8
    // Only the part of the register in which the result is.
    .if \width == 0
    xorl    %eax, %eax
    .elseif \width == 1
    movzbl  %al, %eax
    .elseif \width == 4
    movl    %eax, %eax
    .endif
    pxor    %xmm0, %xmm0
    clear_arguments
    clear_scratch
    ret
8:  cmpb    $0, rh__process+RUNS_THREADS(%rip)
    je      9f
    jmp     \name\()_threaded
9:  jmp     \name\()_body
    .cfi_endproc
    .size   \name, . - \name
    .endm

// The entry of an operation that waits. It leaves nothing of the tool on the handlers' stack:
// registers of the caller only, so that what is kept of a waiting handler depends on the program
// alone. The body works on the world's stack, with the handler's stack pointer as a seventh
// argument; rh_stack_resume makes the entry return.
    .macro  waiting_entry name
    .text
    .globl  \name
    .type   \name, @function
\name:
    .cfi_startproc
    endbr64
    leaq    rh__process(%rip), %r11
    cmpb    $0, RUNS_THREADS(%r11)
    je      3f
    jmp     \name\()_threaded
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
    call    \name\()_body
    leaq    rh__process(%rip), %r11
    movq    (%r11), %rsp
    restore_registers
    ret
2:  movq    %rax, %r11
    shrq    $HANDLERS_STACK_SHIFT, %r11
    cmpq    $HANDLERS_STACK_NUMBER, %r11
    je      0b
1:  // Not on the handlers' stack: nobody to wait for. The body says so and does not return.
    pushq   %rax
    call    \name\()_body
    hlt
    .cfi_endproc
    .size   \name, . - \name
    .endm

    .set    .Lwidth_of_NOTHING, 0
#define WORD(word, size, type) .set .Lwidth_of_##word, size
#include "entry/operations.def"

// How many arguments an operation has.
#define COUNT(...) COUNT_OF(__VA_ARGS__, 7, 6, 5, 4, 3, 2, 1)
#define COUNT_OF(a, b, c, d, e, f, g, count, ...) count
#define OPERATION(name, result, meaning, ...) entry name, .Lwidth_of_##result, COUNT(__VA_ARGS__)
#define WAITING_OPERATION(name, ...) waiting_entry name
#include "entry/operations.def"

    .section .note.GNU-stack, "", @progbits
