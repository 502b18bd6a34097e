// SPDX-License-Identifier: MIT
#include "diagram/decompose.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    struct rh_arena *arena;
    const struct rh_names *names;
    const struct rh_order *order;
};

// Some of the events, in ascending order.
struct part {
    uint32_t *items;
    size_t count, capacity;
};

struct parts {
    struct part *items;
    size_t count, capacity;
};

static void parts_fini(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        rh_vector_fini(&parts->items[i]);
    rh_vector_fini(parts);
}

// --- Arrows. ---

static struct rh_party party_of(struct writer *writer, uint32_t actor)
{
    const struct rh_named_actor *named = &writer->names->actors.items[actor];
    struct rh_party party = {.class =
                                 rh_arena_text(writer->arena, named->class, strlen(named->class))};
    if (rh_names_count(writer->names, named->class) > 1)
        party.index = rh_expression_number(writer->arena, named->index);
    return party;
}

static const struct rh_node *arrow_of(struct writer *writer, uint32_t event)
{
    const struct rh_label *label = &writer->order->events.items[event].label;
    const char *type = writer->names->types.items[label->type];
    struct rh_node *node = rh_arena_take(writer->arena, sizeof *node);
    node->kind = RH_NODE_ARROW;
    node->from = party_of(writer, label->from);
    node->to = party_of(writer, label->to);
    node->type = rh_arena_text(writer->arena, type, strlen(type));
    node->sending = label->kind;
    node->is_lost = label->is_lost;
    return node;
}

// --- Which orders hold. ---

static bool is_lost(const struct rh_order *order, uint32_t event)
{
    return order->events.items[event].label.is_lost;
}

// Whether all of one message comes before all of the other.
static bool is_strongly_before(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return rh_order_has(order, 2 * (size_t)one + !is_lost(order, one), 2 * (size_t)other);
}

// Whether what one message is to an actor comes before what the other is to the same actor.
static bool is_weakly_before(const struct rh_order *order, uint32_t one, uint32_t other)
{
    const struct rh_label *first = &order->events.items[one].label;
    const struct rh_label *second = &order->events.items[other].label;
    const uint32_t actors[] = {first->from, first->to}, others[] = {second->from, second->to};
    for (size_t i = 0; i < (first->is_lost ? 1 : 2); i++)
        for (size_t k = 0; k < (second->is_lost ? 1 : 2); k++)
            if (actors[i] == others[k] &&
                !rh_order_has(order, 2 * (size_t)one + i, 2 * (size_t)other + k))
                return false;
    return true;
}

typedef bool relation(const struct rh_order *order, uint32_t one, uint32_t other);

static bool holds_for_all(const struct rh_order *order, relation *holds, const struct part *one,
                          const struct part *other)
{
    for (size_t i = 0; i < one->count; i++)
        for (size_t k = 0; k < other->count; k++)
            if (!holds(order, one->items[i], other->items[k]))
                return false;
    return true;
}

// --- Taking apart. ---

// Whether one message is received before the other; one that is lost, as far as it is sent.
static bool comes_first(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return rh_order_has(order, 2 * (size_t)one + !is_lost(order, one),
                        2 * (size_t)other + !is_lost(order, other));
}

static bool is_comparable(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return comes_first(order, one, other) || comes_first(order, other, one);
}

static bool is_incomparable(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return !is_comparable(order, one, other);
}

static bool leads_to(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return order->events.items[one].label.to == order->events.items[other].label.from &&
           is_strongly_before(order, one, other);
}

// Whether one of the two may have led to the other.
static bool is_past(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return leads_to(order, one, other) || leads_to(order, other, one);
}

static bool is_cause(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return order->events.items[one].cause == other || order->events.items[other].cause == one;
}

static bool is_nothing(const struct rh_order *order, uint32_t one, uint32_t other)
{
    (void)order, (void)one, (void)other;
    return false;
}

// Adds what hangs together by the relation, which is symmetric, as parts.
static void connect(const struct rh_order *order, relation *holds, const struct part *part,
                    struct parts *parts)
{
    bool *is_taken = rh_alloc(part->count + 1);
    for (size_t i = 0; i < part->count; i++) {
        if (is_taken[i])
            continue;
        struct part *found = rh_vector_push(parts);
        *rh_vector_push(found) = part->items[i];
        is_taken[i] = true;
        for (size_t at = 0; at < found->count; at++)
            for (size_t k = 0; k < part->count; k++)
                if (!is_taken[k] && holds(order, found->items[at], part->items[k])) {
                    is_taken[k] = true;
                    *rh_vector_push(found) = part->items[k];
                }
    }
    free(is_taken);
}

