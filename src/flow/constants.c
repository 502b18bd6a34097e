// SPDX-License-Identifier: MIT
// Global variables, functions and constants as nodes, and the types of messages.
#include <string.h>

#include "flow/internal.h"

uint32_t rh__flow_function_object(struct rh__flow *flow, uint32_t function)
{
    if (flow->function_objects[function] == RH_NONE)
        flow->function_objects[function] =
            rh__flow_object_new(flow, RH__FLOW_FUNCTION, function, 0, 1);
    return flow->function_objects[function];
}

// --- What variables hold at the start. ---

static void put(struct rh__flow *flow, uint32_t object, uint64_t offset, uint32_t constant);

static void put_elements(struct rh__flow *flow, uint32_t object, uint64_t offset,
                         const struct rh_ir_constant *constant)
{
    const struct rh_ir_type *type = rh_ir_type_of(flow->module, constant->type);
    for (uint32_t i = 0; i < constant->operand_count; i++) {
        uint64_t place = type->kind == RH_IR_STRUCT
                             ? type->offsets[i]
                             : i * rh_ir_size_of(flow->module, type->element);
        put(flow, object, offset + place, constant->operands[i]);
    }
}

// Puts the node's value into those of `size` bytes that the test does not overwrite before anything
// reads them.
static void put_rest(struct rh__flow *flow, uint32_t object, uint64_t offset, uint64_t size,
                     uint32_t node)
{
    uint32_t global = flow->objects.items[object].number;
    uint64_t limit = offset + size;
    for (uint64_t at = offset; at < limit;) {
        uint64_t start = rh__flow_overwritten_end(flow, global, at);
        uint64_t end = rh__flow_overwritten_next(flow, global, start, limit);
        if (start < end)
            rh__flow_store(
                flow,
                rh__flow_location_add(flow, rh__flow_location_of(flow, object), (int64_t)start),
                end - start, node);
        at = start > end ? start : end;
    }
}

static void put(struct rh__flow *flow, uint32_t object, uint64_t offset, uint32_t number)
{
    const struct rh_ir_constant *constant = &flow->module->constants.items[number];
    if (constant->kind == RH_IR_ELEMENTS) {
        put_elements(flow, object, offset, constant);
        return;
    }
    if (constant->kind == RH_IR_UNDEFINED)
        return;
    uint64_t size = rh_ir_size_of(flow->module, constant->type);
    uint32_t global = flow->objects.items[object].number;
    uint32_t node = rh__flow_constant_node(flow, number);
    uint32_t location =
        rh__flow_location_add(flow, rh__flow_location_of(flow, object), (int64_t)offset);
    if (constant->kind == RH_IR_ZERO)
        put_rest(flow, object, offset, size, node);
    else if (size == 0 || rh__flow_overwritten_end(flow, global, offset) < offset + size)
        rh__flow_store(flow, location, size, node);
}

uint32_t rh__flow_global_object(struct rh__flow *flow, uint32_t global)
{
    if (flow->global_objects[global] != RH_NONE)
        return flow->global_objects[global];
    const struct rh_ir_global *variable = &flow->module->globals.items[global];
    bool is_defined = variable->initial != RH_NONE;
    uint64_t size = is_defined ? rh_ir_size_of(flow->module, variable->type) : RH__FLOW_EVERYWHERE;
    uint32_t object = rh__flow_object_new(flow, RH__FLOW_VARIABLE, global, 0, size);
    flow->objects.items[object].type = variable->type;
    flow->global_objects[global] = object;
    if (is_defined)
        put(flow, object, 0, variable->initial);
    else
        rh__flow_node_add(flow, flow->escaped, rh__flow_location_of(flow, object));
    return object;
}

// --- Constants. ---

