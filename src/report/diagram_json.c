// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdlib.h>

#include "diagram/part.h"
#include "report/diagram.h"

struct rh_report_protocol {
    json_t *object; // owned
    json_t *tests;  // in it
};

// Takes `value`. Fails only when memory is out, and then nothing could be reported either.
static void set(json_t *object, const char *key, json_t *value)
{
    int error = json_object_set_new(object, key, value);
    rh_assert(!error);
}

static json_t *string(const char *text)
{
    return text && *text ? json_string(text) : json_null();
}

static json_t *text_string(struct rh_text *text)
{
    json_t *value = json_string(rh_text_get(text));
    rh_text_fini(text);
    return value;
}

// --- Diagrams as trees. ---

static json_t *party_string(const struct rh_party *party)
{
    struct rh_text text = {0};
    rh_party_print(&text, party);
    return text_string(&text);
}

// A number, an expression as text, or null for no bound.
static json_t *bound_value(const struct rh_expression *expression)
{
    struct rh_text text = {0};
    if (!expression)
        return json_null();
    if (expression->kind == RH_EXPRESSION_NUMBER)
        return json_integer((json_int_t)expression->number);
    rh_expression_print(&text, expression, false);
    return text_string(&text);
}

static const char *kind_name(const struct rh_node *node)
{
    static const char *const names[] = {
        [RH_NODE_SKIP] = "skip", [RH_NODE_ARROW] = "arrow",       [RH_NODE_SEQUENCE] = "sequence",
        [RH_NODE_WEAK] = "weak", [RH_NODE_PARALLEL] = "parallel", [RH_NODE_CHOICE] = "choice",
        [RH_NODE_LOOP] = "loop", [RH_NODE_ALL] = "all",           [RH_NODE_EACH] = "for",
        [RH_NODE_SOME] = "some", [RH_NODE_CALL] = "call"};
    return names[node->kind];
}

static void set_arrow(json_t *object, const struct rh_node *node)
{
    static const char *const sendings[] = {[RH_JOURNAL_PLAIN] = "sends",
                                           [RH_JOURNAL_ASK] = "asks",
                                           [RH_JOURNAL_ANSWER] = "answers",
                                           [RH_JOURNAL_TIMER] = "sets"};
    set(object, "from", party_string(&node->from));
    set(object, "to", party_string(&node->to));
    set(object, "type", json_string(node->type));
    set(object, "how", json_string(sendings[node->sending]));
    set(object, "received", json_boolean(!node->is_lost));
}

static void set_notes(json_t *object, const struct rh_notes *notes, const struct rh_node *node)
{
    for (size_t i = 0; notes && i < notes->count; i++)
        if (rh_node_equals(notes->items[i].arrow, node)) {
            set(object, "where", string(notes->items[i].where));
            set(object, "when", string(notes->items[i].when));
            return;
        }
}

static json_t *tree(const struct rh_node *node, const struct rh_notes *notes)
{
    static const struct rh_notes none;
    json_t *object = json_object();
    set(object, "kind", json_string(kind_name(node)));
    if (node->kind == RH_NODE_ARROW) {
        set_arrow(object, node);
        set_notes(object, notes ? notes : &none, node);
    }
    if (node->variable)
        set(object, "variable", json_string(node->variable));
    if (node->kind == RH_NODE_SOME)
        set(object, "class", json_string(node->class));
    if (node->kind == RH_NODE_LOOP || node->kind == RH_NODE_ALL || node->kind == RH_NODE_EACH) {
        set(object, "first", bound_value(node->first));
        set(object, "last", bound_value(node->last));
        set(object, "overlapping", json_boolean(node->is_weak));
        set(object, "parallel", json_boolean(node->is_parallel));
    }
    if (node->kind == RH_NODE_CALL) {
        json_t *arguments = json_array();
        for (size_t i = 0; i < node->argument_count; i++)
            json_array_append_new(arguments, bound_value(node->arguments[i]));
        set(object, "name", json_string(node->definition->name));
        set(object, "arguments", arguments);
    }
    if (node->count == 0)
        return object;
    json_t *parts = json_array();
    for (size_t i = 0; i < node->count; i++)
        json_array_append_new(parts, tree(node->parts[i], notes));
    set(object, "parts", parts);
    return object;
}

static json_t *definition_list(const struct rh_node *node, const struct rh_notes *notes)
{
    json_t *list = json_array();
    struct rh_definitions definitions = {0};
    rh_definitions_add(&definitions, node);
    for (size_t i = 0; i < definitions.count; i++) {
        const struct rh_definition *definition = definitions.items[i];
        json_t *object = json_object(), *parameters = json_array();
        for (size_t k = 0; k < definition->count; k++)
            json_array_append_new(parameters, json_string(definition->parameters[k]));
        set(object, "name", json_string(definition->name));
        set(object, "parameters", parameters);
        set(object, "tree", tree(definition->body, notes));
        json_array_append_new(list, object);
    }
    rh_vector_fini(&definitions);
    return list;
}

