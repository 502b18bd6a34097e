// SPDX-License-Identifier: MIT
#include <string.h>

#include "report/graph.h"

// A string of Graphviz's language. `\n` in it starts a new line there.
static void add_quoted(struct rh_text *text, const char *string)
{
    for (; *string; string++)
        rh_text_addf(text, strchr("\"\\", *string) ? "\\%c" : "%c", *string);
}

static void add_node(struct rh_text *text, const struct rh_flow_node *node, size_t number)
{
    const char *shape = !node->function         ? "shape=box, style=dashed"
                        : node->is_receptionist ? "shape=ellipse, peripheries=2"
                                                : "shape=ellipse";
    rh_text_addf(text, "    n%zu [label=\"", number);
    add_quoted(text, node->name);
    rh_text_addf(text, "\", %s];\n", shape);
}

static void add_label(struct rh_text *text, const struct rh_flow_edge *edge,
                      const struct rh_flow_label *label)
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
    rh_text_addf(text, ":%d\\l", label->line);
    rh_text_fini(&fields);
}

static void add_edge(struct rh_text *text, const struct rh_flow_edge *edge)
{
    static const char *const styles[] = {"dashed", "dotted", "solid"};
    rh_text_addf(text, "    n%zu -> n%zu [style=%s, label=\"", edge->from, edge->to,
                 styles[edge->kind]);
    for (size_t i = 0; i < edge->labels.count; i++)
        add_label(text, edge, &edge->labels.items[i]);
    rh_text_add(text, "\"];\n");
}

void rh_report_graph_dot(struct rh_text *text, const struct rh_flow_graph *graph,
                         const char *program)
{
    rh_text_add(text, "digraph \"");
    add_quoted(text, program);
    rh_text_add(text, "\" {\n    node [fontname=\"sans-serif\"];\n"
                      "    edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (size_t i = 0; i < graph->nodes.count; i++)
        add_node(text, &graph->nodes.items[i], i);
    for (size_t i = 0; i < graph->edges.count; i++)
        add_edge(text, &graph->edges.items[i]);
    rh_text_add(text, "}\n");
}
