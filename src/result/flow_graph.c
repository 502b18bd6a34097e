// SPDX-License-Identifier: MIT
#include "result/flow_graph.h"

#include <stdlib.h>
#include <string.h>

const char *rh_flow_operation_name(enum rh_flow_operation operation)
{
    static const char *const names[] = {
#define X(name, text) text,
        RH_FLOW_OPERATIONS(X)
#undef X
    };
    return names[operation];
}

size_t rh_flow_node(struct rh_flow_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!strcmp(graph->nodes.items[i].name, name))
            return i;
    rh_vector_push(&graph->nodes)->name = rh_strdup(name);
    return graph->nodes.count - 1;
}

struct rh_flow_edge *rh_flow_edge(struct rh_flow_graph *graph, size_t from, size_t to,
                                  enum rh_flow_edge_kind kind)
{
    for (size_t i = 0; i < graph->edges.count; i++) {
        struct rh_flow_edge *edge = &graph->edges.items[i];
        if (edge->from == from && edge->to == to && edge->kind == kind)
            return edge;
    }
    struct rh_flow_edge *edge = rh_vector_push(&graph->edges);
    edge->from = from;
    edge->to = to;
    edge->kind = kind;
    return edge;
}

struct rh_flow_label *rh_flow_label(struct rh_flow_edge *edge, enum rh_flow_operation operation,
                                    const char *type, const char *file, int line)
{
    for (size_t i = 0; i < edge->labels.count; i++) {
        struct rh_flow_label *label = &edge->labels.items[i];
        if (label->operation == operation && label->line == line && !strcmp(label->type, type) &&
            !strcmp(label->file, file))
            return label;
    }
    struct rh_flow_label *label = rh_vector_push(&edge->labels);
    label->operation = operation;
    label->type = rh_strdup(type);
    label->file = rh_strdup(file);
    label->line = label->last_line = line;
    return label;
}

static struct rh_flow_field *field_of(struct rh_flow_label *label, const char *name)
{
    for (size_t i = 0; i < label->fields.count; i++)
        if (!strcmp(label->fields.items[i].name, name))
            return &label->fields.items[i];
    struct rh_flow_field *field = rh_vector_push(&label->fields);
    field->name = rh_strdup(name);
    return field;
}

void rh_flow_add_value(struct rh_flow_label *label, const char *name, const char *value)
{
    struct rh_flow_field *field = field_of(label, name);
    for (size_t i = 0; i < field->values.count; i++)
        if (!strcmp(field->values.items[i], value))
            return;
    *rh_vector_push(&field->values) = rh_strdup(value);
}

static bool has_text(char *const *texts, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(texts[i], text))
            return true;
    return false;
}

void rh_flow_add_unknown(struct rh_flow_graph *graph, const char *function)
{
    if (!has_text(graph->unknown.items, graph->unknown.count, function))
        *rh_vector_push(&graph->unknown) = rh_strdup(function);
}

void rh_flow_add_unresolved(struct rh_flow_graph *graph, const char *words)
{
    if (!has_text(graph->unresolved.items, graph->unresolved.count, words))
        *rh_vector_push(&graph->unresolved) = rh_strdup(words);
}

// Order.

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Numbers are ordered by value, before everything else.
static int compare_value(const void *a, const void *b)
{
    const char *first = *(char *const *)a, *second = *(char *const *)b;
    char *first_end, *second_end;
    long long left = strtoll(first, &first_end, 10), right = strtoll(second, &second_end, 10);
    bool is_left = first_end != first, is_right = second_end != second;
    if (is_left && is_right && left != right)
        return left < right ? -1 : 1;
    if (is_left != is_right)
        return is_left ? -1 : 1;
    return strcmp(first, second);
}

static int compare_label(const void *a, const void *b)
{
    const struct rh_flow_label *first = a, *second = b;
    int order = strcmp(first->file, second->file);
    if (!order && first->line != second->line)
        order = first->line < second->line ? -1 : 1;
    if (!order)
        order = strcmp(first->type, second->type);
    return order ? order : (int)first->operation - (int)second->operation;
}

static int compare_edge(const void *a, const void *b)
{
    const struct rh_flow_edge *first = a, *second = b;
    if (first->from != second->from)
        return first->from < second->from ? -1 : 1;
    if (first->kind != second->kind)
        return (int)first->kind - (int)second->kind;
    return first->to < second->to ? -1 : first->to > second->to;
}

