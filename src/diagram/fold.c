// SPDX-License-Identifier: MIT
#include "diagram/fold.h"

#include <stdlib.h>
#include <string.h>

// --- Numbers of nodes. ---

static bool is_number(const struct rh_expression *expression)
{
    return expression && expression->kind == RH_EXPRESSION_NUMBER;
}

static void add_number(struct rh_numbers *numbers, const struct rh_expression *expression)
{
    if (!expression)
        return;
    if (is_number(expression))
        *rh_vector_push(numbers) = expression->number;
    add_number(numbers, expression->left);
    add_number(numbers, expression->right);
}

void rh_node_numbers(const struct rh_node *node, struct rh_numbers *numbers)
{
    add_number(numbers, node->from.index);
    add_number(numbers, node->to.index);
    add_number(numbers, node->first);
    add_number(numbers, node->last);
    for (size_t i = 0; i < node->argument_count; i++)
        add_number(numbers, node->arguments[i]);
    for (size_t i = 0; i < node->count; i++)
        rh_node_numbers(node->parts[i], numbers);
}

static bool is_alike(const struct rh_expression *one, const struct rh_expression *other)
{
    if (!one || !other || one->kind != other->kind)
        return one == other;
    if (is_number(one) || one->kind == RH_EXPRESSION_VARIABLE)
        return is_number(one) || !strcmp(one->variable, other->variable);
    return is_alike(one->left, other->left) && is_alike(one->right, other->right);
}

static bool same_text(const char *one, const char *other)
{
    return one && other ? !strcmp(one, other) : one == other;
}

static bool is_call_alike(const struct rh_node *one, const struct rh_node *other)
{
    bool is_same = one->argument_count == other->argument_count &&
                   (!one->definition || !strcmp(one->definition->name, other->definition->name));
    for (size_t i = 0; i < one->argument_count && is_same; i++)
        is_same = is_alike(one->arguments[i], other->arguments[i]);
    return is_same;
}

bool rh_node_is_alike(const struct rh_node *one, const struct rh_node *other)
{
    bool is_same =
        one->kind == other->kind && one->count == other->count && one->sending == other->sending &&
        one->is_lost == other->is_lost && one->is_weak == other->is_weak &&
        one->is_parallel == other->is_parallel && same_text(one->type, other->type) &&
        same_text(one->variable, other->variable) && same_text(one->class, other->class) &&
        same_text(one->from.class, other->from.class) &&
        same_text(one->to.class, other->to.class) && is_alike(one->from.index, other->from.index) &&
        is_alike(one->to.index, other->to.index) && is_alike(one->first, other->first) &&
        is_alike(one->last, other->last) && is_call_alike(one, other);
    for (size_t i = 0; i < one->count && is_same; i++)
        is_same = rh_node_is_alike(one->parts[i], other->parts[i]);
    return is_same;
}

static const struct rh_expression *next_of(struct rh_arena *arena,
                                           const struct rh_expression *expression,
                                           const struct rh_expression *const **numbers)
{
    if (!expression || expression->kind == RH_EXPRESSION_VARIABLE)
        return expression;
    if (is_number(expression))
        return *(*numbers)++;
    const struct rh_expression *left = next_of(arena, expression->left, numbers);
    return rh_expression_make(arena, expression->kind, left,
                              next_of(arena, expression->right, numbers));
}

static const struct rh_node *replace(struct rh_arena *arena, const struct rh_node *node,
                                     const struct rh_expression *const **numbers)
{
    struct rh_node *copy = rh_arena_take(arena, sizeof *copy);
    *copy = *node;
    copy->from.index = next_of(arena, node->from.index, numbers);
    copy->to.index = next_of(arena, node->to.index, numbers);
    copy->first = next_of(arena, node->first, numbers);
    copy->last = next_of(arena, node->last, numbers);
    copy->arguments = rh_arena_take(arena, node->argument_count * sizeof *copy->arguments + 1);
    for (size_t i = 0; i < node->argument_count; i++)
        copy->arguments[i] = next_of(arena, node->arguments[i], numbers);
    copy->parts = rh_arena_take(arena, node->count * sizeof *copy->parts + 1);
    for (size_t i = 0; i < node->count; i++)
        copy->parts[i] = replace(arena, node->parts[i], numbers);
    return copy;
}

