// SPDX-License-Identifier: MIT
// Functions whose code is not there: LLVM's own, those of libc that are known, and all others.
//
// An unknown function is assumed to do everything that is possible with its arguments and with
// those of all other unknown functions: keep them, put any of them anywhere that they lead, return
// any of them, and call any of them.
#include <string.h>

#include "flow/internal.h"
#include "flow/models.h"

// A call that is being looked at.
struct call {
    struct rh__flow *flow;
    uint32_t instance, block, actor;
    const struct rh_ir_instruction *instruction;
    uint32_t result;
    uint32_t count;  // how many arguments there are
    bool is_checked; // _FORTIFY_SOURCE's form, with further arguments before the format
    bool has_list;   // the values to format are in a list of variable arguments
};

static uint32_t argument(const struct call *call, uint32_t index)
{
    return rh__flow_operand(call->flow, call->instance, call->block,
                            call->instruction->operands[index]);
}

// Fresh memory is zero in a controlled execution, whoever allocates it.
static uint32_t new_memory(const struct call *call)
{
    uint32_t object =
        rh__flow_object_new(call->flow, RH__FLOW_MEMORY, 0, call->actor, RH__FLOW_EVERYWHERE);
    call->flow->objects.items[object].is_zeroed = true;
    return rh__flow_location_of(call->flow, object);
}

// Memory that holds no addresses.
static uint32_t filled_memory(const struct call *call)
{
    uint32_t object =
        rh__flow_object_new(call->flow, RH__FLOW_MEMORY, 0, call->actor, RH__FLOW_EVERYWHERE);
    rh__flow_store(call->flow, rh__flow_location_everywhere(call->flow, object), 1,
                   call->flow->any_number);
    return rh__flow_location_of(call->flow, object);
}

static uint64_t number_or_all(const struct call *call, uint32_t index)
{
    int64_t number;
    bool is_known = index < call->count &&
                    rh_ir_number(call->flow->module, call->instruction->operands[index], &number) &&
                    number >= 0;
    return is_known ? (uint64_t)number : RH__FLOW_EVERYWHERE;
}

static void spread(const struct call *call, uint32_t index, uint32_t target)
{
    rh__flow_constrain(call->flow, argument(call, index),
                       &(struct rh__flow_constraint){.kind = RH__FLOW_SPREAD, .target = target});
}

// Puts `values` everywhere in the objects that the argument points to.
static void fill(const struct call *call, uint32_t index, uint32_t values)
{
    uint32_t anywhere = rh__flow_node_new(call->flow, call->actor);
    spread(call, index, anywhere);
    rh__flow_constrain(
        call->flow, anywhere,
        &(struct rh__flow_constraint){.kind = RH__FLOW_STORE, .target = values, .size = 1});
}

// Puts `values` into as many bytes, from the first argument on, as the argument `size` says.
static void fill_bytes(const struct call *call, uint32_t size, uint32_t values)
{
    struct rh__flow_constraint constraint = {
        .kind = RH__FLOW_STORE, .target = values, .size = number_or_all(call, size)};
    if (constraint.size == RH__FLOW_EVERYWHERE)
        fill(call, 0, values);
    else if (constraint.size > 0)
        rh__flow_constrain(call->flow, argument(call, 0), &constraint);
}

static void fill_all(const struct call *call)
{
    for (uint32_t i = 0; i < call->count; i++)
        fill(call, i, call->flow->any_number);
}

// The library calls the argument `function`. Which functions these are is known only when their
// addresses come, so this makes a callback, with one node for the values of all parameters.
static void call_with(const struct call *call, uint32_t function, uint32_t values)
{
    uint32_t number = (uint32_t)call->flow->callbacks.count;
    *rh_vector_push(&call->flow->callbacks) = (struct rh__flow_callback){call->actor, values};
    rh__flow_constrain(call->flow, argument(call, function),
                       &(struct rh__flow_constraint){.kind = RH__FLOW_CALL_BACK, .target = number});
}

// Gives `target` the addresses of the elements of an array; the argument `size` says how large an
// element is.
static void elements_of(const struct call *call, uint32_t array, uint32_t size, uint32_t target)
{
    struct rh__flow_constraint constraint = {
        .kind = RH__FLOW_STEP, .target = target, .size = number_or_all(call, size)};
    if (constraint.size == RH__FLOW_EVERYWHERE || constraint.size == 0)
        constraint.kind = RH__FLOW_SPREAD;
    rh__flow_constrain(call->flow, argument(call, array), &constraint);
}

