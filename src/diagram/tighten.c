// SPDX-License-Identifier: MIT
// The steps are ASpec's patterns (section 4.4.2), each of them tried instead of matched: a way of a
// choice that no execution takes is left out, a loop gets the least bounds that hold, and what may
// come in any order comes in one order if it always does. ASpec infers from traces which of these
// fit; here the judge, who has all states, says so.
#include "diagram/tighten.h"

#include <string.h>

// How many pairs of states and residuals all steps together may look at, and how many rounds a loop
// may turn out to have.
enum { WORK_MOST = 3000000, ROUNDS_MOST = 64 };

struct tightener {
    struct rh_automaton *automaton;
    struct rh_diagram *diagram;
    const struct rh_binding *bindings;
    bool is_fifo, is_whole;
    struct rh_arena *arena;
    struct rh_tightening *tightening;
    uint64_t work;
    RH_VECTOR(struct rh_node *) nodes; // of the diagram and its definitions, outer ones first
    struct rh_status status;
};

// --- Nodes that can be changed. ---

// `definitions` are those that calls are of from now on.
static struct rh_node *copy(struct tightener *tightener, const struct rh_node *node,
                            struct rh_definition *const *definitions)
{
    struct rh_node *own = rh_arena_take(tightener->arena, sizeof *own);
    *own = *node;
    for (size_t i = 0; i < tightener->diagram->definition_count; i++)
        if (node->definition == tightener->diagram->definitions[i])
            own->definition = definitions[i];
    *rh_vector_push(&tightener->nodes) = own;
    own->parts = rh_arena_take(tightener->arena, (node->count + 1) * sizeof *own->parts);
    for (size_t i = 0; i < node->count; i++)
        own->parts[i] = copy(tightener, node->parts[i], definitions);
    return own;
}

// Leaves out what is skipped, and lists in lists.
static const struct rh_node *tidy(struct rh_arena *arena, const struct rh_node *node)
{
    if (node->count == 0)
        return node;
    struct rh_node *own = rh_arena_take(arena, sizeof *own);
    *own = *node;
    own->parts = rh_arena_take(arena, node->count * sizeof *own->parts);
    for (size_t i = 0; i < node->count; i++)
        own->parts[i] = tidy(arena, node->parts[i]);
    bool is_list = node->kind >= RH_NODE_SEQUENCE && node->kind <= RH_NODE_CHOICE;
    bool is_empty = node->kind == RH_NODE_LOOP && own->parts[0]->kind == RH_NODE_SKIP;
    if (is_empty)
        return rh_node_skip(arena);
    return is_list ? rh_node_join(arena, node->kind, own->parts, node->count) : own;
}

static bool is_used(const struct rh_node *node, const struct rh_definition *definition)
{
    bool is_found = node->kind == RH_NODE_CALL && node->definition == definition;
    for (size_t i = 0; i < node->count && !is_found; i++)
        is_found = is_used(node->parts[i], definition);
    return is_found;
}

// Marks the definitions that the diagram comes to.
static void mark_used(const struct rh_diagram *diagram, const struct rh_node *node, bool *used)
{
    for (size_t i = 0; i < diagram->definition_count; i++)
        if (!used[i] && is_used(node, diagram->definitions[i])) {
            used[i] = true;
            mark_used(diagram, diagram->definitions[i]->body, used);
        }
}

static void tidy_all(struct tightener *tightener)
{
    struct rh_diagram *diagram = tightener->diagram;
    size_t kept = 0;
    diagram->body = tidy(tightener->arena, diagram->body);
    for (size_t i = 0; i < diagram->definition_count; i++)
        diagram->definitions[i]->body = tidy(tightener->arena, diagram->definitions[i]->body);
    bool *used = rh_arena_take(tightener->arena, diagram->definition_count + 1);
    mark_used(diagram, diagram->body, used);
    for (size_t i = 0; i < diagram->definition_count; i++)
        if (used[i])
            diagram->definitions[kept++] = diagram->definitions[i];
    diagram->definition_count = kept;
}

static void take_nodes(struct tightener *tightener)
{
    struct rh_diagram *diagram = tightener->diagram;
    size_t count = diagram->definition_count;
    struct rh_definition **definitions =
        rh_arena_take(tightener->arena, (count + 1) * sizeof(struct rh_definition *));
    for (size_t i = 0; i < count; i++) {
        definitions[i] = rh_arena_take(tightener->arena, sizeof **definitions);
        *definitions[i] = *diagram->definitions[i];
    }
    diagram->body = copy(tightener, diagram->body, definitions);
    for (size_t i = 0; i < count; i++)
        definitions[i]->body = copy(tightener, definitions[i]->body, definitions);
    diagram->definitions = definitions;
}

// --- Steps. ---

static enum rh_grade judge(struct tightener *tightener)
{
    struct rh_judgement judgement = {0};
    if (rh_is_ok(&tightener->status))
        tightener->status =
            rh_diagram_judge(tightener->automaton, tightener->diagram, tightener->bindings,
                             tightener->is_fifo, tightener->is_whole, &judgement);
    tightener->work += judgement.pairs + 1;
    enum rh_grade grade = judgement.grade;
    rh_judgement_fini(&judgement);
    return grade;
}

