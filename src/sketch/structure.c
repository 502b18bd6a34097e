// SPDX-License-Identifier: MIT
// A region is the whole graph, or some nodes of a loop with one at which paths begin, and one
// outside of these nodes at which they end. Nodes that can come to each other (a strongly connected
// component) are one step of a path through the region: a loop. Between steps there are no cycles,
// and where all ways of a branch have to come together is its immediate post-dominator.
#include "sketch/structure.h"

#include <stdlib.h>
#include <string.h>

// How many terms may be made for one graph: jumps across structures copy what is behind them.
enum { WORK_MOST = 20000, DEPTH_MOST = 200 };

// Where paths of a region end: number of the graph's nodes.
#define END(structure) ((uint32_t)(structure)->graph->nodes.count)

struct region {
    struct rh__sketch_structure *structure;
    const struct region *outer; // NULL: the region is the whole graph
    bool *inside;               // by node; of inner regions
    uint32_t start;
    uint32_t target; // of inner regions: where paths end; other edges that leave are no way
    int depth;
    // By node: its component; RH_NONE: the node is on no path.
    uint32_t *component;
    uint32_t component_count;
    uint32_t *heads; // by component: the node by which paths come in, if there is only one
    uint32_t *post;  // by component: its immediate post-dominator; component_count: the end
    size_t *work;
};

static uint32_t everything(struct rh__sketch_structure *structure, const bool *inside);

// The successors of a node in the region, with END for the end.
struct successors {
    uint32_t *items;
    size_t count, capacity;
};

static void find_successors(const struct region *region, uint32_t node,
                            struct successors *successors)
{
    const struct rh__sketch_structure *structure = region->structure;
    const struct rh__sketch_node *at = &structure->graph->nodes.items[node];
    size_t kept = 0;
    if (region->outer) {
        find_successors(region->outer, node, successors);
        for (size_t i = 0; i < successors->count; i++) {
            uint32_t next = successors->items[i];
            if (next == region->target)
                successors->items[kept++] = END(structure);
            else if (next != END(structure) && region->inside[next])
                successors->items[kept++] = next;
        }
        successors->count = kept;
        return;
    }
    successors->count = 0;
    if (node == structure->graph->exit || (structure->ends && structure->ends[node])) {
        *rh_vector_push(successors) = END(structure);
        return;
    }
    for (size_t i = 0; i < at->next.count; i++)
        *rh_vector_push(successors) = at->next.items[i];
}

// --- Components: Tarjan's algorithm. ---

struct tarjan {
    struct region *region;
    uint32_t *index, *low;
    bool *on_stack, *ends; // `ends`: the end can be reached
    RH_VECTOR(uint32_t) stack;
    uint32_t next;
};

static void close_component(struct tarjan *tarjan, uint32_t node)
{
    struct region *region = tarjan->region;
    bool ends = false;
    size_t first = tarjan->stack.count;
    do
        ends |= tarjan->ends[tarjan->stack.items[--first]];
    while (tarjan->stack.items[first] != node);
    for (size_t i = first; i < tarjan->stack.count; i++) {
        uint32_t member = tarjan->stack.items[i];
        tarjan->on_stack[member] = false;
        tarjan->ends[member] = ends;
        region->component[member] = ends ? region->component_count : RH_NONE;
    }
    tarjan->stack.count = first;
    if (ends)
        region->heads[region->component_count++] = node;
}

static void visit(struct tarjan *tarjan, uint32_t node)
{
    struct successors successors = {0};
    tarjan->index[node] = tarjan->low[node] = ++tarjan->next;
    *rh_vector_push(&tarjan->stack) = node;
    tarjan->on_stack[node] = true;
    find_successors(tarjan->region, node, &successors);
    for (size_t i = 0; i < successors.count; i++) {
        uint32_t next = successors.items[i];
        if (next == END(tarjan->region->structure)) {
            tarjan->ends[node] = true;
            continue;
        }
        if (!tarjan->index[next])
            visit(tarjan, next);
        if (tarjan->on_stack[next] && tarjan->low[next] < tarjan->low[node])
            tarjan->low[node] = tarjan->low[next];
        tarjan->ends[node] |= tarjan->ends[next];
    }
    rh_vector_fini(&successors);
    if (tarjan->low[node] == tarjan->index[node])
        close_component(tarjan, node);
}

// Components come in reverse topological order: behind all that they lead to.
static void find_components(struct region *region)
{
    size_t count = region->structure->graph->nodes.count;
    struct tarjan tarjan = {.region = region};
    tarjan.index = rh_alloc(count * sizeof *tarjan.index);
    tarjan.low = rh_alloc(count * sizeof *tarjan.low);
    tarjan.on_stack = rh_alloc(count);
    tarjan.ends = rh_alloc(count);
    memset(region->component, 0xff, count * sizeof *region->component);
    visit(&tarjan, region->start);
    free(tarjan.index);
    free(tarjan.low);
    free(tarjan.on_stack);
    free(tarjan.ends);
    rh_vector_fini(&tarjan.stack);
}

