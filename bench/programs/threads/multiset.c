// SPDX-License-Identifier: MIT
// The multiset of subjects/threads, fixed, with DIRTY bytes of state that each execution writes to,
// a byte on each page.
#include <pthread.h>
#include <rehearse/component.h>

enum { SLOTS = 8, PAGE = 4096 };

static struct {
    pthread_mutex_t lock;
    int element; // 0: free
    bool is_valid;
} slots[SLOTS];

#ifdef DIRTY
static char state[DIRTY];
#endif

static int find_slot(int element)
{
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&slots[i].lock);
        bool is_free = slots[i].element == 0;
        if (is_free)
            slots[i].element = element;
        pthread_mutex_unlock(&slots[i].lock);
        if (is_free)
            return i;
    }
    return -1;
}

static bool insert(int element)
{
    int i = find_slot(element);
    if (i < 0)
        return false;
    pthread_mutex_lock(&slots[i].lock);
    slots[i].is_valid = true;
    pthread_mutex_unlock(&slots[i].lock);
    return true;
}

static bool insert_pair(int first, int second)
{
#ifdef DIRTY
    for (int i = 0; i < DIRTY; i += PAGE)
        state[i]++;
#endif
    int i = find_slot(first), k = find_slot(second);
    if (i < 0 || k < 0)
        return false;
    pthread_mutex_lock(&slots[i].lock);
    pthread_mutex_lock(&slots[k].lock);
    slots[i].is_valid = true;
    slots[k].is_valid = true;
    pthread_mutex_unlock(&slots[k].lock);
    pthread_mutex_unlock(&slots[i].lock);
    return true;
}

static bool has(int element)
{
    bool is_there = false;
    for (int i = 0; i < SLOTS && !is_there; i++) {
        pthread_mutex_lock(&slots[i].lock);
        is_there = slots[i].is_valid && slots[i].element == element;
        pthread_mutex_unlock(&slots[i].lock);
    }
    return is_there;
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

RH_THREADS(two)
{
    rh_thread
    {
        RH_CALL(insert_pair(5, 6));
    }
    rh_thread
    {
        RH_CALL(insert(7));
    }
}

RH_THREADS(three)
{
    rh_thread
    {
        RH_CALL(insert_pair(5, 6));
    }
    rh_thread
    {
        RH_CALL(insert(7));
    }
    rh_thread
    {
        RH_CALL(has(5));
        RH_CALL(insert(8));
    }
}
