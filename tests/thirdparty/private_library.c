// SPDX-License-Identifier: MIT
// Two actors that use one library with data of its own. Shared, the data makes them depend on each other; with
// --private-library each counts for itself.
//
// Two chains of three and two messages: 5! / (3! 2!) = 10 orders.
// Deliveries: a ways through the first chain and b through the second are reached in C(a + b, a) orders; summed over
// a = 0..3 and b = 0..2, without the start: 33.
#include <rehearse/test.h>

int counter_next(void);

RH_SIGNAL(tick);

struct ticker {
    int seen;
};

static void ticker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    struct ticker *ticker = state;
    if (rh_as(message, tick)) {
        ticker->seen++;
        rh_check(counter_next() == ticker->seen);
    }
}

RH_TEST(each_for_itself)
{
    rh_actor *first = rh_spawn(ticker_behaviour, struct ticker, {.seen = 0});
    rh_actor *second = rh_spawn(ticker_behaviour, struct ticker, {.seen = 0});
    rh_send(first, tick);
    rh_send(first, tick);
    rh_send(first, tick);
    rh_send(second, tick);
    rh_send(second, tick);
}