const struct rh_node *rh_node_with(struct rh_arena *arena, const struct rh_node *node,
                                   const struct rh_expression *const *numbers)
{
    return replace(arena, node, &numbers);
}

// --- Families. ---

// Nodes that are alike, with the numbers of each.
struct row {
    const struct rh_node *node;
    struct rh_numbers numbers;
};
struct rows {
    struct row *items;
    size_t count, capacity;
};

static void rows_fini(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        rh_vector_fini(&rows->items[i].numbers);
    rh_vector_fini(rows);
}

static void add_row(struct rows *rows, const struct rh_node *node)
{
    struct row *row = rh_vector_push(rows);
    row->node = node;
    rh_node_numbers(node, &row->numbers);
}

// By how much a number goes up from row to row; false if not by the same each time.
static bool slope_of(const struct rows *rows, size_t column, int64_t *slope)
{
    *slope = rows->items[1].numbers.items[column] - rows->items[0].numbers.items[column];
    for (size_t i = 1; i + 1 < rows->count; i++)
        if (rows->items[i + 1].numbers.items[column] - rows->items[i].numbers.items[column] !=
            *slope)
            return false;
    return true;
}

// Names of indexes, by how deep they are.
static const char *const variables[] = {"i", "j", "k", "l", "m", "n"};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

static int depth_of(const struct rh_node *node)
{
    int depth = 0;
    for (size_t i = 0; i < node->count; i++) {
        int own = depth_of(node->parts[i]);
        depth = own > depth ? own : depth;
    }
    return depth + (node->kind == RH_NODE_ALL || node->kind == RH_NODE_EACH);
}

// slope * i + constant, where i is `first` in the first row.
static const struct rh_expression *line_of(struct rh_arena *arena, const char *variable,
                                           int64_t slope, int64_t value, int64_t first)
{
    if (slope == 0)
        return rh_expression_number(arena, value);
    int64_t constant = value - slope * first;
    const struct rh_expression *product =
        rh_expression_make(arena, RH_EXPRESSION_MULTIPLY, rh_expression_number(arena, slope),
                           rh_expression_variable(arena, variable));
    enum rh_expression_kind kind = constant < 0 ? RH_EXPRESSION_SUBTRACT : RH_EXPRESSION_ADD;
    return rh_expression_make(arena, kind, product,
                              rh_expression_number(arena, constant < 0 ? -constant : constant));
}

// The index of a family begins where the first number begins that goes up by one.
static bool find_first(const struct rows *rows, int64_t *first, bool *is_equal)
{
    *first = 1;
    *is_equal = true;
    bool is_found = false;
    for (size_t i = 0; i < rows->items[0].numbers.count; i++) {
        int64_t slope;
        if (!slope_of(rows, i, &slope))
            return false;
        *is_equal &= slope == 0;
        if (slope == 1 && !is_found)
            *first = rows->items[0].numbers.items[i];
        is_found |= slope == 1;
    }
    return true;
}

static struct rh_node *new_box(struct rh_arena *arena, enum rh_node_kind kind,
                               const struct rh_node *body)
{
    struct rh_node *node = rh_arena_take(arena, sizeof *node);
    node->kind = kind;
    node->parts = rh_arena_take(arena, sizeof *node->parts);
    node->parts[0] = body;
    node->count = 1;
    return node;
}

