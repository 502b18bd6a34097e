// SPDX-License-Identifier: MIT
// Functions as actors run them, and what their instructions say about points-to sets.
#include <string.h>

#include "base/hash.h"
#include "flow/internal.h"

uint32_t rh__flow_parameter(const struct rh__flow *flow, uint32_t instance, uint32_t index)
{
    return flow->instances.items[instance].first_node + index;
}

uint32_t rh__flow_value_node(const struct rh__flow *flow, uint32_t number,
                             const struct rh_ir_instruction *instruction)
{
    const struct rh__flow_instance *instance = &flow->instances.items[number];
    const struct rh_ir_function *function = &flow->module->functions.items[instance->function];
    return instance->first_node + function->parameter_count +
           (uint32_t)(instruction - function->instructions);
}

uint32_t rh__flow_operand(struct rh__flow *flow, uint32_t instance, uint32_t block,
                          struct rh_ir_ref value)
{
    return value.is_constant ? rh__flow_constant_node(flow, value.index)
                             : rh__flow_view_node(flow, instance, block, value.index);
}

static void prepare_dispatch(struct rh__flow *flow, struct rh__flow_instance *instance)
{
    const struct rh_ir_function *function = &flow->module->functions.items[instance->function];
    const struct rh__flow_dispatch *dispatch = rh__flow_dispatch_of(flow, instance->function);
    size_t places = (size_t)function->block_count * dispatch->message_count;
    instance->dispatch = dispatch;
    instance->reached =
        rh_arena_take(&flow->arena, function->block_count * sizeof *instance->reached);
    instance->types =
        rh_arena_take(&flow->arena, places * flow->type_words * sizeof *instance->types);
    instance->views = rh_arena_take(&flow->arena, places * sizeof *instance->views);
    memset(instance->views, 0xff, places * sizeof *instance->views);
}

static uint32_t block_of_value(const struct rh_ir_function *function, uint32_t value)
{
    return value < function->parameter_count
               ? 0
               : rh_ir_block_of(function,
                                &function->instructions[value - function->parameter_count]);
}

static void queue_first_run(struct rh__flow *flow, uint32_t number)
{
    const struct rh_ir_function *function =
        &flow->module->functions.items[flow->instances.items[number].function];
    rh__flow_queue_block(flow, number, 0);
    for (uint32_t i = 0; i < flow->instances.items[number].dispatch->message_count; i++) {
        uint32_t value = flow->instances.items[number].dispatch->messages[i];
        struct rh__flow_constraint constraint = {
            .kind = RH__FLOW_DISPATCH, .target = number, .size = block_of_value(function, value)};
        rh__flow_constrain(flow, flow->instances.items[number].first_node + value, &constraint);
    }
}

uint32_t rh__flow_instance_get(struct rh__flow *flow, uint32_t function, uint32_t actor)
{
    uint64_t key = (uint64_t)actor << 32 | function;
    uint32_t known = rh_index_find(&flow->instance_index, key);
    if (known != RH_NONE)
        return known;
    const struct rh_ir_function *code = &flow->module->functions.items[function];
    struct rh__flow_instance instance = {
        .function = function, .actor = actor, .arguments = RH_NONE};
    instance.first_node =
        rh__flow_nodes_new(flow, actor, code->parameter_count + code->instruction_count);
    instance.result = rh__flow_node_new(flow, actor);
    if (code->is_variadic)
        instance.arguments =
            rh__flow_object_new(flow, RH__FLOW_MEMORY, 0, actor, RH__FLOW_EVERYWHERE);
    prepare_dispatch(flow, &instance);
    uint32_t number = (uint32_t)flow->instances.count;
    *rh_vector_push(&flow->instances) = instance;
    rh_index_add(&flow->instance_index, key, number);
    queue_first_run(flow, number);
    return number;
}

// --- Instructions. ---

// Where one instruction stands.
struct spot {
    struct rh__flow *flow;
    uint32_t instance, block;
    const struct rh_ir_function *function;
    const struct rh_ir_instruction *instruction;
};

