// SPDX-License-Identifier: MIT
// Sorting by a pipe that grows as values come, for values that nobody knows: basset/pipesort.c with
// the values in the message, and all of them pushed at once. A stage keeps the smallest value that
// has come and passes the others on, but for those that it has already; they overtake each other on
// the way.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST = 3 };

RH_MESSAGE(feed, { int values[MOST]; });
RH_MESSAGE(push, { int value; });

struct stage {
    rh_actor *next; // NULL until a second value has come
    bool is_used;
    int value;
};

static void stage_behaviour(rh_actor *self, void *state, const rh_message *message);

static rh_actor *pass_on(rh_actor *next, int value)
{
    if (!next)
        next = rh_spawn(stage_behaviour, struct stage, {.is_used = false});
    rh_send(next, push, {.value = value});
    return next;
}

static void keep_smaller(struct stage *stage, int value)
{
    if (!stage->is_used) {
        stage->is_used = true;
        stage->value = value;
    } else if (value < stage->value) {
        stage->next = pass_on(stage->next, stage->value);
        stage->value = value;
    } else if (value > stage->value) {
        stage->next = pass_on(stage->next, value);
    }
}

static void stage_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct push *push = rh_as(message, push);
    (void)self;
    if (push)
        keep_smaller(state, push->value);
}

struct left_end {
    rh_actor *pipe;
};

static void left_end_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct left_end *left_end = state;
    const struct feed *feed = rh_as(message, feed);
    (void)self;
    if (!feed)
        return;
    left_end->pipe = rh_spawn(stage_behaviour, struct stage, {.is_used = false});
    for (int i = 0; i < MOST; i++)
        rh_send(left_end->pipe, push, {.value = feed->values[i]});
}

RH_TEST(three)
{
    rh_actor *left_end = rh_spawn(left_end_behaviour, struct left_end, {.pipe = NULL});
    rh_send(left_end, feed, {.values = {4, 1, 3}});
}
