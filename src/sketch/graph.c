// SPDX-License-Identifier: MIT
// A copy of a function's graph is put in for each call of it, so that what comes behind one call is
// not mixed with what comes behind another. A call of a function from within itself leads back to
// where that copy begins, and behind the end of the copy comes whatever is behind either call.
#include "sketch/graph.h"

#include <stdlib.h>
#include <string.h>

// Beyond so many nodes, calls of a function share one copy.
enum { NODES_MOST = 20000 };

static uint64_t key_of(const struct rh__flow *flow, uint32_t instance,
                       const struct rh_ir_instruction *instruction)
{
    const struct rh_ir_function *function =
        &flow->module->functions.items[flow->instances.items[instance].function];
    return (uint64_t)instance << 32 | (uint32_t)(instruction - function->instructions);
}

// --- What is called where. ---

// Calls `take` for each function of the program that an instruction of the instance may call.
typedef void take_call(void *context, uint32_t instance);

static void each_callee(const struct rh__sketch_calls *calls, uint32_t number,
                        const struct rh_ir_instruction *call, take_call *take, void *context)
{
    struct rh__flow *flow = calls->flow;
    uint64_t actor = flow->instances.items[number].actor;
    const struct rh_ir_function *callee = rh_ir_callee(flow->module, call);
    if (callee) {
        uint64_t function = (uint64_t)(callee - flow->module->functions.items);
        uint32_t instance = rh_index_find(&flow->instance_index, actor << 32 | function);
        if (instance != RH_NONE)
            take(context, instance);
        return;
    }
    uint32_t address = rh_index_find(&calls->addresses, key_of(flow, number, call));
    if (address == RH_NONE)
        return;
    const struct rh_ir_function *caller =
        &flow->module->functions.items[flow->instances.items[number].function];
    uint32_t node = rh__flow_operand(flow, number, rh_ir_block_of(caller, call),
                                     call->operands[call->operand_count - 1]);
    for (uint32_t i = 0; i < flow->nodes.items[node].count; i++) {
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[node].items[i]);
        uint32_t instance = object->kind == RH__FLOW_FUNCTION
                                ? rh_index_find(&flow->instance_index, actor << 32 | object->number)
                                : RH_NONE;
        if (instance != RH_NONE)
            take(context, instance);
    }
}

static bool is_event(const struct rh__flow_operation *operation)
{
    switch (operation->kind) {
    case RH__FLOW_SPAWN:
    case RH__FLOW_RESERVE:
    case RH__FLOW_SEND:
    case RH__FLOW_SEND_FROM:
    case RH__FLOW_AFTER:
    case RH__FLOW_ASK:
    case RH__FLOW_REPLY:
    case RH__FLOW_MAY_COME:
        return true;
    default:
        return false;
    }
}

// Marks a caller whose callee matters.
struct finding {
    const struct rh__sketch_calls *calls;
    uint32_t caller;
    bool is_new;
};

static void find_matter(void *context, uint32_t callee)
{
    struct finding *finding = context;
    bool *matters = finding->calls->matters;
    finding->is_new |= matters[callee] && !matters[finding->caller];
    matters[finding->caller] |= matters[callee];
}

static const struct rh_ir_function *function_of(const struct rh__flow *flow, uint32_t instance)
{
    return &flow->module->functions.items[flow->instances.items[instance].function];
}

static bool spread_matters(const struct rh__sketch_calls *calls, uint32_t number)
{
    struct rh__flow *flow = calls->flow;
    const struct rh_ir_function *function = function_of(flow, number);
    struct finding finding = {calls, number, false};
    for (uint32_t i = 0; i < function->block_count && !calls->matters[number]; i++) {
        const struct rh_ir_block *block = &function->blocks[i];
        for (uint32_t k = 0; k < block->count && flow->instances.items[number].reached[i]; k++)
            if (function->instructions[block->first + k].opcode == RH_IR_CALL)
                each_callee(calls, number, &function->instructions[block->first + k], find_matter,
                            &finding);
    }
    return finding.is_new;
}

void rh__sketch_calls_init(struct rh__sketch_calls *calls, struct rh__flow *flow)
{
    *calls = (struct rh__sketch_calls){.flow = flow};
    calls->matters = rh_alloc(flow->instances.count + 1);
    for (uint32_t i = 0; i < flow->operations.count; i++) {
        const struct rh__flow_operation *operation = &flow->operations.items[i];
        if (!is_event(operation))
            continue;
        rh_index_add(&calls->operations, key_of(flow, operation->instance, operation->instruction),
                     i);
        calls->matters[operation->instance] = true;
    }
    for (uint32_t i = 0; i < flow->calls.count; i++)
        rh_index_add(&calls->addresses,
                     key_of(flow, flow->calls.items[i].instance, flow->calls.items[i].instruction),
                     i);
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (uint32_t i = 0; i < flow->instances.count; i++)
            is_new |= spread_matters(calls, i);
    }
}