static const struct rh_node *make_family(struct rh_arena *arena, const struct rows *rows,
                                         enum rh_node_kind kind, bool is_weak, int64_t first)
{
    int depth = depth_of(rows->items[0].node);
    const char *variable = variables[depth < VARIABLES ? depth : VARIABLES - 1];
    size_t count = rows->items[0].numbers.count;
    const struct rh_expression **numbers = rh_alloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        int64_t slope;
        slope_of(rows, i, &slope);
        numbers[i] = line_of(arena, variable, slope, rows->items[0].numbers.items[i], first);
    }
    struct rh_node *node = new_box(arena, kind, rh_node_with(arena, rows->items[0].node, numbers));
    free(numbers);
    node->variable = variable;
    node->is_weak = is_weak;
    node->first = rh_expression_number(arena, first);
    node->last = rh_expression_number(arena, first + (int64_t)rows->count - 1);
    return node;
}

static const struct rh_node *make_loop(struct rh_arena *arena, const struct rh_node *body,
                                       size_t count, bool is_weak)
{
    struct rh_node *node = new_box(arena, RH_NODE_LOOP, body);
    node->first = node->last = rh_expression_number(arena, (int64_t)count);
    node->is_weak = is_weak;
    return node;
}

// --- Sequences. ---

static const struct rh_node *block_of(struct rh_arena *arena, const struct rh_node *list,
                                      size_t first, size_t length)
{
    return rh_node_join(arena, list->kind, list->parts + first, length);
}

// How many blocks of `length` from `first` on are the same, or go up by the same from one to the
// next. Two of which some number goes up are no series.
static struct rows find_rows(struct rh_arena *arena, const struct rh_node *list, size_t first,
                             size_t length, bool is_equal)
{
    struct rows rows = {0};
    for (size_t at = first; at + length <= list->count; at += length) {
        const struct rh_node *block = block_of(arena, list, at, length);
        if (rows.count > 0 && (is_equal ? !rh_node_equals(rows.items[0].node, block)
                                        : !rh_node_is_alike(rows.items[0].node, block)))
            break;
        add_row(&rows, block);
        int64_t start;
        bool same;
        if (rows.count > 2 && !find_first(&rows, &start, &same)) {
            rows.count--;
            rh_vector_fini(&rows.items[rows.count].numbers);
            break;
        }
    }
    return rows;
}

// A fold of a list: `count` blocks of `length` from `first` on become `box`.
struct folding {
    size_t first, length, count;
    const struct rh_node *box; // NULL: none
};

static const struct rh_node *box_of(struct rh_arena *arena, const struct rh_node *list,
                                    const struct rows *rows)
{
    int64_t first;
    bool is_equal, is_weak = list->kind == RH_NODE_WEAK;
    if (rows->count < 2 || !find_first(rows, &first, &is_equal))
        return NULL;
    if (is_equal)
        return make_loop(arena, rh_fold(arena, rows->items[0].node), rows->count, is_weak);
    return rows->count > 2 ? make_family(arena, rows, RH_NODE_EACH, is_weak, first) : NULL;
}

// Looks for the fold that takes the most away; equal blocks before series, short before long ones.
static struct folding find_folding(struct rh_arena *arena, const struct rh_node *list)
{
    struct folding best = {0};
    for (int series = 0; series < 2 && !best.box; series++)
        for (size_t length = 1; length <= list->count / 2; length++)
            for (size_t first = 0; first + 2 * length <= list->count; first++) {
                struct rows rows = find_rows(arena, list, first, length, !series);
                size_t saved = rows.count ? (rows.count - 1) * length : 0;
                if (rows.count > 1 && saved > (best.count ? (best.count - 1) * best.length : 0)) {
                    const struct rh_node *box = box_of(arena, list, &rows);
                    if (box)
                        best = (struct folding){first, length, rows.count, box};
                }
                rows_fini(&rows);
            }
    return best;
}

