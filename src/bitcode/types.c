// SPDX-License-Identifier: MIT
// Types and constants.
#include <string.h>

#include "bitcode/internal.h"

static void read_struct_name(struct rh__ir_reader *reader, LLVMTypeRef type,
                             struct rh_ir_type *read)
{
    const char *name = LLVMIsLiteralStruct(type) ? NULL : LLVMGetStructName(type);
    if (!name)
        return;
    read->is_union = !strncmp(name, "union.", 6);
    if (!strncmp(name, "struct.", 7))
        name += 7;
    else if (read->is_union)
        name += 6;
    read->name = rh_arena_text(&reader->module->arena, name, strlen(name));
}

static void read_struct(struct rh__ir_reader *reader, LLVMTypeRef type, struct rh_ir_type *read)
{
    struct rh_arena *arena = &reader->module->arena;
    unsigned count = LLVMCountStructElementTypes(type);
    uint32_t *fields = rh_arena_take(arena, count * sizeof *fields);
    uint64_t *offsets = rh_arena_take(arena, count * sizeof *offsets);
    for (unsigned i = 0; i < count; i++) {
        fields[i] = rh__ir_read_type(reader, LLVMStructGetTypeAtIndex(type, i));
        offsets[i] = LLVMOffsetOfElement(reader->layout, type, i);
    }
    read->kind = RH_IR_STRUCT;
    read_struct_name(reader, type, read);
    read->count = count;
    read->fields = fields;
    read->offsets = offsets;
}

// The bits that carry the number: an 80-bit real is stored in 16 bytes.
static uint32_t bits_of_real(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMX86_FP80TypeKind:
        return 80;
    case LLVMFP128TypeKind:
        return 128;
    default:
        return 16;
    }
}

static void read_kind(struct rh__ir_reader *reader, LLVMTypeRef type, struct rh_ir_type *read)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        read->kind = RH_IR_VOID;
        break;
    case LLVMIntegerTypeKind:
        read->kind = RH_IR_INTEGER;
        read->bits = LLVMGetIntTypeWidth(type);
        break;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
        read->kind = RH_IR_REAL;
        read->bits = bits_of_real(type);
        break;
    case LLVMPointerTypeKind:
        read->kind = RH_IR_POINTER;
        break;
    case LLVMArrayTypeKind:
        read->kind = RH_IR_ARRAY;
        read->count = LLVMGetArrayLength2(type);
        read->element = rh__ir_read_type(reader, LLVMGetElementType(type));
        break;
    case LLVMVectorTypeKind:
        read->kind = RH_IR_VECTOR;
        read->count = LLVMGetVectorSize(type);
        read->element = rh__ir_read_type(reader, LLVMGetElementType(type));
        break;
    case LLVMStructTypeKind:
        read_struct(reader, type, read);
        break;
    default:
        read->kind = RH_IR_OTHER_TYPE;
    }
}

uint32_t rh__ir_read_type(struct rh__ir_reader *reader, LLVMTypeRef type)
{
    uint32_t known = rh_index_find(&reader->types, rh__ir_key(type));
    if (known != RH_NONE)
        return known;
    struct rh_ir_type read = {0};
    bool has_size = LLVMTypeIsSized(type) && LLVMGetTypeKind(type) != LLVMScalableVectorTypeKind;
    if (has_size || LLVMGetTypeKind(type) != LLVMStructTypeKind)
        read_kind(reader, type, &read);
    else
        read.kind = RH_IR_OTHER_TYPE;
    read.size = has_size ? LLVMABISizeOfType(reader->layout, type) : 0;
    uint32_t number = (uint32_t)reader->module->types.count;
    *rh_vector_push(&reader->module->types) = read;
    rh_index_add(&reader->types, rh__ir_key(type), number);
    return number;
}

// --- Constants. ---

