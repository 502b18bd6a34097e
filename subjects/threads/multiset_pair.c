// SPDX-License-Identifier: MIT
// kind: refinement
// A multiset whose insert_pair makes its two elements visible in two critical sections: somebody
// who looks in between sees one without the other.
#include <pthread.h>
#include <rehearse/component.h>

enum { SLOTS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int element;
    bool is_valid;
} slots[SLOTS];

static void validate(int slot)
{
    pthread_mutex_lock(&lock);
    slots[slot].is_valid = true;
    pthread_mutex_unlock(&lock);
}

static void insert_pair(int first, int second)
{
    pthread_mutex_lock(&lock);
    slots[0].element = first;
    slots[1].element = second;
#ifdef FIXED
    slots[0].is_valid = slots[1].is_valid = true;
#endif
    pthread_mutex_unlock(&lock);
#ifndef FIXED
    validate(0);
    validate(1);
#else
    (void)validate;
#endif
}

static bool lookup(int element)
{
    bool is_there = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++)
        is_there = is_there || (slots[i].is_valid && slots[i].element == element);
    pthread_mutex_unlock(&lock);
    return is_there;
}

RH_THREADS(half)
{
    rh_thread
    {
        RH_CALL(insert_pair(5, 6));
    }
    rh_thread
    {
        RH_CALL(lookup(5));
        RH_CALL(lookup(6));
    }
}
