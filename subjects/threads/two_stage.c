// SPDX-License-Identifier: MIT
// kind: refinement
// A key gives an index under one lock, the index a value under another; in between the index may
// have become another key's.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_mutex_t keys = PTHREAD_MUTEX_INITIALIZER, values = PTHREAD_MUTEX_INITIALIZER;
static int key_of = 1, value_of = 10; // of the one place

static int get(int key)
{
    pthread_mutex_lock(&keys);
    bool is_there = key_of == key;
#ifndef FIXED
    pthread_mutex_unlock(&keys);
#endif
    int value = -1;
    if (is_there) {
        pthread_mutex_lock(&values);
        value = value_of;
        pthread_mutex_unlock(&values);
    }
#ifdef FIXED
    pthread_mutex_unlock(&keys);
#endif
    return value;
}

static void replace(int key, int value)
{
    pthread_mutex_lock(&keys);
    key_of = key;
    pthread_mutex_lock(&values);
    value_of = value;
    pthread_mutex_unlock(&values);
    pthread_mutex_unlock(&keys);
}

RH_THREADS(other)
{
    rh_thread
    {
        RH_CALL(get(1));
    }
    rh_thread
    {
        RH_CALL(replace(2, 20));
    }
}
