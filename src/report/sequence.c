// SPDX-License-Identifier: MIT
#include "report/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/none.h"
#include "diagram/part.h"

// How many actors of one class have lifelines of their own, and how much of a list that is cut is
// shown.
enum { MEMBERS_MOST = 6, PARTS_SHOWN = 12, DEPTH_SHOWN = 3, DEPTH_MOST = 40 };

// An actor as the diagram names it.
struct member {
    const char *class, *index; // "" without index
    bool is_number;
    uint32_t lifeline;
    bool is_crowded; // its lifeline is that of the whole class: arrows say which actor is meant
};

struct maker {
    struct rh_sequence *sequence;
    struct rh_arena *arena;
    struct rh_definitions definitions; // parts are drawn once, below the whole
    RH_VECTOR(struct member) members;
    size_t depth_most, parts_most; // of what is shown
};

static const char *keep(struct maker *maker, struct rh_text *text)
{
    const char *kept = rh_arena_text(maker->arena, rh_text_get(text), text->length);
    rh_text_fini(text);
    return kept;
}

static const char *expression_text(struct maker *maker, const struct rh_expression *expression)
{
    struct rh_text text = {0};
    if (expression)
        rh_expression_print(&text, expression, false);
    return keep(maker, &text);
}

// --- Lifelines. ---

static struct member *find_member(struct maker *maker, const struct rh_party *party)
{
    const char *index = expression_text(maker, party->index);
    for (size_t i = 0; i < maker->members.count; i++)
        if (!strcmp(maker->members.items[i].class, party->class) &&
            !strcmp(maker->members.items[i].index, index))
            return &maker->members.items[i];
    struct member *member = rh_vector_push(&maker->members);
    *member =
        (struct member){.class = party->class,
                        .index = index,
                        .is_number = !party->index || party->index->kind == RH_EXPRESSION_NUMBER,
                        .lifeline = RH_NONE};
    return member;
}

static void find_members(struct maker *maker, const struct rh_node *node)
{
    if (node->kind == RH_NODE_ARROW) {
        find_member(maker, &node->from);
        find_member(maker, &node->to);
    }
    for (size_t i = 0; i < node->count; i++)
        find_members(maker, node->parts[i]);
}

// Whether the actors of the class share a lifeline: it is not clear that they are different ones,
// or there are too many.
static bool is_crowd(const struct maker *maker, const char *class)
{
    size_t count = 0;
    bool all_numbers = true;
    for (size_t i = 0; i < maker->members.count; i++)
        if (!strcmp(maker->members.items[i].class, class)) {
            count++;
            all_numbers &= maker->members.items[i].is_number;
        }
    return count > 1 && (!all_numbers || count > MEMBERS_MOST);
}

static uint32_t add_lifeline(struct maker *maker, const struct member *member)
{
    struct rh_text name = {0};
    rh_text_add(&name, member->class);
    if (member->is_crowded)
        rh_text_add(&name, "[..]");
    else if (*member->index)
        rh_text_addf(&name, "[%s]", member->index);
    *rh_vector_push(&maker->sequence->lifelines) = keep(maker, &name);
    return (uint32_t)maker->sequence->lifelines.count - 1;
}

static void add_lifelines(struct maker *maker)
{
    for (size_t i = 0; i < maker->members.count; i++) {
        struct member *member = &maker->members.items[i];
        member->is_crowded = is_crowd(maker, member->class);
        for (size_t k = 0; k < i && member->is_crowded; k++)
            if (!strcmp(maker->members.items[k].class, member->class))
                member->lifeline = maker->members.items[k].lifeline;
        if (member->lifeline == RH_NONE)
            member->lifeline = add_lifeline(maker, member);
    }
}

// --- Rows. ---

static struct rh_sequence_row *add_row(struct maker *maker, enum rh_sequence_kind kind,
                                       enum rh_box box, const char *text)
{
    struct rh_sequence_row *row = rh_vector_push(&maker->sequence->rows);
    *row = (struct rh_sequence_row){.kind = kind, .box = box, .text = text};
    return row;
}

// Says which actors of crowds are meant.
static void add_indexes(struct rh_text *text, const struct member *from, const struct member *to)
{
    if (from->is_crowded && to->is_crowded)
        rh_text_addf(text, " (%s to %s)", from->index, to->index);
    else if (from->is_crowded)
        rh_text_addf(text, " (from %s)", from->index);
    else if (to->is_crowded)
        rh_text_addf(text, " (to %s)", to->index);
}

