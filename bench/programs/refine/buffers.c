// SPDX-License-Identifier: MIT
// The string buffers of subjects/threads/string_buffer.c at full speed: append asks for the other
// buffer's length and for its characters in two critical sections.
#include <rehearse/component.h>

#include "stress.h"

enum { ROOM = 16 };

static struct buffer {
    pthread_mutex_t lock;
    int length;
    char bytes[ROOM];
} to = {.lock = PTHREAD_MUTEX_INITIALIZER}, from = {.lock = PTHREAD_MUTEX_INITIALIZER};

// -1: the other buffer is too short by now, which is never right.
static int append(void)
{
    RH_OPERATION();
    char bytes[ROOM];
    pthread_mutex_lock(&to.lock);
    pthread_mutex_lock(&from.lock);
    int length = from.length;
#ifndef FIXED
    pthread_mutex_unlock(&from.lock);
    pthread_mutex_lock(&from.lock);
#endif
    bool is_long_enough = length <= from.length;
    for (int i = 0; is_long_enough && i < length; i++)
        bytes[i] = from.bytes[i];
    int taken = length < ROOM - to.length ? length : ROOM - to.length;
    RH_COMMIT_BLOCK
    {
        for (int i = 0; is_long_enough && i < taken; i++)
            to.bytes[to.length + i] = bytes[i];
        to.length += is_long_enough ? taken : 0;
    }
    pthread_mutex_unlock(&from.lock);
    pthread_mutex_unlock(&to.lock);
    return RH_RESULT(is_long_enough ? taken : -1);
}

static void set(int length)
{
    RH_OPERATION(length);
    pthread_mutex_lock(&from.lock);
    RH_COMMIT_BLOCK
    {
        for (int i = from.length; i < length; i++)
            from.bytes[i] = (char)('a' + i);
        from.length = length;
    }
    pthread_mutex_unlock(&from.lock);
}

static void clear(void)
{
    RH_OPERATION();
    pthread_mutex_lock(&to.lock);
    RH_COMMIT(to.length = 0);
    pthread_mutex_unlock(&to.lock);
}

static void view(rh_view *view)
{
    rh_view_put(view, -1, from.length);
    for (int i = 0; i < to.length; i++)
        rh_view_put(view, i, to.bytes[i]);
}

static int right_from, right_to;
static char right[ROOM];

static void right_view(rh_view *view)
{
    rh_view_put(view, -1, right_from);
    for (int i = 0; i < right_to; i++)
        rh_view_put(view, i, right[i]);
}

RH_COMPONENT(buffers){.view = view, .specification_view = right_view};

RH_SPECIFICATION(append)
{
    int taken = 0;
    for (; taken < right_from && right_to < ROOM; taken++)
        right[right_to++] = (char)('a' + taken);
    return taken;
}

RH_SPECIFICATION(set)
{
    right_from = (int)argument[0];
    return 0;
}

RH_SPECIFICATION(clear)
{
    right_to = 0;
    return 0;
}

static void call_one(uint32_t number)
{
    if (number % 3 == 0)
        set((int)(number / 3 % 5));
    else if (number % 3 == 1)
        append();
    else
        clear();
}
