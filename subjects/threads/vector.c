// SPDX-License-Identifier: MIT
// kind: refinement
// last_index_of reads the count without the lock, and looks at elements that are not there any
// more.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count = 3, elements[4] = {1, 2, 3};

// -2 where Java's would throw an exception.
static int last_index_in(int element, int from)
{
    int found = -1;
    pthread_mutex_lock(&lock);
    if (from > count)
        found = -2;
    for (int i = from - 1; found == -1 && i >= 0; i--)
        if (elements[i] == element)
            found = i;
    pthread_mutex_unlock(&lock);
    return found;
}

static int last_index_of(int element)
{
#ifdef FIXED
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int i = count - 1; found == -1 && i >= 0; i--)
        if (elements[i] == element)
            found = i;
    pthread_mutex_unlock(&lock);
    (void)last_index_in;
    return found;
#else
    return last_index_in(element, count);
#endif
}

static void remove_all(void)
{
    pthread_mutex_lock(&lock);
    count = 0;
    pthread_mutex_unlock(&lock);
}

RH_THREADS(emptied)
{
    rh_thread
    {
        RH_CALL(last_index_of(3));
    }
    rh_thread
    {
        RH_CALL(remove_all());
    }
}