static const struct rh_node *fold_sequence(struct rh_arena *arena, const struct rh_node *list)
{
    enum rh_node_kind kind = list->kind;
    for (;;) {
        struct folding folding = find_folding(arena, list);
        if (!folding.box)
            return list;
        struct rh_nodes nodes = {0};
        for (size_t i = 0; i < folding.first; i++)
            *rh_vector_push(&nodes) = list->parts[i];
        *rh_vector_push(&nodes) = folding.box;
        for (size_t i = folding.first + folding.count * folding.length; i < list->count; i++)
            *rh_vector_push(&nodes) = list->parts[i];
        list = rh_node_join(arena, kind, nodes.items, nodes.count);
        rh_vector_fini(&nodes);
        if (list->kind != kind)
            return list;
    }
}

// --- Parallels. ---

static int compare_rows(const void *one, const void *other)
{
    const struct rh_numbers *left = &((const struct row *)one)->numbers;
    const struct rh_numbers *right = &((const struct row *)other)->numbers;
    for (size_t i = 0; i < left->count; i++)
        if (left->items[i] != right->items[i])
            return left->items[i] < right->items[i] ? -1 : 1;
    return 0;
}

// The family of the rows. Those that are all equal have an index that nobody uses.
static const struct rh_node *family_of(struct rh_arena *arena, struct rows *rows)
{
    int64_t first;
    bool is_equal;
    if (rows->count < 2)
        return NULL;
    qsort(rows->items, rows->count, sizeof *rows->items, compare_rows);
    return find_first(rows, &first, &is_equal) ? make_family(arena, rows, RH_NODE_ALL, false, first)
                                               : NULL;
}

static const struct rh_node *fold_parallel(struct rh_arena *arena, const struct rh_node *list)
{
    struct rh_nodes nodes = {0};
    bool *is_taken = rh_alloc(list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        if (is_taken[i])
            continue;
        struct rows rows = {0};
        for (size_t k = i; k < list->count; k++)
            if (!is_taken[k] && rh_node_is_alike(list->parts[i], list->parts[k]))
                add_row(&rows, list->parts[k]);
        const struct rh_node *family = family_of(arena, &rows);
        for (size_t k = i; k < list->count && family; k++)
            is_taken[k] |= rh_node_is_alike(list->parts[i], list->parts[k]);
        *rh_vector_push(&nodes) = family ? family : list->parts[i];
        rows_fini(&rows);
    }
    free(is_taken);
    const struct rh_node *node = rh_node_join(arena, RH_NODE_PARALLEL, nodes.items, nodes.count);
    rh_vector_fini(&nodes);
    return node;
}

const struct rh_node *rh_fold(struct rh_arena *arena, const struct rh_node *node)
{
    if (node->count == 0)
        return node;
    struct rh_node *copy = rh_arena_take(arena, sizeof *copy);
    *copy = *node;
    copy->parts = rh_arena_take(arena, node->count * sizeof *copy->parts);
    for (size_t i = 0; i < node->count; i++)
        copy->parts[i] = rh_fold(arena, node->parts[i]);
    if (node->kind == RH_NODE_SEQUENCE || node->kind == RH_NODE_WEAK)
        return fold_sequence(arena, copy);
    return node->kind == RH_NODE_PARALLEL ? fold_parallel(arena, copy) : copy;
}

// --- Choices. ---

// The first part of a sequence, and what follows it.
static const struct rh_node *head_of(struct rh_arena *arena, const struct rh_node *node,
                                     enum rh_node_kind kind, const struct rh_node **rest)
{
    bool is_list = node->kind == kind;
    *rest =
        is_list ? rh_node_join(arena, kind, node->parts + 1, node->count - 1) : rh_node_skip(arena);
    return is_list ? node->parts[0] : node;
}

static const struct rh_node *choose(struct rh_arena *arena, const struct rh_node *const *ways,
                                    size_t count)
{
    struct rh_nodes nodes = {0};
    for (size_t i = 0; i < count; i++) {
        bool is_known = false;
        for (size_t k = 0; k < nodes.count; k++)
            is_known |= rh_node_equals(nodes.items[k], ways[i]);
        if (!is_known)
            *rh_vector_push(&nodes) = ways[i];
    }
    const struct rh_node *node = rh_node_join(arena, RH_NODE_CHOICE, nodes.items, nodes.count);
    rh_vector_fini(&nodes);
    return node;
}

