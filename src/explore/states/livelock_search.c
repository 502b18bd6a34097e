// SPDX-License-Identifier: MIT
#include "explore/states/livelock_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "explore/states/component.h"
#include "world/world.h"

struct search {
    const struct rh_state_graph *graph;
    struct rh_livelock_groups *groups;
    // By node: nodes of one region form components; RH_NONE: the node is done with.
    uint32_t *regions;
    uint32_t *places;    // see component.h
    uint32_t *distances; // by node, from the start
    uint32_t *wholes;    // by node: its component in the first round
    bool *have_fair;     // by component of the first round: there is a fair way round in it
    uint32_t whole_count, region_count;
    bool first_round;
    // Tarjan's algorithm, without recursion.
    uint32_t *numbers, *lows; // by node; 0: not visited
    uint32_t *next_edges;     // by node: where to go on
    uint32_t *stack, *path;
    uint32_t stack_count, path_count, number;
    bool *is_on_stack;
};

static bool stays(const struct search *search, uint32_t node, const struct rh_graph_edge *edge)
{
    return !edge->progress && search->regions[node] == search->regions[edge->to];
}

// The variety of a component: a hash of everything that is delivered in it.

static int by_value(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static uint64_t variety_of(const struct rh_component *component)
{
    const struct rh_state_graph *graph = component->graph;
    uint32_t count = component->first_in[component->count];
    uint32_t *kinds = rh_alloc(sizeof *kinds * ((size_t)count + 1));
    for (uint32_t i = 0; i < count; i++)
        kinds[i] = graph->edges[component->in_edges[i]].kind;
    qsort(kinds, count, sizeof *kinds, by_value);
    uint64_t variety = 1;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || kinds[i] != kinds[i - 1])
            variety = rh_hash64_pair(variety, kinds[i]);
    free(kinds);
    return variety;
}

static struct rh_livelock_group *get_group(struct rh_livelock_groups *groups, uint64_t variety,
                                           bool fair)
{
    for (size_t i = 0; i < groups->items.count; i++)
        if (groups->items.items[i].variety == variety && groups->items.items[i].fair == fair)
            return &groups->items.items[i];
    struct rh_livelock_group *group = rh_vector_push(&groups->items);
    *group = (struct rh_livelock_group){.fair = fair, .variety = variety, .distance = RH_NONE};
    return group;
}

static uint32_t nearest_of(const struct search *search, const struct rh_component *component)
{
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < component->count; i++)
        if (search->distances[component->nodes[i]] < search->distances[component->nodes[nearest]])
            nearest = i;
    return nearest;
}

static void add_to_group(struct search *search, const struct rh_component *component, bool fair)
{
    struct rh_livelock_group *group = get_group(search->groups, variety_of(component), fair);
    uint32_t nearest = nearest_of(search, component);
    uint32_t distance = search->distances[component->nodes[nearest]];
    group->count++;
    if (group->nodes && distance >= group->distance)
        return;
    free(group->nodes);
    group->distance = distance;
    group->node_count = component->count;
    group->nodes = rh_alloc(sizeof *group->nodes * component->count);
    memcpy(group->nodes, component->nodes, sizeof *group->nodes * component->count);
    group->nodes[0] = component->nodes[nearest];
    group->nodes[nearest] = component->nodes[0];
}

// Components.

static bool is_round(const struct search *search, const uint32_t *nodes, uint32_t count)
{
    const struct rh_state_graph *graph = search->graph;
    for (uint32_t e = graph->nodes[nodes[0]].first_edge; count == 1 && e != RH_NONE;
         e = graph->edges[e].next)
        if (graph->edges[e].to == nodes[0] && !graph->edges[e].progress)
            return true;
    return count > 1;
}

static bool can_rid_all(const struct rh_component *component, uint32_t node)
{
    for (uint32_t rank = 0; rank < component->graph->nodes[node].deliverable; rank++)
        if (rh_component_steps(component, node, rank) == RH_NONE)
            return false;
    return true;
}

// The nodes that a fair way round may pass form the next region. Gives whether these are all nodes.
static bool leave_out(struct search *search, const struct rh_component *component)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < component->count; i++) {
        bool stays_in = can_rid_all(component, component->nodes[i]);
        left += stays_in;
        search->regions[component->nodes[i]] = stays_in ? search->region_count : RH_NONE;
    }
    search->region_count += left > 0 && left < component->count;
    return left == component->count;
}

static void name_whole(struct search *search, const uint32_t *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        search->wholes[nodes[i]] = search->whole_count;
    search->whole_count++;
}

static void drop(struct search *search, const uint32_t *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        search->regions[nodes[i]] = RH_NONE;
}

static void take_component(struct search *search, const uint32_t *nodes, uint32_t count)
{
    if (search->first_round)
        name_whole(search, nodes, count);
    if (!is_round(search, nodes, count)) {
        drop(search, nodes, count);
        return;
    }
    struct rh_component component;
    rh_component_init(&component, search->graph, nodes, count, search->places);
    if (leave_out(search, &component)) {
        search->have_fair[search->wholes[nodes[0]]] = true;
        add_to_group(search, &component, true);
        drop(search, nodes, count);
    }
    rh_component_fini(&component);
}

// Tarjan's algorithm. Regions change only for nodes of components that are complete, and edges to
// these nodes are not looked at any more: such nodes are not on the stack.

static void enter(struct search *search, uint32_t node)
{
    search->numbers[node] = search->lows[node] = ++search->number;
    search->next_edges[node] = search->graph->nodes[node].first_edge;
    search->stack[search->stack_count++] = node;
    search->is_on_stack[node] = true;
    search->path[search->path_count++] = node;
}

