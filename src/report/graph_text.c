// SPDX-License-Identifier: MIT
#include "report/graph.h"

// Of a field at most so many values are shown, and of a node at most so many pairs.
enum { VALUES_MOST = 8, PAIRS_MOST = 10 };

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void add_values(struct rh_text *text, const struct rh_flow_field *field)
{
    rh_text_addf(text, "%s = ", field->name);
    for (size_t i = 0; i < field->values.count && i <= VALUES_MOST; i++)
        rh_text_addf(text, "%s%s", i ? "|" : "", i == VALUES_MOST ? "..." : field->values.items[i]);
}

void rh_report_graph_fields(struct rh_text *text, const struct rh_flow_label *label)
{
    for (size_t i = 0; i < label->fields.count; i++) {
        rh_text_add(text, i ? ", " : "{");
        add_values(text, &label->fields.items[i]);
    }
    if (label->fields.count)
        rh_text_add(text, "}");
}

// Adds what goes along an edge from one place of the source.
static void add_label(struct rh_text *text, const struct rh_flow_graph *graph,
                      const struct rh_flow_edge *edge, const struct rh_flow_label *label)
{
    const char *receiver = graph->nodes.items[edge->to].name;
    if (edge->kind == RH_FLOW_CREATES)
        rh_text_addf(text, "    creates %s", receiver);
    else if (edge->kind == RH_FLOW_BECOMES)
        rh_text_addf(text, "    becomes %s", receiver);
    else
        rh_text_addf(text, "    %s %s", rh_flow_operation_name(label->operation), label->type);
    if (label->fields.count)
        rh_text_add(text, " ");
    rh_report_graph_fields(text, label);
    if (edge->kind == RH_FLOW_SENDS)
        rh_text_addf(text, " to %s", receiver);
    rh_text_addf(text, "  (%s:%d)", label->file, label->line);
    if (graph->has_coverage)
        rh_text_add(text, label->is_taken ? " taken" : " never taken");
    rh_text_add(text, "\n");
}

// Adds "job from desk (office.c:30)".
static void add_incoming(struct rh_text *text, const struct rh_flow_graph *graph,
                         struct rh_flow_place place)
{
    const struct rh_flow_label *label = rh_flow_label_at(graph, place);
    rh_text_addf(text, "%s from %s (%s:%d)", label->type,
                 graph->nodes.items[graph->edges.items[place.edge].from].name, label->file,
                 label->line);
}

static void add_pair(struct rh_text *text, const struct rh_flow_graph *graph,
                     const struct rh_flow_pair *pair)
{
    rh_text_add(text, "        only ");
    add_incoming(text, graph, pair->is_forth ? pair->first : pair->second);
    rh_text_add(text, " before ");
    add_incoming(text, graph, pair->is_forth ? pair->second : pair->first);
    rh_text_add(text, "\n");
}

// Adds in which orders the messages that come in at a node were received.
static void add_pairs(struct rh_text *text, const struct rh_flow_graph *graph, size_t number)
{
    struct rh_flow_pair_count count = rh_flow_graph_count_pairs(graph, number);
    size_t all = count.both + count.one + count.never, shown = 0;
    if (all == 0)
        return;
    rh_text_addf(text,
                 "    %zu pair%s of messages came in: %zu in both orders, %zu in one, %zu never to "
                 "one actor\n",
                 all, plural(all), count.both, count.one, count.never);
    for (size_t i = 0; i < graph->pairs.count && shown < PAIRS_MOST; i++) {
        const struct rh_flow_pair *pair = &graph->pairs.items[i];
        if (graph->edges.items[pair->first.edge].to != number || pair->is_forth == pair->is_back)
            continue;
        add_pair(text, graph, pair);
        shown++;
    }
    if (count.one > shown)
        rh_text_addf(text, "        and %zu more\n", count.one - shown);
}

static void add_node(struct rh_text *text, const struct rh_flow_graph *graph, size_t number)
{
    const struct rh_flow_node *node = &graph->nodes.items[number];
    rh_text_addf(text, "\n%s%s%s\n", node->name, node->is_receptionist ? " (receptionist)" : "",
                 rh_flow_node_never_ran(graph, number) ? " (never ran)" : "");
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct rh_flow_edge *edge = &graph->edges.items[i];
        for (size_t k = 0; edge->from == number && k < edge->labels.count; k++)
            add_label(text, graph, edge, &edge->labels.items[k]);
    }
    add_pairs(text, graph, number);
}

