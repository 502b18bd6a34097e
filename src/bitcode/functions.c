// SPDX-License-Identifier: MIT
// Functions, their blocks and instructions.
#include <stdlib.h>
#include <string.h>

#include "bitcode/internal.h"

// A function that is being read.
struct body {
    struct rh__ir_reader *reader;
    struct rh_index values; // number of a value by LLVMValueRef
    struct rh_index blocks; // index of a block by LLVMBasicBlockRef
};

static struct rh_ir_ref read_ref(struct body *body, LLVMValueRef value)
{
    uint32_t number = rh_index_find(&body->values, rh__ir_key(value));
    if (number != RH_NONE)
        return (struct rh_ir_ref){number, 0};
    return (struct rh_ir_ref){rh__ir_read_constant(body->reader, value), 1};
}

static uint32_t read_block_ref(const struct body *body, LLVMBasicBlockRef block)
{
    return rh_index_find(&body->blocks, rh__ir_key(block));
}

static void read_operands(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read,
                          unsigned first, unsigned count)
{
    struct rh_ir_ref *operands =
        rh_arena_take(&body->reader->module->arena, count * sizeof *operands);
    for (unsigned i = 0; i < count; i++)
        operands[i] = read_ref(body, LLVMGetOperand(value, first + i));
    read->operands = operands;
    read->operand_count = count;
}

static void read_successors(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    unsigned count = LLVMGetNumSuccessors(value);
    uint32_t *blocks = rh_arena_take(&body->reader->module->arena, count * sizeof *blocks);
    for (unsigned i = 0; i < count; i++)
        blocks[i] = read_block_ref(body, LLVMGetSuccessor(value, i));
    read->blocks = blocks;
    read->block_count = count;
}

// The operands of LLVM's switch are the value, the default block, and then a case and its block for
// each case.
static void read_switch(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    read_successors(body, value, read);
    struct rh_ir_ref *operands =
        rh_arena_take(&body->reader->module->arena, read->block_count * sizeof *operands);
    operands[0] = read_ref(body, LLVMGetOperand(value, 0));
    for (unsigned i = 1; i < read->block_count; i++)
        operands[i] = read_ref(body, LLVMGetOperand(value, 2 * i));
    read->operands = operands;
    read->operand_count = read->block_count;
}

static void read_phi(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    unsigned count = LLVMCountIncoming(value);
    uint32_t *blocks = rh_arena_take(&body->reader->module->arena, count * sizeof *blocks);
    struct rh_ir_ref *operands =
        rh_arena_take(&body->reader->module->arena, count * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = read_ref(body, LLVMGetIncomingValue(value, i));
        blocks[i] = read_block_ref(body, LLVMGetIncomingBlock(value, i));
    }
    read->operands = operands;
    read->blocks = blocks;
    read->operand_count = read->block_count = count;
}

// Notes the arguments of which the callee gets a copy. For arguments behind the last parameter only
// the call says so.
static void read_copied(struct body *body, LLVMValueRef call, unsigned count,
                        struct rh_ir_instruction *read)
{
    unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
    uint32_t *copied = NULL;
    for (unsigned i = 0; i < count; i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, by_value);
        if (!attribute)
            continue;
        if (!copied) {
            copied = rh_arena_take(&body->reader->module->arena, count * sizeof *copied);
            memset(copied, 0xff, count * sizeof *copied); // RH_NONE
        }
        copied[i] = rh__ir_read_type(body->reader, LLVMGetTypeAttributeValue(attribute));
    }
    read->copied = copied;
}

static void read_call(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    unsigned count = LLVMGetNumArgOperands(value);
    struct rh_ir_ref *operands =
        rh_arena_take(&body->reader->module->arena, (count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef argument = LLVMGetOperand(value, i);
        // A call with metadata tells a debugger something, and has no effect on values.
        if (LLVMGetValueKind(argument) == LLVMMetadataAsValueValueKind) {
            read->opcode = RH_IR_NOTHING;
            return;
        }
        operands[i] = read_ref(body, argument);
    }
    operands[count] = read_ref(body, LLVMGetCalledValue(value));
    read->operands = operands;
    read->operand_count = count + 1;
    read_copied(body, value, count, read);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMInvoke || opcode == LLVMCallBr)
        read_successors(body, value, read);
}

