// SPDX-License-Identifier: MIT
#include "explore/states/component.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "world/world.h"

bool rh_component_has(const struct rh_component *component, const struct rh_graph_edge *edge)
{
    return !edge->progress && component->places[edge->to] != RH_NONE;
}

static uint32_t *new_words(uint32_t count)
{
    return rh_alloc(sizeof(uint32_t) * ((size_t)count + 1));
}

static uint32_t *new_filled(uint32_t count)
{
    uint32_t *words = new_words(count);
    memset(words, 0xff, sizeof *words * ((size_t)count + 1));
    return words;
}

// Called for each edge within the component.
typedef void visitor(struct rh_component *component, uint32_t from, uint32_t edge);

static void visit_edges(struct rh_component *component, visitor *visit)
{
    const struct rh_state_graph *graph = component->graph;
    for (uint32_t i = 0; i < component->count; i++)
        for (uint32_t e = graph->nodes[component->nodes[i]].first_edge; e != RH_NONE;
             e = graph->edges[e].next)
            if (rh_component_has(component, &graph->edges[e]))
                visit(component, i, e);
}

static void count_in(struct rh_component *component, uint32_t from, uint32_t edge)
{
    (void)from;
    component->first_in[component->places[component->graph->edges[edge].to] + 1]++;
}

// first_in[i + 1] is where the next edge to i goes; in the end, where the edges to i end.
static void add_in(struct rh_component *component, uint32_t from, uint32_t edge)
{
    uint32_t at = component->first_in[component->places[component->graph->edges[edge].to] + 1]++;
    component->in_edges[at] = edge;
    component->in_from[at] = from;
}

static void turn_edges(struct rh_component *component)
{
    uint32_t *first = component->first_in = new_words(component->count + 1);
    visit_edges(component, count_in);
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= component->count; i++) {
        uint32_t here = first[i];
        first[i] = sum;
        sum += here;
    }
    component->in_edges = new_words(sum);
    component->in_from = new_words(sum);
    visit_edges(component, add_in);
}

static void number_messages(struct rh_component *component)
{
    component->first_message = new_words(component->count);
    for (uint32_t i = 0; i < component->count; i++)
        component->first_message[i + 1] =
            component->first_message[i] + component->graph->nodes[component->nodes[i]].deliverable;
}

// Breadth first, from the last delivery back.

static void reach(struct rh_component *component, uint32_t message, uint32_t steps, uint32_t edge)
{
    component->steps[message] = steps;
    component->via[message] = edge;
}

static void get_rid(struct rh_component *component, uint32_t from, uint32_t edge)
{
    const struct rh_state_graph *graph = component->graph;
    const uint16_t *ranks = rh_graph_ranks(graph, &graph->edges[edge]);
    uint32_t first = component->first_message[from];
    uint32_t count = component->first_message[from + 1] - first;
    for (uint32_t rank = 0; rank < count; rank++)
        if (ranks[rank] == RH_GRAPH_GONE && component->steps[first + rank] == RH_NONE)
            reach(component, first + rank, 1, edge);
}

struct followed {
    uint32_t node, rank;
};

// Adds messages of nodes before this one that become this message by one delivery.
static size_t follow_back(struct rh_component *component, struct followed to,
                          struct followed *queue, size_t end)
{
    const struct rh_state_graph *graph = component->graph;
    uint32_t steps = component->steps[component->first_message[to.node] + to.rank];
    for (uint32_t k = component->first_in[to.node]; k < component->first_in[to.node + 1]; k++) {
        uint32_t from = component->in_from[k], first = component->first_message[from];
        const uint16_t *ranks = rh_graph_ranks(graph, &graph->edges[component->in_edges[k]]);
        for (uint32_t rank = 0; rank < component->first_message[from + 1] - first; rank++) {
            if (ranks[rank] != to.rank || component->steps[first + rank] != RH_NONE)
                continue;
            reach(component, first + rank, steps + 1, component->in_edges[k]);
            queue[end++] = (struct followed){from, rank};
        }
    }
    return end;
}

static void follow_messages(struct rh_component *component)
{
    uint32_t count = component->first_message[component->count];
    component->steps = new_filled(count);
    component->via = new_filled(count);
    struct followed *queue = rh_alloc(sizeof *queue * ((size_t)count + 1));
    visit_edges(component, get_rid);
    size_t end = 0;
    for (uint32_t i = 0; i < component->count; i++)
        for (uint32_t m = component->first_message[i]; m < component->first_message[i + 1]; m++)
            if (component->steps[m] == 1)
                queue[end++] = (struct followed){i, m - component->first_message[i]};
    for (size_t at = 0; at < end; at++)
        end = follow_back(component, queue[at], queue, end);
    free(queue);
}

void rh_component_init(struct rh_component *component, const struct rh_state_graph *graph,
                       const uint32_t *nodes, uint32_t count, uint32_t *places)
{
    *component =
        (struct rh_component){.graph = graph, .nodes = nodes, .count = count, .places = places};
    for (uint32_t i = 0; i < count; i++)
        places[nodes[i]] = i;
    turn_edges(component);
    number_messages(component);
    follow_messages(component);
}

void rh_component_fini(struct rh_component *component)
{
    for (uint32_t i = 0; i < component->count; i++)
        component->places[component->nodes[i]] = RH_NONE;
    free(component->first_in);
    free(component->in_edges);
    free(component->in_from);
    free(component->first_message);
    free(component->steps);
    free(component->via);
}

uint32_t rh_component_steps(const struct rh_component *component, uint32_t node, uint32_t rank)
{
    return component->steps[component->first_message[component->places[node]] + rank];
}

uint32_t rh_component_via(const struct rh_component *component, uint32_t node, uint32_t rank)
{
    return component->via[component->first_message[component->places[node]] + rank];
}

uint32_t *rh_component_routes(const struct rh_component *component, uint32_t node)
{
    uint32_t *routes = new_filled(component->count);
    uint32_t *queue = new_words(component->count + 1), end = 0;
    queue[end++] = component->places[node];
    for (uint32_t at = 0; at < end; at++)
        for (uint32_t k = component->first_in[queue[at]]; k < component->first_in[queue[at] + 1];
             k++) {
            uint32_t from = component->in_from[k];
            if (routes[from] != RH_NONE)
                continue;
            routes[from] = component->in_edges[k];
            // A route round from the start itself ends there.
            if (from != component->places[node])
                queue[end++] = from;
        }
    free(queue);
    return routes;
}