// Adds in words what the code can do and no execution has done.
static void add_never_taken(struct rh_text *text, const struct rh_flow_graph *graph)
{
    if (!graph->has_coverage ||
        rh_flow_graph_taken_count(graph) == rh_flow_graph_label_count(graph))
        return;
    rh_text_add(text, "\nIn the code, and never taken:\n");
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct rh_flow_edge *edge = &graph->edges.items[i];
        const char *from = graph->nodes.items[edge->from].name;
        const char *to = graph->nodes.items[edge->to].name;
        for (size_t k = 0; k < edge->labels.count; k++) {
            const struct rh_flow_label *label = &edge->labels.items[k];
            if (label->is_taken)
                continue;
            rh_text_addf(text, "    %s:%d: ", label->file, label->line);
            if (edge->kind == RH_FLOW_SENDS)
                rh_text_addf(text, "%s, sent by %s, was never received by %s\n", label->type, from,
                             to);
            else
                rh_text_addf(text, "%s never %s %s\n", from,
                             edge->kind == RH_FLOW_CREATES ? "created" : "became", to);
        }
    }
}

static void add_never_ran(struct rh_text *text, const struct rh_flow_graph *graph)
{
    bool is_first = true;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct rh_flow_node *node = &graph->nodes.items[i];
        if (!rh_flow_node_never_ran(graph, i))
            continue;
        rh_text_add(text, is_first ? "\nHandlers that never ran:\n" : "");
        is_first = false;
        rh_text_addf(text, "    %s:%d: %s\n", node->file ? node->file : "?", node->line,
                     node->function);
    }
}

static void add_strange(struct rh_text *text, const struct rh_flow_graph *graph)
{
    if (graph->strange.count)
        rh_text_add(text, "\nSeen in runs, and not in this program; has it been changed since?\n");
    for (size_t i = 0; i < graph->strange.count; i++)
        rh_text_addf(text, "    %s\n", graph->strange.items[i]);
}

static void add_unhandled(struct rh_text *text, const struct rh_flow_graph *graph)
{
    if (graph->unhandled.count)
        rh_text_add(text, "\nSent, and nothing there looks for it:\n");
    for (size_t i = 0; i < graph->unhandled.count; i++) {
        const struct rh_flow_edge *edge = &graph->edges.items[graph->unhandled.items[i].edge];
        const struct rh_flow_label *label = &edge->labels.items[graph->unhandled.items[i].label];
        rh_text_addf(text, "    %s:%d: %s, sent by %s: %s has no rh_as for it\n", label->file,
                     label->line, label->type, graph->nodes.items[edge->from].name,
                     graph->nodes.items[edge->to].name);
    }
}

static void add_unresolved(struct rh_text *text, const struct rh_flow_graph *graph)
{
    if (graph->unresolved.count)
        rh_text_add(text, "\nNot in the graph, since whom it names is made of numbers:\n");
    for (size_t i = 0; i < graph->unresolved.count; i++)
        rh_text_addf(text, "    %s\n", graph->unresolved.items[i]);
}

static void add_unknown(struct rh_text *text, const struct rh_flow_graph *graph)
{
    if (graph->unknown.count)
        rh_text_add(text, "\nCalled without code that could be looked at; what they may do with "
                          "what they get is assumed:\n    ");
    for (size_t i = 0; i < graph->unknown.count; i++)
        rh_text_addf(text, "%s%s", i ? ", " : "", graph->unknown.items[i]);
    if (graph->unknown.count)
        rh_text_add(text, "\n");
}

void rh_report_graph_text(struct rh_text *text, const struct rh_flow_graph *graph,
                          const char *program)
{
    size_t labels = rh_flow_graph_label_count(graph);
    rh_text_addf(text, "%s: %zu node%s, %zu edge%s, %zu label%s in %zu test%s\n", program,
                 graph->nodes.count, plural(graph->nodes.count), graph->edges.count,
                 plural(graph->edges.count), labels, plural(labels), graph->tests.count,
                 plural(graph->tests.count));
    if (graph->has_coverage)
        rh_text_addf(text, "%zu of %zu labels taken in %llu execution%s\n",
                     rh_flow_graph_taken_count(graph), labels,
                     (unsigned long long)graph->executions, plural((size_t)graph->executions));
    for (size_t i = 0; i < graph->nodes.count; i++)
        add_node(text, graph, i);
    add_never_taken(text, graph);
    add_never_ran(text, graph);
    add_strange(text, graph);
    add_unhandled(text, graph);
    add_unresolved(text, graph);
    add_unknown(text, graph);
}