static uint32_t result_of(const struct spot *spot)
{
    return rh__flow_value_node(spot->flow, spot->instance, spot->instruction);
}

static uint32_t operand(const struct spot *spot, uint32_t index)
{
    return rh__flow_operand(spot->flow, spot->instance, spot->block,
                            spot->instruction->operands[index]);
}

static void copy_operand(const struct spot *spot, uint32_t index)
{
    rh__flow_edge(spot->flow, operand(spot, index), result_of(spot));
}

static void constrain_operand(const struct spot *spot, uint32_t index,
                              enum rh__flow_constraint_kind kind, uint32_t target, uint64_t size)
{
    struct rh__flow_constraint constraint = {
        .kind = kind, .target = target, .size = size, .instruction = spot->instruction};
    rh__flow_constrain(spot->flow, operand(spot, index), &constraint);
}

// Whether a value of this type is of this kind, or has a part that is.
static bool has_part(const struct rh__flow *flow, uint32_t number, enum rh_ir_type_kind kind)
{
    const struct rh_ir_type *type = rh_ir_type_of(flow->module, number);
    if (type->kind == RH_IR_ARRAY || type->kind == RH_IR_VECTOR)
        return has_part(flow, type->element, kind);
    for (uint64_t i = 0; type->kind == RH_IR_STRUCT && i < type->count; i++)
        if (has_part(flow, type->fields[i], kind))
            return true;
    return type->kind == kind;
}

// Whether a value of this type can be, or be a part of, a number or an address that is carried
// elsewhere. A real may have the bits of an address; as a number its bits are not followed.
static bool can_carry(const struct rh__flow *flow, uint32_t number)
{
    return has_part(flow, number, RH_IR_INTEGER) || has_part(flow, number, RH_IR_POINTER) ||
           has_part(flow, number, RH_IR_REAL);
}

static void allocate(const struct spot *spot)
{
    struct rh__flow *flow = spot->flow;
    uint32_t actor = flow->instances.items[spot->instance].actor;
    int64_t count = 0;
    uint64_t size = RH__FLOW_EVERYWHERE;
    if (rh_ir_number(flow->module, spot->instruction->operands[0], &count) && count > 0)
        size = rh_ir_size_of(flow->module, spot->instruction->accessed) * (uint64_t)count;
    uint32_t object = rh__flow_object_new(flow, RH__FLOW_MEMORY, 0, actor, size);
    if (count == 1)
        flow->objects.items[object].type = spot->instruction->accessed;
    rh__flow_node_add(flow, result_of(spot), rh__flow_location_of(flow, object));
}

// Whether the instruction's value is put back where its operand was loaded from: *p = *p + 8.
static bool moves_in_memory(const struct spot *spot, const struct rh_ir_instruction *base)
{
    uint32_t value = spot->function->parameter_count +
                     (uint32_t)(spot->instruction - spot->function->instructions);
    struct rh_ir_ref from = base->operands[0];
    const struct rh_ir_block *block = &spot->function->blocks[spot->block];
    for (uint32_t i = 0; i < block->count; i++) {
        const struct rh_ir_instruction *store = &spot->function->instructions[block->first + i];
        if (store->opcode == RH_IR_STORE && !store->operands[0].is_constant &&
            store->operands[0].index == value && store->operands[1].index == from.index &&
            store->operands[1].is_constant == from.is_constant)
            return true;
    }
    return false;
}

// Whether the address moves on by the same distance again and again, in a loop. Then it takes any
// number of steps.
static bool moves_on(const struct spot *spot)
{
    const struct rh_ir_instruction *base =
        rh_ir_definition(spot->function, spot->instruction->operands[0]);
    if (!base || spot->instruction->step_count || !spot->instruction->offset)
        return false;
    if (base->opcode == RH_IR_LOAD)
        return moves_in_memory(spot, base);
    for (uint32_t i = 0; base->opcode == RH_IR_PHI && i < base->operand_count; i++)
        if (rh_ir_definition(spot->function, base->operands[i]) == spot->instruction)
            return true;
    return false;
}

