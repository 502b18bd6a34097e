// SPDX-License-Identifier: MIT
// Sorting by a chain of actors that exist from the start.
//
// The source sends all values to the first of them. Each keeps the smallest value that it has seen
// and passes the others on. No bug under any order: the chain holds the values sorted. In the
// variant with a seeded bug an actor compares with the value that came last, not with the one it
// keeps: wrong under both order rules, once values come to it in an unlucky order.
//
// bug:     --test four_forgetful : final
// cause:   not an ordering bug
#include <rehearse/actor.h>
#include <rehearse/test.h>

#ifndef MOST
#define MOST 4 // MOST + 1 is no multiple of 3
#endif

RH_SIGNAL(boot);
RH_MESSAGE(push, { int value; });

struct stage {
    rh_actor *next; // NULL for the last
    int values;     // that have come
    int kept;
    int last;
    bool forgetful; // the seeded bug
};

static void stage_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stage *stage = state;
    const struct push *push = rh_as(message, push);
    (void)self;

    if (!push)
        return;
    int passed_on = push->value;
    int rival = stage->forgetful ? stage->last : stage->kept;
    stage->last = push->value;
    if (stage->values++ == 0) {
        stage->kept = push->value;
        return;
    }
    if (push->value < rival) {
        passed_on = stage->kept;
        stage->kept = push->value;
    }
    rh_check(stage->next);
    rh_send(stage->next, push, {.value = passed_on});
}

struct source {
    rh_actor *first;
    int count;
};

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct source *source = state;
    (void)self;

    if (!rh_as(message, boot))
        return;
    // With four: 3, 1, 4, 2.
    for (int i = 0; i < source->count; i++)
        rh_send(source->first, push, {.value = (i + 1) * 3 % (MOST + 1)});
}

struct chain {
    int count;
    rh_actor *stage[MOST]; // the last first
};

struct watched {
    struct chain chain;
};

static void chain_is_sorted(const void *context)
{
    const struct chain *chain = &((const struct watched *)context)->chain;

    for (int i = 0; i < chain->count; i++) {
        const struct stage *stage = rh_view_state(chain->stage[i]);
        rh_check(stage->values == i + 1);
        if (i == 0)
            continue;
        const struct stage *after = rh_view_state(chain->stage[i - 1]);
        rh_check(stage->kept < after->kept);
    }
}

static void sort_them(int count, bool forgetful)
{
    struct chain chain = {.count = count};

    for (int i = 0; i < count; i++) {
        rh_actor *next = i > 0 ? chain.stage[i - 1] : NULL;
        chain.stage[i] =
            rh_spawn(stage_behaviour, struct stage, {.next = next, .forgetful = forgetful});
    }
    rh_finally(chain_is_sorted, struct watched, {.chain = chain});
    rh_actor *source = rh_spawn(source_behaviour, struct source,
                                {.first = chain.stage[count - 1], .count = count});
    rh_send(source, boot);
}

RH_TEST(three)
{
    sort_them(3, false);
}

RH_TEST(four)
{
    sort_them(4, false);
}

RH_TEST(four_forgetful)
{
    sort_them(4, true);
}

RH_TEST(most)
{
    sort_them(MOST, false);
}