void rh__sketch_calls_fini(struct rh__sketch_calls *calls)
{
    rh_index_fini(&calls->operations);
    rh_index_fini(&calls->addresses);
    free(calls->matters);
}

// --- The graph. ---

// A copy of a function.
struct copy {
    uint32_t instance, entry, exit;
    const struct copy *caller; // the copy that this one is called from
};

struct builder {
    struct rh__sketch_graph *graph;
    const struct rh__sketch_calls *calls;
    bool *copied;                // by instance
    RH_VECTOR(struct copy) kept; // copies to share, once there are too many nodes
};

static uint32_t add_node(struct builder *builder, uint32_t operation,
                         const struct rh_ir_place *place)
{
    uint32_t number = (uint32_t)builder->graph->nodes.count;
    struct rh__sketch_node *node = rh_vector_push(&builder->graph->nodes);
    *node = (struct rh__sketch_node){.operation = operation};
    if (place)
        node->place = *place;
    return number;
}

static void link_nodes(struct builder *builder, uint32_t from, uint32_t to)
{
    struct rh__sketch_node *node = &builder->graph->nodes.items[from];
    for (size_t i = 0; i < node->next.count; i++)
        if (node->next.items[i] == to)
            return;
    *rh_vector_push(&node->next) = to;
}

static void copy_blocks(struct builder *builder, const struct copy *copy);

// The copy that a call of the instance leads to if no new one is made.
static const struct copy *find_copy(const struct builder *builder, const struct copy *caller,
                                    uint32_t instance)
{
    for (const struct copy *at = caller; at; at = at->caller)
        if (at->instance == instance)
            return at;
    if (builder->graph->nodes.count < NODES_MOST)
        return NULL;
    builder->graph->is_shared = true;
    for (size_t i = 0; i < builder->kept.count; i++)
        if (builder->kept.items[i].instance == instance)
            return &builder->kept.items[i];
    return NULL;
}

static void add_call(struct builder *builder, const struct copy *caller, uint32_t instance,
                     uint32_t before, uint32_t behind)
{
    const struct copy *known = find_copy(builder, caller, instance);
    struct copy copy = {.instance = instance, .caller = caller};
    builder->copied[instance] = true;
    if (known) {
        copy = *known;
    } else {
        copy.entry = add_node(builder, RH_NONE, NULL);
        copy.exit = add_node(builder, RH_NONE, NULL);
        struct copy kept = copy;
        kept.caller = NULL;
        *rh_vector_push(&builder->kept) = kept;
        copy_blocks(builder, &copy);
    }
    link_nodes(builder, before, copy.entry);
    link_nodes(builder, copy.exit, behind);
}

// A call that is being put in between two nodes.
struct calling {
    struct builder *builder;
    const struct copy *caller;
    uint32_t before, behind;
    bool is_empty; // some callee does nothing that matters, or there is none
};

static void take_callee(void *context, uint32_t instance)
{
    struct calling *calling = context;
    if (calling->builder->calls->matters[instance])
        add_call(calling->builder, calling->caller, instance, calling->before, calling->behind);
    else
        calling->is_empty = true;
}

// Puts in what a call does; gives the node behind it.
static uint32_t copy_call(struct builder *builder, const struct copy *copy,
                          const struct rh_ir_instruction *call, uint32_t at)
{
    struct rh__flow *flow = builder->calls->flow;
    uint32_t operation =
        rh_index_find(&builder->calls->operations, key_of(flow, copy->instance, call));
    if (operation != RH_NONE) {
        uint32_t node = add_node(builder, operation, &call->place);
        link_nodes(builder, at, node);
        return node;
    }
    struct calling calling = {.builder = builder,
                              .caller = copy,
                              .before = at,
                              .behind = add_node(builder, RH_NONE, NULL)};
    each_callee(builder->calls, copy->instance, call, take_callee, &calling);
    // A call by address may call what is not known here.
    if (calling.is_empty || !rh_ir_callee(flow->module, call) ||
        builder->graph->nodes.items[at].next.count == 0)
        link_nodes(builder, at, calling.behind);
    return calling.behind;
}

static uint32_t copy_block(struct builder *builder, const struct copy *copy, uint32_t number,
                           uint32_t at)
{
    const struct rh_ir_function *function = function_of(builder->calls->flow, copy->instance);
    const struct rh_ir_block *block = &function->blocks[number];
    for (uint32_t i = 0; i < block->count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[block->first + i];
        if (each->opcode == RH_IR_CALL)
            at = copy_call(builder, copy, each, at);
    }
    return at;
}