// The linker makes __start_NAME the address of the variables in the section NAME, one behind the
// other, and __stop_NAME the address of their end.
static void add_section(struct rh__flow *flow, uint32_t node, const char *name)
{
    static const char start[] = "__start_", stop[] = "__stop_";
    size_t start_length = sizeof start - 1, stop_length = sizeof stop - 1;
    bool is_start = !strncmp(name, start, start_length);
    if (!is_start && strncmp(name, stop, stop_length) != 0)
        return;
    const char *section = name + (is_start ? start_length : stop_length);
    for (uint32_t i = 0; i < flow->module->globals.count; i++) {
        const struct rh_ir_global *each = &flow->module->globals.items[i];
        if (each->section && !strcmp(each->section, section))
            rh__flow_node_add(flow, node,
                              rh__flow_location_everywhere(flow, rh__flow_global_object(flow, i)));
    }
}

static void fill_variable(struct rh__flow *flow, uint32_t node, uint32_t global, int64_t offset)
{
    uint32_t object = rh__flow_global_object(flow, global);
    rh__flow_node_add(flow, node,
                      rh__flow_location_add(flow, rh__flow_location_of(flow, object), offset));
    if (flow->module->globals.items[global].initial == RH_NONE)
        add_section(flow, node, flow->module->globals.items[global].name);
}

// The constant is the address that a function of the program gives: the loader calls it before
// anything else runs.
static void fill_resolved(struct rh__flow *flow, uint32_t node,
                          const struct rh_ir_constant *constant)
{
    const struct rh_ir_constant *resolver = &flow->module->constants.items[constant->operands[0]];
    bool is_there = resolver->kind == RH_IR_FUNCTION &&
                    flow->module->functions.items[resolver->number].block_count;
    if (!is_there) {
        rh__flow_edge(flow, flow->anything, node);
        return;
    }
    uint32_t instance = rh__flow_instance_get(flow, (uint32_t)resolver->number, 0);
    rh__flow_edge(flow, flow->instances.items[instance].result, node);
}

// A conversion of an address is the same address. Other expressions may be any number, and any
// address in the variables that they are made of.
static void fill_expression(struct rh__flow *flow, uint32_t node,
                            const struct rh_ir_constant *constant)
{
    bool is_same = constant->opcode == RH_IR_TO_INTEGER || constant->opcode == RH_IR_TO_ADDRESS ||
                   constant->opcode == RH_IR_REINTERPRET || constant->opcode == RH_IR_TRUNCATE;
    if (!is_same)
        rh__flow_any_number(flow, node);
    for (uint32_t i = 0; i < constant->operand_count; i++) {
        uint32_t operand = rh__flow_constant_node(flow, constant->operands[i]);
        if (is_same)
            rh__flow_edge(flow, operand, node);
        else if (constant->opcode != RH_IR_ADDRESS)
            rh__flow_constrain(
                flow, operand,
                &(struct rh__flow_constraint){.kind = RH__FLOW_SPREAD, .target = node});
    }
}

// A struct or a vector that is looked at as one value has parts of all its elements.
static void fill_elements(struct rh__flow *flow, uint32_t node,
                          const struct rh_ir_constant *constant)
{
    for (uint32_t i = 0; i < constant->operand_count; i++)
        rh__flow_overlap(flow, rh__flow_constant_node(flow, constant->operands[i]), node);
}

static void fill(struct rh__flow *flow, uint32_t node, const struct rh_ir_constant *constant)
{
    switch (constant->kind) {
    case RH_IR_NUMBER:
        rh__flow_node_add(flow, node, rh__flow_number(flow, constant->number));
        break;
    case RH_IR_ZERO:
        rh__flow_node_add(flow, node, rh__flow_number(flow, 0));
        break;
    case RH_IR_UNDEFINED:
        if (rh_ir_type_of(flow->module, constant->type)->kind == RH_IR_INTEGER)
            rh__flow_any_number(flow, node);
        break;
    case RH_IR_REAL_NUMBER:
    case RH_IR_BYTES:
    case RH_IR_OTHER_CONSTANT:
        rh__flow_any_number(flow, node);
        break;
    case RH_IR_VARIABLE:
        fill_variable(flow, node, (uint32_t)constant->number, 0);
        break;
    case RH_IR_FUNCTION:
        rh__flow_node_add(
            flow, node,
            rh__flow_location_of(flow, rh__flow_function_object(flow, (uint32_t)constant->number)));
        break;
    case RH_IR_ELEMENTS:
        fill_elements(flow, node, constant);
        break;
    case RH_IR_EXPRESSION:
        if (constant->opcode == RH_IR_CALL)
            fill_resolved(flow, node, constant);
        else
            fill_expression(flow, node, constant);
        break;
    }
}

