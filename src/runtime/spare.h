// SPDX-License-Identifier: MIT
// Objects that are used again, without contention: each thread has a magazine of spare objects, and
// a full batch moves between a magazine and the depot that all threads share. So a thread that only
// makes objects and one that only frees them meet once for each batch, and memory does not grow.
#ifndef REHEARSE_RUNTIME_SPARE_H
#define REHEARSE_RUNTIME_SPARE_H

#include <pthread.h>
#include <stddef.h>

enum { RH_SPARE_BATCH = 64 };

// The beginning of an object that is not in use.
struct rh_spare {
    struct rh_spare *next;  // in its batch
    struct rh_spare *batch; // of the first object of a batch: the next batch in the depot
};

// Belongs to one thread. `loaded` has `count` objects, `full` a whole batch or none.
struct rh_magazine {
    struct rh_spare *loaded;
    struct rh_spare *full;
    unsigned count;
};

struct rh_depot {
    pthread_mutex_t lock;
    struct rh_spare *batches;
};

// Zeroed memory that begins with a line of the cache; never NULL. The caller frees it with free.
void *rh_alloc_lines(size_t size);

void rh__depot_give(struct rh_depot *depot, struct rh_spare *batch);
// Takes a batch; NULL if there is none.
struct rh_spare *rh__depot_take(struct rh_depot *depot);

static inline void rh_magazine_put(struct rh_magazine *magazine, struct rh_depot *depot,
                                   struct rh_spare *spare)
{
    if (magazine->count == RH_SPARE_BATCH) {
        if (magazine->full)
            rh__depot_give(depot, magazine->full);
        magazine->full = magazine->loaded;
        magazine->loaded = NULL;
        magazine->count = 0;
    }
    spare->next = magazine->loaded;
    magazine->loaded = spare;
    magazine->count++;
}

// Called when `loaded` is empty.
static inline void rh__magazine_reload(struct rh_magazine *magazine, struct rh_depot *depot)
{
    magazine->loaded = magazine->full ? magazine->full : rh__depot_take(depot);
    magazine->full = NULL;
    magazine->count = magazine->loaded ? RH_SPARE_BATCH : 0;
}

// Takes an object; NULL if none is spare: then the caller makes one, or a batch.
static inline struct rh_spare *rh_magazine_take(struct rh_magazine *magazine,
                                                struct rh_depot *depot)
{
    if (!magazine->loaded)
        rh__magazine_reload(magazine, depot);
    struct rh_spare *spare = magazine->loaded;
    if (spare) {
        magazine->loaded = spare->next;
        magazine->count--;
    }
    return spare;
}

#endif