// Ways that begin alike are put together behind what they begin with.
static const struct rh_node *factor(struct rh_arena *arena, const struct rh_node *const *ways,
                                    size_t count)
{
    struct rh_nodes nodes = {0}, rests = {0};
    bool *is_taken = rh_alloc(count + 1);
    for (size_t i = 0; i < count; i++) {
        if (is_taken[i])
            continue;
        const struct rh_node *rest, *head = head_of(arena, ways[i], RH_NODE_SEQUENCE, &rest);
        rests.count = 0;
        for (size_t k = i; k < count; k++) {
            const struct rh_node *own = head_of(arena, ways[k], RH_NODE_SEQUENCE, &rest);
            if (is_taken[k] || !rh_node_equals(head, own))
                continue;
            is_taken[k] = true;
            *rh_vector_push(&rests) = rest;
        }
        rh_assert(rests.count > 0);
        const struct rh_node *tail =
            rests.count > 1 ? rh_fold_choice(arena, rests.items, rests.count) : rests.items[0];
        const struct rh_node *const parts[] = {head, tail};
        *rh_vector_push(&nodes) = rh_node_join(arena, RH_NODE_SEQUENCE, parts, 2);
    }
    const struct rh_node *node = choose(arena, nodes.items, nodes.count);
    rh_vector_fini(&nodes);
    rh_vector_fini(&rests);
    free(is_taken);
    return node;
}

const struct rh_node *rh_fold_choice(struct rh_arena *arena, const struct rh_node *const *ways,
                                     size_t count)
{
    rh_assert(ways && count > 0);
    if (count == 1)
        return ways[0];
    bool are_equal = true;
    for (size_t i = 1; i < count; i++)
        are_equal &= rh_node_equals(ways[0], ways[i]);
    return are_equal ? ways[0] : factor(arena, ways, count);
}

static bool are_lists_alike(const struct rh_nodes *nodes)
{
    const struct rh_node *first = nodes->items[0];
    bool are_lists = first->kind == RH_NODE_SEQUENCE || first->kind == RH_NODE_WEAK ||
                     first->kind == RH_NODE_PARALLEL;
    for (size_t i = 1; i < nodes->count && are_lists; i++)
        are_lists = nodes->items[i]->kind == first->kind && nodes->items[i]->count == first->count;
    return are_lists;
}

// Of two ways it is clear what they differ in; more may come from several choices together.
const struct rh_node *rh_fold_ways(struct rh_arena *arena, const struct rh_node *const *ways,
                                   size_t count)
{
    struct rh_nodes nodes = {0}, parts = {0};
    for (size_t i = 0; i < count; i++) {
        bool is_known = false;
        for (size_t k = 0; k < nodes.count && !is_known; k++)
            is_known = rh_node_equals(nodes.items[k], ways[i]);
        if (!is_known)
            *rh_vector_push(&nodes) = ways[i];
    }
    const struct rh_node *node;
    if (nodes.count <= 2 || !are_lists_alike(&nodes)) {
        node = rh_fold_choice(arena, nodes.items, nodes.count);
    } else {
        const struct rh_node **column = rh_alloc((nodes.count + 1) * sizeof *column);
        for (size_t k = 0; k < nodes.items[0]->count; k++) {
            for (size_t i = 0; i < nodes.count; i++)
                column[i] = nodes.items[i]->parts[k];
            *rh_vector_push(&parts) = rh_fold_ways(arena, column, nodes.count);
        }
        node = rh_node_join(arena, nodes.items[0]->kind, parts.items, parts.count);
        free(column);
    }
    rh_vector_fini(&nodes);
    rh_vector_fini(&parts);
    return node;
}
