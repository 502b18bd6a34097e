// SPDX-License-Identifier: MIT
// Reduced graphs. What a path does without any event leads from one event to others: of all
// branches on the way only one is left, whose ways are the events that can come next. So a branch
// that decides about no event is gone, and every path of events is still there.
#include <stdlib.h>
#include <string.h>

#include "sketch/graph.h"

struct reducer {
    const struct rh__sketch_graph *old;
    struct rh__sketch_graph *graph;
    uint32_t *numbers; // by old node: the new one; RH_NONE: not met
    bool *seen;        // by old node: in the present walk
    RH_VECTOR(uint32_t) walk;
    RH_VECTOR(uint32_t) queue;    // old nodes to be followed
    RH_VECTOR(uint32_t) branches; // new nodes
};

static bool is_kept(const struct reducer *reducer, uint32_t old)
{
    return old == reducer->old->exit || reducer->old->nodes.items[old].operation != RH_NONE;
}

static uint32_t keep(struct reducer *reducer, uint32_t old)
{
    if (reducer->numbers[old] != RH_NONE)
        return reducer->numbers[old];
    uint32_t number = (uint32_t)reducer->graph->nodes.count;
    *rh_vector_push(&reducer->graph->nodes) =
        (struct rh__sketch_node){.operation = reducer->old->nodes.items[old].operation,
                                 .place = reducer->old->nodes.items[old].place};
    *rh_vector_push(&reducer->queue) = old;
    reducer->numbers[old] = number;
    return number;
}

static int compare_numbers(const void *one, const void *other)
{
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

// The nodes with events that come next behind a node, in the place of `next`; notes where a branch
// was.
static void find_next(struct reducer *reducer, uint32_t old, struct rh__sketch_node *node)
{
    memset(reducer->seen, 0, reducer->old->nodes.count);
    reducer->walk.count = 0;
    *rh_vector_push(&reducer->walk) = old;
    for (size_t i = 0; i < reducer->walk.count; i++) {
        const struct rh__sketch_node *at = &reducer->old->nodes.items[reducer->walk.items[i]];
        if (at->next.count > 1 && !node->place.line)
            node->place = at->place;
        for (size_t k = 0; k < at->next.count; k++) {
            uint32_t next = at->next.items[k];
            if (reducer->seen[next])
                continue;
            reducer->seen[next] = true;
            if (is_kept(reducer, next))
                *rh_vector_push(&node->next) = keep(reducer, next);
            else
                *rh_vector_push(&reducer->walk) = next;
        }
    }
    if (node->next.count > 1)
        qsort(node->next.items, node->next.count, sizeof *node->next.items, compare_numbers);
}

static bool has_same_next(const struct rh__sketch_node *one, const struct rh__sketch_node *other)
{
    return one->next.count == other->next.count &&
           !memcmp(one->next.items, other->next.items, one->next.count * sizeof *one->next.items);
}

// What comes behind a kept node: one other node, or a branch.
static void follow(struct reducer *reducer, uint32_t old)
{
    uint32_t number = reducer->numbers[old], branch = RH_NONE;
    struct rh__sketch_node node = {.operation = RH_NONE};
    find_next(reducer, old, &node);
    for (size_t i = 0; i < reducer->branches.count && node.next.count > 1; i++)
        if (has_same_next(&reducer->graph->nodes.items[reducer->branches.items[i]], &node))
            branch = reducer->branches.items[i];
    if (node.next.count == 1)
        branch = node.next.items[0];
    bool is_new = branch == RH_NONE && node.next.count > 1;
    if (is_new) {
        branch = (uint32_t)reducer->graph->nodes.count;
        *rh_vector_push(&reducer->branches) = branch;
        *rh_vector_push(&reducer->graph->nodes) = node;
    } else {
        rh_vector_fini(&node.next);
    }
    if (branch != RH_NONE)
        *rh_vector_push(&reducer->graph->nodes.items[number].next) = branch;
}

void rh__sketch_graph_reduce(struct rh__sketch_graph *graph)
{
    struct rh__sketch_graph reduced = *graph;
    memset(&reduced.nodes, 0, sizeof reduced.nodes);
    struct reducer reducer = {.old = graph, .graph = &reduced};
    reducer.numbers = rh_alloc(graph->nodes.count * sizeof *reducer.numbers);
    reducer.seen = rh_alloc(graph->nodes.count);
    memset(reducer.numbers, 0xff, graph->nodes.count * sizeof *reducer.numbers);
    reduced.entry = keep(&reducer, graph->entry);
    reduced.exit = keep(&reducer, graph->exit);
    for (size_t i = 0; i < reducer.queue.count; i++)
        follow(&reducer, reducer.queue.items[i]);
    free(reducer.numbers);
    free(reducer.seen);
    rh_vector_fini(&reducer.walk);
    rh_vector_fini(&reducer.queue);
    rh_vector_fini(&reducer.branches);
    rh__sketch_graph_fini(graph);
    *graph = reduced;
}

bool rh__sketch_graph_repeats(const struct rh__sketch_graph *graph, uint32_t node)
{
    bool *seen = rh_alloc(graph->nodes.count), repeats = false;
    RH_VECTOR(uint32_t) walk = {0};
    *rh_vector_push(&walk) = node;
    for (size_t i = 0; i < walk.count && !repeats; i++) {
        const struct rh__sketch_node *at = &graph->nodes.items[walk.items[i]];
        for (size_t k = 0; k < at->next.count; k++) {
            uint32_t next = at->next.items[k];
            repeats |= next == node;
            if (!seen[next])
                *rh_vector_push(&walk) = next;
            seen[next] = true;
        }
    }
    free(seen);
    rh_vector_fini(&walk);
    return repeats;
}