static int compare_numbers(const void *one, const void *other)
{
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

static void sort_parts(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        qsort(parts->items[i].items, parts->items[i].count, sizeof *parts->items[i].items,
              compare_numbers);
}

static const struct rh_node *write_part(struct writer *writer, const struct part *part);

static const struct rh_node *join(struct writer *writer, enum rh_node_kind kind,
                                  const struct rh_node *left, const struct rh_node *right)
{
    const struct rh_node *const parts[] = {left, right};
    return rh_node_join(writer->arena, kind, parts, 2);
}

// All events of parts from `first` on.
static struct part rest_of(const struct parts *parts, size_t first)
{
    struct part rest = {0};
    for (size_t i = first; i < parts->count; i++)
        for (size_t k = 0; k < parts->items[i].count; k++)
            *rh_vector_push(&rest) = parts->items[i].items[k];
    return rest;
}

// Writes parts one after the other, with `;` where that holds and `~` elsewhere; NULL if neither
// does.
static const struct rh_node *write_sequence(struct writer *writer, const struct parts *parts)
{
    const struct rh_node *node = write_part(writer, &parts->items[parts->count - 1]);
    for (size_t i = parts->count - 1; i-- > 0 && node;) {
        struct part rest = rest_of(parts, i + 1);
        const struct part *part = &parts->items[i];
        bool is_strong = holds_for_all(writer->order, is_strongly_before, part, &rest);
        bool is_weak = is_strong || holds_for_all(writer->order, is_weakly_before, part, &rest);
        rh_vector_fini(&rest);
        node = is_weak ? join(writer, is_strong ? RH_NODE_SEQUENCE : RH_NODE_WEAK,
                              write_part(writer, part), node)
                       : NULL;
    }
    return node;
}

static const struct rh_node *write_parallel(struct writer *writer, const struct parts *parts)
{
    const struct rh_node *node = NULL;
    for (size_t i = parts->count; i-- > 0;) {
        const struct rh_node *part = write_part(writer, &parts->items[i]);
        node = node ? join(writer, RH_NODE_PARALLEL, part, node) : part;
    }
    return node;
}

// --- Weak sequences. ---

// Whether `one` has to come first or stay together with the other: the other before it would say
// too much.
static bool must_precede(const struct rh_order *order, uint32_t one, uint32_t other)
{
    return !is_weakly_before(order, other, one);
}

// Marks what can be come to from `start` by must_precede, or, `backwards`, what comes to it.
static void reach(const struct rh_order *order, const struct part *part, size_t start,
                  bool is_backwards, bool *reached)
{
    RH_VECTOR(size_t) open = {0};
    *rh_vector_push(&open) = start;
    reached[start] = true;
    while (open.count > 0) {
        size_t at = open.items[--open.count];
        for (size_t i = 0; i < part->count; i++) {
            uint32_t one = part->items[is_backwards ? i : at];
            uint32_t other = part->items[is_backwards ? at : i];
            if (reached[i] || !must_precede(order, one, other))
                continue;
            reached[i] = true;
            *rh_vector_push(&open) = i;
        }
    }
    rh_vector_fini(&open);
}

// Takes the part apart into what has to stay together; in the order in which weak sequences may
// have it: a part whose events nothing that is left has to precede goes next, the earliest first.
static void connect_weakly(const struct rh_order *order, const struct part *part,
                           struct parts *parts)
{
    struct part left = {0};
    for (size_t i = 0; i < part->count; i++)
        *rh_vector_push(&left) = part->items[i];
    while (left.count > 0) {
        struct part *found = NULL;
        bool *before = NULL, *after = NULL;
        for (size_t i = 0; i < left.count && !found; i++) {
            free(before);
            free(after);
            before = rh_alloc(left.count + 1);
            after = rh_alloc(left.count + 1);
            reach(order, &left, i, true, before);
            reach(order, &left, i, false, after);
            bool is_first = true;
            for (size_t k = 0; k < left.count; k++)
                is_first = is_first && (!before[k] || after[k]);
            if (is_first)
                found = rh_vector_push(parts);
        }
        struct part rest = {0};
        for (size_t k = 0; k < left.count; k++)
            *rh_vector_push(before[k] ? found : &rest) = left.items[k];
        free(before);
        free(after);
        rh_vector_fini(&left);
        left = rest;
    }
}

static const struct rh_node *write_weakly(struct writer *writer, const struct part *part)
{
    struct parts parts = {0};
    connect_weakly(writer->order, part, &parts);
    const struct rh_node *node = NULL;
    if (parts.count > 1) {
        node = write_sequence(writer, &parts);
    } else {
        // What has one cause comes apart by that; where causes vary, nothing is left but to let
        // the judge say what is wrong.
        relation *const ties[] = {is_past, is_cause, is_nothing};
        for (size_t i = 0; i < 3 && parts.count == 1; i++) {
            parts_fini(&parts);
            connect(writer->order, ties[i], part, &parts);
        }
        sort_parts(&parts);
        node = write_parallel(writer, &parts);
    }
    parts_fini(&parts);
    return node;
}

// Parts between which everything is ordered, the first one first.
static void sort_series(const struct rh_order *order, struct parts *parts)
{
    for (size_t i = 1; i < parts->count; i++) {
        struct part part = parts->items[i];
        size_t k = i;
        for (; k > 0 && comes_first(order, part.items[0], parts->items[k - 1].items[0]); k--)
            parts->items[k] = parts->items[k - 1];
        parts->items[k] = part;
    }
}

static const struct rh_node *write_part(struct writer *writer, const struct part *part)
{
    if (part->count == 1)
        return arrow_of(writer, part->items[0]);
    struct parts parts = {0};
    const struct rh_node *node = NULL;
    connect(writer->order, is_comparable, part, &parts);
    sort_parts(&parts);
    if (parts.count > 1) {
        node = write_parallel(writer, &parts);
    } else {
        parts_fini(&parts);
        connect(writer->order, is_incomparable, part, &parts);
        sort_parts(&parts);
        sort_series(writer->order, &parts);
        if (parts.count > 1)
            node = write_sequence(writer, &parts);
    }
    parts_fini(&parts);
    return node ? node : write_weakly(writer, part);
}

const struct rh_node *rh_decompose(struct rh_arena *arena, const struct rh_names *names,
                                   const struct rh_order *order)
{
    struct writer writer = {arena, names, order};
    struct part all = {0};
    for (uint32_t i = 0; i < order->events.count; i++)
        *rh_vector_push(&all) = i;
    const struct rh_node *node = all.count ? write_part(&writer, &all) : rh_node_skip(arena);
    rh_vector_fini(&all);
    return node;
}
