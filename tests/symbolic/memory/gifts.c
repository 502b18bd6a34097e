// SPDX-License-Identifier: MIT
// Blocks that messages hand over, that are kept or used too long, and that actors leave behind.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

struct node {
    struct node *next;
    int value;
};
RH_MESSAGE(take, { struct node *node; });
RH_MESSAGE(take_raw, {
    void *data;
    int size;
});
RH_SIGNAL(give_head);
RH_SIGNAL(give_cut);
RH_SIGNAL(give_raw);
RH_SIGNAL(give_twice);
RH_SIGNAL(give_use);
RH_SIGNAL(give_keep);
RH_SIGNAL(lend_inside);
RH_SIGNAL(give_new);
RH_MESSAGE(forward, { struct node *node; });
struct owner {
    struct node *head;
    rh_actor *peer;
    struct node *kept;
    int seen;
};
static void owner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct owner *owner = state;
    const struct take *take;
    const struct take_raw *take_raw;
    const struct forward *forward;
    (void)self;
    if ((take = rh_as(message, take))) {
        if (take->node) {
            owner->seen += take->node->value;
            take->node->next = owner->head;
            owner->head = take->node;
        }
    } else if ((take_raw = rh_as(message, take_raw))) {
        struct node *node = take_raw->data;
        if (node && node->next)
            owner->seen += node->next->value;
        owner->head = node;
    } else if ((forward = rh_as(message, forward))) {
        if (forward->node && owner->peer)
            rh_send(owner->peer, take, {.node = rh_give(forward->node)});
    } else if (!owner->peer) {
        return;
    } else if (rh_as(message, give_head)) {
        struct node *node = owner->head;
        if (node) {
            owner->head = NULL;
            rh_send(owner->peer, take, {.node = rh_give(node)});
        }
    } else if (rh_as(message, give_cut)) {
        struct node *node = owner->head;
        if (node) {
            owner->head = node->next;
            node->next = NULL;
            rh_send(owner->peer, take, {.node = rh_give(node)});
        }
    } else if (rh_as(message, give_raw)) {
        struct node *node = owner->head;
        if (node)
            rh_send(owner->peer, take_raw, {.data = rh_give(node), .size = sizeof *node});
        owner->head = NULL;
    } else if (rh_as(message, give_twice)) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){.value = 3};
        struct node *given = rh_give(node);
        rh_send(owner->peer, take, {.node = given});
        rh_send(owner->peer, take, {.node = given});
    } else if (rh_as(message, give_use)) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){.value = 3};
        struct node *given = rh_give(node);
        rh_send(owner->peer, take, {.node = given});
        owner->seen += given->value;
    } else if (rh_as(message, give_keep)) {
        struct node *node = owner->head;
        if (node) {
            node->next = NULL;
            rh_send(owner->peer, take, {.node = rh_give(node)});
            owner->kept = node;
        }
    } else if (rh_as(message, lend_inside)) {
        rh_send(owner->peer, take,
                {.node = owner->head ? (struct node *)&owner->head->value : NULL});
    } else if (rh_as(message, give_new)) {
        struct node *made = malloc(sizeof *made);
        *made = (struct node){.value = 7, .next = made};
        rh_send(owner->peer, take_raw, {.data = rh_give(made), .size = sizeof *made});
    }
}
RH_TEST(owner_begins)
{
    rh_actor *peer = rh_spawn(owner_behaviour, struct owner, {0});
    rh_actor *owner = rh_spawn(owner_behaviour, struct owner, {.peer = peer});
    rh_send(owner, give_new);
}

struct child {
    struct node *node;
    int sum;
};
struct parent {
    struct node *head;
    int made;
};
RH_SIGNAL(make_given);
RH_SIGNAL(make_lent);
RH_SIGNAL(make_plain);
RH_SIGNAL(look);
static void child_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct child *child = state;
    (void)self;
    if (rh_as(message, look) && child->node)
        child->sum += child->node->value;
}
static void parent_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct parent *parent = state;
    rh_actor *child = NULL;
    (void)self;
    if (rh_as(message, make_given)) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){.value = 3};
        child = rh_spawn(child_behaviour, struct child, {.node = rh_give(node)});
    } else if (rh_as(message, make_lent)) {
        child = rh_spawn(child_behaviour, struct child, {.node = parent->head});
    } else if (rh_as(message, make_plain)) {
        child = rh_spawn(child_behaviour, struct child,
                         {.sum = parent->head ? parent->head->value : 0});
    }
    parent->made++;
    if (child)
        rh_send(child, look);
}
RH_TEST(parent_begins)
{
    rh_actor *parent = rh_spawn(parent_behaviour, struct parent, {0});
    rh_send(parent, make_plain);
}

struct keeper {
    struct node *head;
    rh_actor *heir;
    int n;
};
RH_SIGNAL(die);
RH_SIGNAL(die_clean);
RH_SIGNAL(lose);
RH_MESSAGE(inherit, { struct node *node; });
static void clean(rh_actor *self, void *state)
{
    struct keeper *keeper = state;
    (void)self;
    (void)self;
    while (keeper->head) {
        struct node *next = keeper->head->next;
        free(keeper->head);
        keeper->head = next;
    }
}
static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    (void)self;
    const struct inherit *inherit;
    if (rh_as(message, die)) {
        if (keeper->head && keeper->head->value == 3 && keeper->heir) {
            keeper->head->next = NULL;
            rh_send(keeper->heir, inherit, {.node = rh_give(keeper->head)});
        }
        rh_stop();
    } else if (rh_as(message, die_clean)) {
        rh_at_stop(clean);
        rh_stop();
    } else if (rh_as(message, lose)) {
        keeper->head = NULL;
    } else if ((inherit = rh_as(message, inherit))) {
        keeper->head = inherit->node;
        keeper->n++;
    }
}
RH_TEST(keeper_begins)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour, struct keeper, {0});
    rh_send(keeper, die_clean);
}
