// SPDX-License-Identifier: MIT
#include "runtime/cell.h"

#include <sys/mman.h>

#include "base/status.h"

#define WHOLE ((size_t)RH_CELLS_MOST * sizeof(struct rh_cell))

// Private memory, unlike that of rh_map_shared: threads share private memory anyway, and a core
// dump contains it.
bool rh_cells_init(struct rh_cells *cells)
{
    void *memory = mmap(NULL, WHOLE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    cells->cells = memory;
    pthread_mutex_init(&cells->depot.lock, NULL);
    return true;
}

void rh_cells_fini(struct rh_cells *cells)
{
    munmap(cells->cells, WHOLE);
    pthread_mutex_destroy(&cells->depot.lock);
}

static struct rh_spare *cut_batch(struct rh_cells *cells, struct rh_cell_cache *cache)
{
    uint32_t first = __atomic_fetch_add(&cells->used, RH_SPARE_BATCH, __ATOMIC_RELAXED);
    if (first > RH_CELLS_MOST - 2 * RH_SPARE_BATCH)
        rh_panic("there are more than %u actors", first);
    for (uint32_t i = first + RH_SPARE_BATCH; i-- > first;) {
        struct rh_cell *cell = &cells->cells[i];
        // A message to a wrong address may arrive here before the cell is used.
        (void)rh_mailbox_close(&cell->mailbox);
        __atomic_store_n(&cell->life, 1, __ATOMIC_RELEASE);
        rh_magazine_put(&cache->magazine, &cells->depot, &cell->spare);
    }
    return rh_magazine_take(&cache->magazine, &cells->depot);
}

struct rh_cell *rh_cells_take(struct rh_cells *cells, struct rh_cell_cache *cache)
{
    struct rh_spare *spare = rh_magazine_take(&cache->magazine, &cells->depot);
    if (!spare)
        spare = cut_batch(cells, cache);
    return (struct rh_cell *)((char *)spare - offsetof(struct rh_cell, spare));
}

void rh_cells_give(struct rh_cells *cells, struct rh_cell_cache *cache, struct rh_cell *cell)
{
    cell->status = RH_CELL_FREE;
    uint32_t next = cell->life + 1;
    // Atomic for threads from outside, which ask whether the actor of an address still lives.
    __atomic_store_n(&cell->life, next == 0 ? 1 : next, __ATOMIC_RELEASE);
    rh_magazine_put(&cache->magazine, &cells->depot, &cell->spare);
}
