// SPDX-License-Identifier: MIT
// Leader election by capture, as in Erlang's gen_leader and its descriptions by Arts, Claessen and
// Svensson. Known to be buggy.
//
// A candidate asks the others to join it; who has captured fewer, or as many with a worse priority,
// accepts. With a majority, or when all others are captured or down, a candidate is elected. A node
// that is killed tells the others that it is down.
//
// Hazard under `--delivery fifo`: if all nodes are killed and started again, an old `down` reaches a
// node in its new life, which then takes the other for dead and elects itself; so does the other.
// Without kills the election is correct. In the fixed twin every message carries the sender's life,
// and one from another life than the receiver's is ignored.
//
// bug:     --test two_restarted : check
// cause:   init from outside reached node before down from node
// or:      start from outside reached node before down from node
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_NODES = 3 };

enum node_state { KILLED, CANDIDATE, CAPTURED, SURRENDERED, ELECTED };

// A set of nodes is a mask of their indices. The lower an index, the better the priority.
RH_MESSAGE(init, { int life; });
RH_SIGNAL(start);
RH_SIGNAL(kill);
RH_MESSAGE(capture, {
    int life;
    int node;
    unsigned captured;
});
RH_MESSAGE(accept, {
    int life;
    int node;
    unsigned captured;
});
RH_MESSAGE(elect, {
    int life;
    int node;
});
RH_MESSAGE(down, {
    int life;
    int node;
});

// Set by the test's body, and only read afterwards.
static struct {
    int nodes;
    rh_actor *node[MOST_NODES];
} group;

enum { NOBODY = -1 };

struct node {
    int index;
    int life;
    bool knows_lives; // the fix
    enum node_state state;
    int leader;
    unsigned captured;
    unsigned down;
};

static int count_of(unsigned set)
{
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static bool is_other(const struct node *node, int index)
{
    return index < group.nodes && index != node->index;
}

static void broadcast_capture(const struct node *node)
{
    for (int i = 0; i < group.nodes; i++) {
        if (is_other(node, i))
            rh_send(group.node[i], capture,
                    {.life = node->life, .node = node->index, .captured = node->captured});
    }
}

static void send_elect(const struct node *node, int to)
{
    rh_send(group.node[to], elect, {.life = node->life, .node = node->index});
}

static void look_for_majority(struct node *node)
{
    int followers = count_of(node->captured) + 1;

    node->state = CANDIDATE;
    if (followers <= group.nodes / 2 && followers + count_of(node->down) != group.nodes)
        return;
    node->state = ELECTED;
    node->leader = node->index;
    for (int i = 0; i < group.nodes; i++) {
        if (is_other(node, i))
            send_elect(node, i);
    }
}

static void take_capture(struct node *node, const struct capture *capture)
{
    int theirs = count_of(capture->captured);
    int ours = count_of(node->captured);

    node->down &= ~(1U << capture->node);
    if (node->state == ELECTED)
        send_elect(node, capture->node);
    if (node->state != CANDIDATE)
        return;
    if (theirs > ours || (theirs == ours && capture->node < node->index)) {
        rh_send(group.node[capture->node], accept,
                {.life = node->life, .node = node->index, .captured = node->captured});
        node->state = CAPTURED;
        node->leader = capture->node;
    }
}

static void take_accept(struct node *node, const struct accept *accept)
{
    node->down &= ~(1U << accept->node);
    if (node->state == CANDIDATE) {
        node->captured |= accept->captured | 1U << accept->node;
        look_for_majority(node);
    } else if (node->state == CAPTURED && node->leader != NOBODY) {
        rh_send(group.node[node->leader], accept,
                {.life = accept->life, .node = accept->node, .captured = accept->captured});
    } else if (node->state == ELECTED) {
        send_elect(node, accept->node);
    }
}

static void take_elect(struct node *node, const struct elect *elect)
{
    node->down &= ~(1U << elect->node);
    rh_check(node->state != ELECTED); // there would be two leaders
    node->state = SURRENDERED;
    node->leader = elect->node;
    node->captured = 0;
}

static void take_down(struct node *node, const struct down *down)
{
    node->down |= 1U << down->node;
    if (node->leader == down->node)
        node->leader = NOBODY;
    if (node->state != CANDIDATE && node->leader == NOBODY)
        broadcast_capture(node);
    if (node->state == CANDIDATE || node->leader == NOBODY)
        look_for_majority(node);
}

static void be_killed(struct node *node)
{
    node->state = KILLED;
    for (int i = 0; i < group.nodes; i++) {
        if (is_other(node, i))
            rh_send(group.node[i], down, {.life = node->life, .node = node->index});
    }
}

static void be_born(struct node *node, const struct init *init)
{
    node->life = init->life;
    node->state = CANDIDATE;
    node->leader = NOBODY;
    node->captured = 0;
    node->down = 0;
}

// The life in which the sender of a message between nodes sent it, 0 for other messages.
static int life_of(const rh_message *message)
{
    const struct capture *capture = rh_as(message, capture);
    const struct accept *accept = rh_as(message, accept);
    const struct elect *elect = rh_as(message, elect);
    const struct down *down = rh_as(message, down);

    return capture  ? capture->life
           : accept ? accept->life
           : elect  ? elect->life
           : down   ? down->life
                    : 0;
}

static void take_from_node(struct node *node, const rh_message *message)
{
    const struct capture *capture;
    const struct accept *accept;
    const struct elect *elect;
    const struct down *down;

    if ((capture = rh_as(message, capture)))
        take_capture(node, capture);
    else if ((accept = rh_as(message, accept)))
        take_accept(node, accept);
    else if ((elect = rh_as(message, elect)))
        take_elect(node, elect);
    else if ((down = rh_as(message, down)))
        take_down(node, down);
}

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    const struct init *init;
    (void)self;

    if ((init = rh_as(message, init)))
        be_born(node, init);
    else if (node->state == KILLED)
        rh_ignore(message);
    else if (rh_as(message, start))
        broadcast_capture(node);
    else if (rh_as(message, kill))
        be_killed(node);
    else if (!node->knows_lives || life_of(message) == node->life)
        take_from_node(node, message);
}

