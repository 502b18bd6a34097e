// SPDX-License-Identifier: MIT
#include "explore/states/state_graph.h"

#include <string.h>

#include "base/mapping.h"
#include "base/status.h"
#include "base/valgrind.h"
#include "world/world.h"

// Valgrind keeps books about every page that could be touched.
static unsigned less(void)
{
    return rh_valgrind_is_running() ? 10 : 0;
}

static uint32_t node_most(void)
{
    return UINT32_C(1) << (28 - less());
}

static uint32_t edge_most(void)
{
    return UINT32_C(1) << (30 - less());
}

static uint32_t data_most(void)
{
    return UINT32_MAX >> less();
}

static size_t nodes_size(void)
{
    return sizeof(struct rh_graph_node) * node_most();
}

static size_t edges_size(void)
{
    return sizeof(struct rh_graph_edge) * edge_most();
}

static size_t data_size(void)
{
    return sizeof(uint16_t) * data_most();
}

bool rh_graph_open(struct rh_state_graph *graph)
{
    *graph = (struct rh_state_graph){0};
    graph->nodes = rh_map_shared(nodes_size());
    graph->edges = rh_map_shared(edges_size());
    graph->data = rh_map_shared(data_size());
    bool has_store = rh_store_open(&graph->store, rh_table_store_size(node_most()));
    if (!graph->nodes || !graph->edges || !graph->data || !has_store)
        return false;
    rh_graph_clear(graph);
    return true;
}

void rh_graph_fini(struct rh_state_graph *graph)
{
    rh_unmap_shared(graph->nodes, nodes_size());
    rh_unmap_shared(graph->edges, edges_size());
    rh_unmap_shared(graph->data, data_size());
    rh_store_close(&graph->store);
    *graph = (struct rh_state_graph){0};
}

void rh_graph_clear(struct rh_state_graph *graph)
{
    if (!graph->nodes)
        return;
    rh_table_clear(&graph->table);
    graph->nodes[RH_GRAPH_START] = (struct rh_graph_node){.first_edge = RH_NONE};
    graph->node_count = 1;
    graph->edge_count = graph->data_count = 0;
    graph->full = false;
}

uint32_t rh_graph_find(const struct rh_state_graph *graph, rh_hash128 fingerprint)
{
    struct rh_probe probe = rh_table_probe(&graph->table, (uint64_t)(fingerprint >> 32));
    while (rh_probe_next(&probe))
        if (graph->nodes[probe.number].fingerprint == fingerprint)
            return probe.number;
    return RH_NONE;
}

uint32_t rh_graph_add_node(struct rh_state_graph *graph, rh_hash128 fingerprint,
                           uint32_t deliverable)
{
    uint32_t node = rh_graph_find(graph, fingerprint);
    if (node != RH_NONE)
        return node;
    node = graph->node_count;
    graph->full |= node == node_most() || deliverable >= RH_GRAPH_GONE ||
                   !rh_table_add(&graph->table, &graph->store, (uint64_t)(fingerprint >> 32), node);
    if (graph->full)
        return RH_NONE;
    graph->nodes[node] = (struct rh_graph_node){fingerprint, RH_NONE, (uint16_t)deliverable};
    graph->node_count++;
    return node;
}

static bool is_same(const struct rh_state_graph *graph, const struct rh_graph_edge *edge,
                    const struct rh_graph_delivery *delivery)
{
    return edge->to == delivery->to && edge->rank == delivery->rank &&
           edge->choice_count == delivery->choice_count &&
           memcmp(rh_graph_choices(graph, edge), delivery->choices,
                  sizeof *delivery->choices * delivery->choice_count) == 0;
}

// The link that names the edge, or the one behind all edges of the node.
static uint32_t *find_edge(struct rh_state_graph *graph, const struct rh_graph_delivery *delivery)
{
    uint32_t *link = &graph->nodes[delivery->from].first_edge;
    while (*link != RH_NONE && !is_same(graph, &graph->edges[*link], delivery))
        link = &graph->edges[*link].next;
    return link;
}

static uint32_t add_data(struct rh_state_graph *graph, const uint16_t *items, uint32_t count)
{
    uint32_t at = graph->data_count;
    memcpy(graph->data + at, items, sizeof *items * count);
    graph->data_count += count;
    return at;
}

static bool are_ranks(const uint16_t *ranks, uint32_t count, uint32_t deliverable)
{
    for (uint32_t i = 0; i < count; i++)
        if (ranks[i] >= deliverable && ranks[i] != RH_GRAPH_GONE)
            return false;
    return true;
}

void rh_graph_add_edge(struct rh_state_graph *graph, const struct rh_graph_delivery *delivery)
{
    rh_assert(delivery->from < graph->node_count && delivery->to < graph->node_count);
    const struct rh_graph_node *from = &graph->nodes[delivery->from];
    rh_assert(delivery->rank < from->deliverable || delivery->rank == RH_GRAPH_GONE);
    rh_assert(
        are_ranks(delivery->ranks, from->deliverable, graph->nodes[delivery->to].deliverable));
    uint32_t *link = find_edge(graph, delivery);
    if (*link != RH_NONE)
        return;
    uint32_t size = delivery->choice_count + from->deliverable;
    graph->full |= graph->edge_count == edge_most() || delivery->choice_count > UINT16_MAX ||
                   size > data_most() - graph->data_count;
    if (graph->full)
        return;
    struct rh_graph_edge *edge = &graph->edges[graph->edge_count];
    *edge = (struct rh_graph_edge){.to = delivery->to,
                                   .next = RH_NONE,
                                   .kind = delivery->kind,
                                   .rank = delivery->rank,
                                   .choice_count = (uint16_t)delivery->choice_count,
                                   .progress = delivery->progress};
    edge->data = add_data(graph, delivery->choices, delivery->choice_count);
    add_data(graph, delivery->ranks, from->deliverable);
    *link = graph->edge_count++;
}