// Sorting moves elements within the array, so each of them may hold what another held.
static void sort(const struct call *call)
{
    uint32_t elements = rh__flow_node_new(call->flow, call->actor);
    uint32_t values = rh__flow_node_new(call->flow, call->actor);
    elements_of(call, 0, 2, elements);
    struct rh__flow_constraint constraint = {.kind = RH__FLOW_SHUFFLE,
                                             .size = number_or_all(call, 2)};
    rh__flow_constrain(call->flow, elements, &constraint);
    rh__flow_edge(call->flow, elements, values);
    for (uint32_t i = 4; i < call->count; i++)
        rh__flow_edge(call->flow, argument(call, i), values);
    call_with(call, 3, values);
}

static void search(const struct call *call)
{
    uint32_t values = rh__flow_node_new(call->flow, call->actor);
    elements_of(call, 1, 3, values);
    elements_of(call, 1, 3, call->result);
    rh__flow_edge(call->flow, argument(call, 0), values);
    call_with(call, 4, values);
}

static void reallocate(const struct call *call)
{
    uint32_t made = rh__flow_node_new(call->flow, call->actor);
    rh__flow_node_add(call->flow, made, new_memory(call));
    rh__flow_transfer_new(call->flow,
                          &(struct rh__flow_transfer){made, argument(call, 0), RH__FLOW_EVERYWHERE,
                                                      .is_first = true});
    rh__flow_edge(call->flow, made, call->result);
    // The block may stay where it is.
    rh__flow_edge(call->flow, argument(call, 0), call->result);
}

// Puts the address of new memory where the first argument points to.
static void put_new(const struct call *call)
{
    uint32_t made = rh__flow_node_new(call->flow, call->actor);
    uint32_t memory = filled_memory(call);
    rh__flow_node_add(call->flow, made, memory);
    rh__flow_store(call->flow, memory, RH__FLOW_EVERYWHERE, call->flow->saved);
    rh__flow_constrain(
        call->flow, argument(call, 0),
        &(struct rh__flow_constraint){.kind = RH__FLOW_STORE, .target = made, .size = 8});
}

static void fill_first(const struct call *call)
{
    put_new(call);
    for (uint32_t i = 1; i < call->count; i++)
        fill(call, i, call->flow->any_number);
    rh__flow_node_add(call->flow, call->result, filled_memory(call));
}

// A list of variable arguments holds addresses of where the arguments are.
static void start_list(const struct call *call)
{
    struct rh__flow *flow = call->flow;
    uint32_t arguments = flow->instances.items[call->instance].arguments;
    if (arguments == RH_NONE)
        return;
    uint32_t made = rh__flow_node_new(flow, call->actor);
    rh__flow_node_add(flow, made, rh__flow_location_everywhere(flow, arguments));
    uint32_t list = rh__flow_node_new(flow, call->actor);
    spread(call, 0, list);
    rh__flow_constrain(
        flow, list,
        &(struct rh__flow_constraint){.kind = RH__FLOW_STORE, .target = made, .size = 1});
}

static void put_end(const struct call *call)
{
    uint32_t end = rh__flow_node_new(call->flow, call->actor);
    spread(call, 0, end);
    rh__flow_constrain(
        call->flow, argument(call, 1),
        &(struct rh__flow_constraint){.kind = RH__FLOW_STORE, .target = end, .size = 8});
}

static void copy(const struct call *call, uint32_t to, uint32_t from, uint64_t size)
{
    rh__flow_transfer_new(call->flow, &(struct rh__flow_transfer){
                                          argument(call, to), argument(call, from), size, false});
}

static void give_all(const struct call *call)
{
    for (uint32_t i = 0; i < call->count; i++)
        rh__flow_edge(call->flow, argument(call, i), call->result);
}

// --- Data that goes out of the program and comes in again. ---

// Gives `target` what lies anywhere in the objects that an argument points to.
static void load_argument(const struct call *call, uint32_t index, uint32_t target)
{
    uint32_t anywhere = rh__flow_node_new(call->flow, call->actor);
    spread(call, index, anywhere);
    rh__flow_constrain(
        call->flow, anywhere,
        &(struct rh__flow_constraint){.kind = RH__FLOW_LOAD, .target = target, .size = 1});
}

static void restore_all(const struct call *call)
{
    fill_all(call);
    for (uint32_t i = 0; i < call->count; i++)
        fill(call, i, call->flow->saved);
}