static void address(const struct spot *spot)
{
    if (!moves_on(spot)) {
        constrain_operand(spot, 0, RH__FLOW_OFFSET, result_of(spot), 0);
        return;
    }
    struct rh_ir_instruction *stepping =
        rh_arena_take(&spot->flow->arena, sizeof *stepping + sizeof(struct rh_ir_step));
    struct rh_ir_step *step = (struct rh_ir_step *)(stepping + 1);
    int64_t offset = spot->instruction->offset;
    *step = (struct rh_ir_step){.stride = (uint64_t)(offset < 0 ? -offset : offset),
                                .count = RH_IR_UNBOUNDED};
    *stepping = *spot->instruction;
    stepping->offset = 0;
    stepping->steps = step;
    stepping->step_count = 1;
    struct rh__flow_constraint constraint = {
        .kind = RH__FLOW_OFFSET, .target = result_of(spot), .instruction = stepping};
    rh__flow_constrain(spot->flow, operand(spot, 0), &constraint);
}

static void load(const struct spot *spot, uint32_t index)
{
    if (can_carry(spot->flow, spot->instruction->accessed))
        constrain_operand(spot, index, RH__FLOW_LOAD, result_of(spot),
                          rh_ir_size_of(spot->flow->module, spot->instruction->accessed));
}

static void store_node(const struct spot *spot, uint32_t node, uint32_t index)
{
    constrain_operand(spot, index, RH__FLOW_STORE, node,
                      rh_ir_size_of(spot->flow->module, spot->instruction->accessed));
}

static void store(const struct spot *spot, uint32_t value, uint32_t index)
{
    uint32_t type = spot->instruction->accessed;
    if (can_carry(spot->flow, type))
        store_node(spot, operand(spot, value), index);
    if (!can_carry(spot->flow, type) || has_part(spot->flow, type, RH_IR_REAL))
        store_node(spot, spot->flow->any_number, index);
}

static void spread_from(const struct spot *spot, uint32_t node, uint32_t target)
{
    rh__flow_constrain(spot->flow, node,
                       &(struct rh__flow_constraint){.kind = RH__FLOW_SPREAD, .target = target});
}

// The value is put into memory, or something made of the value and of what was there: an address
// then moves within its object.
static void exchange(const struct spot *spot)
{
    load(spot, 0);
    if (spot->instruction->made_by == RH_IR_STORE) {
        store(spot, 1, 0);
        return;
    }
    uint32_t made =
        rh__flow_node_new(spot->flow, spot->flow->instances.items[spot->instance].actor);
    rh__flow_any_number(spot->flow, made);
    spread_from(spot, result_of(spot), made);
    spread_from(spot, operand(spot, 1), made);
    store_node(spot, made, 0);
}

static void any_number(const struct spot *spot)
{
    if (can_carry(spot->flow, spot->instruction->type))
        rh__flow_any_number(spot->flow, result_of(spot));
}

static const struct rh_ir_type *operand_type(const struct spot *spot, uint32_t index)
{
    const struct rh_ir_module *module = spot->flow->module;
    return rh_ir_type_of(
        module, rh_ir_ref_type(module, spot->function, spot->instruction->operands[index]));
}

// An instruction that makes a number of two others, or compares them.
static void combine(const struct spot *spot)
{
    const struct rh_ir_type *type = operand_type(spot, 0);
    bool is_number =
        type->kind == RH_IR_POINTER || (type->kind == RH_IR_INTEGER && type->bits <= 64);
    if (!is_number || spot->instruction->operand_count != 2) {
        any_number(spot);
        return;
    }
    struct rh__flow_combination combination = {
        .operands = {operand(spot, 0), operand(spot, 1)},
        .result = result_of(spot),
        .bits = type->kind == RH_IR_POINTER ? 64 : type->bits,
        .instruction = spot->instruction,
    };
    rh__flow_combination_new(spot->flow, &combination);
}

