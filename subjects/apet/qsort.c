// SPDX-License-Identifier: MIT
// Quicksort by a tree of actors, for values that nobody knows: basset/quicksort.c, which also takes
// numbers of values that make no sense. A sorter splits what it gets at the first value, and
// creates an actor for each side; their answers come in either order.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { CAPACITY = 4 };

struct values {
    int count;
    int at[CAPACITY];
};

RH_MESSAGE(sort, { struct values values; });
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
    if (values->count >= 0 && values->count < CAPACITY)
        values->at[values->count++] = value;
}

static void append_all(struct values *values, const struct values *more)
{
    for (int i = 0; i < more->count && i < CAPACITY; i++)
        append(values, more->at[i]);
}

static void finish(struct sorter *sorter, const struct values *whole)
{
    sorter->whole = *whole;
    if (sorter->caller)
        rh_send(sorter->caller, done, {.values = *whole});
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message);

static void start_side(rh_actor *self, struct values side)
{
    rh_actor *child = rh_spawn(sorter_behaviour, struct sorter, {.caller = self});
    rh_send(child, sort, {.values = side});
}

static void split(rh_actor *self, struct sorter *sorter, const struct values *values)
{
    struct values smaller = {.count = 0};
    struct values larger = {.count = 0};

    sorter->pivot = values->at[0];
    for (int i = 1; i < values->count && i < CAPACITY; i++) {
        if (values->at[i] <= sorter->pivot)
            append(&smaller, values->at[i]);
        else
            append(&larger, values->at[i]);
    }
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
    finish(sorter, &whole);
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sorter *sorter = state;
    const struct sort *sort;
    const struct done *done;

    if ((sort = rh_as(message, sort))) {
        sorter->answers = 0;
        if (sort->values.count <= 1)
            finish(sorter, &sort->values);
        else
            split(self, sorter, &sort->values);
    } else if ((done = rh_as(message, done))) {
        join(sorter, &done->values);
    }
}

RH_TEST(three)
{
    rh_actor *root = rh_spawn(sorter_behaviour, struct sorter, {.caller = NULL});
    rh_send(root, sort, {.values = {3, {2, 3, 1}}});
}
