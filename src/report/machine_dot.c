// SPDX-License-Identifier: MIT
#include <string.h>

#include "report/machine.h"

// A step stands in two lines: what is received, and what is sent.
static void add_label(struct rh_text *text, const char *label)
{
    const char *slash = strstr(label, " / ");
    if (!slash) {
        rh_text_add(text, label);
        return;
    }
    rh_text_add_bytes(text, label, (size_t)(slash - label));
    rh_text_addf(text, "%s/ %s", slash > label ? "\\n" : "", slash + strlen(" / "));
}

void rh_report_machine_dot(struct rh_text *text, const struct rh_machine *machine,
                           const char *actor)
{
    rh_text_addf(text,
                 "digraph \"%s\" {\n    rankdir=LR;\n    node [shape=circle, label=\"\"];\n"
                 "    start [shape=none, label=\"%s\"];\n    start -> s0;\n",
                 actor, actor);
    for (size_t i = 0; i < machine->ends.count; i++)
        rh_text_addf(text, "    s%zu%s;\n", i,
                     machine->ends.items[i] ? " [shape=doublecircle]" : "");
    for (size_t i = 0; i < machine->edges.count; i++) {
        const struct rh_machine_edge *edge = &machine->edges.items[i];
        rh_text_addf(text, "    s%u -> s%u [label=\"", edge->from, edge->to);
        add_label(text, machine->labels.items[edge->label]);
        rh_text_add(text, "\"];\n");
    }
    rh_text_add(text, "}\n");
}
