// SPDX-License-Identifier: MIT
// Algorithms 4.2 and 4.3. The walk through a handler's graph gives a term over the places that send
// (structure.c); each of these becomes the messages that it may send, with all that follows. What
// follows is not walked into again and again, but has a variable: so the walk ends, whatever
// messages come back to, and it is the same for all who send a message to the same handlers.
//
// In which order a handler sends to different actors makes no difference to anybody, so that what
// follows from different sends goes on in any order. Only sends to one and the same actor keep
// their order: what is received second comes behind what is received first.
#include <stdlib.h>
#include <string.h>

#include "sketch/internal.h"
#include "sketch/structure.h"

struct walker {
    struct rh__sketch_builder *builder;
    const struct rh__sketch_graph *graph;
    uint32_t class; // that runs the handler
};

static bool sends(const struct rh__flow_operation *operation)
{
    return operation->kind != RH__FLOW_SPAWN && operation->kind != RH__FLOW_RESERVE;
}

// --- Which messages go to the same actor. ---

struct target {
    const struct rh__sketch_builder *builder;
    uint32_t class;
    bool is_one;
};

static uint32_t note_target(void *context, uint32_t leaf)
{
    struct target *target = context;
    const struct rh__sketch_variable *variable = &target->builder->variables.items[leaf];
    bool has_order = !variable->is_lost &&
                     (variable->kind == RH_JOURNAL_PLAIN || variable->kind == RH_JOURNAL_ASK);
    target->is_one &= has_order && variable->from != variable->to &&
                      (target->class == RH_NONE || target->class == variable->to);
    target->class = variable->to;
    return RH__SKIP;
}

// The class of the only actor to which all first messages of a term go; RH_NONE: there is none.
static uint32_t target_of(struct rh__sketch_builder *builder, uint32_t term)
{
    struct target target = {.builder = builder, .class = RH_NONE, .is_one = true};
    rh__term_map(&builder->terms, term, note_target, &target);
    bool is_known = target.is_one && target.class != RH_NONE &&
                    rh__sketch_class_is_single(builder, target.class);
    return is_known ? target.class : RH_NONE;
}

// --- What follows from the sends of a handler. ---

static uint32_t follow(struct walker *walker, uint32_t number);

static uint32_t follow_sequence(struct walker *walker, uint32_t number)
{
    struct rh__sketch_builder *builder = walker->builder;
    struct rh__term sequence = rh__term_get(&builder->terms, number);
    uint32_t rest = RH__SKIP;
    for (uint32_t i = sequence.count; i-- > 0;) {
        uint32_t first = follow(walker, rh__term_part(&builder->terms, number, i));
        uint32_t target = target_of(builder, first);
        bool keeps_order = rest != RH__SKIP && target != RH_NONE &&
                           rh__term_get(&builder->terms, first).kind == RH__TERM_LEAF &&
                           target == target_of(builder, rest);
        rest = rh__term_pair(&builder->terms, keeps_order ? RH__TERM_WEAK : RH__TERM_PARALLEL,
                             first, rest);
    }
    return rest;
}

static uint32_t follow(struct walker *walker, uint32_t number)
{
    struct rh__sketch_builder *builder = walker->builder;
    struct rh__term term = rh__term_get(&builder->terms, number);
    switch (term.kind) {
    case RH__TERM_LEAF:
        return rh__sketch_messages(builder, walker->graph->nodes.items[term.leaf].operation,
                                   walker->class);
    case RH__TERM_SEQUENCE:
        return follow_sequence(walker, number);
    case RH__TERM_LOOP:
        return rh__term_loop(&builder->terms,
                             follow(walker, rh__term_part(&builder->terms, number, 0)), term.least,
                             true);
    case RH__TERM_CHOICE: {
        struct rh__term_list ways = {0};
        for (uint32_t i = 0; i < term.count; i++)
            rh__term_list_add(&ways, follow(walker, rh__term_part(&builder->terms, number, i)));
        return rh__term_join(&builder->terms, RH__TERM_CHOICE, &ways);
    }
    default:
        return RH__SKIP;
    }
}

// --- Entries. ---

// What a handler does from a node on. Behind an rh_ask it goes on with the answer, which is an
// entry of its own.
static uint32_t term_from(struct walker *walker, uint32_t node)
{
    struct rh__flow *flow = walker->builder->flow;
    size_t count = walker->graph->nodes.count;
    bool *ends = rh_alloc(count + 1), *silent = rh_alloc(count + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t operation = walker->graph->nodes.items[i].operation;
        if (operation == RH_NONE)
            continue;
        ends[i] = flow->operations.items[operation].kind == RH__FLOW_ASK;
        silent[i] = !sends(&flow->operations.items[operation]);
    }
    struct rh__sketch_structure structure = {
        .terms = &walker->builder->terms, .graph = walker->graph, .ends = ends, .silent = silent};
    uint32_t term = rh__sketch_structure_term(&structure, node);
    walker->builder->is_tangled |= structure.is_tangled;
    free(ends);
    free(silent);
    return follow(walker, term);
}

