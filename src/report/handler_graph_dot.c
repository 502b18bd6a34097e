// SPDX-License-Identifier: MIT
#include "report/handler_graph.h"

// Names of classes and types are C's, but a title has names of files.
static void add_quoted(struct rh_text *text, const char *words)
{
    rh_text_add(text, "\"");
    for (; *words; words++) {
        if (*words == '"' || *words == '\\')
            rh_text_add(text, "\\");
        rh_text_add_bytes(text, words, 1);
    }
    rh_text_add(text, "\"");
}

static void add_node(struct rh_text *text, const struct rh_handler_node *node, size_t number)
{
    struct rh_text label = {0};
    rh_text_addf(text, "        n%zu [", number);
    switch (node->place) {
    case RH_HANDLER_ENTRY:
        rh_text_add(text, "shape=circle, style=filled, fillcolor=black, label=\"\", width=0.15");
        break;
    case RH_HANDLER_EXIT:
        rh_text_add(text, "shape=doublecircle, label=\"\", width=0.12");
        break;
    case RH_HANDLER_BRANCH:
        rh_text_add(text, "shape=diamond, label=");
        if (node->line)
            rh_text_addf(&label, "line %d", node->line);
        add_quoted(text, rh_text_get(&label));
        break;
    default:
        rh_text_add(text, "shape=box, label=");
        rh_text_add(&label, node->words);
        if (node->line)
            rh_text_addf(&label, " (%d)", node->line);
        add_quoted(text, rh_text_get(&label));
    }
    rh_text_add(text, "];\n");
    rh_text_fini(&label);
}

static void add_handler(struct rh_text *text, const struct rh_handler_graph *graph, size_t number)
{
    const struct rh_handler *handler = &graph->handlers.items[number];
    struct rh_text label = {0};
    rh_text_addf(&label, "%s%s%s", handler->class, *handler->type ? ": " : "", handler->type);
    rh_text_addf(text, "    subgraph cluster%zu {\n        label=", number);
    add_quoted(text, rh_text_get(&label));
    rh_text_add(text, ";\n");
    for (uint32_t i = 0; i < handler->count; i++)
        add_node(text, &graph->nodes.items[handler->first + i], handler->first + i);
    rh_text_add(text, "    }\n");
    rh_text_fini(&label);
}

void rh_report_handlers_dot(struct rh_text *text, const struct rh_handler_graph *graph,
                            const char *title)
{
    rh_text_add(text, "digraph ");
    add_quoted(text, title);
    rh_text_add(text, " {\n    compound=true;\n    node [fontsize=11];\n    label=");
    add_quoted(text, title);
    rh_text_add(text, ";\n");
    for (size_t i = 0; i < graph->handlers.count; i++)
        add_handler(text, graph, i);
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct rh_handler_edge *edge = &graph->edges.items[i];
        rh_text_addf(text, "    n%u -> n%u", edge->from, edge->to);
        if (edge->type) {
            rh_text_add(text, " [style=dashed, color=blue, fontsize=10, label=");
            add_quoted(text, edge->type);
            rh_text_add(text, "]");
        }
        rh_text_add(text, ";\n");
    }
    rh_text_add(text, "}\n");
}
