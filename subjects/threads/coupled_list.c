// SPDX-License-Identifier: MIT
// kind: refinement
// A sorted list with a lock in each node, taken hand over hand. Here the lock of a node is given up
// before that of the next is taken: the next may have been removed by then, and what is inserted
// behind it is lost.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdlib.h>

static struct node {
    int key;
    pthread_mutex_t lock;
    struct node *next;
} * head;

static struct node *make(int key, struct node *next)
{
    struct node *node = calloc(1, sizeof *node);
    node->key = key;
    node->next = next;
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

// Gives the last node below the key, locked.
static struct node *find(int key)
{
    struct node *node = head;
    pthread_mutex_lock(&node->lock);
    for (;;) {
        struct node *next = node->next;
        if (!next)
            return node;
#ifdef FIXED
        pthread_mutex_lock(&next->lock);
        bool is_below = next->key < key;
        pthread_mutex_unlock(is_below ? &node->lock : &next->lock);
        if (!is_below)
            return node;
#else
        if (next->key >= key)
            return node;
        pthread_mutex_unlock(&node->lock);
        pthread_mutex_lock(&next->lock);
#endif
        node = next;
    }
}

static void insert(int key)
{
    struct node *before = find(key);
    before->next = make(key, before->next);
    pthread_mutex_unlock(&before->lock);
}

static bool take_out(int key)
{
    struct node *before = find(key), *node = before->next;
    bool is_there = node && node->key == key;
    if (is_there) {
        pthread_mutex_lock(&node->lock);
        before->next = node->next;
        pthread_mutex_unlock(&node->lock);
    }
    pthread_mutex_unlock(&before->lock);
    return is_there;
}

static void view(rh_view *view)
{
    for (const struct node *node = head->next; node; node = node->next)
        rh_view_add(view, node->key);
}

static void setup(void)
{
    head = make(0, make(3, NULL));
}

RH_COMPONENT(list){.setup = setup, .view = view};

RH_THREADS(lost)
{
    rh_thread
    {
        RH_CALL(take_out(3));
    }
    rh_thread
    {
        RH_CALL(insert(4));
    }
}
