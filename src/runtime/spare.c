// SPDX-License-Identifier: MIT
#include "runtime/spare.h"

#include <malloc.h>
#include <string.h>

#include "base/status.h"

void *rh_alloc_lines(size_t size)
{
    enum { LINE = 64 };
    size_t whole = (size + LINE - 1) / LINE * LINE;
    void *memory = memalign(LINE, whole);
    if (!memory)
        rh_panic("no memory for the run time");
    return memset(memory, 0, whole);
}

void rh__depot_give(struct rh_depot *depot, struct rh_spare *batch)
{
    pthread_mutex_lock(&depot->lock);
    batch->batch = depot->batches;
    depot->batches = batch;
    pthread_mutex_unlock(&depot->lock);
}

struct rh_spare *rh__depot_take(struct rh_depot *depot)
{
    pthread_mutex_lock(&depot->lock);
    struct rh_spare *batch = depot->batches;
    if (batch)
        depot->batches = batch->batch;
    pthread_mutex_unlock(&depot->lock);
    return batch;
}
