// SPDX-License-Identifier: MIT
// The code of the running program in blocks, as the compiler has marked them: with
// -fsanitize-coverage=trace-pc each block begins with a call of __sanitizer_cov_trace_pc, its hook.
// Which blocks can follow each other is read from the machine code between the hooks, and which
// lines of the source a block has from the debug information.
//
// What an execution takes is written down as marks: bytes that are set once something was taken.
// There is a mark for each block that has begun, one for each way from one block to the next, and
// one for each call in a block that has returned. A call need not return: then what stands behind
// it in its block was not reached.
#ifndef REHEARSE_LINES_CODE_H
#define REHEARSE_LINES_CODE_H

#include "base/vector.h"
#include "debug/debug.h"
#include "result/line_coverage.h"

struct rh_code_place {
    const char *function, *file; // borrowed from the debug information
    int line;
};

// A call of another function than the hook, in a block.
struct rh_code_call {
    uintptr_t back;  // the address behind the call
    uintptr_t until; // from there on the next call, or what is no straight code
    uint32_t mark;   // it has returned
};

struct rh_code_way {
    uint32_t to; // the block that it leads to
    uint32_t mark;
};

struct rh_code_block {
    uintptr_t hook;             // the address behind the call of the hook
    struct rh_code_place place; // of its first line; no file: the block is not shown
    int branch_line;            // where it is decided which way is gone
    uint32_t mark;              // it has begun
    bool is_entry;              // a function begins with it
    bool returns;               // it may be the last one of a function
    bool is_open;               // where it leads is not known
    uint32_t first_way, way_count;
    uint32_t first_call, call_count; // in the order in which they are made
};

// A line of a block or of a way, and the mark that says that it was reached.
struct rh_code_line {
    struct rh_code_place place;
    uint32_t mark;
};

struct rh_code {
    RH_VECTOR(struct rh_code_block) blocks; // by address
    RH_VECTOR(struct rh_code_way) ways;
    RH_VECTOR(struct rh_code_call) calls;
    RH_VECTOR(struct rh_code_line) lines;
    uint32_t mark_count;
    uintptr_t start, end; // addresses of hooks lie between these
    uint32_t *by_address; // owned; for each address from `start`: the block's number plus 1, or 0
};

// NULL if no part of the program was compiled with hooks.
struct rh_code *rh_code_new(struct rh_debug *debug);
void rh_code_free(struct rh_code *code);

// The number of the block whose hook returns to this address; RH_NONE if there is none.
static inline uint32_t rh_code_find(const struct rh_code *code, uintptr_t hook)
{
    return hook >= code->start && hook < code->end ? code->by_address[hook - code->start] - 1
                                                   : UINT32_MAX;
}

// Gives lines and branches in the order of the source, with what these marks say was reached.
void rh_code_coverage(const struct rh_code *code, const uint8_t *marks,
                      struct rh_line_coverage *reached);

#endif