// The outside comes first, then files and lines.
static int compare_node(const void *a, const void *b)
{
    const struct rh_flow_node *first = a, *second = b;
    if (!first->function || !second->function)
        return (first->function != NULL) - (second->function != NULL);
    int order = strcmp(first->file ? first->file : "", second->file ? second->file : "");
    if (!order && first->line != second->line)
        order = first->line < second->line ? -1 : 1;
    return order ? order : strcmp(first->name, second->name);
}

static void sort(void *items, size_t count, size_t size,
                 int (*compare)(const void *a, const void *b))
{
    if (count > 1)
        qsort(items, count, size, compare);
}

static void sort_nodes(struct rh_flow_graph *graph)
{
    size_t count = graph->nodes.count;
    char **names = rh_alloc(count * sizeof(char *) + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = graph->nodes.items[i].name;
    sort(graph->nodes.items, count, sizeof graph->nodes.items[0], compare_node);
    for (size_t i = 0; i < graph->edges.count; i++) {
        struct rh_flow_edge *edge = &graph->edges.items[i];
        edge->from = rh_flow_node(graph, names[edge->from]);
        edge->to = rh_flow_node(graph, names[edge->to]);
    }
    free(names);
}

void rh_flow_graph_sort(struct rh_flow_graph *graph)
{
    sort_nodes(graph);
    sort(graph->edges.items, graph->edges.count, sizeof graph->edges.items[0], compare_edge);
    sort(graph->unknown.items, graph->unknown.count, sizeof graph->unknown.items[0], compare_text);
    sort(graph->unresolved.items, graph->unresolved.count, sizeof graph->unresolved.items[0],
         compare_text);
    for (size_t i = 0; i < graph->edges.count; i++) {
        struct rh_flow_edge *edge = &graph->edges.items[i];
        sort(edge->labels.items, edge->labels.count, sizeof edge->labels.items[0], compare_label);
        for (size_t k = 0; k < edge->labels.count; k++)
            for (size_t m = 0; m < edge->labels.items[k].fields.count; m++) {
                struct rh_flow_field *field = &edge->labels.items[k].fields.items[m];
                sort(field->values.items, field->values.count, sizeof field->values.items[0],
                     compare_value);
            }
    }
}

size_t rh_flow_graph_label_count(const struct rh_flow_graph *graph)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->edges.count; i++)
        count += graph->edges.items[i].labels.count;
    return count;
}

size_t rh_flow_graph_taken_count(const struct rh_flow_graph *graph)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->edges.count; i++)
        for (size_t k = 0; k < graph->edges.items[i].labels.count; k++)
            count += graph->edges.items[i].labels.items[k].is_taken;
    return count;
}

struct rh_flow_pair_count rh_flow_graph_count_pairs(const struct rh_flow_graph *graph, size_t node)
{
    struct rh_flow_pair_count count = {0};
    for (size_t i = 0; i < graph->pairs.count; i++) {
        const struct rh_flow_pair *pair = &graph->pairs.items[i];
        if (graph->edges.items[pair->first.edge].to != node)
            continue;
        count.both += pair->is_forth && pair->is_back;
        count.one += pair->is_forth != pair->is_back;
        count.never += !pair->is_forth && !pair->is_back;
    }
    return count;
}

// The end.

static void free_texts(char **items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(items[i]);
}

static void label_fini(struct rh_flow_label *label)
{
    for (size_t i = 0; i < label->fields.count; i++) {
        struct rh_flow_field *field = &label->fields.items[i];
        free_texts(field->values.items, field->values.count);
        rh_vector_fini(&field->values);
        free(field->name);
    }
    rh_vector_fini(&label->fields);
    free(label->type);
    free(label->file);
}

void rh_flow_graph_fini(struct rh_flow_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        free(graph->nodes.items[i].name);
        free(graph->nodes.items[i].function);
        free(graph->nodes.items[i].file);
    }
    for (size_t i = 0; i < graph->edges.count; i++) {
        struct rh_flow_edge *edge = &graph->edges.items[i];
        for (size_t k = 0; k < edge->labels.count; k++)
            label_fini(&edge->labels.items[k]);
        rh_vector_fini(&edge->labels);
    }
    free_texts(graph->unknown.items, graph->unknown.count);
    free_texts(graph->unresolved.items, graph->unresolved.count);
    free_texts(graph->tests.items, graph->tests.count);
    free_texts(graph->strange.items, graph->strange.count);
    rh_vector_fini(&graph->nodes);
    rh_vector_fini(&graph->edges);
    rh_vector_fini(&graph->unhandled);
    rh_vector_fini(&graph->unknown);
    rh_vector_fini(&graph->unresolved);
    rh_vector_fini(&graph->tests);
    rh_vector_fini(&graph->pairs);
    rh_vector_fini(&graph->strange);
}