static void leave(struct search *search, uint32_t node)
{
    search->path_count--;
    if (search->path_count > 0) {
        uint32_t before = search->path[search->path_count - 1];
        if (search->lows[node] < search->lows[before])
            search->lows[before] = search->lows[node];
    }
    if (search->lows[node] != search->numbers[node])
        return;
    uint32_t end = search->stack_count, top;
    do {
        top = search->stack[--search->stack_count];
        search->is_on_stack[top] = false;
    } while (top != node);
    take_component(search, search->stack + search->stack_count, end - search->stack_count);
}

static void step(struct search *search, uint32_t node)
{
    const struct rh_graph_edge *edge = &search->graph->edges[search->next_edges[node]];
    search->next_edges[node] = edge->next;
    if (edge->progress)
        return;
    if (search->numbers[edge->to] == 0 && stays(search, node, edge))
        enter(search, edge->to);
    else if (search->is_on_stack[edge->to] && stays(search, node, edge) &&
             search->numbers[edge->to] < search->lows[node])
        search->lows[node] = search->numbers[edge->to];
}

// Goes through the components of all regions. Gives whether new, smaller regions have come.
static bool go_through(struct search *search)
{
    uint32_t count = search->graph->node_count, regions = search->region_count;
    memset(search->numbers, 0, sizeof *search->numbers * count);
    search->number = 0;
    for (uint32_t node = 0; node < count; node++) {
        if (search->numbers[node] != 0 || search->regions[node] == RH_NONE)
            continue;
        enter(search, node);
        while (search->path_count > 0) {
            uint32_t top = search->path[search->path_count - 1];
            if (search->next_edges[top] == RH_NONE)
                leave(search, top);
            else
                step(search, top);
        }
    }
    search->first_round = false;
    return search->region_count > regions;
}

// Ways round that are not fair: components of the first round without a fair one.

static uint32_t *list_by_whole(const struct search *search, uint32_t *ends)
{
    uint32_t count = search->graph->node_count, sum = 0;
    uint32_t *nodes = rh_alloc(sizeof *nodes * ((size_t)count + 1));
    for (uint32_t node = 0; node < count; node++)
        ends[search->wholes[node]]++;
    for (uint32_t i = 0; i < search->whole_count; i++) {
        uint32_t here = ends[i];
        ends[i] = sum;
        sum += here;
    }
    for (uint32_t node = 0; node < count; node++)
        nodes[ends[search->wholes[node]]++] = node;
    return nodes;
}

static void add_unfair(struct search *search)
{
    uint32_t *ends = rh_alloc(sizeof *ends * ((size_t)search->whole_count + 1));
    uint32_t *nodes = list_by_whole(search, ends);
    for (uint32_t i = 0; i < search->whole_count; i++) {
        const uint32_t *first = nodes + (i > 0 ? ends[i - 1] : 0);
        uint32_t count = (uint32_t)(nodes + ends[i] - first);
        if (search->have_fair[i] || !is_round(search, first, count))
            continue;
        struct rh_component component;
        rh_component_init(&component, search->graph, first, count, search->places);
        add_to_group(search, &component, false);
        rh_component_fini(&component);
    }
    free(nodes);
    free(ends);
}

// The search.

static void measure(struct search *search)
{
    const struct rh_state_graph *graph = search->graph;
    uint32_t *queue = search->stack, end = 0;
    queue[end++] = RH_GRAPH_START;
    search->distances[RH_GRAPH_START] = 0;
    for (uint32_t at = 0; at < end; at++)
        for (uint32_t e = graph->nodes[queue[at]].first_edge; e != RH_NONE;
             e = graph->edges[e].next) {
            uint32_t to = graph->edges[e].to;
            if (search->distances[to] != RH_NONE)
                continue;
            search->distances[to] = search->distances[queue[at]] + 1;
            queue[end++] = to;
        }
}

static uint32_t *new_words(uint32_t count, int byte)
{
    size_t size = sizeof(uint32_t) * ((size_t)count + 1);
    return memset(rh_alloc(size), byte, size);
}

static void init(struct search *search, const struct rh_state_graph *graph)
{
    uint32_t count = graph->node_count;
    search->graph = graph;
    search->regions = new_words(count, 0);
    search->places = new_words(count, 0xff);
    search->distances = new_words(count, 0xff);
    search->wholes = new_words(count, 0xff);
    search->numbers = new_words(count, 0);
    search->lows = new_words(count, 0);
    search->next_edges = new_words(count, 0);
    search->stack = new_words(count, 0);
    search->path = new_words(count, 0);
    search->have_fair = rh_alloc((size_t)count + 1);
    search->is_on_stack = rh_alloc((size_t)count + 1);
    search->region_count = 1;
    search->first_round = true;
}

static void fini(struct search *search)
{
    free(search->regions);
    free(search->places);
    free(search->distances);
    free(search->wholes);
    free(search->numbers);
    free(search->lows);
    free(search->next_edges);
    free(search->stack);
    free(search->path);
    free(search->have_fair);
    free(search->is_on_stack);
}

void rh_livelock_search(const struct rh_state_graph *graph, bool wants_unfair,
                        struct rh_livelock_groups *groups)
{
    *groups = (struct rh_livelock_groups){0};
    if (graph->node_count == 0)
        return;
    struct search search = {.groups = groups};
    init(&search, graph);
    measure(&search);
    while (go_through(&search))
        continue;
    if (wants_unfair)
        add_unfair(&search);
    fini(&search);
}

void rh_livelock_groups_fini(struct rh_livelock_groups *groups)
{
    for (size_t i = 0; i < groups->items.count; i++)
        free(groups->items.items[i].nodes);
    rh_vector_fini(&groups->items);
}
