// SPDX-License-Identifier: MIT
// The cache of subjects/threads/cache.c at full speed: a write copies its bytes without the lock
// that flush has, so that half of them may be stored and the entry be called clean. A read shows
// that only when the entry was evicted since, and not written again.
#include <rehearse/component.h>

#include "stress.h"

enum { BLOCKS = 4, BYTES = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool is_cached, is_dirty;
    unsigned char entry[BYTES], stored[BYTES];
} blocks[BLOCKS];

static void copy(unsigned char *to, int value)
{
    for (int i = 0; i < BYTES; i++)
        ((volatile unsigned char *)to)[i] = (unsigned char)value;
}

static int64_t value_of(const unsigned char *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < BYTES; i++)
        value = value << 8 | bytes[i];
    return (int64_t)value;
}

static void write_block(int block, int value)
{
    RH_OPERATION(block, value);
    pthread_mutex_lock(&lock);
    blocks[block].is_cached = true;
#ifdef FIXED
    RH_COMMIT_BLOCK
    {
        copy(blocks[block].entry, value);
        blocks[block].is_dirty = true;
    }
    pthread_mutex_unlock(&lock);
#else
    blocks[block].is_dirty = true;
    pthread_mutex_unlock(&lock);
    RH_COMMIT_BLOCK
    {
        copy(blocks[block].entry, value);
    }
#endif
}

static void flush(int block)
{
    RH_OPERATION(block);
    pthread_mutex_lock(&lock);
    if (blocks[block].is_dirty)
        for (int i = 0; i < BYTES; i++)
            blocks[block].stored[i] = blocks[block].entry[i];
    RH_COMMIT(blocks[block].is_dirty = false);
    pthread_mutex_unlock(&lock);
}

static void evict(int block)
{
    RH_OPERATION(block);
    pthread_mutex_lock(&lock);
    bool is_clean = blocks[block].is_cached && !blocks[block].is_dirty;
    RH_COMMIT(blocks[block].is_cached = blocks[block].is_cached && !is_clean);
    pthread_mutex_unlock(&lock);
}

static int64_t read_block(int block)
{
    RH_OPERATION(block);
    RH_OBSERVES();
    pthread_mutex_lock(&lock);
    if (!blocks[block].is_cached)
        for (int i = 0; i < BYTES; i++)
            blocks[block].entry[i] = blocks[block].stored[i];
    blocks[block].is_cached = true;
    int64_t value = value_of(blocks[block].entry);
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

// What is there, whether a read finds it in the cache or not.
static void view(rh_view *view)
{
    for (int i = 0; i < BLOCKS; i++)
        rh_view_put(view, i, value_of(blocks[i].is_dirty ? blocks[i].entry : blocks[i].stored));
}

static int64_t right[BLOCKS];

static void right_view(rh_view *view)
{
    for (int i = 0; i < BLOCKS; i++)
        rh_view_put(view, i, right[i]);
}

RH_COMPONENT(cache){.view = view, .specification_view = right_view};

RH_SPECIFICATION(write_block)
{
    right[argument[0]] = argument[1] * 0x0101010101010101;
    return 0;
}

RH_SPECIFICATION(flush)
{
    return 0;
}

RH_SPECIFICATION(evict)
{
    return 0;
}

RH_SPECIFICATION(read_block)
{
    return right[argument[0]];
}

static void call_one(uint32_t number)
{
    int block = (int)(number / 4 % BLOCKS);
    switch (number % 4) {
    case 0:
        write_block(block, 1 + (int)(number / 16 % 100));
        break;
    case 1:
        flush(block);
        break;
    case 2:
        evict(block);
        break;
    default:
        read_block(block);
    }
}