// --- Post-dominators. ---

// The component behind an edge; component_count: the end; RH_NONE: no path.
static uint32_t component_of(const struct region *region, uint32_t node)
{
    return node == END(region->structure) ? region->component_count : region->component[node];
}

// Where two walks up the tree of post-dominators meet. The end has the largest number of all, and
// otherwise components that come later on paths have smaller numbers.
static uint32_t meet(const struct region *region, uint32_t one, uint32_t other)
{
    uint32_t end = region->component_count;
    while (one != other) {
        if (one == end || other == end)
            return end;
        if (one > other)
            one = region->post[one];
        else
            other = region->post[other];
    }
    return one;
}

static void find_post_dominators(struct region *region)
{
    struct successors successors = {0};
    for (uint32_t i = 0; i < region->component_count; i++) {
        uint32_t post = RH_NONE;
        for (uint32_t node = 0; node < END(region->structure); node++) {
            if (region->component[node] != i)
                continue;
            find_successors(region, node, &successors);
            for (size_t k = 0; k < successors.count; k++) {
                uint32_t next = component_of(region, successors.items[k]);
                if (next != i && next != RH_NONE)
                    post = post == RH_NONE ? next : meet(region, post, next);
            }
        }
        region->post[i] = post == RH_NONE ? region->component_count : post;
    }
    rh_vector_fini(&successors);
}

// --- Terms. ---

static uint32_t region_term(struct region *region);

static void region_init(struct region *region)
{
    size_t count = region->structure->graph->nodes.count;
    region->component = rh_alloc((count + 1) * sizeof *region->component);
    region->heads = rh_alloc((count + 1) * sizeof *region->heads);
    region->post = rh_alloc((count + 1) * sizeof *region->post);
    find_components(region);
    find_post_dominators(region);
}

static void region_fini(struct region *region)
{
    free(region->component);
    free(region->heads);
    free(region->post);
}

static bool is_cycle(const struct region *region, uint32_t component)
{
    struct successors successors = {0};
    bool is_found = false;
    for (uint32_t node = 0; node < END(region->structure) && !is_found; node++) {
        if (region->component[node] != component)
            continue;
        find_successors(region, node, &successors);
        for (size_t i = 0; i < successors.count; i++)
            is_found |= component_of(region, successors.items[i]) == component;
    }
    rh_vector_fini(&successors);
    return is_found;
}

static uint32_t leaf(const struct region *region, uint32_t node)
{
    const struct rh__sketch_structure *structure = region->structure;
    bool is_event = structure->graph->nodes.items[node].operation != RH_NONE;
    return is_event && !structure->silent[node] ? rh__term_leaf(structure->terms, node)
                                                : (uint32_t)RH__SKIP;
}

// What the paths within a loop do from its head: back to the head, or, with `exit`, to this node
// outside of the loop.
static uint32_t loop_part(const struct region *region, uint32_t component, uint32_t head,
                          uint32_t exit)
{
    size_t count = END(region->structure);
    struct region inner = {.structure = region->structure,
                           .outer = region,
                           .start = head,
                           .target = exit == RH_NONE ? head : exit,
                           .depth = region->depth + 1,
                           .work = region->work};
    inner.inside = rh_alloc(count + 1);
    for (uint32_t i = 0; i < count; i++)
        inner.inside[i] = region->component[i] == component && i != head;
    uint32_t term = region_term(&inner);
    free(inner.inside);
    return term;
}

static void add_once(struct successors *list, uint32_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return;
    *rh_vector_push(list) = item;
}

// The nodes that edges out of a component lead to, END for the end.
static void find_exits(const struct region *region, uint32_t component, struct successors *exits)
{
    struct successors successors = {0};
    for (uint32_t node = 0; node < END(region->structure); node++) {
        if (region->component[node] != component)
            continue;
        find_successors(region, node, &successors);
        for (size_t i = 0; i < successors.count; i++) {
            uint32_t next = component_of(region, successors.items[i]);
            if (next != component && next != RH_NONE)
                add_once(exits, successors.items[i]);
        }
    }
    rh_vector_fini(&successors);
}

// Whether edges from outside lead to a node of the component other than its head.
static bool has_other_heads(const struct region *region, uint32_t component, uint32_t head)
{
    struct successors successors = {0};
    bool is_found = false;
    for (uint32_t node = 0; node < END(region->structure) && !is_found; node++) {
        if (region->component[node] == component || region->component[node] == RH_NONE)
            continue;
        find_successors(region, node, &successors);
        for (size_t i = 0; i < successors.count; i++)
            is_found |= successors.items[i] != head &&
                        component_of(region, successors.items[i]) == component;
    }
    rh_vector_fini(&successors);
    return is_found;
}

