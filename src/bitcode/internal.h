// SPDX-License-Identifier: MIT
// Between the files of this folder: reading a module of LLVM's into one of Rehearse's.
#ifndef REHEARSE_BITCODE_INTERNAL_H
#define REHEARSE_BITCODE_INTERNAL_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "base/index.h"
#include "bitcode/module.h"

struct rh__ir_reader {
    struct rh_ir_module *module;
    LLVMModuleRef source;
    LLVMTargetDataRef layout;
    struct rh_index types;     // index of a type by LLVMTypeRef
    struct rh_index constants; // index of a constant by LLVMValueRef
    struct rh_index globals;   // index of a global by LLVMValueRef
    struct rh_index functions; // index of a function by LLVMValueRef
    struct rh_index files;     // index in file_names by LLVMMetadataRef
    RH_VECTOR(const char *) file_names;
    struct rh_index unnamed; // index in unnamed_names of a struct by its node
    RH_VECTOR(const char *) unnamed_names;
};

static inline uint64_t rh__ir_key(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static inline bool rh__ir_is_exported(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

// types.c
uint32_t rh__ir_read_type(struct rh__ir_reader *reader, LLVMTypeRef type);

uint32_t rh__ir_read_constant(struct rh__ir_reader *reader, LLVMValueRef value);
enum rh_ir_opcode rh__ir_opcode_of(LLVMOpcode opcode);

// An address computation in bytes: a constant offset, and a step for each index that is not
// constant.
struct rh__ir_address {
    int64_t offset;
    uint32_t step_count;
    struct {
        LLVMValueRef index;
        uint64_t stride, count;
    } steps[16];
};
// Gives false if the value computes several addresses at once, or has too many steps.
bool rh__ir_read_address(struct rh__ir_reader *reader, LLVMValueRef value,
                         struct rh__ir_address *address);

// functions.c
void rh__ir_read_function(struct rh__ir_reader *reader, LLVMValueRef value,
                          struct rh_ir_function *function);

// check.c: asserts the invariants of a module that was read.
void rh__ir_check(const struct rh_ir_module *module);

// places.c: what the debug information says.
struct rh_ir_place rh__ir_read_place(struct rh__ir_reader *reader, LLVMValueRef instruction);
void rh__ir_read_subprogram(struct rh__ir_reader *reader, LLVMValueRef value,
                            struct rh_ir_function *function);
void rh__ir_read_records(struct rh__ir_reader *reader);

#endif
