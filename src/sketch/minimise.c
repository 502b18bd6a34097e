// SPDX-License-Identifier: MIT
// Variables with equal futures: at first all that are the same message, and then these are told
// apart as long as what follows from them differs.
#include <stdlib.h>
#include <string.h>

#include "sketch/internal.h"

struct partition {
    struct rh__sketch_builder *builder;
    uint32_t *groups; // by variable: the first variable of its group
    uint32_t *bodies; // by variable: its body with groups in the place of variables
};

static uint32_t group_leaf(void *context, uint32_t leaf)
{
    struct partition *partition = context;
    return rh__term_leaf(&partition->builder->terms, partition->groups[leaf]);
}

bool rh__sketch_is_same_message(const struct rh__sketch_variable *one,
                                const struct rh__sketch_variable *other)
{
    return one->from == other->from && one->to == other->to && one->kind == other->kind &&
           one->is_lost == other->is_lost && !strcmp(one->type, other->type);
}

// Splits groups whose variables differ in what follows; gives how many groups there are.
static size_t split(struct partition *partition, uint32_t *next)
{
    struct rh__sketch_builder *builder = partition->builder;
    size_t count = builder->variables.count, groups = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t body =
            rh__term_map(&builder->terms, builder->variables.items[i].body, group_leaf, partition);
        partition->bodies[i] = rh__term_sorted(&builder->terms, body);
    }
    for (uint32_t i = 0; i < count; i++) {
        next[i] = i;
        for (uint32_t k = 0; k < i && next[i] == i; k++)
            if (next[k] == k && partition->groups[k] == partition->groups[i] &&
                partition->bodies[k] == partition->bodies[i])
                next[i] = k;
        groups += next[i] == i;
    }
    memcpy(partition->groups, next, count * sizeof *next);
    return groups;
}

static void begin(struct partition *partition)
{
    const struct rh__sketch_builder *builder = partition->builder;
    for (uint32_t i = 0; i < builder->variables.count; i++) {
        uint32_t k = 0;
        while (
            !rh__sketch_is_same_message(&builder->variables.items[k], &builder->variables.items[i]))
            k++;
        partition->groups[i] = k;
    }
}

void rh__sketch_minimise(struct rh__sketch_builder *builder)
{
    size_t count = builder->variables.count, groups = 0, before;
    struct partition partition = {.builder = builder};
    uint32_t *next = rh_alloc((count + 1) * sizeof *next);
    partition.groups = rh_alloc((count + 1) * sizeof *partition.groups);
    partition.bodies = rh_alloc((count + 1) * sizeof *partition.bodies);
    begin(&partition);
    do {
        before = groups;
        groups = split(&partition, next);
    } while (groups != before);
    for (uint32_t i = 0; i < count; i++)
        builder->variables.items[i].body =
            rh__term_map(&builder->terms, builder->variables.items[i].body, group_leaf, &partition);
    builder->body = rh__term_map(&builder->terms, builder->body, group_leaf, &partition);
    free(next);
    free(partition.groups);
    free(partition.bodies);
}
