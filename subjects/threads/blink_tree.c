// SPDX-License-Identifier: MIT
// kind: refinement
// A leaf that is full is split, and half of its keys move to a sibling on the right. Who has found
// the leaf before, and gets its lock after the split, must look there too; otherwise a key is
// inserted twice.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdlib.h>

enum { KEYS = 2 };

static struct leaf {
    pthread_mutex_t lock;
    int count, keys[KEYS];
    struct leaf *right;
} * first;

static struct leaf *make(void)
{
    struct leaf *leaf = calloc(1, sizeof *leaf);
    pthread_mutex_init(&leaf->lock, NULL);
    return leaf;
}

static bool has(const struct leaf *leaf, int key)
{
    for (int i = 0; i < leaf->count; i++)
        if (leaf->keys[i] == key)
            return true;
    return false;
}

static bool insert(int key)
{
    struct leaf *leaf = first;
    pthread_mutex_lock(&leaf->lock);
    bool is_there = has(leaf, key);
#ifdef FIXED
    is_there = is_there || (leaf->right && has(leaf->right, key));
#endif
    if (!is_there && leaf->count == KEYS) {
        struct leaf *right = make();
        right->right = leaf->right;
        right->keys[right->count++] = key;
        leaf->right = right;
    } else if (!is_there) {
        leaf->keys[leaf->count++] = key;
    }
    pthread_mutex_unlock(&leaf->lock);
    return !is_there;
}

// The same by somebody who has looked already, without the lock.
static bool insert_seen(int key)
{
    if (has(first, key) || (first->right && has(first->right, key)))
        return false;
    return insert(key);
}

static void view(rh_view *view)
{
    for (const struct leaf *leaf = first; leaf; leaf = leaf->right)
        for (int i = 0; i < leaf->count; i++)
            rh_view_add(view, leaf->keys[i]);
}

static void setup(void)
{
    first = make();
    first->keys[first->count++] = 1;
    first->keys[first->count++] = 2;
}

RH_COMPONENT(tree){.setup = setup, .view = view};

RH_THREADS(twice)
{
#ifdef FIXED
    rh_thread
    {
        RH_CALL(insert(4));
    }
    rh_thread
    {
        RH_CALL(insert(4));
    }
    (void)insert_seen;
#else
    rh_thread
    {
        RH_CALL(insert_seen(4));
    }
    rh_thread
    {
        RH_CALL(insert_seen(4));
    }
#endif
}
