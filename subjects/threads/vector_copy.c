// SPDX-License-Identifier: MIT
// kind: refinement
// A copy asks for the size and for the elements in two critical sections; the vector may have grown
// in between, and the copy is too short.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count = 2, elements[8] = {1, 2};

// How many elements were left out.
static int copy(void)
{
    int room, left_out = 0, copied[8];
    pthread_mutex_lock(&lock);
    room = count;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    for (int i = 0; i < count; i++)
        if (i < room)
            copied[i] = elements[i];
        else
            left_out++;
    (void)copied;
    pthread_mutex_unlock(&lock);
    return left_out;
}

static void add(int element)
{
    pthread_mutex_lock(&lock);
    elements[count++] = element;
    pthread_mutex_unlock(&lock);
}

RH_THREADS(grown)
{
    rh_thread
    {
        RH_CALL(copy());
    }
    rh_thread
    {
        RH_CALL(add(3));
    }
}
