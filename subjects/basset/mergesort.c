// SPDX-License-Identifier: MIT
// Mergesort by a tree of actors.
//
// The root boots itself with a fixed array; a sorter of more than one value creates two sorters for
// the halves and merges what they send back. No bug under any order: whichever half comes first,
// the array is the same.
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { CAPACITY = 4 };

struct values {
    int count;
    int at[CAPACITY];
};

RH_MESSAGE(boot, { int count; });
RH_MESSAGE(sort, {
    rh_actor *caller;
    struct values values;
});
RH_MESSAGE(merge, { struct values values; });

struct sorter {
    rh_actor *caller;    // NULL for the root
    struct values first; // the half that came first; count is 0 until it has
    struct values whole; // count is 0 until both halves are here
};

static struct values slice(const struct values *values, int from, int count)
{
    struct values part = {.count = count};
    memcpy(part.at, values->at + from, (size_t)count * sizeof part.at[0]);
    return part;
}

static struct values merged(const struct values *left, const struct values *right)
{
    struct values whole = {.count = left->count + right->count};
    int next_left = 0;
    int next_right = 0;

    for (int i = 0; i < whole.count; i++) {
        bool take_left = next_right == right->count ||
                         (next_left < left->count && left->at[next_left] <= right->at[next_right]);
        whole.at[i] = take_left ? left->at[next_left++] : right->at[next_right++];
    }
    return whole;
}

static void finish(struct sorter *sorter, struct values whole)
{
    sorter->whole = whole;
    if (sorter->caller)
        rh_send(sorter->caller, merge, {.values = whole});
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message);

static void start_half(rh_actor *self, struct values half)
{
    rh_actor *child = rh_spawn(sorter_behaviour, struct sorter, {.caller = NULL});
    rh_send(child, sort, {.caller = self, .values = half});
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sorter *sorter = state;
    const struct boot *boot;
    const struct sort *sort;
    const struct merge *merge;

    if ((boot = rh_as(message, boot))) {
        static const struct values input = {CAPACITY, {3, 1, 4, 2}};
        rh_send(self, sort, {.caller = NULL, .values = slice(&input, 0, boot->count)});
    } else if ((sort = rh_as(message, sort))) {
        int half = sort->values.count / 2;
        sorter->caller = sort->caller;
        if (half == 0) {
            finish(sorter, sort->values);
            return;
        }
        start_half(self, slice(&sort->values, 0, half));
        start_half(self, slice(&sort->values, half, sort->values.count - half));
    } else if ((merge = rh_as(message, merge))) {
        if (sorter->first.count == 0)
            sorter->first = merge->values;
        else
            finish(sorter, merged(&sorter->first, &merge->values));
    }
}

struct expected {
    rh_actor *root;
    struct values values;
};

static void is_sorted(const void *context)
{
    const struct expected *expected = context;
    const struct sorter *root = rh_view_state(expected->root);

    rh_check(root->whole.count == expected->values.count);
    for (int i = 0; i < expected->values.count; i++)
        rh_check(root->whole.at[i] == expected->values.at[i]);
}

static void sort_them(struct values values)
{
    rh_actor *root = rh_spawn(sorter_behaviour, struct sorter, {.caller = NULL});

    rh_finally(is_sorted, struct expected, {.root = root, .values = values});
    rh_send(root, boot, {.count = values.count});
}

RH_TEST(three)
{
    sort_them((struct values){3, {1, 3, 4}});
}

RH_TEST(four)
{
    sort_them((struct values){4, {1, 2, 3, 4}});
}
