// SPDX-License-Identifier: MIT
// Unbalanced cobwebbed tree of Savina: each node of a tree asks the root once whether it may have
// children. The root tosses a coin as long as the tree is not too large; the first that asks after
// that makes it send two messages through the whole tree, of which the second ends it.
//
// If everybody who asks loses before the tree is large, nobody ends it: it hangs. And that the end
// comes before the answer to somebody, or before somebody asks, loses messages under `fifo`. In the
// fixed twin the root counts who has to ask yet, and ends the tree when all have; a node has children
// when its parent knows of it, and ends when it has had both messages.
#include "savina.h"

enum { NODES = 200000, CHILDREN = 10, WORK = 100 };

RH_SIGNAL(grow_tree);
RH_SIGNAL(try_to_grow);
RH_MESSAGE(may_grow, { int height; });
RH_SIGNAL(grow);
RH_SIGNAL(grow_urgently);
RH_SIGNAL(update_grant);
RH_SIGNAL(granted);
RH_SIGNAL(traverse);
RH_SIGNAL(terminate);

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int most; // nodes
    int children;
} tree;

struct node {
    rh_actor *root;
    rh_actor *parent;
    int height;
    int work; // more if it grows urgently
    bool is_traversed;
    int children;
    rh_actor *child[CHILDREN];
};

static rh_behaviour node_behaviour;

static void add_children(rh_actor *self, struct node *node)
{
    for (int i = 0; i < tree.children; i++) {
        node->child[node->children++] =
            rh_spawn(node_behaviour, struct node,
                     {.root = node->root, .parent = self, .height = node->height + 1});
        rh_send(node->child[i], try_to_grow);
    }
}

static void traverse_children(const struct node *node)
{
    for (int i = 0; i < node->children; i++)
        rh_send(node->child[i], traverse);
}

static void terminate_children(const struct node *node)
{
    for (int i = 0; i < node->children; i++)
        rh_send(node->child[i], terminate);
}

// The fixed twin has children when its parent has answered.
static void grow_node(rh_actor *self, struct node *node)
{
    rh_send(node->parent, update_grant);
    if (!tree.is_fixed)
        add_children(self, node);
}

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;

    if (rh_as(message, try_to_grow)) {
        do_work(WORK);
        rh_send(node->root, may_grow, {.height = node->height});
    } else if (rh_as(message, grow)) {
        grow_node(self, node);
    } else if (rh_as(message, grow_urgently)) {
        node->work = WORK;
        grow_node(self, node);
    } else if (rh_as(message, granted)) {
        add_children(self, node);
    } else if (rh_as(message, update_grant)) {
        if (tree.is_fixed)
            rh_reply(message, granted);
    } else if (rh_as(message, traverse)) {
        do_work(WORK + node->work);
        node->is_traversed = true;
        traverse_children(node);
    } else if (rh_as(message, terminate)) {
        terminate_children(node);
        rh_stop();
    }
}

static bool node_guard(const void *state, const rh_message *message)
{
    const struct node *node = state;

    return !tree.is_fixed || node->is_traversed || !rh_as(message, terminate);
}
RH_GUARD(node_behaviour, node_guard);

struct root {
    struct node node;
    int size;
    int height;
    int to_ask; // nodes that have not asked yet
    struct random random;
};

static void grant(struct root *root, rh_actor *node, int height)
{
    root->size += tree.children;
    root->to_ask += tree.children;
    if (height >= root->height)
        root->height = height + 1;
    if (next_random(&root->random, 2) == 0)
        rh_send(node, grow);
    else
        rh_send(node, grow_urgently);
}

static void end_tree(const struct root *root)
{
    rh_check(root->size <= tree.most);
    traverse_children(&root->node);
    terminate_children(&root->node);
    rh_stop();
}

static void answer(struct root *root, rh_actor *node, int height)
{
    bool has_room = root->size + tree.children <= tree.most;

    root->to_ask--;
    if (has_room && rh_choose(2) == 1)
        grant(root, node, height);
    if (tree.is_fixed ? root->to_ask == 0 : !has_room)
        end_tree(root);
}

static void root_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct root *root = state;
    const struct may_grow *may_grow;

    if (rh_as(message, grow_tree)) {
        root->node.root = self;
        root->size = 1 + tree.children;
        root->to_ask = tree.children;
        add_children(self, &root->node);
    } else if ((may_grow = rh_as(message, may_grow))) {
        answer(root, rh_sender(message), may_grow->height);
    } else if (rh_as(message, update_grant)) {
        if (tree.is_fixed)
            rh_reply(message, granted);
    }
}

static void grow_one(bool is_fixed, int most, int children)
{
    tree.is_fixed = is_fixed;
    tree.most = most;
    tree.children = children;
    rh_actor *root =
        rh_spawn(root_behaviour, struct root, {.node = {.height = 0}, .random = {SAVINA_SEED}});
    rh_send(root, grow_tree);
}

static void set_up(void *context)
{
    const long *most = context;

    grow_one(true, (int)*most, CHILDREN);
}

RH_TEST(small)
{
    grow_one(false, 5, 2);
}

RH_TEST(fixed)
{
    grow_one(true, 5, 2);
}

RH_TEST(full_at_once)
{
    grow_one(false, 3, 2);
}

RH_TEST(full_at_once_fixed)
{
    grow_one(true, 3, 2);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, NODES, set_up);
}