static void add_arrow(struct maker *maker, const struct rh_node *node)
{
    struct member from = *find_member(maker, &node->from), to = *find_member(maker, &node->to);
    struct rh_text text = {0};
    if (node->sending == RH_JOURNAL_ASK || node->sending == RH_JOURNAL_TIMER)
        rh_text_addf(&text, "%s ", rh_sending_word(node->sending));
    rh_text_add(&text, node->type);
    add_indexes(&text, &from, &to);
    rh_text_add(&text, node->is_lost ? ", never received" : "");
    struct rh_sequence_row *row = add_row(maker, RH_SEQUENCE_ARROW, 0, keep(maker, &text));
    row->from = from.lifeline;
    row->to = to.lifeline;
    row->is_answer = node->sending == RH_JOURNAL_ANSWER;
    row->is_lost = node->is_lost;
}

// What a name stands for is drawn in its own box: "as in leaving(2)".
static void cover(struct maker *maker, struct rh_sequence_row *row, const struct rh_node *node);

static void add_call(struct maker *maker, const struct rh_node *node)
{
    struct rh_text text = {0};
    rh_text_add(&text, "as in ");
    rh_node_print(&text, node);
    struct rh_sequence_row *row = add_row(maker, RH_SEQUENCE_FOLDED, 0, keep(maker, &text));
    row->from = RH_NONE;
    cover(maker, row, node->definition->body);
    if (row->from == RH_NONE)
        row->from = 0;
}

static size_t count_arrows(const struct rh_node *node)
{
    size_t count = node->kind == RH_NODE_ARROW;
    for (size_t i = 0; i < node->count; i++)
        count += count_arrows(node->parts[i]);
    return count;
}

// Widens the row to all lifelines that the node has to do with.
static void cover(struct maker *maker, struct rh_sequence_row *row, const struct rh_node *node)
{
    for (int i = 0; i < 2 && node->kind == RH_NODE_ARROW; i++) {
        uint32_t lifeline = find_member(maker, i ? &node->to : &node->from)->lifeline;
        row->from = lifeline < row->from ? lifeline : row->from;
        row->to = lifeline > row->to ? lifeline : row->to;
    }
    for (size_t i = 0; i < node->count; i++)
        cover(maker, row, node->parts[i]);
}

static void add_folded(struct maker *maker, const struct rh_node *const *nodes, size_t count)
{
    struct rh_text text = {0};
    size_t arrows = 0;
    for (size_t i = 0; i < count; i++)
        arrows += count_arrows(nodes[i]);
    rh_text_addf(&text, "... %zu more arrow%s", arrows, arrows == 1 ? "" : "s");
    struct rh_sequence_row *row = add_row(maker, RH_SEQUENCE_FOLDED, 0, keep(maker, &text));
    row->from = RH_NONE;
    for (size_t i = 0; i < count; i++)
        cover(maker, row, nodes[i]);
    if (row->from == RH_NONE)
        row->from = 0;
}

static enum rh_box box_of(const struct rh_node *node)
{
    switch (node->kind) {
    case RH_NODE_PARALLEL:
    case RH_NODE_ALL:
        return RH_BOX_ANY_ORDER;
    case RH_NODE_CHOICE:
        return RH_BOX_CHOICE;
    case RH_NODE_LOOP:
    case RH_NODE_EACH:
        return RH_BOX_LOOP;
    default:
        return RH_BOX_GROUP;
    }
}

static void add_times(struct maker *maker, struct rh_text *text, const struct rh_node *node)
{
    const char *first = expression_text(maker, node->first);
    const char *last = expression_text(maker, node->last);
    if (!node->last)
        rh_text_addf(text,
                     !strcmp(first, "0")   ? "any number of times"
                     : !strcmp(first, "1") ? "once or more"
                                           : "%s times or more",
                     first);
    else if (!strcmp(first, last))
        rh_text_addf(text, "%s %s", first, !strcmp(first, "1") ? "time" : "times");
    else
        rh_text_addf(text, "%s to %s times", first, last);
}

static const char *box_text(struct maker *maker, const struct rh_node *node)
{
    struct rh_text text = {0};
    switch (node->kind) {
    case RH_NODE_PARALLEL:
        rh_text_add(&text, "in any order");
        break;
    case RH_NODE_CHOICE:
        rh_text_add(&text, "one of these");
        break;
    case RH_NODE_WEAK:
        rh_text_add(&text, "in this order for each actor");
        break;
    case RH_NODE_LOOP:
        add_times(maker, &text, node);
        break;
    case RH_NODE_SOME:
        rh_text_addf(&text, "for some %s: %s", node->class, node->variable);
        break;
    default:
        rh_text_addf(&text, "%s %s in %s..%s", node->kind == RH_NODE_ALL ? "all" : "for",
                     node->variable, expression_text(maker, node->first),
                     expression_text(maker, node->last));
    }
    rh_text_add(&text, node->is_weak ? ", overlapping" : node->is_parallel ? ", side by side" : "");
    return keep(maker, &text);
}

static void add_node(struct maker *maker, const struct rh_node *node, size_t depth);

