// SPDX-License-Identifier: MIT
#include "flow/result.h"

#include <stdlib.h>
#include <string.h>

void rh__flow_behaviour_name(const struct rh_ir_module *module, uint32_t function,
                             struct rh_text *text)
{
    static const char suffix[] = "_behaviour";
    const struct rh_ir_function *code = &module->functions.items[function];
    size_t length = strlen(code->source_name), tail = sizeof suffix - 1;
    if (length > tail && !strcmp(code->source_name + length - tail, suffix))
        length -= tail;
    rh_text_add_bytes(text, code->source_name, length);
    // Files of one program may have functions of the same name.
    for (size_t i = 0; i < module->functions.count; i++) {
        const struct rh_ir_function *other = &module->functions.items[i];
        if (other == code || !other->block_count ||
            strcmp(other->source_name, code->source_name) != 0)
            continue;
        rh_text_addf(text, " (%s)", code->place.file ? code->place.file : code->name);
        return;
    }
}

static size_t node_of(struct rh__flow_result *result, const struct rh__flow *flow, uint32_t actor)
{
    uint32_t function = flow->actors.items[actor].function;
    if (function == RH_NONE)
        return 0;
    const struct rh_ir_function *code = &result->module->functions.items[function];
    struct rh_text name = {0};
    rh__flow_behaviour_name(result->module, function, &name);
    size_t number = rh_flow_node(result->graph, rh_text_get(&name));
    rh_text_fini(&name);
    struct rh_flow_node *node = &result->graph->nodes.items[number];
    if (!node->function) {
        node->function = rh_strdup(code->source_name);
        node->file = code->place.file ? rh_strdup(code->place.file) : NULL;
        node->line = (int)code->place.line;
    }
    return number;
}

static enum rh_flow_operation operation_of(enum rh__flow_operation_kind kind)
{
    switch (kind) {
    case RH__FLOW_SPAWN:
    case RH__FLOW_RESERVE:
    case RH__FLOW_SPAWN_AT:
        return RH_FLOW_SPAWN;
    case RH__FLOW_BECOME:
        return RH_FLOW_BECOME;
    case RH__FLOW_AFTER:
        return RH_FLOW_TIMER;
    case RH__FLOW_ASK:
        return RH_FLOW_ASK;
    case RH__FLOW_REPLY:
        return RH_FLOW_REPLY;
    case RH__FLOW_MAY_COME:
        return RH_FLOW_MAY_COME;
    default:
        return RH_FLOW_SEND;
    }
}

// Where an operation stands.
struct place {
    const char *file;
    int line;      // where the call begins, by the debug information
    int last_line; // the line that the operation's arguments name
};

// Takes the file from the operation's arguments, and both lines: compilers do not agree about
// __LINE__ in a call of a macro that goes over several lines.
static struct place place_of(const struct rh__flow *flow,
                             const struct rh__flow_operation *operation)
{
    const struct rh_ir_instruction *call = operation->instruction;
    struct place place = {call->place.file, (int)call->place.line, (int)call->place.line};
    int64_t line = 0;
    if (call->operand_count >= 3) {
        const char *file = rh_ir_text(flow->module, call->operands[call->operand_count - 3]);
        if (file)
            place.file = file;
        if (file && rh_ir_number(flow->module, call->operands[call->operand_count - 2], &line)) {
            place.last_line = (int)line;
            place.line = place.line ? place.line : (int)line;
        }
    }
    if (!place.file)
        place.file = "";
    return place;
}

static const char *type_of(const struct rh__flow *flow, const struct rh__flow_event *event)
{
    if (event->message != RH_NONE)
        return flow->types.items[flow->messages.items[event->message].type].name;
    const char *name = rh__flow_state_type(flow, event->operation);
    return name ? name : "";
}

static struct rh_flow_label *label_of(struct rh__flow_result *result, const struct rh__flow *flow,
                                      const struct rh__flow_event *event, const struct place *place)
{
    const struct rh__flow_operation *operation = &flow->operations.items[event->operation];
    enum rh_flow_edge_kind kind = operation->state_type != RH_NONE     ? RH_FLOW_CREATES
                                  : operation->kind == RH__FLOW_BECOME ? RH_FLOW_BECOMES
                                                                       : RH_FLOW_SENDS;
    size_t from = node_of(result, flow, event->from);
    size_t to = node_of(result, flow, event->to);
    struct rh_flow_edge *edge = rh_flow_edge(result->graph, from, to, kind);
    struct rh_flow_label *label = rh_flow_label(edge, operation_of(operation->kind),
                                                type_of(flow, event), place->file, place->line);
    label->last_line = place->last_line;
    return label;
}