// Whether the node may be this instead. If so it is from now on.
static bool try(struct tightener *tightener, struct rh_node *node, const struct rh_node *instead)
{
    if (tightener->work > WORK_MOST || !rh_is_ok(&tightener->status)) {
        tightener->tightening->is_cut = true;
        return false;
    }
    struct rh_node before = *node;
    *node = *instead;
    tightener->tightening->tried++;
    bool is_sound = judge(tightener) >= RH_GRADE_SOUND;
    // A definition that comes back to itself before anything is sent is no step, and no error.
    if (!rh_is_ok(&tightener->status)) {
        tightener->status = rh_ok();
        is_sound = false;
    }
    if (!is_sound)
        *node = before;
    tightener->tightening->kept += is_sound;
    return is_sound;
}

static struct rh_node list_of(struct tightener *tightener, enum rh_node_kind kind,
                              const struct rh_node *one, const struct rh_node *other)
{
    struct rh_node list = {.kind = kind, .count = 2};
    list.parts = rh_arena_take(tightener->arena, 2 * sizeof *list.parts);
    list.parts[0] = one;
    list.parts[1] = other;
    return list;
}

// The list without one of its parts.
static struct rh_node without(struct tightener *tightener, const struct rh_node *list, size_t index)
{
    struct rh_node rest = *list;
    if (list->count == 2)
        return *list->parts[1 - index];
    rest.count = 0;
    rest.parts = rh_arena_take(tightener->arena, list->count * sizeof *rest.parts);
    for (size_t i = 0; i < list->count; i++)
        if (i != index)
            rest.parts[rest.count++] = list->parts[i];
    return rest;
}

static void drop_ways(struct tightener *tightener, struct rh_node *node)
{
    for (size_t i = node->count; i-- > 0 && node->kind == RH_NODE_CHOICE;) {
        struct rh_node rest = without(tightener, node, i < node->count ? i : node->count - 1);
        try(tightener, node, &rest);
    }
}

// Puts a part of a parallel before or behind all others.
static void put_in_order(struct tightener *tightener, struct rh_node *node)
{
    for (size_t i = 0; i < node->count && node->kind == RH_NODE_PARALLEL; i++) {
        struct rh_node *rest = rh_arena_take(tightener->arena, sizeof *rest);
        *rest = without(tightener, node, i);
        struct rh_node first = list_of(tightener, RH_NODE_SEQUENCE, node->parts[i], rest);
        struct rh_node last = list_of(tightener, RH_NODE_SEQUENCE, rest, node->parts[i]);
        if (try(tightener, node, &first) || try(tightener, node, &last))
            *rh_vector_push(&tightener->nodes) = rest;
    }
}

static bool try_bounds(struct tightener *tightener, struct rh_node *node, int64_t least,
                       int64_t most)
{
    struct rh_node loop = *node;
    loop.first = rh_expression_number(tightener->arena, least);
    loop.last = rh_expression_number(tightener->arena, most);
    return try(tightener, node, &loop);
}

// The least number of rounds that is enough: powers of two first.
static int64_t find_most(struct tightener *tightener, struct rh_node *node, int64_t least)
{
    int64_t low = least, high = least > 1 ? least : 1;
    while (high <= ROUNDS_MOST && !try_bounds(tightener, node, least, high)) {
        low = high + 1;
        high *= 2;
    }
    while (high <= ROUNDS_MOST && low < high) {
        int64_t middle = (low + high) / 2;
        if (try_bounds(tightener, node, least, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return high <= ROUNDS_MOST ? high : -1;
}

static void bind_loop(struct tightener *tightener, struct rh_node *node)
{
    if (node->kind != RH_NODE_LOOP || node->last || node->first->kind != RH_EXPRESSION_NUMBER)
        return;
    struct rh_node nothing = *rh_node_skip(tightener->arena);
    if (node->first->number == 0 && try(tightener, node, &nothing))
        return;
    struct rh_node strong = *node;
    strong.is_parallel = false;
    if (node->is_parallel)
        try(tightener, node, &strong);
    int64_t most = find_most(tightener, node, node->first->number);
    if (most < 0)
        return;
    if (node->first->number < most && !try_bounds(tightener, node, most, most) &&
        node->first->number == 0)
        try_bounds(tightener, node, 1, most);
    if (most == 1 && node->first->number == 1) {
        struct rh_node body = *node->parts[0];
        *node = body;
    }
}

struct rh_status rh_diagram_tighten(struct rh_automaton *automaton, struct rh_diagram *diagram,
                                    const struct rh_binding *bindings, bool is_fifo, bool is_whole,
                                    struct rh_arena *arena, struct rh_tightening *tightening,
                                    struct rh_judgement *judgement)
{
    struct tightener tightener = {.automaton = automaton,
                                  .diagram = diagram,
                                  .bindings = bindings,
                                  .is_fifo = is_fifo,
                                  .is_whole = is_whole,
                                  .arena = arena,
                                  .tightening = tightening,
                                  .status = rh_ok()};
    *tightening = (struct rh_tightening){0};
    take_nodes(&tightener);
    bool is_sound = judge(&tightener) >= RH_GRADE_SOUND;
    for (size_t i = 0; i < tightener.nodes.count && is_sound; i++) {
        drop_ways(&tightener, tightener.nodes.items[i]);
        bind_loop(&tightener, tightener.nodes.items[i]);
        put_in_order(&tightener, tightener.nodes.items[i]);
    }
    if (rh_is_ok(&tightener.status))
        tidy_all(&tightener);
    rh_vector_fini(&tightener.nodes);
    if (!rh_is_ok(&tightener.status))
        return tightener.status;
    return rh_diagram_judge(automaton, diagram, bindings, is_fifo, is_whole, judgement);
}