enum rh_ir_opcode rh__ir_opcode_of(LLVMOpcode opcode)
{
    static const uint8_t opcodes[] = {
        [LLVMRet] = RH_IR_RETURN,
        [LLVMBr] = RH_IR_BRANCH,
        [LLVMSwitch] = RH_IR_SWITCH,
        [LLVMIndirectBr] = RH_IR_JUMP_TABLE,
        [LLVMInvoke] = RH_IR_CALL,
        [LLVMCallBr] = RH_IR_CALL,
        [LLVMCall] = RH_IR_CALL,
        [LLVMUnreachable] = RH_IR_UNREACHABLE,
        [LLVMAdd] = RH_IR_ADD,
        [LLVMSub] = RH_IR_SUBTRACT,
        [LLVMMul] = RH_IR_MULTIPLY,
        [LLVMUDiv] = RH_IR_DIVIDE_UNSIGNED,
        [LLVMSDiv] = RH_IR_DIVIDE_SIGNED,
        [LLVMURem] = RH_IR_REST_UNSIGNED,
        [LLVMSRem] = RH_IR_REST_SIGNED,
        [LLVMShl] = RH_IR_SHIFT_LEFT,
        [LLVMLShr] = RH_IR_SHIFT_RIGHT,
        [LLVMAShr] = RH_IR_SHIFT_RIGHT_SIGNED,
        [LLVMAnd] = RH_IR_AND,
        [LLVMOr] = RH_IR_OR,
        [LLVMXor] = RH_IR_XOR,
        [LLVMFNeg] = RH_IR_NEGATE_REAL,
        [LLVMFAdd] = RH_IR_ADD_REAL,
        [LLVMFSub] = RH_IR_SUBTRACT_REAL,
        [LLVMFMul] = RH_IR_MULTIPLY_REAL,
        [LLVMFDiv] = RH_IR_DIVIDE_REAL,
        [LLVMFRem] = RH_IR_REST_REAL,
        [LLVMAlloca] = RH_IR_ALLOCATE,
        [LLVMLoad] = RH_IR_LOAD,
        [LLVMStore] = RH_IR_STORE,
        [LLVMGetElementPtr] = RH_IR_ADDRESS,
        [LLVMTrunc] = RH_IR_TRUNCATE,
        [LLVMZExt] = RH_IR_EXTEND_ZERO,
        [LLVMSExt] = RH_IR_EXTEND_SIGN,
        [LLVMFPToUI] = RH_IR_REAL_TO_UNSIGNED,
        [LLVMFPToSI] = RH_IR_REAL_TO_SIGNED,
        [LLVMUIToFP] = RH_IR_UNSIGNED_TO_REAL,
        [LLVMSIToFP] = RH_IR_SIGNED_TO_REAL,
        [LLVMFPTrunc] = RH_IR_RESIZE_REAL,
        [LLVMFPExt] = RH_IR_RESIZE_REAL,
        [LLVMPtrToInt] = RH_IR_TO_INTEGER,
        [LLVMIntToPtr] = RH_IR_TO_ADDRESS,
        [LLVMBitCast] = RH_IR_REINTERPRET,
        [LLVMAddrSpaceCast] = RH_IR_REINTERPRET,
        [LLVMICmp] = RH_IR_COMPARE,
        [LLVMFCmp] = RH_IR_COMPARE_REAL,
        [LLVMPHI] = RH_IR_PHI,
        [LLVMSelect] = RH_IR_SELECT,
        [LLVMVAArg] = RH_IR_NEXT_ARGUMENT,
        [LLVMExtractElement] = RH_IR_EXTRACT,
        [LLVMInsertElement] = RH_IR_INSERT,
        [LLVMShuffleVector] = RH_IR_SHUFFLE,
        [LLVMExtractValue] = RH_IR_EXTRACT,
        [LLVMInsertValue] = RH_IR_INSERT,
        [LLVMFreeze] = RH_IR_FREEZE,
        [LLVMFence] = RH_IR_NOTHING,
        [LLVMAtomicCmpXchg] = RH_IR_COMPARE_EXCHANGE,
        [LLVMAtomicRMW] = RH_IR_EXCHANGE,
        [LLVMLandingPad] = RH_IR_UNSUPPORTED,
        [LLVMResume] = RH_IR_UNSUPPORTED,
        [LLVMCleanupRet] = RH_IR_UNSUPPORTED,
        [LLVMCatchRet] = RH_IR_UNSUPPORTED,
        [LLVMCatchPad] = RH_IR_UNSUPPORTED,
        [LLVMCleanupPad] = RH_IR_UNSUPPORTED,
        [LLVMCatchSwitch] = RH_IR_UNSUPPORTED,
    };
    return (size_t)opcode < sizeof opcodes ? (enum rh_ir_opcode)opcodes[opcode] : RH_IR_UNSUPPORTED;
}

