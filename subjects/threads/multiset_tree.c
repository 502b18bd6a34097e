// SPDX-License-Identifier: MIT
// kind: refinement
// A multiset as a binary tree. The parent is unlocked before the child is linked, so a child may
// take the place of another.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdlib.h>

static struct node {
    int element, count;
    pthread_mutex_t lock;
    struct node *less, *more;
} * root;

static struct node *make(int element)
{
    struct node *node = calloc(1, sizeof *node);
    node->element = element;
    node->count = 1;
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

static void insert(int element)
{
    struct node *node = root;
    for (;;) {
        pthread_mutex_lock(&node->lock);
        if (node->element == element) {
            node->count++;
            pthread_mutex_unlock(&node->lock);
            return;
        }
        struct node **place = element < node->element ? &node->less : &node->more;
        struct node *next = *place;
#ifdef FIXED
        if (!next)
            *place = make(element);
        pthread_mutex_unlock(&node->lock);
        if (!next)
            return;
#else
        pthread_mutex_unlock(&node->lock);
        if (!next) {
            *place = make(element);
            return;
        }
#endif
        node = next;
    }
}

static void add(rh_view *view, const struct node *node)
{
    if (!node)
        return;
    rh_view_put(view, node->element, node->count);
    add(view, node->less);
    add(view, node->more);
}

static void view(rh_view *view)
{
    add(view, root);
}

static void setup(void)
{
    root = make(5);
}

RH_COMPONENT(multiset){.setup = setup, .view = view};

RH_THREADS(siblings)
{
    rh_thread
    {
        RH_CALL(insert(2));
    }
    rh_thread
    {
        RH_CALL(insert(3));
    }
}
