// SPDX-License-Identifier: MIT
// Calls of functions: of the program's own, by name and by address, and of all others.
#include <string.h>

#include "flow/internal.h"

// Puts an argument behind the last parameter where the callee finds it. For a struct that is passed
// by value, its contents are put there.
static void pass_variable(struct rh__flow *flow, const struct rh_ir_instruction *call,
                          uint32_t index, uint32_t argument, uint32_t callee)
{
    uint32_t values = argument, actor = flow->instances.items[callee].actor;
    if (call->copied && call->copied[index] != RH_NONE) {
        uint32_t anywhere = rh__flow_node_new(flow, actor);
        values = rh__flow_node_new(flow, actor);
        rh__flow_constrain(
            flow, argument,
            &(struct rh__flow_constraint){.kind = RH__FLOW_SPREAD, .target = anywhere});
        rh__flow_constrain(
            flow, anywhere,
            &(struct rh__flow_constraint){.kind = RH__FLOW_LOAD, .target = values, .size = 1});
    }
    uint32_t arguments = flow->instances.items[callee].arguments;
    rh__flow_store(flow, rh__flow_location_everywhere(flow, arguments), 1, values);
}

static void pass_arguments(struct rh__flow *flow, uint32_t caller, uint32_t block,
                           const struct rh_ir_instruction *call, uint32_t callee)
{
    uint32_t function = flow->instances.items[callee].function;
    uint32_t parameter_count = flow->module->functions.items[function].parameter_count;
    for (uint32_t i = 0; i + 1 < call->operand_count; i++) {
        uint32_t argument = rh__flow_operand(flow, caller, block, call->operands[i]);
        if (i < parameter_count)
            rh__flow_edge(flow, argument, rh__flow_parameter(flow, callee, i));
        else if (flow->instances.items[callee].arguments != RH_NONE)
            pass_variable(flow, call, i, argument, callee);
    }
    rh__flow_edge(flow, flow->instances.items[callee].result,
                  rh__flow_value_node(flow, caller, call));
}

void rh__flow_call_named(struct rh__flow *flow, uint32_t instance, uint32_t block,
                         const struct rh_ir_instruction *call, uint32_t function)
{
    const struct rh_ir_function *callee = &flow->module->functions.items[function];
    if (callee->block_count) {
        uint32_t actor = flow->instances.items[instance].actor;
        pass_arguments(flow, instance, block, call, rh__flow_instance_get(flow, function, actor));
    } else if (!rh__flow_operation_call(flow, instance, block, call, callee->name)) {
        rh__flow_library_call(flow, instance, block, call, function);
    }
}

void rh__flow_call_address(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *call)
{
    struct rh_ir_ref code = call->operands[call->operand_count - 1];
    if (code.is_constant &&
        flow->module->constants.items[code.index].kind == RH_IR_OTHER_CONSTANT) {
        flow->has_assembly = true;
        rh__flow_unknown_call(flow, instance, block, call);
        return;
    }
    uint32_t number = (uint32_t)flow->calls.count;
    uint32_t called =
        rh__flow_operand(flow, instance, block, call->operands[call->operand_count - 1]);
    *rh_vector_push(&flow->calls) = (struct rh__flow_call){instance, call};
    rh__flow_constrain(flow, called,
                       &(struct rh__flow_constraint){.kind = RH__FLOW_CALL, .target = number});
}

static uint32_t block_of(const struct rh__flow *flow, const struct rh__flow_call *call)
{
    const struct rh_ir_function *caller =
        &flow->module->functions.items[flow->instances.items[call->instance].function];
    return rh_ir_block_of(caller, call->instruction);
}

void rh__flow_call_resolved(struct rh__flow *flow, uint32_t number, uint32_t location)
{
    const struct rh__flow_object *object = rh__flow_object_at(flow, location);
    if (object->kind != RH__FLOW_FUNCTION)
        return;
    struct rh__flow_call call = flow->calls.items[number];
    rh__flow_call_named(flow, call.instance, block_of(flow, &call), call.instruction,
                        object->number);
}

void rh__flow_call_unknown(struct rh__flow *flow, uint32_t number)
{
    struct rh__flow_call call = flow->calls.items[number];
    rh__flow_unknown_call(flow, call.instance, block_of(flow, &call), call.instruction);
}

void rh__flow_call_back(struct rh__flow *flow, uint32_t actor, uint32_t location, uint32_t values,
                        uint32_t results)
{
    const struct rh__flow_object *object = rh__flow_object_at(flow, location);
    if (object->kind != RH__FLOW_FUNCTION)
        return;
    const struct rh_ir_function *function = &flow->module->functions.items[object->number];
    if (!function->block_count)
        return;
    uint32_t instance = rh__flow_instance_get(flow, object->number, actor);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        rh__flow_edge(flow, values, rh__flow_parameter(flow, instance, i));
    rh__flow_edge(flow, flow->instances.items[instance].result, results);
}