// Gives false if there are more dimensions than anybody writes.
static bool add_step(struct rh__ir_address *address, LLVMValueRef index, uint64_t stride,
                     uint64_t count)
{
    if (LLVMIsAConstantInt(index)) {
        // Wraps, as the program's own computation does.
        uint64_t bytes = (uint64_t)LLVMConstIntGetSExtValue(index) * stride;
        address->offset = (int64_t)((uint64_t)address->offset + bytes);
        return true;
    }
    if (address->step_count == sizeof address->steps / sizeof address->steps[0])
        return false;
    address->steps[address->step_count].index = index;
    address->steps[address->step_count].stride = stride;
    address->steps[address->step_count++].count = count;
    return true;
}

bool rh__ir_read_address(struct rh__ir_reader *reader, LLVMValueRef value,
                         struct rh__ir_address *address)
{
    *address = (struct rh__ir_address){0};
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind)
        return false;
    bool is_whole = add_step(address, LLVMGetOperand(value, 1),
                             LLVMABISizeOfType(reader->layout, type), RH_IR_UNBOUNDED);
    for (int i = 2; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef index = LLVMGetOperand(value, (unsigned)i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            address->offset += (int64_t)LLVMOffsetOfElement(reader->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            uint64_t count = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                                        : LLVMGetVectorSize(type);
            type = LLVMGetElementType(type);
            is_whole = add_step(address, index, LLVMABISizeOfType(reader->layout, type), count) &&
                       is_whole;
        }
    }
    return is_whole;
}

static const uint32_t *read_operands(struct rh__ir_reader *reader, LLVMValueRef value, int count)
{
    uint32_t *operands = rh_arena_take(&reader->module->arena, (size_t)count * sizeof *operands);
    for (int i = 0; i < count; i++)
        operands[i] = rh__ir_read_constant(reader, LLVMGetOperand(value, (unsigned)i));
    return operands;
}

static void read_expression(struct rh__ir_reader *reader, LLVMValueRef value,
                            struct rh_ir_constant *read)
{
    read->kind = RH_IR_EXPRESSION;
    read->opcode = rh__ir_opcode_of(LLVMGetConstOpcode(value));
    int count = LLVMGetNumOperands(value);
    if (read->opcode == RH_IR_ADDRESS) {
        struct rh__ir_address address;
        bool is_one = rh__ir_read_address(reader, value, &address);
        count = 1;
        read->offset = address.offset;
        if (!is_one || address.step_count)
            read->opcode = RH_IR_UNSUPPORTED;
    }
    read->operand_count = (uint32_t)count;
    read->operands = read_operands(reader, value, count);
}

