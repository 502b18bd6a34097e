// SPDX-License-Identifier: MIT
// Prints diagrams so that they can be read again.
#include "diagram/diagram.h"
#include "diagram/part.h"

enum { INDENT = 4, WIDTH = 90 };

const char *rh_sending_word(enum rh_journal_kind kind)
{
    static const char *const words[] = {[RH_JOURNAL_PLAIN] = "->",
                                        [RH_JOURNAL_ASK] = "asks",
                                        [RH_JOURNAL_ANSWER] = "answers",
                                        [RH_JOURNAL_TIMER] = "sets"};
    return words[kind];
}

void rh_party_print(struct rh_text *text, const struct rh_party *party)
{
    rh_text_add(text, party->class);
    if (!party->index)
        return;
    rh_text_add(text, "[");
    rh_expression_print(text, party->index, false);
    rh_text_add(text, "]");
}

static void print_arrow(struct rh_text *text, const struct rh_node *node)
{
    rh_party_print(text, &node->from);
    rh_text_addf(text, " %s ", node->is_lost ? "loses" : rh_sending_word(node->sending));
    rh_party_print(text, &node->to);
    rh_text_addf(text, ": %s", node->type);
}

static const char *sign_of(enum rh_node_kind kind)
{
    return kind == RH_NODE_SEQUENCE   ? " ;"
           : kind == RH_NODE_WEAK     ? " ~"
           : kind == RH_NODE_PARALLEL ? " |"
                                      : " (+)";
}

static bool is_list(const struct rh_node *node)
{
    return node->kind >= RH_NODE_SEQUENCE && node->kind <= RH_NODE_CHOICE;
}

// Whether a part needs parentheses: all that is no tighter than the list it is in. `;` and `~` are
// equally tight, so that each needs them in the other.
static bool needs_parentheses(const struct rh_node *list, const struct rh_node *part)
{
    bool is_sequence = list->kind == RH_NODE_SEQUENCE || list->kind == RH_NODE_WEAK;
    return is_list(part) && (is_sequence || part->kind >= list->kind);
}

static void print_node(struct rh_text *text, const struct rh_node *node, int depth);

static void new_line(struct rh_text *text, int depth)
{
    if (depth < 0)
        rh_text_add(text, " ");
    else
        rh_text_addf(text, "\n%*s", depth * INDENT, "");
}

static int deeper(int depth)
{
    return depth < 0 ? depth : depth + 1;
}

static void print_list(struct rh_text *text, const struct rh_node *node, int depth)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct rh_node *part = node->parts[i];
        bool is_inner = needs_parentheses(node, part);
        rh_text_add(text, is_inner ? "( " : "");
        print_node(text, part, is_inner ? deeper(depth) : depth);
        rh_text_add(text, is_inner ? " )" : "");
        if (i + 1 < node->count) {
            rh_text_add(text, sign_of(node->kind));
            new_line(text, depth);
        }
    }
}

static void print_bound(struct rh_text *text, const struct rh_node *node)
{
    bool is_exact = node->last && rh_expression_equals(node->first, node->last);
    bool is_any = !node->last && node->first->kind == RH_EXPRESSION_NUMBER && !node->first->number;
    if (!is_any)
        rh_expression_print(text, node->first, true);
    if (is_exact)
        return;
    rh_text_add(text, is_any ? "" : "..");
    if (node->last)
        rh_expression_print(text, node->last, true);
    else
        rh_text_add(text, "*");
}

static void print_block(struct rh_text *text, const struct rh_node *node, int depth,
                        const char *begin, const char *end)
{
    rh_text_add(text, begin);
    new_line(text, deeper(depth));
    print_node(text, node->parts[0], deeper(depth));
    new_line(text, depth);
    rh_text_add(text, end);
}

static void print_family(struct rh_text *text, const struct rh_node *node, int depth)
{
    rh_text_addf(text, "%s%s %s in ", node->kind == RH_NODE_ALL ? "all" : "for",
                 node->is_weak ? "~" : "", node->variable);
    rh_expression_print(text, node->first, true);
    rh_text_add(text, "..");
    rh_expression_print(text, node->last, true);
    print_block(text, node, depth, " {", "}");
}

static void print_call(struct rh_text *text, const struct rh_node *node)
{
    rh_text_add(text, node->definition->name);
    for (size_t i = 0; i < node->argument_count; i++) {
        rh_text_add(text, i ? ", " : "(");
        rh_expression_print(text, node->arguments[i], false);
    }
    rh_text_add(text, node->argument_count ? ")" : "");
}

static void print_whole(struct rh_text *text, const struct rh_node *node, int depth)
{
    switch (node->kind) {
    case RH_NODE_SKIP:
        rh_text_add(text, "skip");
        return;
    case RH_NODE_ARROW:
        print_arrow(text, node);
        return;
    case RH_NODE_CALL:
        print_call(text, node);
        return;
    case RH_NODE_LOOP:
        print_block(text, node, depth, "[", "]");
        rh_text_add(text, node->is_weak ? "~" : node->is_parallel ? "|" : "^");
        print_bound(text, node);
        return;
    case RH_NODE_ALL:
    case RH_NODE_EACH:
        print_family(text, node, depth);
        return;
    case RH_NODE_SOME:
        rh_text_addf(text, "some %s in %s", node->variable, node->class);
        print_block(text, node, depth, " {", "}");
        return;
    default:
        print_list(text, node, depth);
    }
}

// What is short stands in one line.
static void print_node(struct rh_text *text, const struct rh_node *node, int depth)
{
    struct rh_text line = {0};
    print_whole(&line, node, -1);
    if (depth < 0 || (line.length + (size_t)depth * INDENT <= WIDTH && depth > 1))
        rh_text_add(text, rh_text_get(&line));
    else
        print_whole(text, node, depth);
    rh_text_fini(&line);
}

void rh_node_print(struct rh_text *text, const struct rh_node *node)
{
    print_node(text, node, -1);
}

static void print_definition(struct rh_text *text, const struct rh_definition *definition)
{
    rh_text_addf(text, "def %s", definition->name);
    for (size_t i = 0; i < definition->count; i++)
        rh_text_addf(text, "%s%s", i ? ", " : "(", definition->parameters[i]);
    rh_text_add(text, definition->count ? ") =" : " =");
    new_line(text, 1);
    print_node(text, definition->body, 1);
    rh_text_add(text, "\n");
}

void rh_diagram_print(const struct rh_diagram *diagram, struct rh_text *text)
{
    for (size_t i = 0; i < diagram->range_count; i++) {
        const struct rh_range *range = &diagram->ranges[i];
        rh_text_addf(text, "vary %s = %lld..%lld\n", range->variable, (long long)range->first,
                     (long long)range->last);
    }
    struct rh_definitions definitions = {0};
    rh_definitions_add(&definitions, diagram->body);
    for (size_t i = 0; i < definitions.count; i++)
        print_definition(text, definitions.items[i]);
    rh_vector_fini(&definitions);
    rh_text_addf(text, "%s %s =", diagram->is_sketch ? "sketch" : "diagram", diagram->name);
    new_line(text, 1);
    print_node(text, diagram->body, 1);
    rh_text_add(text, "\n");
}
