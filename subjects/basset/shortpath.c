// SPDX-License-Identifier: MIT
// Shortest paths from one node to all others, after Chandy and Misra, without their detection of
// termination.
//
// A node that hears of a shorter way to itself tells its neighbours. No bug under any order: when
// no message is left every node knows its distance; how many messages that takes depends on the
// order. In the variant with a seeded bug a node passes on ways that are no longer than the one it
// knows, instead of shorter: on a graph with a cycle of length 0 the messages never end, under any
// order rule.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#ifndef MOST_NODES
#define MOST_NODES 5
#endif

enum { MOST_ARCS = 2 * MOST_NODES + 2, UNKNOWN = -1 };

RH_MESSAGE(receive, {
    int distance;
    int weight;
});

struct arc {
    int from;
    int to;
    int weight;
};

// Set by the test's body, and only read afterwards.
static struct {
    int nodes;
    int arcs;
    rh_actor *node[MOST_NODES];
    struct arc arc[MOST_ARCS];
} graph;

struct node {
    int index;
    int distance;
    bool accepts_equal; // the seeded bug
};

static void tell_neighbours(const struct node *node)
{
    for (int i = 0; i < graph.arcs; i++) {
        const struct arc *arc = &graph.arc[i];
        if (arc->from == node->index)
            rh_send(graph.node[arc->to], receive,
                    {.distance = node->distance, .weight = arc->weight});
    }
}

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    const struct receive *receive = rh_as(message, receive);
    (void)self;

    if (!receive)
        return;
    int distance = receive->distance + receive->weight;
    if (node->distance == UNKNOWN || node->distance > distance ||
        (node->accepts_equal && node->distance == distance)) {
        node->distance = distance;
        tell_neighbours(node);
    }
}

struct distances {
    int of[MOST_NODES];
};

struct expected {
    struct distances distances;
};

static void distances_are_right(const void *context)
{
    const struct expected *expected = context;

    for (int i = 0; i < graph.nodes; i++) {
        const struct node *node = rh_view_state(graph.node[i]);
        rh_check(node->distance == expected->distances.of[i]);
    }
}

static void make_nodes(int count, bool accepts_equal)
{
    graph.nodes = count;
    for (int i = 0; i < count; i++) {
        graph.node[i] = rh_spawn(node_behaviour, struct node,
                                 {.index = i, .distance = UNKNOWN, .accepts_equal = accepts_equal});
    }
}

static void arc(int from, int to, int weight)
{
    graph.arc[graph.arcs++] = (struct arc){from, to, weight};
}

static void edge(int from, int to, int weight)
{
    arc(from, to, weight);
    arc(to, from, weight);
}

// Edges from node 0 to the others, of weight 10.
static void spokes(int others)
{
    for (int i = 1; i <= others; i++)
        arc(0, i, 10);
}

static void find_paths(int source, struct distances distances)
{
    rh_finally(distances_are_right, struct expected, {.distances = distances});
    rh_send(graph.node[source], receive, {.distance = 0, .weight = 0});
}

RH_TEST(triangle)
{
    make_nodes(3, false);
    edge(0, 1, 3);
    edge(0, 2, 10);
    edge(1, 2, 6);
    find_paths(0, (struct distances){{0, 3, 9}});
}

RH_TEST(equal_triangle)
{
    make_nodes(3, false);
    edge(0, 1, 10);
    edge(0, 2, 10);
    edge(1, 2, 10);
    find_paths(0, (struct distances){{0, 10, 10}});
}

RH_TEST(four_nodes)
{
    make_nodes(4, false);
    spokes(3);
    edge(1, 3, 10);
    edge(2, 3, 10);
    find_paths(0, (struct distances){{0, 10, 10, 10}});
}

RH_TEST(five_nodes)
{
    make_nodes(5, false);
    edge(0, 1, 10);
    edge(0, 2, 10);
    edge(1, 3, 10);
    edge(4, 0, 10);
    edge(4, 1, 10);
    find_paths(4, (struct distances){{10, 10, 20, 20, 0}});
}

RH_TEST(fan)
{
    make_nodes(4, false);
    spokes(3);
    edge(1, 2, 10);
    edge(2, 3, 10);
    find_paths(0, (struct distances){{0, 10, 10, 10}});
}

RH_TEST(one_way_fan)
{
    make_nodes(4, false);
    spokes(3);
    arc(1, 2, 10);
    arc(2, 3, 10);
    find_paths(0, (struct distances){{0, 10, 10, 10}});
}

RH_TEST(tree)
{
    make_nodes(5, false);
    edge(0, 1, 10);
    edge(0, 2, 10);
    edge(1, 3, 10);
    edge(1, 4, 10);
    find_paths(0, (struct distances){{0, 10, 10, 20, 20}});
}

RH_TEST(circulant)
{
    make_nodes(4, false);
    for (int i = 0; i < 4; i++) {
        arc(i, (i + 1) % 4, 10);
        arc(i, (i + 2) % 4, 10);
    }
    find_paths(0, (struct distances){{0, 10, 10, 20}});
}

RH_TEST(path)
{
    make_nodes(4, false);
    edge(0, 1, 10);
    edge(1, 2, 10);
    edge(2, 3, 10);
    find_paths(0, (struct distances){{0, 10, 20, 30}});
}

RH_TEST(square)
{
    make_nodes(4, false);
    for (int i = 0; i < 4; i++)
        edge(i, (i + 1) % 4, 10);
    find_paths(0, (struct distances){{0, 10, 20, 10}});
}

RH_TEST(star)
{
    make_nodes(4, false);
    arc(0, 1, 10);
    edge(1, 2, 10);
    edge(1, 3, 10);
    find_paths(0, (struct distances){{0, 10, 20, 20}});
}

RH_TEST(wheel)
{
    make_nodes(4, false);
    spokes(3);
    edge(1, 2, 10);
    edge(2, 3, 10);
    edge(1, 3, 10);
    find_paths(0, (struct distances){{0, 10, 10, 10}});
}

// A round in which skipping a node takes longer than visiting it.
RH_TEST(detours)
{
    struct distances distances;

    make_nodes(MOST_NODES, false);
    for (int i = 0; i < MOST_NODES; i++) {
        arc(i, (i + 1) % MOST_NODES, 1);
        arc(i, (i + 2) % MOST_NODES, 3);
        distances.of[i] = i;
    }
    find_paths(0, distances);
}

static void add_free_edge(void)
{
    arc(0, 1, 3);
    edge(1, 2, 0);
}

RH_TEST(free_edge)
{
    make_nodes(3, false);
    add_free_edge();
    find_paths(0, (struct distances){{0, 3, 3}});
}

RH_TEST(free_edge_endless)
{
    make_nodes(3, true);
    add_free_edge();
    find_paths(0, (struct distances){{0, 3, 3}});
}
