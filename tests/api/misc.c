// SPDX-License-Identifier: MIT
// Sends to oneself and out of a library's callback, errno, messages that are not handled.
#include <errno.h>
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(step, { int number; });
RH_MESSAGE(compared, {
    int left;
    int right;
});

static void burst_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *sum = state;
    const struct step *step;

    if (rh_as(message, go)) {
        for (int i = 0; i < 3; i++)
            rh_send(self, step, {.number = i});
    } else if ((step = rh_as(message, step))) {
        rh_check(rh_sender(message) == self);
        *sum += step->number;
    }
}

// fifo: 1 execution, 4 deliveries. any: 3! = 6 executions, 1 + 3 + 6 + 6 = 16 deliveries.
RH_TEST(self_sends)
{
    rh_send(rh_spawn(burst_behaviour, int, {0}), go);
}

static void countdown_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct step *step = rh_as(message, step);
    (void)state;

    if (step && step->number > 0)
        rh_send(self, step, {.number = step->number - 1});
}

// 1 execution, 101 deliveries.
RH_TEST(countdown)
{
    rh_send(rh_spawn(countdown_behaviour), step, {.number = 100});
}

// The comparator gets no context: the sender is the actor whose handler is running.
static int compare(const void *left, const void *right)
{
    int a = *(const int *)left;
    int b = *(const int *)right;

    rh_send(rh_self(), compared, {.left = a, .right = b});
    return (a > b) - (a < b);
}

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct compared *compared;
    (void)state;

    if (rh_as(message, go)) {
        int numbers[] = {2, 1};
        qsort(numbers, 2, sizeof numbers[0], compare);
        rh_check(numbers[0] == 1 && numbers[1] == 2);
    } else if ((compared = rh_as(message, compared))) {
        rh_check(rh_sender(message) == self);
        rh_check(compared->left + compared->right == 3);
    }
}

// To sort two numbers one comparison is made: 1 execution, 2 deliveries.
RH_TEST(send_from_callback)
{
    rh_send(rh_spawn(sorter_behaviour), go);
}

static void errno_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, go)) {
        rh_check(errno == 0);
        errno = EINVAL;
        rh_check(strtol("99999999999999999999", NULL, 10) > 0);
        rh_check(errno == ERANGE);
    }
}

// Three messages in one order, and a fourth of another sender anywhere among them: 4 executions;
// nodes by depth 2, 3, 4, 4: 13 deliveries. None sees what the one before left in errno.
RH_TEST(errno_is_fresh)
{
    rh_actor *actor = rh_spawn(errno_behaviour);

    for (int i = 0; i < 3; i++)
        rh_send(actor, go);
    rh_send_from(rh_outside("other"), actor, go);
}

static void picky_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *mode = state;
    (void)self;

    if (rh_as(message, go))
        ++*mode;
    else if (*mode == 1)
        rh_ignore(message);
    else if (*mode == 2)
        rh_unhandled(message);
}

// go, then a step that is ignored: 1 execution, 2 deliveries.
RH_TEST(ignored)
{
    rh_actor *actor = rh_spawn(picky_behaviour, int, {0});

    rh_send(actor, go);
    rh_send(actor, step, {.number = 1});
}

// The step matches nothing and is not ignored: 1 execution, 1 delivery, unhandled.
RH_TEST(nothing_matched)
{
    rh_send(rh_spawn(picky_behaviour, int, {0}), step, {.number = 1});
}

// The actor itself says so: 1 execution, 3 deliveries, unhandled.
RH_TEST(said_unhandled)
{
    rh_actor *actor = rh_spawn(picky_behaviour, int, {0});

    rh_send(actor, go);
    rh_send(actor, go);
    rh_send(actor, step, {.number = 1});
}

static void evaluated_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *next = state;
    const struct step *step;
    int calls = 0;

    if (rh_as(message, go)) {
        rh_send((calls++, self), step, {.number = (*next)++});
        rh_check((calls++, true));
        rh_check(calls == 2 && *next == 1);
    } else if ((step = rh_as(message, step))) {
        rh_check(step->number == 0);
    }
}

// Each argument is evaluated once: 1 execution, 2 deliveries.
RH_TEST(evaluated_once)
{
    rh_send(rh_spawn(evaluated_behaviour, int, {0}), go);
}

// Only a handler makes progress: 1 execution, no delivery, check.
RH_TEST(progress_in_body)
{
    rh_progress();
}

static void lazy_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const bool *progresses = state;

    if (rh_as(message, go)) {
        rh_send(self, go);
        if (*progresses)
            rh_progress();
    }
}

// The state comes back after each delivery; cut off after the number of deliveries that the command names.
RH_TEST(no_progress)
{
    rh_send(rh_spawn(lazy_behaviour, bool, {false}), go);
}

// The same, but meant.
RH_TEST(progress)
{
    rh_send(rh_spawn(lazy_behaviour, bool, {true}), go);
}
