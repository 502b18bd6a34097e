// SPDX-License-Identifier: MIT
// kind: refinement
// The multiset of multiset.c, which says where its operations take effect.
#include <pthread.h>
#include <rehearse/component.h>

enum { SLOTS = 4 };

static struct {
    pthread_mutex_t lock;
    int element; // 0: free
    bool is_valid;
} slots[SLOTS];

static int find_slot(int element)
{
    for (int i = 0; i < SLOTS; i++) {
#ifdef FIXED
        pthread_mutex_lock(&slots[i].lock);
        bool is_free = slots[i].element == 0;
        if (is_free)
            slots[i].element = element;
        pthread_mutex_unlock(&slots[i].lock);
        if (is_free)
            return i;
#else
        if (slots[i].element == 0) {
            pthread_mutex_lock(&slots[i].lock);
            slots[i].element = element;
            pthread_mutex_unlock(&slots[i].lock);
            return i;
        }
#endif
    }
    return -1;
}

RH_MAY_FAIL(insert, false);
RH_MAY_FAIL(insert_pair, false);

static bool insert(int element)
{
    RH_OPERATION(element);
    int i = find_slot(element);
    if (i < 0)
        return RH_RESULT(false);
    pthread_mutex_lock(&slots[i].lock);
    RH_COMMIT(slots[i].is_valid = true);
    pthread_mutex_unlock(&slots[i].lock);
    return RH_RESULT(true);
}

static bool insert_pair(int first, int second)
{
    RH_OPERATION(first, second);
    int i = find_slot(first);
    if (i < 0)
        return RH_RESULT(false);
    int k = find_slot(second);
    if (k < 0) {
        pthread_mutex_lock(&slots[i].lock);
        slots[i].element = 0;
        pthread_mutex_unlock(&slots[i].lock);
        return RH_RESULT(false);
    }
    pthread_mutex_lock(&slots[i].lock);
    pthread_mutex_lock(&slots[k].lock);
    RH_COMMIT_BLOCK
    {
        slots[i].is_valid = true;
        slots[k].is_valid = true;
    }
    pthread_mutex_unlock(&slots[k].lock);
    pthread_mutex_unlock(&slots[i].lock);
    return RH_RESULT(true);
}

static void view(rh_view *view)
{
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].is_valid)
            rh_view_add(view, slots[i].element);
}

static void setup(void)
{
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slots[i].lock, NULL);
}

RH_COMPONENT(multiset){.setup = setup, .view = view};

RH_THREADS(pairs)
{
    rh_thread
    {
        insert_pair(5, 6);
    }
    rh_thread
    {
        insert(7);
    }
}