// Arithmetic with addresses: the result may be any address in the same objects.
static void spread(const struct spot *spot)
{
    const struct rh_ir_type *type = rh_ir_type_of(spot->flow->module, spot->instruction->type);
    bool is_combining = spot->instruction->opcode >= RH_IR_SHIFT_LEFT;
    if (type->kind == RH_IR_INTEGER && (type->bits < 8 || (type->bits < 64 && !is_combining)))
        return;
    for (uint32_t i = 0; i < spot->instruction->operand_count; i++)
        if (!spot->instruction->operands[i].is_constant ||
            spot->flow->module->constants.items[spot->instruction->operands[i].index].kind !=
                RH_IR_NUMBER)
            constrain_operand(spot, i, RH__FLOW_SPREAD, result_of(spot), 0);
}

// An instruction that gives a number in another width.
static void convert(const struct spot *spot)
{
    struct rh__flow *flow = spot->flow;
    const struct rh_ir_type *from = operand_type(spot, 0);
    const struct rh_ir_type *to = rh_ir_type_of(flow->module, spot->instruction->type);
    if (to->kind == RH_IR_INTEGER && to->bits <= 64) {
        uint32_t bits = spot->instruction->opcode == RH_IR_TRUNCATE ? to->bits : from->bits;
        constrain_operand(spot, 0, RH__FLOW_CONVERT, result_of(spot), bits);
    } else if (can_carry(flow, spot->instruction->type)) {
        constrain_operand(spot, 0, RH__FLOW_OVERLAP, result_of(spot), 0);
    }
}

static bool is_word(const struct rh_ir_type *type)
{
    return type->kind == RH_IR_POINTER || (type->kind == RH_IR_INTEGER && type->bits == 64);
}

// An instruction that gives the same bits as a value of another type.
static void reinterpret(const struct spot *spot)
{
    const struct rh_ir_type *from = operand_type(spot, 0);
    const struct rh_ir_type *to = rh_ir_type_of(spot->flow->module, spot->instruction->type);
    if (is_word(from) && is_word(to)) {
        copy_operand(spot, 0);
        return;
    }
    if (from->kind == RH_IR_REAL)
        any_number(spot);
    if (can_carry(spot->flow, spot->instruction->type))
        constrain_operand(spot, 0, RH__FLOW_OVERLAP, result_of(spot), 0);
}

// An instruction that puts parts into a value or takes one out.
static void rearrange(const struct spot *spot)
{
    if (!can_carry(spot->flow, spot->instruction->type))
        return;
    for (uint32_t i = 0; i < spot->instruction->operand_count; i++) {
        if (operand_type(spot, i)->kind == RH_IR_REAL)
            any_number(spot);
        constrain_operand(spot, i, RH__FLOW_OVERLAP, result_of(spot), 0);
    }
}

static void give_back(const struct spot *spot)
{
    if (spot->instruction->operand_count)
        rh__flow_edge(spot->flow, operand(spot, 0),
                      spot->flow->instances.items[spot->instance].result);
}

static void call(const struct spot *spot)
{
    const struct rh_ir_function *callee = rh_ir_callee(spot->flow->module, spot->instruction);
    if (callee)
        rh__flow_call_named(spot->flow, spot->instance, spot->block, spot->instruction,
                            (uint32_t)(callee - spot->flow->module->functions.items));
    else
        rh__flow_call_address(spot->flow, spot->instance, spot->block, spot->instruction);
}

static void copy_operands(const struct spot *spot, uint32_t first)
{
    for (uint32_t i = first; i < spot->instruction->operand_count; i++)
        copy_operand(spot, i);
}

