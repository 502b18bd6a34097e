// SPDX-License-Identifier: MIT
#include <string.h>

#include "report/graph.h"

// Adds the inside of a string in Graphviz's language.
static void add_quoted(struct rh_text *text, const char *string)
{
    for (; *string; string++)
        rh_text_addf(text, strchr("\"\\", *string) ? "\\%c" : "%c", *string);
}

// With coverage, what no execution has taken is red, and what one has taken is green.
static const char *color_of(bool is_taken)
{
    return is_taken ? "#1b7837" : "#b2182b";
}

// Adds a line below the node's name: how many of the pairs of incoming messages came in both
// orders.
static void add_pairs(struct rh_text *text, const struct rh_flow_graph *graph, size_t number)
{
    struct rh_flow_pair_count count = rh_flow_graph_count_pairs(graph, number);
    size_t all = count.both + count.one + count.never;
    if (all)
        rh_text_addf(text, "\\n%zu of %zu pairs in both orders", count.both, all);
}

static void add_node(struct rh_text *text, const struct rh_flow_graph *graph, size_t number)
{
    const struct rh_flow_node *node = &graph->nodes.items[number];
    const char *shape = !node->function         ? "shape=box, style=dashed"
                        : node->is_receptionist ? "shape=ellipse, peripheries=2"
                                                : "shape=ellipse";
    rh_text_addf(text, "    n%zu [label=\"", number);
    add_quoted(text, node->name);
    if (rh_flow_node_never_ran(graph, number))
        rh_text_add(text, "\\nnever ran");
    add_pairs(text, graph, number);
    rh_text_addf(text, "\", %s", shape);
    if (graph->has_coverage && node->function)
        rh_text_addf(text, ", color=\"%s\"", color_of(node->has_run));
    rh_text_add(text, "];\n");
}

static void add_label(struct rh_text *text, const struct rh_flow_graph *graph,
                      const struct rh_flow_edge *edge, const struct rh_flow_label *label)
{
    struct rh_text fields = {0};
    rh_report_graph_fields(&fields, label);
    if (edge->kind == RH_FLOW_SENDS) {
        if (label->operation != RH_FLOW_SEND)
            rh_text_addf(text, "%s ", rh_flow_operation_name(label->operation));
        add_quoted(text, label->type);
        rh_text_add(text, " ");
    }
    add_quoted(text, rh_text_get(&fields));
    rh_text_add(text, " ");
    add_quoted(text, label->file);
    rh_text_addf(text, ":%d%s\\l", label->line,
                 graph->has_coverage && !label->is_taken ? " never taken" : "");
    rh_text_fini(&fields);
}

static bool is_taken(const struct rh_flow_edge *edge)
{
    for (size_t i = 0; i < edge->labels.count; i++)
        if (edge->labels.items[i].is_taken)
            return true;
    return false;
}

static void add_edge(struct rh_text *text, const struct rh_flow_graph *graph,
                     const struct rh_flow_edge *edge)
{
    static const char *const styles[] = {"dashed", "dotted", "solid"};
    rh_text_addf(text, "    n%zu -> n%zu [style=%s, label=\"", edge->from, edge->to,
                 styles[edge->kind]);
    for (size_t i = 0; i < edge->labels.count; i++)
        add_label(text, graph, edge, &edge->labels.items[i]);
    rh_text_add(text, "\"");
    if (graph->has_coverage)
        rh_text_addf(text, ", color=\"%s\"", color_of(is_taken(edge)));
    rh_text_add(text, "];\n");
}

void rh_report_graph_dot(struct rh_text *text, const struct rh_flow_graph *graph,
                         const char *program)
{
    rh_text_add(text, "digraph \"");
    add_quoted(text, program);
    rh_text_add(text, "\" {\n    node [fontname=\"sans-serif\"];\n"
                      "    edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (size_t i = 0; i < graph->nodes.count; i++)
        add_node(text, graph, i);
    for (size_t i = 0; i < graph->edges.count; i++)
        add_edge(text, graph, &graph->edges.items[i]);
    rh_text_add(text, "}\n");
}
