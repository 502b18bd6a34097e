// SPDX-License-Identifier: MIT
// A distributed hash table. Nodes make a ring; each has the keys from `low` to `high`, and passes on
// what is about others. `use` makes a node put a value and ask for it; the question may overtake
// the value. Whoever asked is answered by the node that has the key.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { SLOTS = 3 };

RH_MESSAGE(use, {
    int key;
    int value;
});
RH_MESSAGE(put, {
    int key;
    int value;
});
RH_MESSAGE(get, {
    int key;
    rh_actor *asker;
});
RH_MESSAGE(answer, { int value; });

struct node {
    rh_actor *next; // in the ring; NULL: the node is alone
    int low, high;  // its keys
    int used;       // slots
    int keys[SLOTS];
    int values[SLOTS];
    int answers; // that it got
};

static int find(const struct node *node, int key)
{
    for (int i = 0; i < node->used && i < SLOTS; i++)
        if (node->keys[i] == key)
            return i;
    return -1;
}

static bool has_key(const struct node *node, int key)
{
    return !node->next || (node->low <= key && key <= node->high);
}

static void store(struct node *node, const struct put *put)
{
    int slot = find(node, put->key);
    if (slot < 0 && node->used >= 0 && node->used < SLOTS) {
        slot = node->used++;
        node->keys[slot] = put->key;
    }
    if (slot >= 0)
        node->values[slot] = put->value;
}

static void look_up(struct node *node, const struct get *get)
{
    int slot = find(node, get->key);
    if (get->asker)
        rh_send(get->asker, answer, {.value = slot < 0 ? 0 : node->values[slot]});
}

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    const struct use *use;
    const struct put *put;
    const struct get *get;

    if ((use = rh_as(message, use))) {
        rh_send(self, put, {.key = use->key, .value = use->value});
        rh_send(self, get, {.key = use->key, .asker = self});
    } else if ((put = rh_as(message, put))) {
        if (has_key(node, put->key))
            store(node, put);
        else
            rh_send(node->next, put, {.key = put->key, .value = put->value});
    } else if ((get = rh_as(message, get))) {
        if (has_key(node, get->key))
            look_up(node, get);
        else
            rh_send(node->next, get, {.key = get->key, .asker = get->asker});
    } else if (rh_as(message, answer)) {
        node->answers++;
    }
}

RH_TEST(alone)
{
    rh_actor *node = rh_spawn(node_behaviour, struct node, {.low = 0, .high = 9});
    rh_send(node, use, {.key = 3, .value = 33});
}
