// SPDX-License-Identifier: MIT
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { FIRST_CAPACITY = 16 };

// Entries of cleared tables grow; from here on slots are cleared one by one instead.
static const uint32_t FORGOTTEN_MOST = UINT32_C(1) << 30;

static size_t size_of(uint32_t capacity)
{
    return capacity * sizeof(struct rh_table_slot);
}

static bool is_free(const struct rh_table *table, const struct rh_table_slot *slot)
{
    return slot->entry <= table->forgotten;
}

static struct rh_table_slot *free_slot(struct rh_table *table, uint32_t tag)
{
    uint32_t at = tag & (table->capacity - 1);
    while (!is_free(table, &table->slots[at]))
        at = (at + 1) & (table->capacity - 1);
    return &table->slots[at];
}

static bool grow(struct rh_table *table, struct rh_store *store)
{
    struct rh_table larger = *table;
    larger.capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
    rh_assert(larger.capacity > table->capacity && (larger.capacity & (larger.capacity - 1)) == 0);
    rh_assert(!table->slots || rh_store_has(store, table->slots) == (store != NULL));
    size_t size = size_of(larger.capacity);
    larger.slots = store ? rh_store_take(store, size) : rh_alloc(size);
    if (!larger.slots)
        return false;
    for (uint32_t i = 0; i < table->capacity; i++)
        if (!is_free(table, &table->slots[i]))
            *free_slot(&larger, table->slots[i].tag) = table->slots[i];
    if (store)
        rh_store_drop(table->slots, size_of(table->capacity));
    else
        free(table->slots);
    *table = larger;
    return true;
}

bool rh_table_add(struct rh_table *table, struct rh_store *store, uint64_t hash, uint32_t number)
{
    rh_assert(number < RH_TABLE_MOST);
    if (table->count >= table->capacity / 4 * 3 && !grow(table, store))
        return false;
    uint32_t entry = table->forgotten + number + 1;
    *free_slot(table, (uint32_t)hash) = (struct rh_table_slot){(uint32_t)hash, entry};
    if (entry > table->newest)
        table->newest = entry;
    table->count++;
    rh_assert(table->count <= table->capacity / 4 * 3);
    return true;
}

void rh_table_clear(struct rh_table *table)
{
    table->count = 0;
    table->forgotten = table->newest;
    if (table->forgotten < FORGOTTEN_MOST)
        return;
    memset(table->slots, 0, size_of(table->capacity));
    table->forgotten = table->newest = 0;
}

void rh_table_fini(struct rh_table *table)
{
    free(table->slots);
    *table = (struct rh_table){0};
}

size_t rh_table_store_size(uint32_t most)
{
    uint32_t capacity = FIRST_CAPACITY;
    size_t size = size_of(capacity);
    while (capacity / 4 * 3 < most) {
        capacity *= 2;
        size += size_of(capacity);
    }
    return size;
}
