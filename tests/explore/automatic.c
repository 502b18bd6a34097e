// SPDX-License-Identifier: MIT
// Tests to which there is no end without comparing states, and with it for one.
#include <stdio.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(number, { int value; });
RH_SIGNAL(tick);

struct last {
    int value;
};

static void last_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct last *last = state;
    const struct number *number = rh_as(message, number);
    (void)self;
    if (number)
        last->value = number->value;
}

struct watched {
    rh_actor *last;
};

static void is_not_seven(const void *context)
{
    const struct watched *watched = context;
    rh_check(((const struct last *)rh_view_state(watched->last))->value != 7);
}

static rh_actor *ten_numbers(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    rh_actor *last = rh_spawn(last_behaviour, struct last, {.value = 0});
    for (int i = 0; i < 10; i++)
        rh_send_from(rh_outside(names[i]), last, number, {.value = i});
    return last;
}

// 10! classes, and 1 + 10 * 2^9 states: which were delivered, and which of these last.
RH_TEST(many_orders)
{
    ten_numbers();
}

RH_TEST(wrong_in_the_end)
{
    rh_finally(is_not_seven, struct watched, {.last = ten_numbers()});
}

struct counter {
    long count;
};

// Never twice in one state.
static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    if (rh_as(message, tick)) {
        counter->count++;
        rh_send(self, tick);
    }
}

RH_TEST(counts_for_ever)
{
    rh_send(rh_spawn(counter_behaviour, struct counter, {.count = 0}), tick);
}

// What it does outside of its memory can't be compared.
static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, tick)) {
        FILE *file = fopen("/dev/null", "a");
        rh_check(file != NULL);
        fclose(file);
        rh_send(self, tick);
    }
}

RH_TEST(writes_for_ever)
{
    rh_send(rh_spawn(writer_behaviour), tick);
}
