// SPDX-License-Identifier: MIT
#include "explore/states/lasso.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *new_words(uint32_t count)
{
    size_t size = sizeof(uint32_t) * ((size_t)count + 1);
    return memset(rh_alloc(size), 0xff, size);
}

// Finds for each node the edge with which a shortest route from the start ends, and the node that
// this edge comes from.
static void find_routes(const struct rh_state_graph *graph, uint32_t *edges, uint32_t *before)
{
    uint32_t *queue = new_words(graph->node_count), end = 0;
    queue[end++] = RH_GRAPH_START;
    for (uint32_t at = 0; at < end; at++)
        for (uint32_t e = graph->nodes[queue[at]].first_edge; e != RH_NONE;
             e = graph->edges[e].next) {
            uint32_t to = graph->edges[e].to;
            if (edges[to] != RH_NONE)
                continue;
            edges[to] = e;
            before[to] = queue[at];
            queue[end++] = to;
        }
    free(queue);
}

static bool find_stem(struct rh_lasso *lasso)
{
    uint32_t *edges = new_words(lasso->graph->node_count);
    uint32_t *before = new_words(lasso->graph->node_count);
    find_routes(lasso->graph, edges, before);
    bool is_reached = edges[lasso->start] != RH_NONE;
    for (uint32_t node = lasso->start; is_reached && node != RH_GRAPH_START; node = before[node])
        *rh_vector_push(&lasso->stem) = edges[node];
    for (size_t i = 0; i < lasso->stem.count / 2; i++) {
        uint32_t edge = lasso->stem.items[i];
        lasso->stem.items[i] = lasso->stem.items[lasso->stem.count - 1 - i];
        lasso->stem.items[lasso->stem.count - 1 - i] = edge;
    }
    free(edges);
    free(before);
    return is_reached;
}

bool rh_lasso_init(struct rh_lasso *lasso, const struct rh_state_graph *graph,
                   const struct rh_states *states, const struct rh_livelock_group *group)
{
    *lasso = (struct rh_lasso){.graph = graph,
                               .states = states,
                               .fair = group->fair,
                               .variety = group->variety,
                               .start = group->nodes[0],
                               .places = new_words(graph->node_count)};
    rh_component_init(&lasso->component, graph, group->nodes, group->node_count, lasso->places);
    lasso->routes = rh_component_routes(&lasso->component, lasso->start);
    if (!find_stem(lasso))
        return false;
    lasso->edge = lasso->stem.items[0];
    return true;
}

void rh_lasso_fini(struct rh_lasso *lasso)
{
    rh_component_fini(&lasso->component);
    free(lasso->places);
    free(lasso->routes);
    rh_vector_fini(&lasso->stem);
    rh_vector_fini(&lasso->ranks.messages);
}

uint32_t rh_lasso_lap(const struct rh_lasso *lasso)
{
    return (uint32_t)lasso->stem.count - 1;
}

static uint32_t lose(struct rh_lasso *lasso)
{
    lasso->lost = true;
    return RH_NONE;
}

// The edge towards getting rid of the message that is got rid of soonest; of several, the oldest.
static uint32_t edge_to_rid(const struct rh_lasso *lasso, const struct rh_lap *lap, uint32_t node)
{
    uint32_t best = RH_NONE, edge = RH_NONE;
    for (size_t i = 0; i < lap->waiting.count; i++) {
        uint32_t rank = rh_ranks_find(&lasso->ranks, lap->waiting.items[i]);
        uint32_t steps = rh_component_steps(&lasso->component, node, rank);
        if (steps >= best)
            continue;
        best = steps;
        edge = rh_component_via(&lasso->component, node, rank);
    }
    return edge;
}

// The next edge; RH_NONE if the lap is complete.
static uint32_t next_edge(const struct rh_lasso *lasso, const struct rh_lap *lap,
                          const struct rh_world *world, uint32_t node)
{
    if (world->number + 1 < lasso->stem.count)
        return lasso->stem.items[world->number + 1];
    if (lasso->fair && lap->waiting.count > 0)
        return edge_to_rid(lasso, lap, node);
    if (node == lasso->start && world->number > rh_lasso_lap(lasso))
        return RH_NONE;
    return lasso->routes[lasso->places[node]];
}

static uint32_t choose_delivery(struct rh_lasso *lasso, const struct rh_lap *lap,
                                const struct rh_choice_point *point)
{
    const struct rh_state_graph *graph = lasso->graph;
    uint32_t node = graph->edges[lasso->edge].to;
    rh_hash128 fingerprint =
        rh_ranks_fill(&lasso->ranks, lasso->states, point->world, point->count);
    if (graph->nodes[node].fingerprint != fingerprint ||
        graph->nodes[node].deliverable != point->count)
        return lose(lasso);
    uint32_t edge = next_edge(lasso, lap, point->world, node);
    if (edge == RH_NONE)
        return RH_NONE;
    lasso->edge = edge;
    lasso->choices_made = 0;
    uint32_t message = lasso->ranks.messages.items[graph->edges[edge].rank], index = 0;
    while (point->world->deliverable[index] != message)
        index++;
    return index;
}

static uint32_t choose_outcome(struct rh_lasso *lasso, const struct rh_choice_point *point)
{
    const struct rh_graph_edge *edge = &lasso->graph->edges[lasso->edge];
    if (lasso->choices_made == edge->choice_count)
        return lose(lasso);
    uint32_t outcome = rh_graph_choices(lasso->graph, edge)[lasso->choices_made++];
    return outcome < point->count ? outcome : lose(lasso);
}

uint32_t rh_lasso_choose(struct rh_lasso *lasso, const struct rh_lap *lap,
                         const struct rh_choice_point *point)
{
    if (lasso->lost)
        return RH_NONE;
    return point->is_delivery ? choose_delivery(lasso, lap, point) : choose_outcome(lasso, point);
}
