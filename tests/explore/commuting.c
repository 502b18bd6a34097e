// SPDX-License-Identifier: MIT
// Six senders to one receiver whose handlers commute, or do so in part.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(add, { int number; });
RH_MESSAGE(take, { int number; });
RH_MESSAGE(done, { int total; });

struct sum {
    int total;
    int count;
    int last;
    rh_actor *sink;
};

static void ignore_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void sum_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sum *sum = state;
    (void)self;
    sum->total += ((const struct add *)rh_as(message, add))->number;
}

static void last_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sum *sum = state;
    (void)self;
    sum->last = ((const struct add *)rh_as(message, add))->number;
}

// The last one to come says so: which one that is differs, though the states do not.
static void teller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sum *sum = state;
    (void)self;
    sum->total += ((const struct add *)rh_as(message, add))->number;
    if (++sum->count == 3)
        rh_send(sum->sink, done, {.total = sum->total});
}

// Additions commute; what is taken must be there.
static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sum *sum = state;
    const struct add *add = rh_as(message, add);
    const struct take *take = rh_as(message, take);
    (void)self;
    if (add)
        sum->total += add->number;
    if (take) {
        rh_check(sum->total >= take->number);
        sum->total -= take->number;
    }
}

// Dies if the numbers come in one of the six orders.
static void fragile_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sum *sum = state;
    int number = ((const struct add *)rh_as(message, add))->number;
    (void)self;
    if (sum->count == 1 && sum->last == 3 && number == 1)
        abort();
    sum->count++;
    sum->last = number;
}

static const char *const names[] = {"a", "b", "c", "d", "e", "f"};

static void send_all(rh_actor *to, int count)
{
    for (int i = 0; i < count; i++)
        rh_send_from(rh_outside(names[i]), to, add, {.number = i + 1});
}

RH_TEST(ignored)
{
    send_all(rh_spawn(ignore_behaviour), 6);
}

RH_TEST(summed)
{
    send_all(rh_spawn(sum_behaviour, struct sum, {.total = 0}), 6);
}

RH_TEST(remembered)
{
    send_all(rh_spawn(last_behaviour, struct sum, {.total = 0}), 6);
}

RH_TEST(told)
{
    rh_actor *sink = rh_spawn(ignore_behaviour);
    send_all(rh_spawn(teller_behaviour, struct sum, {.sink = sink}), 3);
}

RH_TEST(taken)
{
    rh_actor *account = rh_spawn(account_behaviour, struct sum, {.total = 0});
    send_all(account, 3);
    rh_send_from(rh_outside("t"), account, take, {.number = 4});
}

RH_TEST(fragile)
{
    send_all(rh_spawn(fragile_behaviour, struct sum, {.total = 0}), 3);
}

struct watched {
    rh_actor *sum;
};

static void never_two(const void *context)
{
    const struct watched *watched = context;
    const struct sum *sum = rh_view_state(watched->sum);
    rh_check(sum->total != 2);
}

// Only the order in which 2 comes first shows a total of 2.
RH_TEST(watched)
{
    rh_actor *sum = rh_spawn(sum_behaviour, struct sum, {.total = 0});
    rh_invariant(never_two, struct watched, {.sum = sum});
    send_all(sum, 3);
}