static void read_address(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    struct rh__ir_address address;
    if (!rh__ir_read_address(body->reader, value, &address)) {
        read->opcode = RH_IR_UNSUPPORTED;
        read_operands(body, value, read, 0, (unsigned)LLVMGetNumOperands(value));
        return;
    }
    struct rh_ir_step *steps =
        rh_arena_take(&body->reader->module->arena, address.step_count * sizeof *steps);
    for (uint32_t i = 0; i < address.step_count; i++)
        steps[i] = (struct rh_ir_step){read_ref(body, address.steps[i].index),
                                       address.steps[i].stride, address.steps[i].count};
    read_operands(body, value, read, 0, 1);
    read->accessed = rh__ir_read_type(body->reader, LLVMGetGEPSourceElementType(value));
    read->offset = address.offset;
    read->steps = steps;
    read->step_count = address.step_count;
}

// The offset in an aggregate that the list of indexes leads to.
static int64_t aggregate_offset(struct body *body, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(value, 0));
    const unsigned *indexes = LLVMGetIndices(value);
    uint64_t offset = 0;
    for (unsigned i = 0; i < LLVMGetNumIndices(value); i++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += LLVMOffsetOfElement(body->reader->layout, type, indexes[i]);
            type = LLVMStructGetTypeAtIndex(type, indexes[i]);
        } else {
            type = LLVMGetElementType(type);
            offset += indexes[i] * LLVMABISizeOfType(body->reader->layout, type);
        }
    }
    return (int64_t)offset;
}

static int64_t element_offset(struct body *body, LLVMValueRef vector, LLVMValueRef index)
{
    if (!LLVMIsAConstantInt(index))
        return -1;
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(vector));
    return LLVMConstIntGetSExtValue(index) *
           (int64_t)LLVMABISizeOfType(body->reader->layout, element);
}

static enum rh_ir_predicate predicate_of(LLVMValueRef value)
{
    switch (LLVMGetICmpPredicate(value)) {
    case LLVMIntEQ:
        return RH_IR_EQUAL;
    case LLVMIntNE:
        return RH_IR_NOT_EQUAL;
    case LLVMIntUGT:
        return RH_IR_ABOVE;
    case LLVMIntUGE:
        return RH_IR_ABOVE_EQUAL;
    case LLVMIntULT:
        return RH_IR_BELOW;
    case LLVMIntULE:
        return RH_IR_BELOW_EQUAL;
    case LLVMIntSGT:
        return RH_IR_GREATER;
    case LLVMIntSGE:
        return RH_IR_GREATER_EQUAL;
    case LLVMIntSLT:
        return RH_IR_LESS;
    default:
        return RH_IR_LESS_EQUAL;
    }
}

static void read_real_predicate(LLVMValueRef value, struct rh_ir_instruction *read)
{
    static const uint8_t predicates[] = {
        [LLVMRealOEQ] = RH_IR_EQUAL,         [LLVMRealUEQ] = RH_IR_EQUAL,
        [LLVMRealONE] = RH_IR_NOT_EQUAL,     [LLVMRealUNE] = RH_IR_NOT_EQUAL,
        [LLVMRealOGT] = RH_IR_GREATER,       [LLVMRealUGT] = RH_IR_GREATER,
        [LLVMRealOGE] = RH_IR_GREATER_EQUAL, [LLVMRealUGE] = RH_IR_GREATER_EQUAL,
        [LLVMRealOLT] = RH_IR_LESS,          [LLVMRealULT] = RH_IR_LESS,
        [LLVMRealOLE] = RH_IR_LESS_EQUAL,    [LLVMRealULE] = RH_IR_LESS_EQUAL,
        [LLVMRealORD] = RH_IR_ORDERED,       [LLVMRealUNO] = RH_IR_UNORDERED,
    };
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(value);
    read->predicate = (enum rh_ir_predicate)predicates[predicate % sizeof predicates];
    read->holds_unordered = predicate >= LLVMRealUNO;
    // LLVM folds comparisons that are always false or always true, so they do not come here.
    if (predicate == LLVMRealPredicateFalse || predicate == LLVMRealPredicateTrue)
        read->opcode = RH_IR_UNSUPPORTED;
}

