// SPDX-License-Identifier: MIT
// Sorting by a pipe that grows as values come.
//
// The left end tells itself to feed the next value in. A stage keeps the first value that comes; a
// later one makes it create its successor, to which it passes the larger of the two. No bug under
// any order: the stages hold the values sorted.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST = 4 };

RH_MESSAGE(feed, { int left; });
RH_MESSAGE(push, { int value; });

struct stage {
    rh_actor *next; // NULL until a second value has come
    int value;
};

static void stage_behaviour(rh_actor *self, void *state, const rh_message *message);

static rh_actor *pass_on(rh_actor *next, int value)
{
    if (!next)
        next = rh_spawn(stage_behaviour, struct stage, {.value = 0});
    rh_send(next, push, {.value = value});
    return next;
}

static void stage_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stage *stage = state;
    const struct push *push = rh_as(message, push);
    (void)self;

    if (!push)
        return;
    if (stage->value == 0) {
        stage->value = push->value;
    } else if (push->value < stage->value) {
        stage->next = pass_on(stage->next, stage->value);
        stage->value = push->value;
    } else {
        stage->next = pass_on(stage->next, push->value);
    }
}

struct left_end {
    rh_actor *pipe;
};

static void left_end_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    static const int values[MOST] = {3, 1, 4, 2};
    struct left_end *left_end = state;
    const struct feed *feed = rh_as(message, feed);

    if (!feed || feed->left == 0)
        return;
    left_end->pipe = pass_on(left_end->pipe, values[feed->left - 1]);
    rh_send(self, feed, {.left = feed->left - 1});
}

struct values {
    int count;
    int at[MOST];
};

struct expected {
    rh_actor *left_end;
    struct values values;
};

static void pipe_is_sorted(const void *context)
{
    const struct expected *expected = context;
    const struct left_end *left_end = rh_view_state(expected->left_end);
    rh_actor *next = left_end->pipe;

    for (int i = 0; i < expected->values.count; i++) {
        rh_check(next);
        const struct stage *stage = rh_view_state(next);
        rh_check(stage->value == expected->values.at[i]);
        next = stage->next;
    }
    rh_check(!next);
}

static void sort_them(struct values sorted)
{
    rh_actor *left_end = rh_spawn(left_end_behaviour, struct left_end, {.pipe = NULL});

    rh_finally(pipe_is_sorted, struct expected, {.left_end = left_end, .values = sorted});
    rh_send(left_end, feed, {.left = sorted.count});
}

RH_TEST(three)
{
    sort_them((struct values){3, {1, 3, 4}});
}

RH_TEST(four)
{
    sort_them((struct values){4, {1, 2, 3, 4}});
}
