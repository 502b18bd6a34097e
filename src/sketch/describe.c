// SPDX-License-Identifier: MIT
// The inter-actor control-flow graph: the reduced graphs of all handlers that some message comes
// to, and an edge from each send to the handlers that it leads to; an answer leads back to what has
// asked.
#include <stdlib.h>
#include <string.h>

#include "base/identity.h"
#include "sketch/internal.h"

struct describer {
    struct rh__sketch_builder *builder;
    struct rh_handler_graph *graph;
    uint32_t *first; // by the flow's actor: the first node of its handler; RH_NONE: it has none
};

static const char *keep(struct describer *describer, const char *text)
{
    return rh_arena_text(&describer->graph->arena, text, strlen(text));
}

static const char *word_of(enum rh__flow_operation_kind kind)
{
    switch (kind) {
    case RH__FLOW_SPAWN:
    case RH__FLOW_RESERVE:
        return "create";
    case RH__FLOW_ASK:
        return "ask";
    case RH__FLOW_REPLY:
        return "reply";
    case RH__FLOW_AFTER:
        return "set";
    case RH__FLOW_MAY_COME:
        return "may come";
    default:
        return "send";
    }
}

// "send work", "create worker".
static const char *words_of(struct describer *describer, uint32_t number)
{
    struct rh__flow *flow = describer->builder->flow;
    const struct rh__flow_operation *operation = &flow->operations.items[number];
    struct rh_text words = {0};
    rh_text_add(&words, word_of(operation->kind));
    if (operation->kind == RH__FLOW_SPAWN || operation->kind == RH__FLOW_RESERVE) {
        const char *name = rh_ir_text(flow->module, operation->instruction->operands[1]);
        rh_text_add(&words, " ");
        rh_identity_add_behaviour(&words, name ? name : "an actor");
    }
    for (size_t i = 0; i < operation->messages.count; i++) {
        uint32_t type = flow->messages.items[operation->messages.items[i]].type;
        rh_text_addf(&words, "%s %s", i ? " or" : "", type ? flow->types.items[type].name : "?");
    }
    const char *kept = keep(describer, rh_text_get(&words));
    rh_text_fini(&words);
    return kept;
}

static void add_node(struct describer *describer, const struct rh__sketch_graph *graph,
                     uint32_t number)
{
    const struct rh__sketch_node *node = &graph->nodes.items[number];
    bool is_event = node->operation != RH_NONE;
    *rh_vector_push(&describer->graph->nodes) =
        (struct rh_handler_node){.place = number == graph->entry  ? RH_HANDLER_ENTRY
                                          : number == graph->exit ? RH_HANDLER_EXIT
                                          : is_event              ? RH_HANDLER_EVENT
                                                                  : RH_HANDLER_BRANCH,
                                 .line = (int)node->place.line,
                                 .words = is_event ? words_of(describer, node->operation) : ""};
}

// The names of the types of messages that come to a part of a behaviour.
static const char *types_of(struct describer *describer, uint32_t actor)
{
    const struct rh__flow *flow = describer->builder->flow;
    const struct rh__flow_node *messages = &flow->nodes.items[flow->actors.items[actor].message];
    struct rh_text text = {0};
    for (uint32_t i = 0; i < messages->count && actor; i++) {
        const struct rh__flow_object *object = rh__flow_object_at(flow, messages->items[i]);
        if (object->kind != RH__FLOW_MESSAGE)
            continue;
        uint32_t type = flow->messages.items[object->number].type;
        rh_text_addf(&text, "%s%s", text.length ? " or " : "",
                     type ? flow->types.items[type].name : "?");
    }
    const char *kept = keep(describer, rh_text_get(&text));
    rh_text_fini(&text);
    return kept;
}

static void add_handler(struct describer *describer, uint32_t actor, uint32_t class)
{
    const struct rh__sketch_graph *graph = describer->builder->graphs[actor];
    uint32_t first = (uint32_t)describer->graph->nodes.count;
    if (describer->first[actor] != RH_NONE)
        return;
    describer->first[actor] = first;
    *rh_vector_push(&describer->graph->handlers) =
        (struct rh_handler){.class = keep(describer, describer->builder->classes.items[class].name),
                            .type = types_of(describer, actor),
                            .first = first,
                            .count = (uint32_t)graph->nodes.count};
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        add_node(describer, graph, i);
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        for (size_t k = 0; k < graph->nodes.items[i].next.count; k++)
            *rh_vector_push(&describer->graph->edges) = (struct rh_handler_edge){
                first + i, first + graph->nodes.items[i].next.items[k], NULL};
}

// --- Messages. ---

static void add_edge(struct describer *describer, uint32_t from, uint32_t to, const char *type)
{
    for (size_t i = describer->graph->edges.count; i-- > 0;) {
        const struct rh_handler_edge *edge = &describer->graph->edges.items[i];
        if (edge->from == from && edge->to == to && edge->type && !strcmp(edge->type, type))
            return;
    }
    *rh_vector_push(&describer->graph->edges) =
        (struct rh_handler_edge){from, to, keep(describer, type)};
}

// Where an entry begins: its handler's first node, or what has asked.
static void add_edges_to(struct describer *describer, uint32_t from, uint32_t number,
                         const char *type)
{
    const struct rh__sketch_entry *entry = &describer->builder->entries.items[number];
    const struct rh__sketch_graph *graph = describer->builder->graphs[entry->actor];
    uint32_t first = describer->first[entry->actor];
    if (first == RH_NONE)
        return;
    if (entry->operation == RH_NONE)
        add_edge(describer, from, first + graph->entry, type);
    for (uint32_t i = 0; i < graph->nodes.count && entry->operation != RH_NONE; i++)
        if (graph->nodes.items[i].operation == entry->operation)
            add_edge(describer, from, first + i, type);
}

struct leading {
    struct describer *describer;
    uint32_t from; // node
};

static uint32_t lead(void *context, uint32_t leaf)
{
    struct leading *leading = context;
    const struct rh__sketch_builder *builder = leading->describer->builder;
    for (size_t i = 0; i < builder->variables.items[leaf].entries.count; i++)
        add_edges_to(leading->describer, leading->from,
                     builder->variables.items[leaf].entries.items[i],
                     builder->variables.items[leaf].type);
    return RH__SKIP;
}

static void add_messages(struct describer *describer, uint32_t actor, uint32_t class)
{
    struct rh__sketch_builder *builder = describer->builder;
    const struct rh__sketch_graph *graph = builder->graphs[actor];
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        uint32_t operation = graph->nodes.items[i].operation;
        struct leading leading = {describer, describer->first[actor] + i};
        if (operation == RH_NONE)
            continue;
        uint32_t term = rh__sketch_messages(builder, operation, class);
        rh__term_map(&builder->terms, term, lead, &leading);
    }
}

void rh__sketch_describe(struct rh__sketch_builder *builder)
{
    struct describer describer = {.builder = builder, .graph = &builder->sketch->graph};
    size_t actors = builder->flow->actors.count, entries = builder->entries.count;
    describer.first = rh_alloc((actors + 1) * sizeof *describer.first);
    memset(describer.first, 0xff, (actors + 1) * sizeof *describer.first);
    add_handler(&describer, 0, 0);
    for (size_t i = 0; i < entries; i++)
        add_handler(&describer, builder->entries.items[i].actor, builder->entries.items[i].class);
    add_messages(&describer, 0, 0);
    for (size_t i = 0; i < entries; i++)
        add_messages(&describer, builder->entries.items[i].actor, builder->entries.items[i].class);
    free(describer.first);
}
