// SPDX-License-Identifier: MIT
// Timers and logical time. Causal time: a timer waits only for earlier-due ones of the same
// receiver. Strict time: the earliest one fires, and only when nothing else is deliverable.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(tick, { unsigned due; });
RH_SIGNAL(note);
RH_SIGNAL(plain);
RH_SIGNAL(set);

struct clock {
    rh_actor *other;   // is told of every tick, if there is one
    unsigned earliest; // what rh_now may not fall below
};

static void clock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct clock *clock = state;
    const struct tick *tick;

    // Logical time of one actor never runs backwards.
    rh_check(rh_now() >= clock->earliest);
    clock->earliest = (unsigned)rh_now();
    if ((tick = rh_as(message, tick))) {
        rh_check(rh_now() == tick->due);
        if (clock->other)
            rh_send(clock->other, note);
    } else if (rh_as(message, note)) {
        rh_check(rh_now() >= 100);
    } else if (rh_as(message, set)) {
        rh_after(50, self, tick, {.due = (unsigned)rh_now() + 50});
    } else if (rh_as(message, plain)) {
        rh_check(rh_now() % 100 == 0);
    }
}

static rh_actor *clock_new(void)
{
    return rh_spawn(clock_behaviour, struct clock, {.other = NULL});
}

// In the order of their due times, not of their setting: 1 execution, 2 deliveries, both rules.
RH_TEST(earlier_due_first)
{
    rh_actor *clock = clock_new();

    rh_after(200, clock, tick, {.due = 200});
    rh_after(100, clock, tick, {.due = 100});
}

// Timers of two receivers. causal: 2 executions, 4 deliveries. strict: 1 and 2.
RH_TEST(two_receivers)
{
    rh_after(200, clock_new(), tick, {.due = 200});
    rh_after(100, clock_new(), tick, {.due = 100});
}

// Neither of two equal due times is earlier: 2 executions, 4 deliveries.
RH_TEST(equal_due)
{
    rh_actor *clock = clock_new();

    rh_after(100, clock, tick, {.due = 100});
    rh_after(100, clock, tick, {.due = 100});
}

// A timer and a message of one sender are not ordered. causal: 2 executions, 4 deliveries.
// strict: the message first, 1 and 2.
RH_TEST(timer_and_message)
{
    rh_actor *clock = clock_new();

    rh_after(100, clock, tick, {.due = 100});
    rh_send(clock, plain);
}

// The tick at the first clock is in the past of the note at the second, whose time it carries
// there. tick < note, plain anywhere: 3 executions; 2 + 3 + 3 = 8 deliveries. At plain the time is
// 0 before the note and 100 after it. strict: plain first: 1 execution, 3 deliveries.
RH_TEST(time_travels_with_messages)
{
    rh_actor *second = clock_new();
    rh_actor *first = rh_spawn(clock_behaviour, struct clock, {.other = second});

    rh_after(100, first, tick, {.due = 100});
    rh_send(second, plain);
}

// set starts a timer 50 from its own now. If set comes first: set, tick(50), tick(200). If the tick
// at 200 comes first: tick(200), set, tick(250). 2 executions, 6 deliveries.
// strict: set first: 1 execution, 3 deliveries.
RH_TEST(set_in_handler)
{
    rh_actor *clock = clock_new();

    rh_after(200, clock, tick, {.due = 200});
    rh_send(clock, set);
}
