// SPDX-License-Identifier: MIT
// kind: refinement
// Files of one block each, with a cache. remove frees the block in the bitmap before the block
// leaves the cache: a new file that gets the block reads old bytes.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_mutex_t bitmap = PTHREAD_MUTEX_INITIALIZER, cache = PTHREAD_MUTEX_INITIALIZER;
static bool is_used = true, is_cached = true;
static int cached = 7, disk;

static void remove_file(void)
{
#ifdef FIXED
    pthread_mutex_lock(&cache);
    is_cached = false;
    pthread_mutex_unlock(&cache);
#endif
    pthread_mutex_lock(&bitmap);
    is_used = false;
    disk = 0;
    pthread_mutex_unlock(&bitmap);
#ifndef FIXED
    pthread_mutex_lock(&cache);
    is_cached = false;
    pthread_mutex_unlock(&cache);
#endif
}

static bool create_file(void)
{
    pthread_mutex_lock(&bitmap);
    bool is_free = !is_used;
    is_used = true;
    pthread_mutex_unlock(&bitmap);
    return is_free;
}

static int read_file(void)
{
    pthread_mutex_lock(&cache);
    int bytes = is_cached ? cached : disk;
    pthread_mutex_unlock(&cache);
    return bytes;
}

RH_THREADS(old_bytes)
{
    rh_thread
    {
        RH_CALL(remove_file());
    }
    rh_thread
    {
        if (RH_CALL(create_file()))
            RH_CALL(read_file());
    }
}
