// SPDX-License-Identifier: MIT
// Quicksort of Savina: an actor splits its list by a pivot, and has each part sorted by an actor of
// its own.
//
// Nothing goes wrong under any order rule: which part comes back first makes no difference.
#include <string.h>

#include "savina.h"

enum { LENGTH = 1000000, THRESHOLD = 2048 };

RH_MESSAGE(sort, {
    int count;
    int numbers[];
});
RH_MESSAGE(sorted, {
    bool is_left;
    int count;
    int numbers[];
});

struct sorter {
    rh_actor *parent; // NULL for the root
    bool is_left;
    int threshold;
    int count;
    int parts;
    struct sorted *result; // what has come of it so far: sorted, and without gaps
};

static rh_behaviour sorter_behaviour;

static size_t sorted_size(int count)
{
    return sizeof(struct sorted) + (size_t)count * sizeof(int);
}

static int compare(const void *one, const void *other)
{
    int left = *(const int *)one, right = *(const int *)other;

    return (left > right) - (left < right);
}

static void report(struct sorter *sorter)
{
    struct sorted *result = sorter->result;

    rh_check(result->count == sorter->count);
    for (int i = 1; !sorter->parent && i < result->count; i++)
        rh_check(result->numbers[i - 1] <= result->numbers[i]);
    if (sorter->parent)
        rh_send_sized(sorter->parent, sorted, result, sorted_size(result->count));
    free(result);
    rh_stop();
}

// Gives an actor those of the numbers that are on this side of the pivot.
static void have_sorted(rh_actor *self, const struct sorter *sorter, const struct sort *sort,
                        bool is_left)
{
    int pivot = sort->numbers[sort->count / 2];
    struct sort *part = malloc(sizeof *part + (size_t)sort->count * sizeof(int));

    part->count = 0;
    for (int i = 0; i < sort->count; i++)
        if (is_left ? sort->numbers[i] < pivot : sort->numbers[i] > pivot)
            part->numbers[part->count++] = sort->numbers[i];
    rh_actor *child =
        rh_spawn(sorter_behaviour, struct sorter,
                 {.parent = self, .is_left = is_left, .threshold = sorter->threshold});
    rh_send_sized(child, sort, part, sizeof *part + (size_t)part->count * sizeof(int));
    free(part);
}

static void keep_equal(struct sorter *sorter, const struct sort *sort)
{
    int pivot = sort->numbers[sort->count / 2];

    for (int i = 0; i < sort->count; i++)
        if (sort->numbers[i] == pivot)
            sorter->result->numbers[sorter->result->count++] = pivot;
}

static void begin(rh_actor *self, struct sorter *sorter, const struct sort *sort)
{
    struct sorted *result = malloc(sorted_size(sort->count));

    *result = (struct sorted){.is_left = sorter->is_left};
    sorter->result = result;
    sorter->count = sort->count;
    if (sort->count < sorter->threshold) {
        memcpy(result->numbers, sort->numbers, (size_t)sort->count * sizeof(int));
        result->count = sort->count;
        qsort(result->numbers, (size_t)result->count, sizeof(int), compare);
        report(sorter);
        return;
    }
    have_sorted(self, sorter, sort, true);
    have_sorted(self, sorter, sort, false);
    keep_equal(sorter, sort);
}

static void join(struct sorter *sorter, const struct sorted *sorted)
{
    struct sorted *result = sorter->result;
    int *place = sorted->is_left ? result->numbers : result->numbers + result->count;

    if (sorted->is_left)
        memmove(result->numbers + sorted->count, result->numbers,
                (size_t)result->count * sizeof(int));
    memcpy(place, sorted->numbers, (size_t)sorted->count * sizeof(int));
    result->count += sorted->count;
    if (++sorter->parts == 2)
        report(sorter);
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sorter *sorter = state;
    const struct sort *sort;

    if ((sort = rh_as(message, sort)))
        begin(self, sorter, sort);
    else
        join(sorter, rh_as(message, sorted));
}

static void sort_numbers(int count, int threshold)
{
    struct sort *sort = malloc(sizeof *sort + (size_t)count * sizeof(int));
    struct random random = {SAVINA_SEED};
    rh_actor *sorter = rh_spawn(sorter_behaviour, struct sorter, {.threshold = threshold});

    sort->count = count;
    for (int i = 0; i < count; i++)
        sort->numbers[i] = next_random(&random, 65536);
    rh_send_sized(sorter, sort, sort, sizeof *sort + (size_t)count * sizeof(int));
    free(sort);
}

static void set_up(void *context)
{
    const long *count = context;

    sort_numbers((int)*count, THRESHOLD);
}

RH_TEST(small)
{
    sort_numbers(4, 2);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, LENGTH, set_up);
}
