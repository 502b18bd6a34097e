// SPDX-License-Identifier: MIT
#include "bitcode/module.h"

#include <string.h>

void rh_ir_module_fini(struct rh_ir_module *module)
{
    rh_vector_fini(&module->types);
    rh_vector_fini(&module->constants);
    rh_vector_fini(&module->globals);
    rh_vector_fini(&module->functions);
    rh_vector_fini(&module->records);
    rh_arena_fini(&module->arena);
}

const struct rh_ir_instruction *rh_ir_definition(const struct rh_ir_function *function,
                                                 struct rh_ir_ref value)
{
    if (value.is_constant || value.index < function->parameter_count)
        return NULL;
    return &function->instructions[value.index - function->parameter_count];
}

uint32_t rh_ir_ref_type(const struct rh_ir_module *module, const struct rh_ir_function *function,
                        struct rh_ir_ref value)
{
    if (value.is_constant)
        return module->constants.items[value.index].type;
    const struct rh_ir_instruction *definition = rh_ir_definition(function, value);
    return definition ? definition->type : function->parameters[value.index];
}

uint32_t rh_ir_block_of(const struct rh_ir_function *function,
                        const struct rh_ir_instruction *instruction)
{
    uint32_t at = (uint32_t)(instruction - function->instructions);
    uint32_t first = 0, end = function->block_count;
    while (end - first > 1) {
        uint32_t middle = first + (end - first) / 2;
        if (function->blocks[middle].first <= at)
            first = middle;
        else
            end = middle;
    }
    return first;
}

const struct rh_ir_function *rh_ir_callee(const struct rh_ir_module *module,
                                          const struct rh_ir_instruction *instruction)
{
    if (instruction->opcode != RH_IR_CALL)
        return NULL;
    struct rh_ir_ref called = instruction->operands[instruction->operand_count - 1];
    if (!called.is_constant || module->constants.items[called.index].kind != RH_IR_FUNCTION)
        return NULL;
    return &module->functions.items[module->constants.items[called.index].number];
}

const char *rh_ir_text(const struct rh_ir_module *module, struct rh_ir_ref value)
{
    if (!value.is_constant)
        return NULL;
    const struct rh_ir_constant *constant = &module->constants.items[value.index];
    if (constant->kind != RH_IR_VARIABLE)
        return NULL;
    uint32_t initial = module->globals.items[constant->number].initial;
    const struct rh_ir_constant *text =
        initial == RH_NONE ? NULL : &module->constants.items[initial];
    bool is_text =
        text && text->kind == RH_IR_BYTES && text->byte_count && !text->bytes[text->byte_count - 1];
    return is_text ? text->bytes : NULL;
}

bool rh_ir_number(const struct rh_ir_module *module, struct rh_ir_ref value, int64_t *number)
{
    if (!value.is_constant || module->constants.items[value.index].kind != RH_IR_NUMBER)
        return false;
    *number = module->constants.items[value.index].number;
    return true;
}

const struct rh_ir_record *rh_ir_record_find(const struct rh_ir_module *module, const char *name,
                                             uint64_t size)
{
    for (size_t i = 0; i < module->records.count; i++)
        if (module->records.items[i].size == size && !strcmp(module->records.items[i].name, name))
            return &module->records.items[i];
    return NULL;
}
