// SPDX-License-Identifier: MIT
// Asks, timers, and a door that becomes another.
#include <rehearse/actor.h>
#include <rehearse/test.h>

struct reserve {
    int count;
};
RH_MESSAGE(reserve);
struct reserved {
    bool ok;
};
RH_MESSAGE(reserved);
struct pay {
    int amount;
};
RH_MESSAGE(pay);
struct paid {
    bool ok;
};
RH_MESSAGE(paid);
RH_SIGNAL(order);
RH_SIGNAL(cancel);
RH_SIGNAL(late);
RH_SIGNAL(close_shop);
RH_SIGNAL(knock);
RH_SIGNAL(sorry);

struct stock {
    int left;
};
static void stock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stock *stock = state;
    const struct reserve *reserve = rh_as(message, reserve);
    (void)self;
    if (reserve) {
        bool ok = stock->left >= reserve->count;
        stock->left -= ok ? reserve->count : 0;
        rh_reply(message, reserved, {ok});
    } else if (rh_as(message, cancel)) {
        stock->left++;
    }
}

static void cashier_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct pay *pay = rh_as(message, pay);
    (void)self, (void)state;
    if (pay)
        rh_reply(message, paid, {pay->amount < 50});
}

struct customer {
    rh_actor *stock, *cashier, *door;
    int amount;
    bool done;
};
static void customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct customer *customer = state;
    if (rh_as(message, order)) {
        rh_after(10, self, late);
        const rh_message *answer = rh_ask(customer->stock, reserve, {1});
        const struct reserved *reserved = rh_as(answer, reserved);
        if (!reserved || !reserved->ok)
            return;
        answer = rh_ask(customer->cashier, pay, {customer->amount});
        const struct paid *paid = rh_as(answer, paid);
        if (paid && paid->ok)
            customer->done = true;
        else
            rh_send(customer->stock, cancel);
    } else if (rh_as(message, late)) {
        rh_send(customer->door, knock);
    } else if (rh_as(message, sorry)) {
        customer->done = false;
    }
}

static void closed_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, knock))
        rh_reply(message, sorry);
    else
        rh_ignore(message);
}

static void open_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, close_shop))
        rh_become(closed_behaviour);
    else
        rh_ignore(message);
}

RH_TEST(two_customers)
{
    rh_actor *stock = rh_spawn(stock_behaviour, struct stock, {1});
    rh_actor *cashier = rh_spawn(cashier_behaviour);
    rh_actor *door = rh_spawn(open_behaviour);
    rh_send(rh_spawn(customer_behaviour, struct customer, {stock, cashier, door, 10, false}),
            order);
    rh_send(rh_spawn(customer_behaviour, struct customer, {stock, cashier, door, 90, false}),
            order);
    rh_send(door, close_shop);
}
