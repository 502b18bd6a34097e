// SPDX-License-Identifier: MIT
// Guards. A guard is analysed for each behaviour and each type of message by itself, as code that
// an abstract actor of its own runs. A type for which the guard can only give false is never
// received.
#include <string.h>

#include "flow/internal.h"

// RH_GUARD puts the address of each pair of a behaviour and its guard into this section.
static const char guard_section[] = "rh_guards";

static void find_guard(struct rh__flow *flow, const struct rh_ir_global *entry)
{
    const struct rh_ir_module *module = flow->module;
    const struct rh_ir_constant *pointer = &module->constants.items[entry->initial];
    uint32_t initial =
        pointer->kind == RH_IR_VARIABLE ? module->globals.items[pointer->number].initial : RH_NONE;
    if (initial == RH_NONE || module->constants.items[initial].operand_count != 2)
        return;
    const uint32_t *pair = module->constants.items[initial].operands;
    const struct rh_ir_constant *behaviour = &module->constants.items[pair[0]];
    const struct rh_ir_constant *guard = &module->constants.items[pair[1]];
    if (behaviour->kind == RH_IR_FUNCTION && guard->kind == RH_IR_FUNCTION)
        *rh_vector_push(&flow->guards) =
            (struct rh__flow_guard){(uint32_t)behaviour->number, (uint32_t)guard->number};
}

void rh__flow_guards_find(struct rh__flow *flow)
{
    for (size_t i = 0; i < flow->module->globals.count; i++) {
        const struct rh_ir_global *global = &flow->module->globals.items[i];
        if (global->section && !strcmp(global->section, guard_section) &&
            global->initial != RH_NONE)
            find_guard(flow, global);
    }
}

// Makes the abstract actor that runs a guard: it has the address and the state of the guarded one,
// but only messages of one type.
static uint32_t guarding_actor(struct rh__flow *flow, uint32_t actor)
{
    uint32_t part = rh__flow_actor_part(flow, actor);
    flow->actors.items[part].is_guard = true;
    return part;
}

// Asks one guard of the behaviour. A guard whose code is not there may let everything through.
static void ask(struct rh__flow *flow, uint32_t number, uint32_t guard)
{
    const struct rh_ir_function *function = &flow->module->functions.items[guard];
    if (!function->block_count || function->parameter_count != 2) {
        flow->guarded.items[number].is_open = true;
        return;
    }
    uint32_t guarding = guarding_actor(flow, flow->guarded.items[number].actor);
    uint32_t instance = rh__flow_instance_get(flow, guard, guarding);
    rh__flow_edge(flow, flow->actors.items[guarding].state, rh__flow_parameter(flow, instance, 0));
    rh__flow_edge(flow, flow->guarded.items[number].messages,
                  rh__flow_parameter(flow, instance, 1));
    rh__flow_constrain(flow, flow->instances.items[instance].result,
                       &(struct rh__flow_constraint){.kind = RH__FLOW_GUARD, .target = number});
}

static uint32_t guarded_get(struct rh__flow *flow, uint32_t actor, uint32_t type)
{
    uint64_t key = (uint64_t)actor << 32 | type;
    uint32_t known = rh_index_find(&flow->guarded_index, key);
    if (known != RH_NONE)
        return known;
    uint32_t number = (uint32_t)flow->guarded.count;
    rh_index_add(&flow->guarded_index, key, number);
    *rh_vector_push(&flow->guarded) = (struct rh__flow_guarded){
        .actor = actor, .type = type, .messages = rh__flow_node_new(flow, actor)};
    for (size_t i = 0; i < flow->guards.count; i++)
        if (flow->guards.items[i].behaviour == flow->actors.items[actor].function)
            ask(flow, number, flow->guards.items[i].guard);
    return number;
}

static bool has_guard(const struct rh__flow *flow, uint32_t actor)
{
    for (size_t i = 0; i < flow->guards.count; i++)
        if (flow->guards.items[i].behaviour == flow->actors.items[actor].function)
            return true;
    return false;
}

void rh__flow_guard_ask(struct rh__flow *flow, uint32_t actor, uint32_t message)
{
    if (flow->options->is_baseline || !has_guard(flow, actor)) {
        rh__flow_receive(flow, actor, message);
        return;
    }
    uint32_t number = guarded_get(flow, actor, flow->messages.items[message].type);
    if (flow->guarded.items[number].is_open) {
        rh__flow_receive(flow, actor, message);
        return;
    }
    *rh_vector_push(&flow->guarded.items[number].waiting) = message;
    rh__flow_node_add(flow, flow->guarded.items[number].messages,
                      rh__flow_location_of(flow, flow->messages.items[message].object));
}

void rh__flow_guard_answer(struct rh__flow *flow, uint32_t number, uint32_t location)
{
    int64_t answer;
    struct rh__flow_guarded *guarded = &flow->guarded.items[number];
    if (guarded->is_open || (rh__flow_is_known(flow, location, &answer) && answer == 0))
        return;
    guarded->is_open = true;
    // Receiving may bring further messages to this guard, but as it is open none of them waits.
    for (size_t i = 0; i < flow->guarded.items[number].waiting.count; i++)
        rh__flow_receive(flow, flow->guarded.items[number].actor,
                         flow->guarded.items[number].waiting.items[i]);
}
