// SPDX-License-Identifier: MIT
// Values whose sets are still empty when nothing changes any more: they are read from memory that
// nothing was put into, or an operation gives them that the analysis does not follow. They become
// any number, so that no branch is left out because of them.
#include "flow/internal.h"

// Whether the instruction takes its value from memory, from a call or from an argument; other
// instructions compute theirs from values that are there.
static bool is_source(const struct rh_ir_instruction *instruction)
{
    return instruction->opcode == RH_IR_LOAD || instruction->opcode == RH_IR_CALL ||
           instruction->opcode == RH_IR_NEXT_ARGUMENT || instruction->opcode == RH_IR_EXCHANGE;
}

static bool fill(struct rh__flow *flow, uint32_t node, uint32_t type)
{
    enum rh_ir_type_kind kind = rh_ir_type_of(flow->module, type)->kind;
    if (flow->nodes.items[node].count > 0 || kind == RH_IR_VOID || kind == RH_IR_REAL ||
        kind == RH_IR_OTHER_TYPE)
        return false;
    rh__flow_any_number(flow, node);
    return true;
}

static bool fill_parameters(struct rh__flow *flow, uint32_t instance,
                            const struct rh_ir_function *function)
{
    bool has_any = false;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (fill(flow, rh__flow_parameter(flow, instance, i), function->parameters[i]))
            has_any = true;
    return has_any;
}

static bool fill_block(struct rh__flow *flow, uint32_t instance,
                       const struct rh_ir_function *function, uint32_t number, bool is_any_kind)
{
    const struct rh_ir_block *block = &function->blocks[number];
    bool has_any = false;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[block->first + i];
        if ((is_any_kind || is_source(each)) &&
            fill(flow, rh__flow_value_node(flow, instance, each), each->type))
            has_any = true;
    }
    return has_any;
}

static bool fill_instance(struct rh__flow *flow, uint32_t number, bool is_any_kind)
{
    const struct rh_ir_function *function =
        &flow->module->functions.items[flow->instances.items[number].function];
    bool has_any = fill_parameters(flow, number, function);
    for (uint32_t i = 0; i < function->block_count; i++)
        if (flow->instances.items[number].reached[i] &&
            fill_block(flow, number, function, i, is_any_kind))
            has_any = true;
    return has_any;
}

// Stops after one instance with such values, since what its code does next may fill the sets of
// others.
bool rh__flow_unknown_found(struct rh__flow *flow)
{
    for (int is_any_kind = 0; is_any_kind < 2; is_any_kind++)
        for (uint32_t i = 0; i < flow->instances.count; i++)
            if (fill_instance(flow, i, is_any_kind))
                return true;
    return false;
}