// What all that stands behind an rh_ask does: a function's copies have one each.
static uint32_t term_behind(struct walker *walker, uint32_t operation)
{
    struct rh__term_list ways = {0};
    for (uint32_t i = 0; i < walker->graph->nodes.count; i++) {
        const struct rh__sketch_node *node = &walker->graph->nodes.items[i];
        for (size_t k = 0; k < node->next.count && node->operation == operation; k++)
            rh__term_list_add(&ways, term_from(walker, node->next.items[k]));
    }
    return rh__term_join(&walker->builder->terms, RH__TERM_CHOICE, &ways);
}

static uint32_t entry_term(struct rh__sketch_builder *builder, uint32_t number)
{
    struct rh__sketch_entry entry = builder->entries.items[number];
    if (entry.term != RH_NONE)
        return entry.term;
    struct walker walker = {builder, builder->graphs[entry.actor], entry.class};
    uint32_t term = entry.operation == RH_NONE ? term_from(&walker, walker.graph->entry)
                                               : term_behind(&walker, entry.operation);
    builder->entries.items[number].term = term;
    return term;
}

static uint32_t variable_body(struct rh__sketch_builder *builder, uint32_t number)
{
    struct rh__term_list ways = {0};
    for (size_t i = 0; i < builder->variables.items[number].entries.count; i++) {
        uint32_t entry = builder->variables.items[number].entries.items[i];
        rh__term_list_add(&ways, entry_term(builder, entry));
    }
    return rh__term_join(&builder->terms, RH__TERM_CHOICE, &ways);
}

// --- Order. ---

// A message that is followed by nothing.
static uint32_t arrow_of(struct rh__sketch_builder *builder, uint32_t leaf)
{
    struct rh__sketch_variable arrow = builder->variables.items[leaf];
    arrow.entries = (struct rh__sketch_numbers){0};
    uint32_t number = rh__sketch_variable_get(builder, &arrow);
    builder->variables.items[number].body = RH__SKIP;
    return rh__term_leaf(&builder->terms, number);
}

static bool has_order(const struct rh__terms *terms, uint32_t number)
{
    struct rh__term term = rh__term_get(terms, number);
    bool has = term.kind == RH__TERM_WEAK;
    for (uint32_t i = 0; i < term.count && !has; i++)
        has = has_order(terms, rh__term_part(terms, number, i));
    return has;
}

// `a ~ b`, where what follows from a must not be ordered before b: only a's own message is. If it
// got lost, what has to follow from it would be missing, so that this has to be skippable.
static uint32_t order_pair(struct rh__sketch_builder *builder, uint32_t first, uint32_t rest)
{
    uint32_t leaf = rh__term_get(&builder->terms, first).leaf;
    uint32_t body = builder->variables.items[leaf].body;
    if (!rh__term_get(&builder->terms, body).can_skip || has_order(&builder->terms, body))
        return rh__term_pair(&builder->terms, RH__TERM_PARALLEL, first, rest);
    rest = rh__term_pair(&builder->terms, RH__TERM_PARALLEL, body, rest);
    return rh__term_pair(&builder->terms, RH__TERM_WEAK, arrow_of(builder, leaf), rest);
}

static uint32_t order(struct rh__sketch_builder *builder, uint32_t number)
{
    struct rh__terms *terms = &builder->terms;
    struct rh__term term = rh__term_get(terms, number);
    if (term.count == 0)
        return number;
    if (term.kind == RH__TERM_LOOP)
        return rh__term_loop(terms, order(builder, rh__term_part(terms, number, 0)), term.least,
                             term.is_parallel);
    struct rh__term_list parts = {0};
    for (uint32_t i = 0; i < term.count; i++)
        rh__term_list_add(&parts, order(builder, rh__term_part(terms, number, i)));
    if (term.kind != RH__TERM_WEAK)
        return rh__term_join(terms, term.kind, &parts);
    uint32_t rest = parts.items[parts.count - 1];
    for (size_t i = parts.count - 1; i-- > 0;)
        rest = order_pair(builder, parts.items[i], rest);
    rh_vector_fini(&parts);
    return rest;
}

void rh__sketch_construct(struct rh__sketch_builder *builder)
{
    struct walker walker = {builder, builder->graphs[0], 0};
    builder->body = term_from(&walker, walker.graph->entry);
    for (uint32_t i = 0; i < builder->variables.count; i++) {
        uint32_t body = variable_body(builder, i);
        builder->variables.items[i].body = body;
    }
    size_t count = builder->variables.count;
    uint32_t *bodies = rh_alloc((count + 1) * sizeof *bodies);
    for (uint32_t i = 0; i < count; i++)
        bodies[i] = order(builder, builder->variables.items[i].body);
    builder->body = order(builder, builder->body);
    for (uint32_t i = 0; i < count; i++)
        builder->variables.items[i].body = bodies[i];
    free(bodies);
}