// Reads an array or a vector of numbers or reals that LLVM keeps as packed data.
static void read_data(struct rh__ir_reader *reader, LLVMValueRef value, LLVMTypeRef type,
                      struct rh_ir_constant *read)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMIsConstantString(value)) {
        size_t length;
        const char *bytes = LLVMGetAsString(value, &length);
        read->kind = RH_IR_BYTES;
        read->bytes = rh_arena_text(&reader->module->arena, bytes, length);
        read->byte_count = length;
        return;
    }
    uint64_t count = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                                : LLVMGetVectorSize(type);
    uint32_t *operands = rh_arena_take(&reader->module->arena, count * sizeof *operands);
    for (uint64_t i = 0; i < count; i++)
        operands[i] = rh__ir_read_constant(reader, LLVMGetAggregateElement(value, (unsigned)i));
    read->kind = RH_IR_ELEMENTS;
    read->operand_count = (uint32_t)count;
    read->operands = operands;
}

static void read_kind_of_constant(struct rh__ir_reader *reader, LLVMValueRef value,
                                  struct rh_ir_constant *read)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    switch (LLVMGetValueKind(value)) {
    case LLVMGlobalVariableValueKind:
        read->kind = RH_IR_VARIABLE;
        read->number = rh_index_find(&reader->globals, rh__ir_key(value));
        break;
    case LLVMFunctionValueKind:
        read->kind = RH_IR_FUNCTION;
        read->number = rh_index_find(&reader->functions, rh__ir_key(value));
        break;
    case LLVMConstantIntValueKind:
        read->kind = RH_IR_NUMBER;
        read->number = LLVMGetIntTypeWidth(type) <= 64 ? LLVMConstIntGetSExtValue(value) : 0;
        if (LLVMGetIntTypeWidth(type) > 64)
            read->kind = RH_IR_OTHER_CONSTANT;
        break;
    case LLVMConstantFPValueKind: {
        LLVMBool is_inexact;
        read->real = LLVMConstRealGetDouble(value, &is_inexact);
        read->kind = is_inexact ? RH_IR_OTHER_CONSTANT : RH_IR_REAL_NUMBER;
        break;
    }
    case LLVMConstantPointerNullValueKind:
    case LLVMConstantAggregateZeroValueKind:
        read->kind = RH_IR_ZERO;
        break;
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind:
        read->kind = RH_IR_UNDEFINED;
        break;
    case LLVMConstantStructValueKind:
    case LLVMConstantArrayValueKind:
    case LLVMConstantVectorValueKind:
        read->kind = RH_IR_ELEMENTS;
        read->operand_count = (uint32_t)LLVMGetNumOperands(value);
        read->operands = read_operands(reader, value, (int)read->operand_count);
        break;
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind:
        read_data(reader, value, type, read);
        break;
    case LLVMConstantExprValueKind:
        read_expression(reader, value, read);
        break;
    case LLVMGlobalIFuncValueKind: {
        uint32_t *resolver = rh_arena_take(&reader->module->arena, sizeof *resolver);
        *resolver = rh__ir_read_constant(reader, LLVMGetGlobalIFuncResolver(value));
        read->kind = RH_IR_EXPRESSION;
        read->opcode = RH_IR_CALL;
        read->operands = resolver;
        read->operand_count = 1;
        break;
    }
    default:
        read->kind = RH_IR_OTHER_CONSTANT;
    }
}

uint32_t rh__ir_read_constant(struct rh__ir_reader *reader, LLVMValueRef value)
{
    uint32_t known = rh_index_find(&reader->constants, rh__ir_key(value));
    if (known != RH_NONE)
        return known;
    uint32_t number;
    if (LLVMGetValueKind(value) == LLVMGlobalAliasValueKind) {
        number = rh__ir_read_constant(reader, LLVMAliasGetAliasee(value));
    } else {
        struct rh_ir_constant read = {.type = rh__ir_read_type(reader, LLVMTypeOf(value))};
        read_kind_of_constant(reader, value, &read);
        number = (uint32_t)reader->module->constants.count;
        *rh_vector_push(&reader->module->constants) = read;
    }
    rh_index_add(&reader->constants, rh__ir_key(value), number);
    return number;
}
