// SPDX-License-Identifier: MIT
// Sequence charts in the languages of Mermaid and PlantUML.
#include <string.h>

#include "report/sequence.h"

// --- Mermaid. ---

// A semicolon ends a line of Mermaid, and # begins a character by its number.
static void add_escaped(struct rh_text *text, const char *string)
{
    for (; *string; string++)
        if (strchr(";#", *string))
            rh_text_addf(text, "#%d;", *string);
        else
            rh_text_addf(text, "%c", *string);
}

static void add_mermaid_arrow(struct rh_text *text, const struct rh_sequence_row *row)
{
    const char *sign = row->is_lost ? "-x" : row->is_answer ? "-->>" : "->>";
    rh_text_addf(text, "p%u%sp%u: ", row->from, sign, row->to);
    add_escaped(text, row->text);
}

static void add_mermaid_begin(struct rh_text *text, const struct rh_sequence_row *row, int depth)
{
    static const char *const words[] = {[RH_BOX_ANY_ORDER] = "par",
                                        [RH_BOX_CHOICE] = "alt",
                                        [RH_BOX_MAYBE] = "opt",
                                        [RH_BOX_LOOP] = "loop"};
    if (row->box == RH_BOX_GROUP) {
        rh_text_addf(text, "rect rgb(240, 240, 240)\n%*sNote over p%u,p%u: ", 4 * (depth + 1), "",
                     row->from, row->to);
        add_escaped(text, row->text);
        return;
    }
    rh_text_addf(text, "%s ", words[row->box]);
    add_escaped(text, row->text);
}

static int depth_behind(const struct rh_sequence_row *row, int depth)
{
    return depth + (row->kind == RH_SEQUENCE_BEGIN);
}

static int depth_before(const struct rh_sequence_row *row, int depth)
{
    return depth - (row->kind == RH_SEQUENCE_END);
}

void rh_report_mermaid(struct rh_text *text, const struct rh_sequence *sequence, const char *title)
{
    int depth = 1;
    rh_text_addf(text, "%%%% %s\nsequenceDiagram\n", title);
    for (size_t i = 0; i < sequence->lifelines.count; i++)
        rh_text_addf(text, "    participant p%zu as %s\n", i, sequence->lifelines.items[i]);
    for (size_t i = 0; i < sequence->rows.count; i++) {
        const struct rh_sequence_row *row = &sequence->rows.items[i];
        depth = depth_before(row, depth);
        bool divides = row->kind == RH_SEQUENCE_DIVIDE;
        rh_text_addf(text, "%*s", 4 * (depth - divides), "");
        if (row->kind == RH_SEQUENCE_ARROW)
            add_mermaid_arrow(text, row);
        else if (row->kind == RH_SEQUENCE_BEGIN)
            add_mermaid_begin(text, row, depth);
        else if (row->kind == RH_SEQUENCE_FOLDED)
            rh_text_addf(text, "Note over p%u,p%u: %s", row->from, row->to, row->text);
        else if (divides)
            rh_text_add(text, row->box == RH_BOX_CHOICE ? "else or" : "and and");
        else
            rh_text_add(text, "end");
        rh_text_add(text, "\n");
        depth = depth_behind(row, depth);
    }
}

// --- PlantUML. ---

static void add_plantuml_row(struct rh_text *text, const struct rh_sequence_row *row)
{
    static const char *const words[] = {[RH_BOX_ANY_ORDER] = "par",
                                        [RH_BOX_CHOICE] = "alt",
                                        [RH_BOX_MAYBE] = "opt",
                                        [RH_BOX_LOOP] = "loop",
                                        [RH_BOX_GROUP] = "group"};
    switch (row->kind) {
    case RH_SEQUENCE_ARROW:
        rh_text_addf(text, "p%u %s p%u : %s", row->from,
                     row->is_lost     ? "->x"
                     : row->is_answer ? "-->"
                                      : "->",
                     row->to, row->text);
        return;
    case RH_SEQUENCE_BEGIN:
        rh_text_addf(text, "%s %s", words[row->box], row->text);
        return;
    case RH_SEQUENCE_DIVIDE:
        rh_text_add(text, "else");
        return;
    case RH_SEQUENCE_FOLDED:
        rh_text_addf(text, "note over p%u, p%u : %s", row->from, row->to, row->text);
        return;
    case RH_SEQUENCE_END:
        rh_text_add(text, "end");
    }
}

void rh_report_plantuml(struct rh_text *text, const struct rh_sequence *sequence, const char *title)
{
    int depth = 0;
    rh_text_addf(text, "@startuml\n' %s\n", title);
    for (size_t i = 0; i < sequence->lifelines.count; i++)
        rh_text_addf(text, "participant \"%s\" as p%zu\n", sequence->lifelines.items[i], i);
    for (size_t i = 0; i < sequence->rows.count; i++) {
        const struct rh_sequence_row *row = &sequence->rows.items[i];
        depth = depth_before(row, depth);
        rh_text_addf(text, "%*s", 4 * (depth - (row->kind == RH_SEQUENCE_DIVIDE)), "");
        add_plantuml_row(text, row);
        rh_text_add(text, "\n");
        depth = depth_behind(row, depth);
    }
    rh_text_add(text, "@enduml\n");
}
