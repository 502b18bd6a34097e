// SPDX-License-Identifier: MIT
#include "runtime/spare.h"

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
