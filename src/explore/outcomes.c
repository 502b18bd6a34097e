// SPDX-License-Identifier: MIT
#include "explore/outcomes.h"

#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"

enum { WORDS_MOST = 1 << 26, TABLE = 1 << 22 };

static void *reserve(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool rh_outcomes_init(struct rh_outcomes *outcomes)
{
    *outcomes = (struct rh_outcomes){.words = reserve(sizeof *outcomes->words * WORDS_MOST),
                                     .table = reserve(sizeof *outcomes->table * TABLE)};
    return outcomes->words && outcomes->table;
}

void rh_outcomes_fini(struct rh_outcomes *outcomes)
{
    if (outcomes->words)
        munmap(outcomes->words, sizeof *outcomes->words * WORDS_MOST);
    if (outcomes->table)
        munmap(outcomes->table, sizeof *outcomes->table * TABLE);
    *outcomes = (struct rh_outcomes){0};
}

static bool is_list(const struct rh_outcomes *outcomes, uint32_t list, const uint32_t *values,
                    uint32_t count)
{
    return outcomes->words[list] == count &&
           memcmp(&outcomes->words[list + 1], values, sizeof *values * count) == 0;
}

uint32_t rh_outcomes_add(struct rh_outcomes *outcomes, const uint32_t *values, uint32_t count)
{
    uint32_t at = (uint32_t)rh_hash64(values, sizeof *values * count, 0) & (TABLE - 1);
    for (; outcomes->table[at] != 0; at = (at + 1) & (TABLE - 1))
        if (is_list(outcomes, outcomes->table[at] - 1, values, count))
            return outcomes->table[at] - 1;
    uint32_t list = outcomes->top;
    if (outcomes->count + 1 > TABLE / 4 * 3 || list + count + 1 > WORDS_MOST)
        return RH_NO_OUTCOMES;
    outcomes->words[list] = count;
    memcpy(&outcomes->words[list + 1], values, sizeof *values * count);
    outcomes->top += count + 1;
    outcomes->table[at] = list + 1;
    outcomes->count++;
    return list;
}

uint32_t rh_outcomes_get(const struct rh_outcomes *outcomes, uint32_t list, uint32_t position)
{
    return position < outcomes->words[list] ? outcomes->words[list + 1 + position] : 0;
}