static enum rh_ir_opcode made_by(LLVMValueRef exchange)
{
    switch (LLVMGetAtomicRMWBinOp(exchange)) {
    case LLVMAtomicRMWBinOpXchg:
        return RH_IR_STORE;
    case LLVMAtomicRMWBinOpAdd:
        return RH_IR_ADD;
    case LLVMAtomicRMWBinOpSub:
        return RH_IR_SUBTRACT;
    case LLVMAtomicRMWBinOpAnd:
        return RH_IR_AND;
    case LLVMAtomicRMWBinOpOr:
        return RH_IR_OR;
    case LLVMAtomicRMWBinOpXor:
        return RH_IR_XOR;
    default:
        return RH_IR_UNSUPPORTED;
    }
}

static void read_memory(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    if (read->opcode == RH_IR_ALLOCATE)
        type = LLVMGetAllocatedType(value);
    else if (read->opcode == RH_IR_STORE)
        type = LLVMTypeOf(LLVMGetOperand(value, 0));
    else if (read->opcode == RH_IR_COMPARE_EXCHANGE)
        type = LLVMTypeOf(LLVMGetOperand(value, 1));
    else if (read->opcode == RH_IR_EXCHANGE)
        read->made_by = made_by(value);
    read->accessed = rh__ir_read_type(body->reader, type);
    read_operands(body, value, read, 0, count);
}

static void read_element(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    unsigned count = read->opcode == RH_IR_INSERT ? 2 : 1;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMExtractValue || opcode == LLVMInsertValue)
        read->offset = aggregate_offset(body, value);
    else
        read->offset = element_offset(body, LLVMGetOperand(value, 0), LLVMGetOperand(value, count));
    read_operands(body, value, read, 0, read->offset < 0 ? count + 1 : count);
}

static void read_mask(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    unsigned count = LLVMGetNumMaskElements(value);
    int32_t *mask = rh_arena_take(&body->reader->module->arena, count * sizeof *mask);
    for (unsigned i = 0; i < count; i++)
        mask[i] = LLVMGetMaskValue(value, i);
    read->mask = mask;
}

// Arithmetic carries its flags; LLVM answers for the operations that can have each of them only.
static void read_flags(LLVMValueRef value, struct rh_ir_instruction *read)
{
    switch (read->opcode) {
    case RH_IR_ADD:
    case RH_IR_SUBTRACT:
    case RH_IR_MULTIPLY:
    case RH_IR_SHIFT_LEFT:
        read->fits_signed = LLVMGetNSW(value);
        read->fits_unsigned = LLVMGetNUW(value);
        break;
    case RH_IR_DIVIDE_UNSIGNED:
    case RH_IR_DIVIDE_SIGNED:
    case RH_IR_SHIFT_RIGHT:
    case RH_IR_SHIFT_RIGHT_SIGNED:
        read->is_exact = LLVMGetExact(value);
        break;
    default:
        break;
    }
}

