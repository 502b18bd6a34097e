// SPDX-License-Identifier: MIT
#include "flow/kept.h"

#include <string.h>

#include "flow/internal.h"

struct questions {
    struct rh_flow_kept *items;
    size_t count;
};

static void ask_object(struct rh__flow *flow, uint32_t object, uint64_t offset, uint32_t node)
{
    uint32_t first = rh__flow_location_of(flow, object);
    rh__flow_load(flow, rh__flow_location_add(flow, first, (int64_t)offset), sizeof(void *), node);
}

// Whether actors with the address may have the behaviour.
static bool may_have(const struct rh__flow *flow, const struct rh__flow_address *address,
                     uint32_t behaviour)
{
    for (size_t i = 0; i < address->handlers.count; i++)
        if (flow->actors.items[address->handlers.items[i]].function == behaviour)
            return true;
    return address->function == behaviour;
}

// Lets the node have what lies at the offset in all states or messages that are meant.
static void ask(struct rh__flow *flow, const struct rh_flow_kept *kept, uint32_t node)
{
    for (size_t i = 0; i < flow->addresses.count && kept->behaviour != RH_NONE; i++)
        if (may_have(flow, &flow->addresses.items[i], kept->behaviour))
            ask_object(flow, flow->addresses.items[i].state, kept->offset, node);
    for (size_t i = 0; i < flow->messages.count && kept->behaviour == RH_NONE; i++) {
        const char *name = flow->types.items[flow->messages.items[i].type].name;
        if (!name || !strcmp(name, kept->type))
            ask_object(flow, flow->messages.items[i].payload, kept->offset, node);
    }
}

static void add_behaviour(struct rh_flow_kept *kept, uint32_t behaviour)
{
    size_t at = 0;
    while (at < kept->behaviours.count && kept->behaviours.items[at] < behaviour)
        at++;
    if (at < kept->behaviours.count && kept->behaviours.items[at] == behaviour)
        return;
    rh_vector_push(&kept->behaviours);
    for (size_t i = kept->behaviours.count - 1; i > at; i--)
        kept->behaviours.items[i] = kept->behaviours.items[i - 1];
    kept->behaviours.items[at] = behaviour;
}

static void add_location(const struct rh__flow *flow, uint32_t location, struct rh_flow_kept *kept)
{
    const struct rh__flow_object *object = rh__flow_object_at(flow, location);
    int64_t number;
    bool is_null = rh__flow_is_known(flow, location, &number) && number == 0;
    if (object->kind == RH__FLOW_ADDRESS) {
        const struct rh__flow_address *address = &flow->addresses.items[object->number];
        add_behaviour(kept, address->function);
        for (size_t i = 0; i < address->handlers.count; i++)
            add_behaviour(kept, flow->actors.items[address->handlers.items[i]].function);
    } else if (!is_null && object->kind != RH__FLOW_OUTSIDE) {
        kept->is_anything = true;
    }
}

static void take(void *context, const char *test, struct rh__flow *flow)
{
    const struct questions *questions = context;
    (void)test;
    uint32_t first = rh__flow_nodes_new(flow, 0, (uint32_t)questions->count);
    for (uint32_t i = 0; i < questions->count; i++)
        ask(flow, &questions->items[i], first + i);
    rh__flow_solve(flow);
    for (uint32_t i = 0; i < questions->count; i++) {
        const struct rh__flow_node *node = &flow->nodes.items[first + i];
        questions->items[i].is_anything |= node->has_any_number;
        for (uint32_t k = 0; k < node->count; k++)
            add_location(flow, node->items[k], &questions->items[i]);
    }
}

void rh_flow_kept_find(const struct rh_ir_module *module, struct rh_flow_kept *kept, size_t count)
{
    static const struct rh_flow_options options = {0};
    struct questions questions = {kept, count};
    struct rh_status status = rh__flow_each_test(module, &options, take, &questions);
    (void)status; // without tests there is nothing to answer
}
