// SPDX-License-Identifier: MIT
// Addresses before their actors, on threads:
//
//     reserve couples N      setup makes a ring of two, handlers make N couples whose states name each other
//     reserve outside HOW    a thread from outside makes a ring of two; `check` lets one of them fail
//     reserve handler        a handler does not spawn what it has reserved
//     reserve ask            or asks in between
//     reserve setup          setup does not spawn what it has reserved
//     reserve thread         nor does a thread from outside
//     reserve twice          a handler spawns it twice
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/run.h>

RH_MESSAGE(token, { int hops; });
RH_MESSAGE(make, { int count; });
RH_SIGNAL(go);

struct node {
    int number;
    int seen;
    rh_actor *next;
};

static const char *what = "couples", *how = "";

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    const struct token *token = rh_as(message, token);
    (void)self;
    if (!token)
        return;
    node->seen++;
    rh_check(strcmp(how, "check") != 0 || node->number != 2 || token->hops > 0);
    if (token->hops > 0)
        rh_send(node->next, token, {.hops = token->hops - 1});
    else
        printf("%d has seen %d\n", node->number, node->seen);
}

// The first token is on its way before its receiver has a state, and may meet another thread.
static void make_ring(int hops)
{
    rh_actor *first = rh_reserve(node_behaviour);
    rh_send(first, token, {.hops = hops});
    rh_actor *second = rh_spawn(node_behaviour, struct node, {.number = 2, .next = first});
    rh_send(second, token, {.hops = hops});
    rh_spawn_at(first, struct node, {.number = 1, .next = second});
}

static void maker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct make *make = rh_as(message, make);
    (void)state;
    if (rh_as(message, go)) {
        rh_actor *reserved = rh_reserve(node_behaviour);
        if (strcmp(what, "ask") == 0)
            rh_ask(self, go);
        if (strcmp(what, "twice") != 0)
            return;
        rh_spawn_at(reserved, struct node, {.number = 1});
        rh_spawn_at(reserved, struct node, {.number = 1});
    }
    if (!make || make->count == 0)
        return;
    make_ring(3);
    rh_send(self, make, {.count = make->count - 1});
}

static void set_up(void *context)
{
    if (strcmp(what, "setup") == 0) {
        rh_reserve(node_behaviour);
        return;
    }
    if (strcmp(what, "thread") == 0 || strcmp(what, "outside") == 0)
        return;
    rh_actor *maker = rh_spawn(maker_behaviour);
    if (strcmp(what, "couples") != 0) {
        rh_send(maker, go);
        return;
    }
    make_ring(5);
    rh_send(maker, make, {.count = *(int *)context});
}

static void *be_outside(void *context)
{
    (void)context;
    if (strcmp(what, "thread") == 0)
        rh_reserve(node_behaviour);
    else
        make_ring(3);
    rh_drain();
    return NULL;
}

int main(int count, char **arguments)
{
    what = count > 1 ? arguments[1] : what;
    how = count > 2 ? arguments[2] : how;
    int couples = atoi(how);
    bool has_thread = strcmp(what, "outside") == 0 || strcmp(what, "thread") == 0;
    rh_options options = {.context = &couples, .stay = has_thread};
    int status = rh_start(&options, set_up);
    pthread_t thread;
    if (status != 0)
        return status;
    if (has_thread &&
        (pthread_create(&thread, NULL, be_outside, NULL) || pthread_join(thread, NULL)))
        return 3;
    return rh_wait();
}