static void read_instruction(struct body *body, LLVMValueRef value, struct rh_ir_instruction *read)
{
    read->opcode = rh__ir_opcode_of(LLVMGetInstructionOpcode(value));
    read->type = rh__ir_read_type(body->reader, LLVMTypeOf(value));
    read->place = rh__ir_read_place(body->reader, value);
    switch (read->opcode) {
    case RH_IR_BRANCH:
        read_operands(body, value, read, 0, LLVMIsConditional(value) ? 1 : 0);
        read_successors(body, value, read);
        break;
    case RH_IR_JUMP_TABLE:
        read_successors(body, value, read);
        break;
    case RH_IR_SWITCH:
        read_switch(body, value, read);
        break;
    case RH_IR_PHI:
        read_phi(body, value, read);
        break;
    case RH_IR_CALL:
        read_call(body, value, read);
        break;
    case RH_IR_ADDRESS:
        read_address(body, value, read);
        break;
    case RH_IR_ALLOCATE:
    case RH_IR_LOAD:
    case RH_IR_STORE:
    case RH_IR_EXCHANGE:
    case RH_IR_COMPARE_EXCHANGE:
        read_memory(body, value, read);
        break;
    case RH_IR_EXTRACT:
    case RH_IR_INSERT:
        read_element(body, value, read);
        break;
    case RH_IR_SHUFFLE:
        read_operands(body, value, read, 0, 2);
        read_mask(body, value, read);
        break;
    case RH_IR_UNSUPPORTED:
        if (LLVMIsATerminatorInst(value))
            read_successors(body, value, read);
        break;
    case RH_IR_COMPARE_REAL:
        read_real_predicate(value, read);
        read_operands(body, value, read, 0, 2);
        break;
    case RH_IR_COMPARE:
        read->predicate = predicate_of(value);
        // fall through
    default:
        read_operands(body, value, read, 0, (unsigned)LLVMGetNumOperands(value));
        read_flags(value, read);
    }
}

static void read_signature(struct rh__ir_reader *reader, LLVMValueRef value,
                           struct rh_ir_function *function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    unsigned count = LLVMCountParams(value);
    uint32_t *parameters = rh_arena_take(&reader->module->arena, count * sizeof *parameters);
    uint32_t *copied = rh_arena_take(&reader->module->arena, count * sizeof *copied);
    unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < count; i++) {
        parameters[i] = rh__ir_read_type(reader, LLVMTypeOf(LLVMGetParam(value, i)));
        LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(value, i + 1, by_value);
        copied[i] =
            attribute ? rh__ir_read_type(reader, LLVMGetTypeAttributeValue(attribute)) : RH_NONE;
    }
    function->type = rh__ir_read_type(reader, LLVMGetReturnType(type));
    function->parameter_count = count;
    function->parameters = parameters;
    function->copied = copied;
    function->is_variadic = LLVMIsFunctionVarArg(type);
    function->is_intrinsic = LLVMGetIntrinsicID(value) != 0;
    function->is_exported = rh__ir_is_exported(value);
}

// Numbers blocks and values before any of them is read, since a phi may name a value that comes
// later.
static void number_values(struct body *body, LLVMValueRef value, struct rh_ir_function *function)
{
    uint32_t next = 0, block_number = 0;
    for (unsigned i = 0; i < LLVMCountParams(value); i++)
        rh_index_add(&body->values, rh__ir_key(LLVMGetParam(value, i)), next++);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(value); block;
         block = LLVMGetNextBasicBlock(block)) {
        rh_index_add(&body->blocks, rh__ir_key(block), block_number++);
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
             each = LLVMGetNextInstruction(each))
            rh_index_add(&body->values, rh__ir_key(each), next++);
    }
    function->block_count = block_number;
    function->instruction_count = next - function->parameter_count;
}

void rh__ir_read_function(struct rh__ir_reader *reader, LLVMValueRef value,
                          struct rh_ir_function *function)
{
    struct body body = {.reader = reader};
    read_signature(reader, value, function);
    rh__ir_read_subprogram(reader, value, function);
    number_values(&body, value, function);
    struct rh_arena *arena = &reader->module->arena;
    function->blocks = rh_arena_take(arena, function->block_count * sizeof *function->blocks);
    function->instructions =
        rh_arena_take(arena, function->instruction_count * sizeof *function->instructions);
    uint32_t at = 0;
    struct rh_ir_block *target = function->blocks;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(value); block;
         block = LLVMGetNextBasicBlock(block), target++) {
        target->first = at;
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
             each = LLVMGetNextInstruction(each))
            read_instruction(&body, each, &function->instructions[at++]);
        target->count = at - target->first;
    }
    rh_index_fini(&body.values);
    rh_index_fini(&body.blocks);
}