static uint32_t format_index(const struct call *call, enum rh__flow_effect effect)
{
    switch (effect) {
    case RH__FLOW_SHOWS:
        return call->is_checked;
    case RH__FLOW_SHOWS_IN:
        return 1 + 2 * (uint32_t)call->is_checked;
    case RH__FLOW_SHOWS_SOME:
        return 2 + 2 * (uint32_t)call->is_checked;
    default:
        return 1 + (uint32_t)call->is_checked;
    }
}

// Whether the format has a conversion with one of these letters, itself or a length before it; true
// if the format is not known.
static bool may_ask_for(const struct call *call, uint32_t index, const char *letters)
{
    const char *format = index < call->count
                             ? rh_ir_text(call->flow->module, call->instruction->operands[index])
                             : NULL;
    for (const char *at = format; at && (at = strchr(at, '%'));) {
        size_t flags = 1 + strspn(at + 1, "0123456789.-+ #'*hlqjzt");
        for (size_t i = 1; i <= flags && at[i]; i++)
            if (strchr(letters, at[i]))
                return true;
        at += flags;
        at += *at != '\0';
    }
    return !format;
}

static bool is_pointer(const struct call *call, uint32_t index)
{
    const struct rh_ir_function *function =
        &call->flow->module->functions.items[call->flow->instances.items[call->instance].function];
    uint32_t type =
        rh_ir_ref_type(call->flow->module, function, call->instruction->operands[index]);
    return rh_ir_type_of(call->flow->module, type)->kind == RH_IR_POINTER;
}

// A text that is made may show addresses, which can be read back from it. The address of a text
// that %s shows is not in it.
static void show(const struct call *call, enum rh__flow_effect effect)
{
    uint32_t format = format_index(call, effect);
    if (may_ask_for(call, format, "n"))
        fill_all(call);
    bool has_addresses = may_ask_for(call, format, "p");
    if (call->has_list) {
        if (!may_ask_for(call, format, "plqjzt") || format + 1 >= call->count)
            return;
        uint32_t list = rh__flow_node_new(call->flow, call->actor);
        load_argument(call, format + 1, list);
        rh__flow_constrain(call->flow, list,
                           &(struct rh__flow_constraint){
                               .kind = RH__FLOW_LOAD, .target = call->flow->saved, .size = 1});
        return;
    }
    for (uint32_t i = format + 1; i < call->count; i++)
        if (has_addresses || !is_pointer(call, i))
            rh__flow_edge(call->flow, argument(call, i), call->flow->saved);
}

// A symbol that is found by its name may be anything that the program exports.
static void find_symbol(const struct call *call)
{
    const struct rh_ir_module *module = call->flow->module;
    const char *name = rh_ir_text(module, call->instruction->operands[1]);
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const struct rh_ir_function *each = &module->functions.items[i];
        if (each->is_exported && each->block_count && (!name || !strcmp(name, each->name)))
            rh__flow_node_add(
                call->flow, call->result,
                rh__flow_location_of(call->flow, rh__flow_function_object(call->flow, i)));
    }
    for (uint32_t i = 0; i < module->globals.count; i++) {
        const struct rh_ir_global *each = &module->globals.items[i];
        if (each->is_exported && each->initial != RH_NONE && (!name || !strcmp(name, each->name)))
            rh__flow_node_add(
                call->flow, call->result,
                rh__flow_location_of(call->flow, rh__flow_global_object(call->flow, i)));
    }
}

// From now on unknown code may call everything that it has from this actor too.
static void begin_unknown(struct rh__flow *flow, uint32_t actor)
{
    if (flow->actors.items[actor].calls_unknown)
        return;
    flow->actors.items[actor].calls_unknown = true;
    for (uint32_t i = 0; i < flow->nodes.items[flow->escaped].done; i++)
        rh__flow_call_back(flow, actor, flow->nodes.items[flow->escaped].items[i], flow->anything,
                           flow->escaped);
}

// Any entry of the table may be the one that is read.
static void load_relative(const struct call *call)
{
    uint32_t table = rh__flow_node_new(call->flow, call->actor);
    spread(call, 0, table);
    rh__flow_constrain(
        call->flow, table,
        &(struct rh__flow_constraint){.kind = RH__FLOW_LOAD, .target = call->result, .size = 4});
}

