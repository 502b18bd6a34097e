// SPDX-License-Identifier: MIT
// How functions begin that programs call. What a program has not set is what earlier calls left on
// the handlers' stack or in registers. So the body of such a function runs on the world's stack, as
// that of rh__ask does, and leaves nothing in registers but its result: what is left depends on the
// program and on libc alone, not on the compiler that built us, nor on whether we had to make room.
// Where the handlers' stack is not ours, and on other stacks, an entry is a jump.
//
// A function of the program that such a body calls back runs on the world's stack too, and can't
// wait for a reply there.
#ifndef REHEARSE_ENTRY_ENTRY_H
#define REHEARSE_ENTRY_ENTRY_H

#include <stddef.h>

// What stack_x86_64.S has to know of a function.
struct rh_entry {
    void (*body)(void);
    unsigned width; // bytes of the function's result; 0: none; RH_WIDTH_DOUBLE: a double
    unsigned words; // words of arguments on the stack, at most; even
};

_Static_assert(offsetof(struct rh_entry, width) == 8, "stack_x86_64.S counts on it");
_Static_assert(offsetof(struct rh_entry, words) == 12, "stack_x86_64.S counts on it");

enum {
    RH_WIDTH_DOUBLE = 16,
    RH_WORDS_FEW = 4,
    // As many arguments as C guarantees. Above every frame of the program the stack has more room
    // than they take: see RH_STACK_START.
    RH_WORDS_ANY = 124,
};

#define RH_BODY_PREFIX "rh__body_"

// The head of the definition of a function of libc's; the body follows.
#define RH_ENTRY_OF(width_, words_, type, name, parameters)                                        \
    __asm__(".pushsection .text\n"                                                                 \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", @function\n" #name ":\n"                                             \
            "    .cfi_startproc\n"                                                                 \
            "    endbr64\n"                                                                        \
            "    cmpb $0, rh__process+22(%rip)\n"                                                  \
            "    jne 1f\n"                                                                         \
            "    jmp rh__body_" #name "\n"                                                         \
            "1:  leaq rh__entry_" #name "(%rip), %r11\n"                                           \
            "    jmp rh__on_world\n"                                                               \
            "    .cfi_endproc\n"                                                                   \
            ".size " #name ", . - " #name "\n"                                                     \
            ".popsection\n");                                                                      \
    type rh__body_##name parameters;                                                               \
    _Static_assert(RH_LIBC(name) >= 0, "libc/functions.def has it");                               \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), __typeof__(rh__body_##name)),    \
                   "as libc declares it");                                                         \
    extern const struct rh_entry rh__entry_##name;                                                 \
    const struct rh_entry rh__entry_##name = {(void (*)(void))rh__body_##name, width_, words_};    \
    type rh__body_##name parameters

#define RH_ENTRY(type, name, parameters)                                                           \
    RH_ENTRY_OF(sizeof(type), RH_WORDS_FEW, type, name, parameters)
#define RH_ENTRY_VOID(name, parameters) RH_ENTRY_OF(0, RH_WORDS_FEW, void, name, parameters)
// For functions with variable arguments of any number.
#define RH_ENTRY_ANY(width, type, name, parameters)                                                \
    RH_ENTRY_OF(width, RH_WORDS_ANY, type, name, parameters)

#endif
