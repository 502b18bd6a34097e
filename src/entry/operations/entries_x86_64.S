// SPDX-License-Identifier: MIT
// The entries that programs call for the operations of entry/operations.def. An entry hands on to
// the C function of the same name with _body (adapters/native), or with _threaded (runtime) if
// actors run on threads.
#include "entry/registers_x86_64.h"

// An ordinary entry. `width` is the size of the operation's result.
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
    // Both flags are compared at once.
    cmpw    $0, rh__process+CALLS_ON_WORLD(%rip)
    jne     2f
    jmp     \name\()_body
2:  cmpb    $0, rh__process+RUNS_THREADS(%rip)
    je      3f
    jmp     \name\()_threaded
3:  leaq    1b(%rip), %r11
    jmp     rh__on_world
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

#define OPERATION(name, result, ...) entry name, .Lwidth_of_##result
#define WAITING_OPERATION(name, ...) waiting_entry name
#include "entry/operations.def"

    .section .note.GNU-stack, "", @progbits
