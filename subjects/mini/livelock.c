// SPDX-License-Identifier: MIT
// Livelock: two that are refused because the other one is hungry too.
//
// Two philosophers share the forks and want to eat twice; the waiter denies whoever asks while
// somebody else is hungry, and who is denied asks again. Once both are hungry neither ever eats:
// messages go round for ever, under any order rule. In the fixed twin the waiter keeps a request
// that it can't grant and grants it when the forks come back.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { PHILOSOPHERS = 2, MEALS = 2 };

RH_SIGNAL(start);
RH_MESSAGE(hungry, { int seat; });
RH_SIGNAL(denied);
RH_SIGNAL(eat);
RH_MESSAGE(done, { int seat; });

struct waiter {
    bool hungry[PHILOSOPHERS]; // or eating
};

static void denying_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct waiter *waiter = state;
    const struct hungry *hungry;
    const struct done *done;
    (void)self;

    if ((hungry = rh_as(message, hungry))) {
        waiter->hungry[hungry->seat] = true;
        if (waiter->hungry[1 - hungry->seat])
            rh_reply(message, denied);
        else
            rh_reply(message, eat);
    } else if ((done = rh_as(message, done))) {
        waiter->hungry[done->seat] = false;
    }
}

struct fair_waiter {
    bool forks_are_taken;
    rh_actor *waiting[PHILOSOPHERS]; // for them, or NULL
};

static void hand_on(struct fair_waiter *waiter, int seat)
{
    int next = waiter->waiting[1 - seat] ? 1 - seat : seat;

    waiter->forks_are_taken = waiter->waiting[next];
    if (waiter->waiting[next])
        rh_send(waiter->waiting[next], eat);
    waiter->waiting[next] = NULL;
}

static void fair_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct fair_waiter *waiter = state;
    const struct hungry *hungry;
    const struct done *done;
    (void)self;

    if ((hungry = rh_as(message, hungry))) {
        waiter->waiting[hungry->seat] = rh_sender(message);
        if (!waiter->forks_are_taken)
            hand_on(waiter, hungry->seat);
    } else if ((done = rh_as(message, done))) {
        hand_on(waiter, done->seat);
    }
}

struct philosopher {
    rh_actor *waiter;
    int seat;
    int meals;
};

static void philosopher_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct philosopher *philosopher = state;
    (void)self;

    if (rh_as(message, start) || rh_as(message, denied)) {
        rh_send(philosopher->waiter, hungry, {.seat = philosopher->seat});
    } else if (rh_as(message, eat)) {
        rh_send(philosopher->waiter, done, {.seat = philosopher->seat});
        if (++philosopher->meals < MEALS)
            rh_send(philosopher->waiter, hungry, {.seat = philosopher->seat});
    }
}

struct watched {
    rh_actor *philosopher[PHILOSOPHERS];
};

static void both_have_eaten(const void *context)
{
    const struct watched *watched = context;

    for (int i = 0; i < PHILOSOPHERS; i++) {
        const struct philosopher *philosopher = rh_view_state(watched->philosopher[i]);
        rh_check(philosopher->meals == MEALS);
    }
}

static void dine(rh_actor *waiter)
{
    rh_actor *first =
        rh_spawn(philosopher_behaviour, struct philosopher, {.waiter = waiter, .seat = 0});
    rh_actor *second =
        rh_spawn(philosopher_behaviour, struct philosopher, {.waiter = waiter, .seat = 1});

    rh_finally(both_have_eaten, struct watched, {{first, second}});
    rh_send(first, start);
    rh_send(second, start);
}

RH_TEST(broken)
{
    dine(rh_spawn(denying_behaviour, struct waiter, {.hungry = {false}}));
}

RH_TEST(fixed)
{
    dine(rh_spawn(fair_behaviour, struct fair_waiter, {.forks_are_taken = false}));
}
