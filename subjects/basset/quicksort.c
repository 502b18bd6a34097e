// SPDX-License-Identifier: MIT
// Quicksort by a tree of actors.
//
// The first value is the pivot. A sorter of more than one value creates two sorters, one for the
// values that are not larger and one for the larger ones, also if there are none, and puts their
// answers on either side of the pivot. No bug under any order: an answer shows by its first value
// on which side it belongs.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { CAPACITY = 4 };

struct values {
    int count;
    int at[CAPACITY];
};

RH_MESSAGE(sort, {
    rh_actor *caller;
    struct values values;
});
RH_MESSAGE(done, { struct values values; });

struct sorter {
    rh_actor *caller; // NULL for the root
    int pivot;
    int answers;
    struct values smaller; // what has come of it
    struct values larger;
    struct values whole; // filled once both sides are here
};

static void append(struct values *values, int value)
{
    values->at[values->count++] = value;
}

static void append_all(struct values *values, const struct values *more)
{
    for (int i = 0; i < more->count; i++)
        append(values, more->at[i]);
}

static void finish(struct sorter *sorter, struct values whole)
{
    sorter->whole = whole;
    if (sorter->caller)
        rh_send(sorter->caller, done, {.values = whole});
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message);

static void start_side(rh_actor *self, struct values side)
{
    rh_actor *child = rh_spawn(sorter_behaviour, struct sorter, {.caller = NULL});
    rh_send(child, sort, {.caller = self, .values = side});
}

static void split(rh_actor *self, struct sorter *sorter, const struct values *values)
{
    struct values smaller = {.count = 0};
    struct values larger = {.count = 0};

    sorter->pivot = values->at[0];
    for (int i = 1; i < values->count; i++)
        append(values->at[i] <= sorter->pivot ? &smaller : &larger, values->at[i]);
    start_side(self, smaller);
    start_side(self, larger);
}

static void join(struct sorter *sorter, const struct values *side)
{
    if (side->count > 0 && side->at[0] <= sorter->pivot)
        sorter->smaller = *side;
    else if (side->count > 0)
        sorter->larger = *side;
    if (++sorter->answers < 2)
        return;

    struct values whole = sorter->smaller;
    append(&whole, sorter->pivot);
    append_all(&whole, &sorter->larger);
    finish(sorter, whole);
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sorter *sorter = state;
    const struct sort *sort;
    const struct done *done;

    if ((sort = rh_as(message, sort))) {
        sorter->caller = sort->caller;
        if (sort->values.count <= 1)
            finish(sorter, sort->values);
        else
            split(self, sorter, &sort->values);
    } else if ((done = rh_as(message, done))) {
        join(sorter, &done->values);
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

static void sort_them(struct values values, struct values sorted)
{
    rh_actor *root = rh_spawn(sorter_behaviour, struct sorter, {.caller = NULL});

    rh_finally(is_sorted, struct expected, {.root = root, .values = sorted});
    rh_send(root, sort, {.caller = NULL, .values = values});
}

RH_TEST(three)
{
    sort_them((struct values){3, {2, 3, 1}}, (struct values){3, {1, 2, 3}});
}

RH_TEST(three_equal)
{
    sort_them((struct values){3, {7, 7, 7}}, (struct values){3, {7, 7, 7}});
}

// Each pivot is the smallest or the largest of its values: the deepest tree.
RH_TEST(four)
{
    sort_them((struct values){4, {4, 1, 3, 2}}, (struct values){4, {1, 2, 3, 4}});
}
