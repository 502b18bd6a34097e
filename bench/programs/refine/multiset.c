// SPDX-License-Identifier: MIT
// The multiset of subjects/threads/multiset.c at full speed: two operations may take the same slot,
// and one element is lost.
#include <rehearse/component.h>

#include "stress.h"

enum { SLOTS = 48, ELEMENTS = 10 };

static struct {
    pthread_mutex_t lock;
    int element; // 0: free
    bool is_valid;
} slots[SLOTS];

static int find_slot(int element)
{
    for (int i = 0; i < SLOTS; i++) {
#ifndef FIXED
        if (slots[i].element)
            continue;
#endif
        pthread_mutex_lock(&slots[i].lock);
#ifdef FIXED
        bool is_free = slots[i].element == 0;
#else
        bool is_free = true;
#endif
        if (is_free)
            slots[i].element = element;
        pthread_mutex_unlock(&slots[i].lock);
        if (is_free)
            return i;
    }
    return -1;
}

RH_MAY_FAIL(insert, false);
RH_MAY_FAIL(take, false);

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

static bool take(int element)
{
    RH_OPERATION(element);
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&slots[i].lock);
        bool is_it = slots[i].is_valid && slots[i].element == element;
        if (is_it)
            RH_COMMIT_BLOCK
            {
                slots[i].is_valid = false;
                slots[i].element = 0;
            }
        pthread_mutex_unlock(&slots[i].lock);
        if (is_it)
            return RH_RESULT(true);
    }
    return RH_RESULT(false);
}

static bool lookup(int element)
{
    RH_OPERATION(element);
    RH_OBSERVES();
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&slots[i].lock);
        bool is_it = slots[i].is_valid && slots[i].element == element;
        pthread_mutex_unlock(&slots[i].lock);
        if (is_it)
            return RH_RESULT(true);
    }
    return RH_RESULT(false);
}

static void setup(void)
{
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slots[i].lock, NULL);
}

static void view(rh_view *view)
{
    int counts[ELEMENTS] = {0};
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].is_valid)
            counts[slots[i].element % ELEMENTS]++;
    for (int i = 0; i < ELEMENTS; i++)
        rh_view_put(view, i, counts[i]);
}

static int right[ELEMENTS];

static void right_view(rh_view *view)
{
    for (int i = 0; i < ELEMENTS; i++)
        rh_view_put(view, i, right[i]);
}

RH_COMPONENT(multiset){.setup = setup, .view = view, .specification_view = right_view};

RH_SPECIFICATION(insert)
{
    right[argument[0]]++;
    return true;
}

RH_SPECIFICATION(take)
{
    bool is_there = right[argument[0]] > 0;
    right[argument[0]] -= is_there;
    return is_there;
}

RH_SPECIFICATION(lookup)
{
    return right[argument[0]] > 0;
}

static void call_one(uint32_t number)
{
    int element = 1 + (int)(number / 3 % (ELEMENTS - 1));
    if (number % 3 == 0)
        insert(element);
    else if (number % 3 == 1)
        take(element);
    else
        lookup(element);
}
