// SPDX-License-Identifier: MIT
// Lists of blocks that actors have allocated, handed over and free again.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

struct node {
    struct node *next;
    int value;
    rh_actor *maker;
};

RH_SIGNAL(pop);
RH_SIGNAL(turn);
RH_SIGNAL(hand);
RH_SIGNAL(lend);
RH_MESSAGE(push, { int value; });
RH_MESSAGE(attach, { struct node *node; });
RH_MESSAGE(total, {
    int *numbers;
    int count;
});

struct list {
    struct node *head;
    struct node *tail;
    double *weight;
    int sum;
    rh_actor *peer;
};

static void take_first(struct list *list)
{
    struct node *node = list->head;
    rh_check(node);
    list->head = node->next;
    list->sum += node->value + RAISED;
    free(node);
}

static void add(struct list *list, struct node *node)
{
    node->next = list->head;
    list->head = node;
    if (!list->tail)
        list->tail = node;
}

static void turn_round(struct list *list)
{
    struct node *turned = NULL;
    while (list->head) {
        struct node *node = list->head;
        list->head = node->next;
        node->next = turned;
        turned = node;
    }
    list->head = turned;
}

static void list_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct list *list = state;
    const struct push *push;
    const struct attach *attach;
    const struct total *total;
    if (rh_as(message, pop)) {
        take_first(list);
    } else if (rh_as(message, turn)) {
        turn_round(list);
    } else if (rh_as(message, hand)) {
        struct node *node = list->head;
        if (!node || !list->peer)
            return;
        list->head = node->next;
        node->next = NULL;
        rh_send(list->peer, attach, {.node = rh_give(node)});
    } else if (rh_as(message, lend)) {
        if (list->peer)
            rh_send(list->peer, attach, {.node = list->head});
    } else if ((push = rh_as(message, push))) {
        struct node *node = malloc(sizeof *node);
        node->value = push->value;
        node->maker = self;
        add(list, node);
    } else if ((attach = rh_as(message, attach))) {
        if (attach->node && attach->node->value > 0)
            add(list, attach->node);
    } else if ((total = rh_as(message, total))) {
        for (int i = 0; total->numbers && i < total->count; i++)
            list->sum += total->numbers[i] + (list->weight && list->weight[0] > 1.5);
    }
}

RH_TEST(popped)
{
    rh_actor *peer = rh_spawn(list_behaviour, struct list, {0});
    rh_actor *list = rh_spawn(list_behaviour, struct list, {.peer = peer});
    struct node *node = rh_block_of(list, sizeof *node);
    *node = (struct node){.value = 5, .next = rh_block_of(list, sizeof *node)};
    struct list *state = rh_state_of(list);
    state->head = node;
    rh_send(list, pop);
    rh_send(list, pop);
}

RH_FINALLY(popped)
{
    const struct list *list = rh_view_state(rh_view_named("list#2"));
    rh_check(!list->head && list->sum == 5);
}
