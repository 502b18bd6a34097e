// SPDX-License-Identifier: MIT
// Explicit nondeterminism: a search tries every outcome. A delivery with another outcome is another
// edge of the search, so it counts again.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(roll, { int sides; });
RH_SIGNAL(twice);
RH_SIGNAL(nothing);

struct dice {
    int sum;
};

static void dice_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct dice *dice = state;
    const struct roll *roll;
    (void)self;

    if ((roll = rh_as(message, roll))) {
        int outcome = rh_choose(roll->sides);
        rh_check(0 <= outcome && outcome < roll->sides);
        dice->sum += outcome;
    } else if (rh_as(message, twice)) {
        int first = rh_choose(2);
        int second = rh_choose(3);
        dice->sum += 10 * first + second;
    } else if (rh_as(message, nothing)) {
        dice->sum += 0;
    }
}

static rh_actor *dice_new(void)
{
    return rh_spawn(dice_behaviour, struct dice, {.sum = 0});
}

// 3 executions, 3 deliveries.
RH_TEST(once)
{
    rh_send(dice_new(), roll, {.sides = 3});
}

// 1 execution, 1 delivery.
RH_TEST(no_choice)
{
    rh_send(dice_new(), roll, {.sides = 1});
}

// 2 * 3 = 6 executions, 6 deliveries.
RH_TEST(two_in_one_delivery)
{
    rh_send(dice_new(), twice);
}

// 2 outcomes, then 3 each: 6 executions, 2 + 6 = 8 deliveries.
RH_TEST(two_deliveries)
{
    rh_actor *dice = dice_new();

    rh_send(dice, roll, {.sides = 2});
    rh_send(dice, roll, {.sides = 3});
}

// Outcome 0: one message, 1 execution, 1 delivery. Outcome 1: two messages of two senders, 2
// executions, 4 deliveries. Together 3 and 5.
RH_TEST(in_setup)
{
    rh_actor *dice = dice_new();

    if (rh_choose(2) == 1)
        rh_send_from(rh_outside("other"), dice, nothing);
    rh_send(dice, nothing);
}

struct watched {
    rh_actor *dice;
};

static void not_five(const void *context)
{
    const struct watched *watched = context;
    const struct dice *dice = rh_view_state(watched->dice);

    rh_check(dice->sum != 5);
}

// One of the six outcomes breaks it, the last delivery of its execution: 6 executions, 6
// deliveries, one finding.
RH_TEST(one_outcome_fails)
{
    rh_actor *dice = dice_new();

    rh_finally(not_five, struct watched, {.dice = dice});
    rh_send(dice, roll, {.sides = 6});
}