static void generate(const struct spot *spot)
{
    switch (spot->instruction->opcode) {
    case RH_IR_ALLOCATE:
        allocate(spot);
        break;
    case RH_IR_ADDRESS:
        address(spot);
        break;
    case RH_IR_LOAD:
    case RH_IR_NEXT_ARGUMENT:
        load(spot, 0);
        break;
    case RH_IR_STORE:
        store(spot, 0, 1);
        break;
    case RH_IR_EXCHANGE:
        exchange(spot);
        break;
    case RH_IR_COMPARE_EXCHANGE:
        load(spot, 0);
        store(spot, 2, 0);
        any_number(spot);
        break;
    case RH_IR_RETURN:
        give_back(spot);
        break;
    case RH_IR_CALL:
        call(spot);
        break;
    case RH_IR_SELECT:
        copy_operands(spot, 1);
        break;
    case RH_IR_TRUNCATE:
    case RH_IR_EXTEND_ZERO:
    case RH_IR_EXTEND_SIGN:
        convert(spot);
        break;
    case RH_IR_RESIZE_REAL:
    case RH_IR_REAL_TO_UNSIGNED:
    case RH_IR_REAL_TO_SIGNED:
    case RH_IR_UNSIGNED_TO_REAL:
    case RH_IR_SIGNED_TO_REAL:
    case RH_IR_COMPARE_REAL:
        any_number(spot);
        break;
    case RH_IR_COMPARE:
        combine(spot);
        break;
    case RH_IR_BRANCH:
    case RH_IR_SWITCH:
        if (spot->instruction->operand_count)
            constrain_operand(spot, 0, RH__FLOW_DISPATCH, spot->instance, spot->block);
        break;
    case RH_IR_EXTRACT:
    case RH_IR_INSERT:
    case RH_IR_SHUFFLE:
        rearrange(spot);
        break;
    case RH_IR_TO_INTEGER:
    case RH_IR_TO_ADDRESS:
    case RH_IR_REINTERPRET:
        reinterpret(spot);
        break;
    case RH_IR_FREEZE:
        if (can_carry(spot->flow, spot->instruction->type))
            copy_operand(spot, 0);
        break;
    case RH_IR_ADD:
    case RH_IR_SUBTRACT:
    case RH_IR_MULTIPLY:
    case RH_IR_DIVIDE_UNSIGNED:
    case RH_IR_DIVIDE_SIGNED:
    case RH_IR_REST_UNSIGNED:
    case RH_IR_REST_SIGNED:
    case RH_IR_SHIFT_LEFT:
    case RH_IR_SHIFT_RIGHT:
    case RH_IR_SHIFT_RIGHT_SIGNED:
    case RH_IR_AND:
    case RH_IR_OR:
    case RH_IR_XOR:
        combine(spot);
        spread(spot);
        break;
    case RH_IR_UNSUPPORTED:
        any_number(spot);
        spread(spot);
        break;
    default: // values of a phi come along the edges to its block
        break;
    }
}

void rh__flow_generate_block(struct rh__flow *flow, uint32_t instance, uint32_t number)
{
    const struct rh_ir_function *function =
        &flow->module->functions.items[flow->instances.items[instance].function];
    const struct rh_ir_block *block = &function->blocks[number];
    for (uint32_t i = 0; i < block->count; i++) {
        struct spot spot = {flow, instance, number, function,
                            &function->instructions[block->first + i]};
        generate(&spot);
    }
}

void rh__flow_generate_edge(struct rh__flow *flow, uint32_t instance, uint32_t from, uint32_t to)
{
    const struct rh_ir_function *function =
        &flow->module->functions.items[flow->instances.items[instance].function];
    const struct rh_ir_block *block = &function->blocks[to];
    for (uint32_t i = 0; i < block->count; i++) {
        const struct rh_ir_instruction *phi = &function->instructions[block->first + i];
        if (phi->opcode != RH_IR_PHI)
            break;
        for (uint32_t k = 0; k < phi->operand_count && can_carry(flow, phi->type); k++)
            if (phi->blocks[k] == from)
                rh__flow_edge(flow, rh__flow_operand(flow, instance, from, phi->operands[k]),
                              rh__flow_value_node(flow, instance, phi));
    }
}
