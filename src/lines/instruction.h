// SPDX-License-Identifier: MIT
// How long an instruction of x86-64 is, and where it leads. Nothing else about it is told.
#ifndef REHEARSE_LINES_INSTRUCTION_H
#define REHEARSE_LINES_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

enum rh_instruction_kind {
    RH_INSTRUCTION_OTHER,   // the next one follows
    RH_INSTRUCTION_CALL,    // calls `target`, and the next one follows if that returns
    RH_INSTRUCTION_JUMP,    // `target` follows
    RH_INSTRUCTION_BRANCH,  // `target` or the next one follows
    RH_INSTRUCTION_RETURN,  // leaves the function
    RH_INSTRUCTION_TRAP,    // nothing follows
    RH_INSTRUCTION_UNKNOWN, // no instruction that is known here, or one that jumps anywhere
};

struct rh_instruction {
    enum rh_instruction_kind kind;
    uint32_t length;  // in bytes; 0 if the bytes are no instruction that is known
    uintptr_t target; // 0: not in the instruction
};

// Reads the instruction at this address, of which `room` bytes may be looked at.
struct rh_instruction rh_instruction_read(const uint8_t *bytes, size_t room);

#endif
