// SPDX-License-Identifier: MIT
// Between the files of this folder: reading a module of LLVM's into one of ours.
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
    struct rh_index types;     // LLVMTypeRef to type
    struct rh_index constants; // LLVMValueRef to constant
    struct rh_index globals;   // LLVMValueRef to global
    struct rh_index functions; // LLVMValueRef to function
    struct rh_index files;     // LLVMMetadataRef to place in file_names
    RH_VECTOR(const char *) file_names;
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

// constants.c
uint32_t rh__ir_read_constant(struct rh__ir_reader *reader, LLVMValueRef value);
enum rh_ir_opcode rh__ir_opcode_of(LLVMOpcode opcode);

// An address computation in bytes. Steps with an index that is not constant go to `steps`; gives
// false if it computes several addresses at once, or has too many of them.
struct rh__ir_address {
    int64_t offset;
    uint32_t step_count;
    struct {
        LLVMValueRef index;
        uint64_t stride, count;
    } steps[16];
};
bool rh__ir_read_address(struct rh__ir_reader *reader, LLVMValueRef value,
                         struct rh__ir_address *address);

// functions.c
void rh__ir_read_function(struct rh__ir_reader *reader, LLVMValueRef value,
                          struct rh_ir_function *function);

// places.c: what the debug information says.
struct rh_ir_place rh__ir_read_place(struct rh__ir_reader *reader, LLVMValueRef instruction);
void rh__ir_read_subprogram(struct rh__ir_reader *reader, LLVMValueRef value,
                            struct rh_ir_function *function);
void rh__ir_read_records(struct rh__ir_reader *reader);

#endif
