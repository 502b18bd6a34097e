// SPDX-License-Identifier: MIT
#include "report/graph.h"

// More values of one field are not shown.
enum { VALUES_MOST = 8 };

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

// What goes along an edge from one place of the source.
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
    rh_text_addf(text, "  (%s:%d)\n", label->file, label->line);
}

static void add_node(struct rh_text *text, const struct rh_flow_graph *graph, size_t number)
{
    const struct rh_flow_node *node = &graph->nodes.items[number];
    rh_text_addf(text, "\n%s%s\n", node->name, node->is_receptionist ? " (receptionist)" : "");
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct rh_flow_edge *edge = &graph->edges.items[i];
        for (size_t k = 0; edge->from == number && k < edge->labels.count; k++)
            add_label(text, graph, edge, &edge->labels.items[k]);
    }
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
    for (size_t i = 0; i < graph->nodes.count; i++)
        add_node(text, graph, i);
    add_unhandled(text, graph);
    add_unknown(text, graph);
}