// Parts with or without dividers between them.
static void add_parts(struct maker *maker, const struct rh_node *node, size_t depth, bool divides)
{
    size_t shown = node->count > maker->parts_most ? maker->parts_most : node->count;
    for (size_t i = 0; i < shown; i++) {
        if (i && divides)
            add_row(maker, RH_SEQUENCE_DIVIDE, box_of(node), "");
        add_node(maker, node->parts[i], depth);
    }
    if (shown < node->count)
        add_folded(maker, node->parts + shown, node->count - shown);
}

static const struct rh_node *what_may_be(const struct rh_node *node)
{
    if (node->kind != RH_NODE_CHOICE || node->count != 2)
        return NULL;
    return node->parts[0]->kind == RH_NODE_SKIP   ? node->parts[1]
           : node->parts[1]->kind == RH_NODE_SKIP ? node->parts[0]
                                                  : NULL;
}

static void add_box(struct maker *maker, const struct rh_node *node, size_t depth)
{
    const struct rh_node *maybe = what_may_be(node);
    enum rh_box box = maybe ? RH_BOX_MAYBE : box_of(node);
    const char *text = maybe ? "or not" : box_text(maker, node);
    size_t number = maker->sequence->rows.count;
    add_row(maker, RH_SEQUENCE_BEGIN, box, text)->from = RH_NONE;
    if (maybe)
        add_node(maker, maybe, depth + 1);
    else
        add_parts(maker, node, depth + 1, node->kind != RH_NODE_WEAK);
    struct rh_sequence_row *row = &maker->sequence->rows.items[number];
    cover(maker, row, node);
    if (row->from == RH_NONE)
        row->from = 0;
    add_row(maker, RH_SEQUENCE_END, box, "");
}

static void add_node(struct maker *maker, const struct rh_node *node, size_t depth)
{
    if (node->kind == RH_NODE_ARROW)
        add_arrow(maker, node);
    else if (node->kind == RH_NODE_SEQUENCE)
        add_parts(maker, node, depth, false);
    else if (node->kind == RH_NODE_CALL)
        add_call(maker, node);
    else if (node->kind != RH_NODE_SKIP && depth >= maker->depth_most)
        add_folded(maker, &node, 1);
    else if (node->kind != RH_NODE_SKIP)
        add_box(maker, node, depth);
}

static void add_definition(struct maker *maker, const struct rh_definition *definition)
{
    struct rh_text text = {0};
    rh_text_add(&text, definition->name);
    for (size_t i = 0; i < definition->count; i++)
        rh_text_addf(&text, "%s%s", i ? ", " : "(", definition->parameters[i]);
    rh_text_add(&text, definition->count ? ")" : "");
    size_t number = maker->sequence->rows.count;
    add_row(maker, RH_SEQUENCE_BEGIN, RH_BOX_GROUP, keep(maker, &text))->from = RH_NONE;
    add_node(maker, definition->body, 1);
    struct rh_sequence_row *row = &maker->sequence->rows.items[number];
    cover(maker, row, definition->body);
    if (row->from == RH_NONE)
        row->from = 0;
    add_row(maker, RH_SEQUENCE_END, RH_BOX_GROUP, "");
}

static bool try_rows(struct maker *maker, const struct rh_node *node, size_t rows_most)
{
    maker->sequence->rows.count = 0;
    add_node(maker, node, 0);
    for (size_t i = 0; i < maker->definitions.count; i++)
        add_definition(maker, maker->definitions.items[i]);
    return !rows_most || maker->sequence->rows.count <= rows_most;
}

// First everything; then lists are cut, and boxes within boxes left out, the innermost first, but
// rather fewer parts of a list than parts of which nothing is seen.
static void add_rows(struct maker *maker, const struct rh_node *node, size_t rows_most)
{
    if (try_rows(maker, node, rows_most))
        return;
    for (size_t parts = PARTS_SHOWN; parts > 0; parts /= 2)
        for (size_t depth = DEPTH_MOST; depth > (parts > 1 ? DEPTH_SHOWN : 0); depth--) {
            maker->parts_most = parts;
            maker->depth_most = depth;
            if (try_rows(maker, node, rows_most))
                return;
        }
}

void rh_sequence_init(struct rh_sequence *sequence, struct rh_arena *arena,
                      const struct rh_diagram *diagram, size_t rows_most)
{
    *sequence = (struct rh_sequence){0};
    struct maker maker = {
        .sequence = sequence, .arena = arena, .depth_most = SIZE_MAX, .parts_most = SIZE_MAX};
    rh_definitions_add(&maker.definitions, diagram->body);
    find_members(&maker, diagram->body);
    for (size_t i = 0; i < maker.definitions.count; i++)
        find_members(&maker, maker.definitions.items[i]->body);
    add_lifelines(&maker);
    add_rows(&maker, diagram->body, rows_most);
    rh_vector_fini(&maker.members);
    rh_vector_fini(&maker.definitions);
}

void rh_sequence_fini(struct rh_sequence *sequence)
{
    rh_vector_fini(&sequence->lifelines);
    rh_vector_fini(&sequence->rows);
}