// A node of a later life whose message comes before the receiver is born again would be ignored and
// never ask again: such messages wait.
static bool node_guard(const void *state, const rh_message *message)
{
    const struct node *node = state;

    return !node->knows_lives || life_of(message) <= node->life;
}
RH_GUARD(node_behaviour, node_guard);

struct members {
    rh_actor *node[MOST_NODES];
};

static void one_leader(const void *context)
{
    const struct members *members = context;
    int elected = 0;

    for (int i = 0; i < group.nodes; i++) {
        const struct node *node = rh_view_state(members->node[i]);
        elected += node->state == ELECTED;
    }
    rh_check(elected == 1);
}

// Nodes that are in their first life, with the election still to start.
static void make_nodes(int nodes, bool knows_lives)
{
    group.nodes = nodes;
    for (int i = 0; i < nodes; i++) {
        group.node[i] = rh_spawn(node_behaviour, struct node,
                                 {.index = i,
                                  .life = 1,
                                  .knows_lives = knows_lives,
                                  .state = CANDIDATE,
                                  .leader = NOBODY});
    }
    rh_finally(one_leader, struct members, {{group.node[0], group.node[1], group.node[2]}});
}

static void plain_election(int nodes)
{
    make_nodes(nodes, false);
    for (int i = 0; i < nodes; i++)
        rh_send(group.node[i], start);
}

static void kill_all_and_restart(int nodes, bool knows_lives)
{
    make_nodes(nodes, knows_lives);
    for (int i = 0; i < nodes; i++) {
        rh_send(group.node[i], kill);
        rh_send(group.node[i], init, {.life = 2});
        rh_send(group.node[i], start);
    }
}

RH_TEST(two_nodes)
{
    plain_election(2);
}

RH_TEST(three_nodes)
{
    plain_election(3);
}

RH_TEST(two_restarted)
{
    kill_all_and_restart(2, false);
}

RH_TEST(three_restarted)
{
    kill_all_and_restart(3, false);
}

RH_TEST(two_restarted_fixed)
{
    kill_all_and_restart(2, true);
}
