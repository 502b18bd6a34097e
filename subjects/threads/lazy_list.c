// SPDX-License-Identifier: MIT
// kind: refinement
// A list that is searched without locks, with marks on nodes that were removed. insert locks its
// place but does not look again whether it still is one.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct node {
    int key;
    _Atomic bool is_marked;
    struct node *_Atomic next;
    pthread_mutex_t lock;
} * head;

static struct node *make(int key, struct node *next)
{
    struct node *node = calloc(1, sizeof *node);
    node->key = key;
    node->next = next;
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

static struct node *find(int key)
{
    struct node *node = head;
    for (struct node *next = node->next; next && next->key < key; next = node->next)
        node = next;
    return node;
}

static bool is_place(struct node *before, struct node *next)
{
#ifdef FIXED
    return !before->is_marked && before->next == next;
#else
    (void)before;
    (void)next;
    return true;
#endif
}

static void insert(int key)
{
    for (bool is_done = false; !is_done;) {
        struct node *before = find(key), *next = before->next;
        pthread_mutex_lock(&before->lock);
        is_done = is_place(before, next);
        if (is_done)
            before->next = make(key, next);
        pthread_mutex_unlock(&before->lock);
    }
}

static void take_out(int key)
{
    struct node *before = find(key), *node = before->next;
    pthread_mutex_lock(&before->lock);
    pthread_mutex_lock(&node->lock);
    node->is_marked = true;
    before->next = node->next;
    pthread_mutex_unlock(&node->lock);
    pthread_mutex_unlock(&before->lock);
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

RH_THREADS(unseen)
{
    rh_thread
    {
        RH_CALL(insert(4));
    }
    rh_thread
    {
        RH_CALL(take_out(3));
    }
}
