// SPDX-License-Identifier: MIT
// kind: refinement
// Boxwood's cache: a write to an entry that is dirty copies its bytes without the lock that flush
// holds, so a flush may store half of them and call the entry clean.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char entry[2] = {'x', 'y'}, stored[2] = {'x', 'y'};
static bool is_dirty = true;

static void write_block(char first, char second)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    entry[0] = first;
    entry[1] = second;
    is_dirty = true;
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_lock(&lock);
    is_dirty = true;
    pthread_mutex_unlock(&lock);
    entry[0] = first;
    entry[1] = second;
#endif
}

static void flush(void)
{
    pthread_mutex_lock(&lock);
    if (is_dirty) {
        stored[0] = entry[0];
        stored[1] = entry[1];
        is_dirty = false;
    }
    pthread_mutex_unlock(&lock);
}

// What a read gives once the entry was evicted: only a dirty one is stored before.
static void view(rh_view *view)
{
    for (int i = 0; i < 2; i++)
        rh_view_put(view, i, is_dirty ? entry[i] : stored[i]);
}

RH_COMPONENT(cache){.view = view};

RH_THREADS(half)
{
    rh_thread
    {
        RH_CALL(write_block('A', 'B'));
    }
    rh_thread
    {
        RH_CALL(flush());
    }
}
