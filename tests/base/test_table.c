// SPDX-License-Identifier: MIT
#include "base/table.h"

#include "test.h"

enum { COUNT = 20000 };

static uint32_t find(const struct rh_table *table, const uint64_t *keys, uint64_t key)
{
    struct rh_probe probe = rh_table_probe(table, rh_table_hash(key));
    while (rh_probe_next(&probe))
        if (keys[probe.number] == key)
            return probe.number;
    return RH_NONE;
}

static void fill_and_find(struct rh_table *table, struct rh_store *store, uint64_t factor)
{
    static uint64_t keys[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = i * factor;
        EXPECT(find(table, keys, keys[i]) == RH_NONE);
        EXPECT(rh_table_add(table, store, rh_table_hash(keys[i]), i));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        EXPECT(find(table, keys, keys[i]) == i);
        EXPECT(find(table, keys, keys[i] + 1) == RH_NONE);
    }
    EXPECT(table->count == COUNT);
    EXPECT(table->count <= table->capacity / 4 * 3);
}

// Records with one hash are told by the caller, who sees each of them once.
static void test_equal_hashes(void)
{
    struct rh_table table = {0};
    for (uint32_t i = 0; i < 100; i++)
        EXPECT(rh_table_add(&table, NULL, 7, i));
    struct rh_probe probe = rh_table_probe(&table, 7);
    unsigned seen[100] = {0};
    while (rh_probe_next(&probe))
        EXPECT(probe.number < 100 && ++seen[probe.number] == 1);
    for (uint32_t i = 0; i < 100; i++)
        EXPECT(seen[i] == 1);
    rh_table_fini(&table);
}

static void test_clear(void)
{
    struct rh_table table = {0};
    rh_table_clear(&table);
    for (uint32_t round = 1; round < 8; round++) {
        fill_and_find(&table, NULL, round * 4096);
        rh_table_clear(&table);
        EXPECT(table.count == 0);
    }
    rh_table_fini(&table);
}

// The largest numbers make entries that leave no room for those of a table that was cleared.
static void test_clear_of_large_numbers(void)
{
    struct rh_table table = {0};
    for (uint32_t round = 0; round < 5; round++) {
        uint32_t number = RH_TABLE_MOST - 1 - round;
        struct rh_probe before = rh_table_probe(&table, 3);
        EXPECT(!rh_probe_next(&before));
        EXPECT(rh_table_add(&table, NULL, 3, number));
        struct rh_probe probe = rh_table_probe(&table, 3);
        EXPECT(rh_probe_next(&probe) && probe.number == number && !rh_probe_next(&probe));
        rh_table_clear(&table);
    }
    rh_table_fini(&table);
}

static void test_store(void)
{
    struct rh_store store;
    EXPECT(rh_store_open(&store, rh_table_store_size(COUNT)));
    struct rh_table table = {0};
    fill_and_find(&table, &store, 4096);
    EXPECT(!store.is_full);
    uint32_t more = 0;
    while (more < 2 * COUNT && rh_table_add(&table, &store, more, more))
        more++;
    EXPECT(more < 2 * COUNT && store.is_full);
    rh_store_close(&store);
}

int main(void)
{
    struct rh_table table = {0};
    struct rh_probe probe = rh_table_probe(&table, 0);
    EXPECT(!rh_probe_next(&probe));
    fill_and_find(&table, NULL, 4096);
    rh_table_fini(&table);
    fill_and_find(&table, NULL, UINT64_C(1) << 40);
    rh_table_fini(&table);
    test_equal_hashes();
    test_clear();
    test_clear_of_large_numbers();
    test_store();
    return 0;
}