static uint32_t walk(struct region *region, uint32_t node, uint32_t stop);

// All events of a component, any number of times.
static uint32_t tangle(const struct region *region, uint32_t component)
{
    bool *inside = rh_alloc(END(region->structure) + 1);
    for (uint32_t i = 0; i < END(region->structure); i++)
        inside[i] = region->component[i] == component;
    uint32_t term = everything(region->structure, inside);
    free(inside);
    return term;
}

// A loop, and what is behind each of its exits up to `stop`.
static uint32_t loop_term(struct region *region, uint32_t component, uint32_t head, uint32_t stop)
{
    struct rh__terms *terms = region->structure->terms;
    struct successors exits = {0};
    struct rh__term_list ways = {0};
    bool is_wild = has_other_heads(region, component, head) || region->depth > DEPTH_MOST;
    uint32_t body =
        is_wild ? tangle(region, component) : loop_part(region, component, head, RH_NONE);
    find_exits(region, component, &exits);
    bool is_whole = exits.count == 1 && !is_wild;
    for (size_t i = 0; i < exits.count; i++) {
        uint32_t last =
            is_wild ? (uint32_t)RH__SKIP : loop_part(region, component, head, exits.items[i]);
        is_whole &= last == body && body != RH__SKIP;
        uint32_t behind = walk(region, exits.items[i], stop);
        rh__term_list_add(&ways, is_whole ? behind
                                          : rh__term_pair(terms, RH__TERM_SEQUENCE, last, behind));
    }
    rh_vector_fini(&exits);
    uint32_t rest = rh__term_join(terms, RH__TERM_CHOICE, &ways);
    return rh__term_pair(terms, RH__TERM_SEQUENCE, rh__term_loop(terms, body, is_whole, true),
                         rest);
}

// What a branch does up to where its ways meet.
static uint32_t branch_term(struct region *region, uint32_t node, uint32_t stop)
{
    struct successors successors = {0};
    struct rh__term_list ways = {0};
    find_successors(region, node, &successors);
    for (size_t i = 0; i < successors.count; i++)
        if (component_of(region, successors.items[i]) != RH_NONE)
            rh__term_list_add(&ways, walk(region, successors.items[i], stop));
    rh_vector_fini(&successors);
    return rh__term_join(region->structure->terms, RH__TERM_CHOICE, &ways);
}

// The paths from a node to the component `stop`. Components behind a loop are part of its ways.
static uint32_t walk(struct region *region, uint32_t node, uint32_t stop)
{
    struct rh__terms *terms = region->structure->terms;
    struct rh__term_list sequence = {0};
    uint32_t end = region->component_count, at = component_of(region, node);
    while (at != stop && at != end && ++*region->work < WORK_MOST) {
        uint32_t post = region->post[at];
        if (is_cycle(region, at)) {
            rh__term_list_add(&sequence, loop_term(region, at, node, post));
        } else {
            rh__term_list_add(&sequence, leaf(region, node));
            rh__term_list_add(&sequence, branch_term(region, node, post));
        }
        at = post;
        node = at == end ? END(region->structure) : region->heads[at];
    }
    return rh__term_join(terms, RH__TERM_SEQUENCE, &sequence);
}

static uint32_t region_term(struct region *region)
{
    region_init(region);
    uint32_t component = region->component[region->start], term = RH__SKIP;
    if (component != RH_NONE)
        term = walk(region, region->start, region->component_count);
    region_fini(region);
    return term;
}

static uint32_t everything(struct rh__sketch_structure *structure, const bool *inside)
{
    struct rh__term_list events = {0};
    structure->is_tangled = true;
    for (uint32_t i = 0; i < structure->graph->nodes.count; i++)
        if (inside[i] && structure->graph->nodes.items[i].operation != RH_NONE &&
            !structure->silent[i])
            rh__term_list_add(&events, rh__term_leaf(structure->terms, i));
    uint32_t ways = rh__term_join(structure->terms, RH__TERM_CHOICE, &events);
    return rh__term_loop(structure->terms, ways, 0, true);
}

uint32_t rh__sketch_structure_term(struct rh__sketch_structure *structure, uint32_t node)
{
    size_t count = structure->graph->nodes.count, work = 0;
    struct region region = {
        .structure = structure, .start = node, .target = RH_NONE, .work = &work};
    uint32_t term = region_term(&region);
    if (work < WORK_MOST)
        return term;
    bool *all = rh_alloc(count + 1);
    memset(all, 1, count);
    term = everything(structure, all);
    free(all);
    return term;
}