// --- Tests. ---

static json_t *grade_object(const struct rh_report_grade *grade)
{
    json_t *object = json_object(), *values = json_object();
    for (const struct rh_binding *at = grade->values; at; at = at->outer)
        set(values, at->variable, json_integer((json_int_t)at->value));
    set(object, "values", values);
    set(object, "grade", json_string(rh_grade_name(grade->grade)));
    set(object, "held_out", json_boolean(grade->is_held_out));
    set(object, "states", json_integer((json_int_t)grade->states));
    set(object, "difference", string(grade->difference));
    set(object, "reason", string(grade->reason));
    set(object, "failure", string(grade->failure));
    set(object, "schedule", string(grade->schedule));
    return object;
}

struct rh_report_protocol *rh_report_protocol_new(const char *program, const char *verb)
{
    struct rh_report_protocol *protocol = rh_alloc(sizeof *protocol);
    protocol->object = json_object();
    protocol->tests = json_array();
    set(protocol->object, "program", string(program));
    set(protocol->object, "verb", json_string(verb));
    set(protocol->object, "tests", protocol->tests);
    return protocol;
}

void rh_report_protocol_free(struct rh_report_protocol *protocol)
{
    if (protocol)
        json_decref(protocol->object);
    free(protocol);
}

void rh_report_protocol_add(struct rh_report_protocol *protocol, const char *test,
                            enum rh_grade grade, const struct rh_diagram *diagram,
                            const struct rh_notes *notes, const struct rh_report_grade *grades,
                            size_t count)
{
    json_t *object = json_object(), *list = json_array();
    set(object, "test", json_string(test));
    set(object, "grade", json_string(rh_grade_name(grade)));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, grade_object(&grades[i]));
    set(object, "configurations", list);
    if (diagram) {
        struct rh_text text = {0};
        rh_diagram_print(diagram, &text);
        set(object, "diagram", text_string(&text));
        set(object, "definitions", definition_list(diagram->body, notes));
        set(object, "tree", tree(diagram->body, notes));
    }
    json_array_append_new(protocol->tests, object);
}

// --- Sketches. ---

static json_t *unknown_list(const struct rh_unknown_place *places, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        set(object, "file", string(places[i].file));
        set(object, "line",
            places[i].line ? json_integer((json_int_t)places[i].line) : json_null());
        set(object, "words", json_string(places[i].words));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *node_object(const struct rh_handler_node *node)
{
    static const char *const places[] = {[RH_HANDLER_ENTRY] = "entry",
                                         [RH_HANDLER_EXIT] = "exit",
                                         [RH_HANDLER_EVENT] = "event",
                                         [RH_HANDLER_BRANCH] = "branch"};
    json_t *object = json_object();
    set(object, "place", json_string(places[node->place]));
    set(object, "line", node->line ? json_integer((json_int_t)node->line) : json_null());
    set(object, "words", string(node->words));
    return object;
}

static json_t *handler_list(const struct rh_handler_graph *graph)
{
    json_t *list = json_array();
    for (size_t i = 0; i < graph->handlers.count; i++) {
        const struct rh_handler *handler = &graph->handlers.items[i];
        json_t *object = json_object(), *nodes = json_array();
        set(object, "class", json_string(handler->class));
        set(object, "message", string(handler->type));
        set(object, "first", json_integer((json_int_t)handler->first));
        for (uint32_t k = 0; k < handler->count; k++)
            json_array_append_new(nodes, node_object(&graph->nodes.items[handler->first + k]));
        set(object, "nodes", nodes);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *edge_list(const struct rh_handler_graph *graph)
{
    json_t *list = json_array();
    for (size_t i = 0; i < graph->edges.count; i++) {
        json_t *object = json_object();
        set(object, "from", json_integer((json_int_t)graph->edges.items[i].from));
        set(object, "to", json_integer((json_int_t)graph->edges.items[i].to));
        set(object, "message", string(graph->edges.items[i].type));
        json_array_append_new(list, object);
    }
    return list;
}

void rh_report_sketch_add(struct rh_report_protocol *protocol, const struct rh_diagram *diagram,
                          const struct rh_unknown_place *places, size_t count,
                          const struct rh_handler_graph *graph)
{
    json_t *object = json_object();
    struct rh_text text = {0};
    rh_diagram_print(diagram, &text);
    set(object, "test", json_string(diagram->name));
    set(object, "diagram", text_string(&text));
    set(object, "tree", tree(diagram->body, NULL));
    set(object, "definitions", definition_list(diagram->body, NULL));
    set(object, "unknown", unknown_list(places, count));
    set(object, "handlers", handler_list(graph));
    set(object, "edges", edge_list(graph));
    json_array_append_new(protocol->tests, object);
}

void rh_report_protocol_print(struct rh_text *text, const struct rh_report_protocol *protocol)
{
    char *bytes = json_dumps(protocol->object, JSON_INDENT(2));
    rh_assert(bytes);
    rh_text_addf(text, "%s\n", bytes);
    free(bytes);
}
