// SPDX-License-Identifier: MIT
// Whether a module that was read keeps the invariants of module.h: every index names something, and
// values and blocks are numbered in their order.
#include "bitcode/internal.h"

static bool is_type(const struct rh_ir_module *module, uint32_t type)
{
    return type < module->types.count;
}

static void check_types(const struct rh_ir_module *module)
{
    for (size_t i = 0; i < module->types.count; i++) {
        const struct rh_ir_type *type = &module->types.items[i];
        bool has_elements = type->kind == RH_IR_ARRAY || type->kind == RH_IR_VECTOR;
        rh_assert(!has_elements || is_type(module, type->element));
        for (uint64_t k = 0; type->kind == RH_IR_STRUCT && k < type->count; k++)
            rh_assert(is_type(module, type->fields[k]));
    }
}

static void check_constant(const struct rh_ir_module *module, const struct rh_ir_constant *constant)
{
    rh_assert(is_type(module, constant->type));
    rh_assert(constant->kind != RH_IR_VARIABLE ||
              (uint64_t)constant->number < module->globals.count);
    rh_assert(constant->kind != RH_IR_FUNCTION ||
              (uint64_t)constant->number < module->functions.count);
    for (uint32_t i = 0; i < constant->operand_count; i++)
        rh_assert(constant->operands[i] < module->constants.count);
}

static bool is_value(const struct rh_ir_module *module, const struct rh_ir_function *function,
                     struct rh_ir_ref value)
{
    return value.index < (value.is_constant
                              ? module->constants.count
                              : function->parameter_count + (size_t)function->instruction_count);
}

static void check_instruction(const struct rh_ir_module *module,
                              const struct rh_ir_function *function,
                              const struct rh_ir_instruction *instruction)
{
    rh_assert(is_type(module, instruction->type));
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        rh_assert(is_value(module, function, instruction->operands[i]));
    for (uint32_t i = 0; i < instruction->step_count; i++)
        rh_assert(is_value(module, function, instruction->steps[i].index));
    for (uint32_t i = 0; i < instruction->block_count; i++)
        rh_assert(instruction->blocks[i] < function->block_count);
}

static void check_function(const struct rh_ir_module *module, const struct rh_ir_function *function)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < function->block_count; i++) {
        rh_assert(function->blocks[i].first == next);
        next += function->blocks[i].count;
    }
    rh_assert(next == function->instruction_count);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        rh_assert(is_type(module, function->parameters[i]));
    for (uint32_t i = 0; i < function->instruction_count; i++)
        check_instruction(module, function, &function->instructions[i]);
}

void rh__ir_check(const struct rh_ir_module *module)
{
    check_types(module);
    for (size_t i = 0; i < module->constants.count; i++)
        check_constant(module, &module->constants.items[i]);
    for (size_t i = 0; i < module->globals.count; i++) {
        const struct rh_ir_global *global = &module->globals.items[i];
        rh_assert(is_type(module, global->type));
        rh_assert(global->initial == RH_NONE || global->initial < module->constants.count);
    }
    for (size_t i = 0; i < module->functions.count; i++)
        check_function(module, &module->functions.items[i]);
}