static void copy_end(struct builder *builder, const struct copy *copy, uint32_t number, uint32_t at,
                     const uint32_t *starts)
{
    struct rh__flow *flow = builder->calls->flow;
    const struct rh_ir_function *function = function_of(flow, copy->instance);
    const struct rh_ir_block *block = &function->blocks[number];
    const struct rh_ir_instruction *last = &function->instructions[block->first + block->count - 1];
    builder->graph->nodes.items[at].place = builder->graph->nodes.items[at].operation == RH_NONE
                                                ? last->place
                                                : builder->graph->nodes.items[at].place;
    if (last->opcode == RH_IR_RETURN)
        link_nodes(builder, at, copy->exit);
    uint32_t branch = last->block_count > 1 ? add_node(builder, RH_NONE, &last->place) : at;
    if (branch != at)
        link_nodes(builder, at, branch);
    for (uint32_t i = 0; i < last->block_count; i++)
        if (rh__flow_edge_is_taken(flow, copy->instance, number, i))
            link_nodes(builder, branch, starts[last->blocks[i]]);
}

static void copy_blocks(struct builder *builder, const struct copy *copy)
{
    const struct rh__flow *flow = builder->calls->flow;
    const struct rh_ir_function *function = function_of(flow, copy->instance);
    uint32_t *starts = rh_alloc((function->block_count + (size_t)1) * sizeof *starts);
    for (uint32_t i = 0; i < function->block_count; i++)
        starts[i] = i == 0 ? copy->entry : add_node(builder, RH_NONE, NULL);
    for (uint32_t i = 0; i < function->block_count; i++) {
        if (!flow->instances.items[copy->instance].reached[i])
            continue;
        uint32_t at = copy_block(builder, copy, i, starts[i]);
        copy_end(builder, copy, i, at, starts);
    }
    free(starts);
}

// Code that runs though no call leads to it: functions that a library calls back, what rh_at_stop
// was given, and constructors.
static bool is_stray(const struct builder *builder, uint32_t number)
{
    const struct rh__flow *flow = builder->calls->flow;
    const struct rh__flow_instance *instance = &flow->instances.items[number];
    uint32_t actor = builder->graph->actor;
    bool is_handler =
        instance->actor != 0 && instance->function == flow->actors.items[instance->actor].function;
    bool is_own = instance->actor == actor || instance->actor == flow->actors.items[actor].whole;
    return is_own && !is_handler && !builder->copied[number] && builder->calls->matters[number];
}

// Such code runs any number of times when the handler begins, and where it goes on behind an
// rh_ask: what it sends comes with what the handler sends then.
static void add_strays_behind(struct builder *builder, uint32_t node, const uint32_t *strays,
                              size_t count)
{
    uint32_t round = add_node(builder, RH_NONE, NULL);
    struct rh__sketch_node *from = &builder->graph->nodes.items[node];
    struct rh__sketch_node *to = &builder->graph->nodes.items[round];
    to->next = from->next;
    memset(&from->next, 0, sizeof from->next);
    link_nodes(builder, node, round);
    for (size_t i = 0; i < count; i++)
        add_call(builder, NULL, strays[i], round, round);
}

static void add_strays(struct builder *builder)
{
    const struct rh__flow *flow = builder->calls->flow;
    RH_VECTOR(uint32_t) strays = {0};
    // This node is not linked: it only finds out what else the strays call.
    uint32_t behind = add_node(builder, RH_NONE, NULL);
    for (uint32_t i = 0; i < flow->instances.count; i++)
        if (is_stray(builder, i)) {
            *rh_vector_push(&strays) = i;
            add_call(builder, NULL, i, behind, behind);
        }
    size_t count = strays.count ? builder->graph->nodes.count : 0;
    builder->graph->has_strays = strays.count > 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t operation = builder->graph->nodes.items[i].operation;
        if (i == builder->graph->entry ||
            (operation != RH_NONE && flow->operations.items[operation].kind == RH__FLOW_ASK))
            add_strays_behind(builder, i, strays.items, strays.count);
    }
    rh_vector_fini(&strays);
}

void rh__sketch_graph_init(struct rh__sketch_graph *graph, const struct rh__sketch_calls *calls,
                           uint32_t actor, uint32_t function)
{
    *graph = (struct rh__sketch_graph){.actor = actor};
    struct builder builder = {.graph = graph, .calls = calls};
    builder.copied = rh_alloc(calls->flow->instances.count + 1);
    graph->entry = add_node(&builder, RH_NONE, NULL);
    graph->exit = add_node(&builder, RH_NONE, NULL);
    uint32_t root = rh_index_find(&calls->flow->instance_index, (uint64_t)actor << 32 | function);
    if (root == RH_NONE)
        link_nodes(&builder, graph->entry, graph->exit);
    else
        add_call(&builder, NULL, root, graph->entry, graph->exit);
    add_strays(&builder);
    free(builder.copied);
    rh_vector_fini(&builder.kept);
    rh__sketch_graph_reduce(graph);
}

void rh__sketch_graph_fini(struct rh__sketch_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        rh_vector_fini(&graph->nodes.items[i].next);
    rh_vector_fini(&graph->nodes);
}
