// SPDX-License-Identifier: MIT
// The vector of subjects/threads/vector.c at full speed: last_index_of reads the count without the
// lock, and looks at elements that are not there any more.
#include <rehearse/component.h>

#include "stress.h"

enum { ROOM = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int count;
static int elements[ROOM];

static int last_index_in(int element, int from)
{
    int found = from > count ? -2 : -1;
    for (int i = from - 1; found == -1 && i >= 0; i--)
        if (elements[i] == element)
            found = i;
    return found;
}

static int last_index_of(int element)
{
    RH_OPERATION(element);
    RH_OBSERVES();
#ifndef FIXED
    int from = count;
#endif
    pthread_mutex_lock(&lock);
#ifdef FIXED
    int from = count;
#endif
    int found = last_index_in(element, from);
    pthread_mutex_unlock(&lock);
    return RH_RESULT(found);
}

static bool append(int element)
{
    RH_OPERATION(element);
    pthread_mutex_lock(&lock);
    bool is_full = count == ROOM;
    if (is_full)
        RH_OBSERVES();
    else
        RH_COMMIT_BLOCK
        {
            elements[count] = element;
            count = count + 1;
        }
    pthread_mutex_unlock(&lock);
    return RH_RESULT(!is_full);
}

static void remove_all(void)
{
    RH_OPERATION();
    pthread_mutex_lock(&lock);
    RH_COMMIT(count = 0);
    pthread_mutex_unlock(&lock);
}

static void view(rh_view *view)
{
    for (int i = 0; i < count; i++)
        rh_view_put(view, i, elements[i]);
}

static int right_count, right[ROOM];

static void right_view(rh_view *view)
{
    for (int i = 0; i < right_count; i++)
        rh_view_put(view, i, right[i]);
}

RH_COMPONENT(vector){.view = view, .specification_view = right_view};

RH_SPECIFICATION(append)
{
    if (right_count == ROOM)
        return false;
    right[right_count++] = (int)argument[0];
    return true;
}

RH_SPECIFICATION(remove_all)
{
    right_count = 0;
    return 0;
}

RH_SPECIFICATION(last_index_of)
{
    for (int i = right_count - 1; i >= 0; i--)
        if (right[i] == argument[0])
            return i;
    return -1;
}

static void call_one(uint32_t number)
{
    int element = (int)(number / 16 % 5);
    if (number % 16 == 0)
        remove_all();
    else if (number % 16 < 8)
        append(element);
    else
        last_index_of(element);
}