// Adds a label for each line that the operation's argument may be; false if the line is constant or
// not known.
static bool add_lines(struct rh__flow_result *result, const struct rh__flow *flow,
                      const struct rh__flow_event *event, const struct rh__flow_question *question,
                      const struct rh__flow_operation *operation)
{
    if (operation->line == RH_NONE || flow->nodes.items[operation->line].has_any_number)
        return false;
    const struct rh__flow_node *lines = &flow->nodes.items[operation->line];
    struct place place = place_of(flow, operation);
    for (uint32_t i = 0; i < lines->count; i++) {
        int64_t line;
        if (!rh__flow_is_known(flow, lines->items[i], &line))
            continue;
        place.line = place.last_line = (int)line;
        rh__flow_question_answer(flow, question, label_of(result, flow, event, &place));
    }
    return true;
}

static void add_event(struct rh__flow_result *result, const struct rh__flow *flow,
                      const struct rh__flow_event *event, const struct rh__flow_question *question)
{
    const struct rh__flow_operation *operation = &flow->operations.items[event->operation];
    if (event->message != RH_NONE) {
        bool has_lines = true;
        for (size_t i = 0; i < flow->messages.items[event->message].sent_by.count; i++) {
            uint32_t each = flow->messages.items[event->message].sent_by.items[i];
            has_lines = add_lines(result, flow, event, question, &flow->operations.items[each]) &&
                        has_lines;
        }
        if (has_lines)
            return;
    } else if (add_lines(result, flow, event, question, operation)) {
        return;
    }
    struct place place = place_of(flow, operation);
    rh__flow_question_answer(flow, question, label_of(result, flow, event, &place));
}

static void add_receptionists(struct rh__flow_result *result, const struct rh__flow *flow)
{
    for (uint32_t i = 1; i < flow->actors.count; i++)
        if (flow->receptionists[flow->actors.items[i].function])
            result->graph->nodes.items[node_of(result, flow, i)].is_receptionist = true;
    if (flow->has_receptionists)
        return;
    // If the test declares no receptionist, those that the outside writes to are receptionists.
    for (size_t i = 0; i < flow->events.count; i++) {
        const struct rh__flow_event *event = &flow->events.items[i];
        if (event->from == 0 && event->message != RH_NONE)
            result->graph->nodes.items[node_of(result, flow, event->to)].is_receptionist = true;
    }
}

static void add_taken(struct rh__flow_result *result, const struct rh__flow *flow)
{
    for (size_t i = 0; i < flow->handled.count; i++) {
        const struct rh__flow_handled *handled = &flow->handled.items[i];
        size_t node = node_of(result, flow, handled->actor);
        if (handled->messages == RH_NONE) {
            const char *type =
                handled->type == RH_NONE ? NULL : flow->types.items[handled->type].name;
            *rh_vector_push(&result->taken) = (struct rh__flow_taken){node, type};
            continue;
        }
        const struct rh__flow_node *ignored = &flow->nodes.items[handled->messages];
        for (uint32_t k = 0; k < ignored->count; k++) {
            const struct rh__flow_object *object = rh__flow_object_at(flow, ignored->items[k]);
            if (object->kind == RH__FLOW_MESSAGE)
                *rh_vector_push(&result->taken) = (struct rh__flow_taken){
                    node, flow->types.items[flow->messages.items[object->number].type].name};
        }
    }
}

static struct rh__flow_question *ask_all(struct rh__flow *flow)
{
    struct rh__flow_question *questions = rh_alloc((flow->events.count + 1) * sizeof *questions);
    for (size_t i = 0; i < flow->events.count; i++) {
        questions[i].operation = flow->events.items[i].operation;
        questions[i].message = flow->events.items[i].message;
        rh__flow_question_ask(flow, &questions[i]);
    }
    rh__flow_solve(flow);
    return questions;
}

