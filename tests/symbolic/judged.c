// SPDX-License-Identifier: MIT
// Judges that look at what nobody has written down.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(turn_on);
RH_MESSAGE(pay, { int amount; });
RH_MESSAGE(credit, { int amount; });

struct lamp {
    bool on;
};

static void lamp_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct lamp *lamp = state;
    (void)self;
    if (rh_as(message, turn_on))
        lamp->on = true;
}

struct lamps {
    rh_actor *first, *second;
};

static void first_before_second(const void *context)
{
    const struct lamps *lamps = context;
    const struct lamp *first = rh_view_state(lamps->first), *second = rh_view_state(lamps->second);
    rh_check(first->on || !second->on);
}

// The deliveries are independent of each other. One order breaks the invariant on the way; at the end both are alike.
RH_TEST(two_lamps)
{
    rh_actor *first = rh_spawn(lamp_behaviour, struct lamp, {0});
    rh_actor *second = rh_spawn(lamp_behaviour, struct lamp, {0});
    rh_send(first, turn_on);
    rh_send(second, turn_on);
    rh_invariant(first_before_second, struct lamps, {first, second});
}

struct account {
    rh_actor *other;
    int balance;
};

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = state;
    const struct pay *pay = rh_as(message, pay);
    const struct credit *credit = rh_as(message, credit);
    (void)self;
    if (pay) {
        account->balance -= pay->amount;
        rh_send(account->other, credit, {.amount = pay->amount > 1000 ? 1000 : pay->amount});
    } else if (credit) {
        account->balance += credit->amount;
        rh_stop();
    }
}

struct pair {
    rh_actor *from, *to;
    int total;
};

static void nothing_is_lost(const void *context)
{
    const struct pair *pair = context;
    const struct account *from = rh_view_state(pair->from), *to = rh_view_state(pair->to);
    const struct credit *credit = rh_view_pending(pair->to, credit, 0);
    int sum = from->balance + (credit ? credit->amount : 0);
    rh_check(rh_view_count(pair->to, credit) <= 1);
    rh_check(rh_view_alive(pair->to) == (to != NULL));
    if (to)
        rh_check(sum + to->balance == pair->total);
}

// More than 1000 is lost on the way: the invariant breaks after the first delivery. Otherwise it holds three times.
RH_TEST(transfer)
{
    rh_actor *to = rh_spawn(account_behaviour, struct account, {.balance = 5});
    rh_actor *from = rh_spawn(account_behaviour, struct account, {.other = to, .balance = 7});
    rh_send(from, pay, {.amount = rh_input(int, "amount")});
    rh_invariant(nothing_is_lost, struct pair, {from, to, 12});
}

// A judge asks for an actor that is not there.
RH_TEST(nobody)
{
    rh_send(rh_spawn(lamp_behaviour, struct lamp, {0}), turn_on);
}
RH_FINALLY(nobody)
{
    rh_check(!rh_view_named("lamp#2"));
    rh_check(rh_view_alive(rh_view_named("lamp#1")));
    rh_check(((const struct lamp *)rh_view_state(rh_view_named("lamp#2")))->on);
}

// A judge must not do what actors do.
RH_TEST(meddling)
{
    rh_send(rh_spawn(lamp_behaviour, struct lamp, {0}), turn_on);
}
RH_INVARIANT(meddling)
{
    const struct lamp *lamp = rh_view_state(rh_view_named("lamp#1"));
    if (lamp->on)
        rh_spawn(lamp_behaviour, struct lamp, {0});
}

// A state without a type in the call: rh_spawn_sized.
static void maker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct lamp lamp = {false};
    (void)self, (void)state;
    if (rh_as(message, turn_on))
        rh_send(rh_spawn_sized(lamp_behaviour, &lamp, sizeof lamp), turn_on);
}

RH_TEST(made)
{
    rh_send(rh_spawn(maker_behaviour), turn_on);
}
RH_FINALLY(made)
{
    rh_check(((const struct lamp *)rh_view_state(rh_view_named("maker#1/lamp#1")))->on);
}