bool rh__flow_constant_address(const struct rh_ir_module *module, uint32_t number, uint32_t *global,
                               int64_t *offset)
{
    const struct rh_ir_constant *constant = &module->constants.items[number];
    *offset = 0;
    while (constant->kind == RH_IR_EXPRESSION && constant->opcode == RH_IR_ADDRESS) {
        *offset += constant->offset;
        constant = &module->constants.items[constant->operands[0]];
    }
    *global = (uint32_t)constant->number;
    return constant->kind == RH_IR_VARIABLE;
}

// Fills the node of a constant that computes an address in a variable; false if the constant does
// not.
static bool fill_address(struct rh__flow *flow, uint32_t node, uint32_t number)
{
    uint32_t global;
    int64_t offset;
    if (!rh__flow_constant_address(flow->module, number, &global, &offset))
        return false;
    fill_variable(flow, node, global, offset);
    return true;
}

uint32_t rh__flow_constant_node(struct rh__flow *flow, uint32_t number)
{
    if (flow->constant_nodes[number] != RH_NONE)
        return flow->constant_nodes[number];
    uint32_t node = rh__flow_node_new(flow, 0);
    flow->constant_nodes[number] = node;
    const struct rh_ir_constant *constant = &flow->module->constants.items[number];
    if (!fill_address(flow, node, number))
        fill(flow, node, constant);
    return node;
}

// --- Types of messages. ---

// RH_MESSAGE and RH_SIGNAL put the address of each descriptor into this section.
static const char type_section[] = "rh_types";

static uint32_t type_number(struct rh__flow *flow, const char *name, uint64_t size)
{
    for (uint32_t i = 1; i < flow->types.count; i++)
        if (flow->types.items[i].size == size && !strcmp(flow->types.items[i].name, name))
            return i;
    *rh_vector_push(&flow->types) = (struct rh__flow_message_type){name, size};
    return (uint32_t)flow->types.count - 1;
}

static void find_type(struct rh__flow *flow, const struct rh_ir_global *entry)
{
    const struct rh_ir_module *module = flow->module;
    const struct rh_ir_constant *pointer = &module->constants.items[entry->initial];
    if (pointer->kind != RH_IR_VARIABLE)
        return;
    uint32_t initial = module->globals.items[pointer->number].initial;
    const struct rh_ir_constant *descriptor =
        initial == RH_NONE ? NULL : &module->constants.items[initial];
    if (!descriptor || descriptor->kind != RH_IR_ELEMENTS || descriptor->operand_count != 2)
        return;
    const char *name =
        rh_ir_text(module, (struct rh_ir_ref){descriptor->operands[0] & INT32_MAX, 1});
    int64_t size = 0;
    rh_ir_number(module, (struct rh_ir_ref){descriptor->operands[1] & INT32_MAX, 1}, &size);
    if (name)
        flow->global_types[pointer->number] = type_number(flow, name, (uint64_t)size);
}

void rh__flow_types_find(struct rh__flow *flow)
{
    *rh_vector_push(&flow->types) = (struct rh__flow_message_type){"(unknown)", 0};
    for (size_t i = 0; i < flow->module->globals.count; i++) {
        const struct rh_ir_global *global = &flow->module->globals.items[i];
        if (global->section && !strcmp(global->section, type_section) && global->initial != RH_NONE)
            find_type(flow, global);
    }
    flow->type_words = (uint32_t)(flow->types.count / 64 + 1);
}