// --- What is left out. ---

// Whether the set of the operation's receiver has anything but numbers.
static bool is_resolved(const struct rh__flow *flow, const struct rh__flow_operation *operation)
{
    const struct rh__flow_node *node = &flow->nodes.items[operation->to];
    for (uint32_t i = 0; i < node->count; i++)
        if (!rh__flow_is_number(flow, node->items[i]))
            return true;
    return false;
}

// Whether the same call is resolved where another message is handled.
static bool is_resolved_elsewhere(const struct rh__flow *flow,
                                  const struct rh__flow_operation *operation)
{
    for (size_t i = 0; i < flow->operations.count; i++) {
        const struct rh__flow_operation *other = &flow->operations.items[i];
        if (other->instruction == operation->instruction && other->kind == operation->kind &&
            is_resolved(flow, other))
            return true;
    }
    return false;
}

// Whether the receiver may be a number other than NULL; NULL is nobody.
static bool has_number(const struct rh__flow *flow, const struct rh__flow_operation *operation)
{
    const struct rh__flow_node *node = &flow->nodes.items[operation->to];
    for (uint32_t i = 0; i < node->count; i++) {
        int64_t number;
        if (rh__flow_is_number(flow, node->items[i]) &&
            (!rh__flow_is_known(flow, node->items[i], &number) || number != 0))
            return true;
    }
    return false;
}

static void add_unresolved(struct rh__flow_result *result, const struct rh__flow *flow)
{
    for (size_t i = 0; i < flow->operations.count; i++) {
        const struct rh__flow_operation *operation = &flow->operations.items[i];
        bool names_somebody =
            operation->kind != RH__FLOW_REPLY && operation->kind != RH__FLOW_AT_STOP;
        if (!names_somebody || !has_number(flow, operation) ||
            is_resolved_elsewhere(flow, operation))
            continue;
        struct place place = place_of(flow, operation);
        struct rh_text words = {0};
        rh_text_addf(&words, "%s:%d: %s", place.file, place.line,
                     operation->kind == RH__FLOW_RECEPTIONIST
                         ? "receptionist"
                         : rh_flow_operation_name(operation_of(operation->kind)));
        rh_flow_add_unresolved(result->graph, rh_text_get(&words));
        rh_text_fini(&words);
    }
}

void rh__flow_result_add(struct rh__flow_result *result, struct rh__flow *flow)
{
    struct rh__flow_question *questions = ask_all(flow);
    for (size_t i = 0; i < flow->events.count; i++)
        add_event(result, flow, &flow->events.items[i], &questions[i]);
    free(questions);
    add_receptionists(result, flow);
    add_taken(result, flow);
    add_unresolved(result, flow);
    for (size_t i = 0; i < result->module->functions.count; i++)
        if (flow->unknown_calls[i])
            rh_flow_add_unknown(result->graph, result->module->functions.items[i].name);
    if (flow->has_assembly)
        rh_flow_add_unknown(result->graph, "(assembly)");
}

static bool is_taken(const struct rh__flow_result *result, const char *node, const char *type,
                     char *const *names)
{
    for (size_t i = 0; i < result->taken.count; i++) {
        const struct rh__flow_taken *taken = &result->taken.items[i];
        if (!strcmp(names[taken->node], node) && (!taken->type || !strcmp(taken->type, type)))
            return true;
    }
    return false;
}

void rh__flow_result_finish(struct rh__flow_result *result)
{
    struct rh_flow_graph *graph = result->graph;
    char **names = rh_alloc((graph->nodes.count + 1) * sizeof(char *));
    for (size_t i = 0; i < graph->nodes.count; i++)
        names[i] = graph->nodes.items[i].name;
    rh_flow_graph_sort(graph);
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct rh_flow_edge *edge = &graph->edges.items[i];
        const char *receiver = graph->nodes.items[edge->to].name;
        for (size_t k = 0; edge->kind == RH_FLOW_SENDS && k < edge->labels.count; k++)
            if (!is_taken(result, receiver, edge->labels.items[k].type, names))
                *rh_vector_push(&graph->unhandled) = (struct rh_flow_place){i, k};
    }
    free(names);
    rh_vector_fini(&result->taken);
}