static void follow_model(const struct call *call, enum rh__flow_effect effect)
{
    struct rh__flow *flow = call->flow;
    switch (effect) {
    case RH__FLOW_NOTHING:
        break;
    case RH__FLOW_FILLS:
        fill_all(call);
        spread(call, 0, call->result);
        break;
    case RH__FLOW_PUTS:
        fill_all(call);
        break;
    case RH__FLOW_SETS:
        fill_bytes(call, 2, number_or_all(call, 1) == 0 ? flow->zero : flow->any_number);
        rh__flow_edge(flow, argument(call, 0), call->result);
        break;
    case RH__FLOW_CLEARS:
        fill_bytes(call, 1, flow->zero);
        break;
    case RH__FLOW_GIVES_INTO:
        spread(call, 0, call->result);
        break;
    case RH__FLOW_ENDS:
        put_end(call);
        rh__flow_edge(flow, flow->saved, call->result);
        break;
    case RH__FLOW_COPIES:
        copy(call, 0, 1, number_or_all(call, 2));
        spread(call, 0, call->result);
        break;
    case RH__FLOW_ALLOCATES:
        rh__flow_node_add(flow, call->result, new_memory(call));
        break;
    case RH__FLOW_DUPLICATES:
    case RH__FLOW_OPAQUE:
        rh__flow_node_add(flow, call->result, filled_memory(call));
        break;
    case RH__FLOW_REALLOCATES:
        reallocate(call);
        break;
    case RH__FLOW_FILLS_FIRST:
        fill_first(call);
        break;
    case RH__FLOW_SORTS:
        sort(call);
        break;
    case RH__FLOW_SEARCHES:
        search(call);
        break;
    case RH__FLOW_STARTS_LIST:
        start_list(call);
        break;
    case RH__FLOW_COPIES_LIST:
        copy(call, 0, 1, RH__FLOW_EVERYWHERE);
        break;
    case RH__FLOW_SAME:
        give_all(call);
        break;
    case RH__FLOW_SAVES:
        load_argument(call, 0, flow->saved);
        break;
    case RH__FLOW_SAVES_SECOND:
        load_argument(call, 1, flow->saved);
        break;
    case RH__FLOW_RESTORES:
        restore_all(call);
        spread(call, 0, call->result);
        break;
    case RH__FLOW_PARSES:
        rh__flow_edge(flow, flow->saved, call->result);
        break;
    case RH__FLOW_OPENS:
        restore_all(call);
        load_argument(call, 0, flow->saved);
        rh__flow_node_add(flow, call->result, filled_memory(call));
        break;
    case RH__FLOW_RUNS:
        begin_unknown(flow, call->actor);
        break;
    case RH__FLOW_FINDS:
        find_symbol(call);
        break;
    case RH__FLOW_SHOWS:
    case RH__FLOW_SHOWS_TO:
        show(call, effect);
        break;
    case RH__FLOW_SHOWS_IN:
    case RH__FLOW_SHOWS_SOME:
        fill(call, 0, flow->any_number);
        show(call, effect);
        break;
    case RH__FLOW_SHOWS_NEW:
        put_new(call);
        show(call, effect);
        break;
    case RH__FLOW_LOADS_RELATIVE:
        load_relative(call);
        break;
    }
}

static void call_unknown(const struct call *call)
{
    struct rh__flow *flow = call->flow;
    begin_unknown(flow, call->actor);
    for (uint32_t i = 0; i < call->count; i++)
        rh__flow_edge(flow, argument(call, i), flow->escaped);
    rh__flow_edge(flow, flow->anything, call->result);
}

static struct call call_at(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *instruction)
{
    return (struct call){
        .flow = flow,
        .instance = instance,
        .block = block,
        .actor = flow->instances.items[instance].actor,
        .instruction = instruction,
        .result = rh__flow_value_node(flow, instance, instruction),
        .count = instruction->operand_count - 1,
    };
}

void rh__flow_unknown_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *instruction)
{
    struct call call = call_at(flow, instance, block, instruction);
    call_unknown(&call);
}

void rh__flow_library_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *instruction, uint32_t function)
{
    const struct rh_ir_function *callee = &flow->module->functions.items[function];
    struct call call = call_at(flow, instance, block, instruction);
    call.is_checked = !strncmp(callee->name, "__", 2);
    call.has_list = callee->name[call.is_checked ? 2 : 0] == 'v';
    if (rh_ir_type_of(flow->module, instruction->type)->kind != RH_IR_POINTER)
        rh__flow_any_number(flow, call.result);
    else if (!callee->is_intrinsic)
        rh__flow_node_add(flow, call.result, rh__flow_number(flow, 0));
    enum rh__flow_effect effect;
    if (rh__flow_effect_find(flow->module, callee, &effect) &&
        call.count >= rh__flow_effect_needs(effect)) {
        follow_model(&call, effect);
        // A symbol may be found outside of the program, too.
        if (effect != RH__FLOW_FINDS)
            return;
    }
    flow->unknown_calls[function] = true;
    call_unknown(&call);
}
