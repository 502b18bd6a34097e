// SPDX-License-Identifier: MIT
// Programs on which leaving out orders is easy to get wrong; reductions.sh says what is expected.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(enter);
RH_SIGNAL(leave);
RH_MESSAGE(number, { int value; });

static void last_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct number *number = rh_as(message, number);
    (void)self;
    if (number)
        *(int *)state = number->value;
}

// --- Senders to one receiver that remembers the last value: as many classes as orders. senders.c has more of them. ---

static void send_numbers(rh_actor *to, int count)
{
    static const char *const names[] = {"ann", "ben", "eva"};
    for (int i = 0; i < count; i++)
        rh_send_from(rh_outside(names[i]), to, number, {i + 1});
}

RH_TEST(senders_2)
{
    send_numbers(rh_spawn(last_behaviour, int, {0}), 2);
}

RH_TEST(senders_3)
{
    send_numbers(rh_spawn(last_behaviour, int, {0}), 3);
}

// --- An invariant over three actors that one interleaving alone breaks. ---

// Each counts, and none sees the others.
static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go))
        ++*(int *)state;
}

struct watched {
    rh_actor *counters[3];
    int counts[3];
};

static void is_avoided(const void *context)
{
    const struct watched *watched = context;
    bool is_there = true;
    for (int i = 0; i < 3; i++) {
        const int *count = rh_view_state(watched->counters[i]);
        is_there &= *count == watched->counts[i];
    }
    rh_check(!is_there);
}

static void send_each(rh_actor *counters[3], const int counts[3])
{
    for (int i = 0; i < 3; i++) {
        counters[i] = rh_spawn(counter_behaviour, int, {0});
        for (int j = 0; j < counts[i]; j++)
            rh_send(counters[i], go);
    }
}

// Everything at the last one before anything at the others: under fifo one order alone leads there.
RH_TEST(one_order)
{
    rh_actor *counters[3];
    send_each(counters, (const int[]){1, 1, 2});
    rh_invariant(is_avoided, struct watched, {{counters[0], counters[1], counters[2]}, {0, 0, 2}});
}

// In the middle of everything.
RH_TEST(middle_state)
{
    rh_actor *counters[3];
    send_each(counters, (const int[]){1, 2, 1});
    rh_invariant(is_avoided, struct watched, {{counters[0], counters[1], counters[2]}, {0, 1, 1}});
}

// The second actor is looked at only when the first is in a certain state.
static void is_avoided_late(const void *context)
{
    const struct watched *watched = context;
    if (*(const int *)rh_view_state(watched->counters[2]) == 2)
        rh_check(*(const int *)rh_view_state(watched->counters[1]) != 0);
}

RH_TEST(looks_late)
{
    rh_actor *counters[3];
    send_each(counters, (const int[]){1, 1, 2});
    rh_invariant(is_avoided_late, struct watched, {{counters[0], counters[1], counters[2]}, {0}});
}

// --- Two actors that write in the name of one outside sender: their order is that of the messages. ---

struct clerk {
    rh_actor *name;
    rh_actor *to;
    int value;
};

static void clerk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct clerk *clerk = state;
    (void)self;
    if (rh_as(message, go))
        rh_send_from(clerk->name, clerk->to, number, {clerk->value});
}

RH_TEST(in_one_name)
{
    rh_actor *last = rh_spawn(last_behaviour, int, {0});
    rh_actor *name = rh_outside("ann");
    for (int i = 1; i <= 2; i++)
        rh_send(rh_spawn(clerk_behaviour, struct clerk, {name, last, i}), go);
}

// --- A choice that is made after two others have raced: each of its outcomes with each order of theirs. ---

static void chooser_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go))
        rh_send(rh_self(), leave);
    else if (rh_as(message, leave))
        *(int *)state = 1 + rh_choose(3);
}

RH_TEST(choice_after_race)
{
    rh_send(rh_spawn(chooser_behaviour, int, {0}), go);
    send_numbers(rh_spawn(last_behaviour, int, {0}), 3);
}

// --- Timers that the test's body sets are there before anything happens, so these two have nothing in common. ---

RH_TEST(timers_of_the_body)
{
    for (int i = 0; i < 2; i++)
        rh_after(5, rh_spawn(last_behaviour, int, {0}), number, {1});
}

// --- One actor's timer for another comes before a later one that the other has set for itself, or does not. ---

static void sleeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct number *number = rh_as(message, number);
    (void)self;
    if (number)
        *(int *)state = 10 * *(int *)state + number->value;
    else if (rh_as(message, go))
        rh_after(10, rh_self(), number, {1});
}

static void waker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go))
        rh_after(5, *(rh_actor **)state, number, {2});
}

RH_TEST(timer_for_another)
{
    rh_actor *sleeper = rh_spawn(sleeper_behaviour, int, {0});
    rh_send(sleeper, go);
    rh_send(rh_spawn(waker_behaviour, rh_actor *, {sleeper}), go);
}

// --- A guard that fails on what another actor sends, unless its own actor has been told before. ---

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go))
        *(int *)state = 1;
    else
        rh_ignore(message);
}

static bool door_guard(const void *state, const rh_message *message)
{
    rh_check(!rh_as(message, enter) || *(const int *)state);
    return true;
}
RH_GUARD(door_behaviour, door_guard);

static void guest_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go))
        rh_send(*(rh_actor **)state, enter);
}

RH_TEST(guard_fails)
{
    rh_actor *door = rh_spawn(door_behaviour, int, {0});
    rh_send(rh_spawn(guest_behaviour, rh_actor *, {door}), go);
    rh_send(door, go);
}

// --- A message to an actor that has stopped, beside one that an invariant looks at together with it. ---

static void stopper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, leave))
        rh_stop();
    else if (rh_as(message, enter))
        ++*(int *)state;
}

static void both_seen(const void *context)
{
    const struct watched *watched = context;
    rh_check(rh_view_alive(watched->counters[0]) || rh_view_state(watched->counters[1]));
}

RH_TEST(stopped_and_seen)
{
    rh_actor *stopper = rh_spawn(stopper_behaviour, int, {0});
    rh_actor *counter = rh_spawn(counter_behaviour, int, {0});
    rh_send(stopper, leave);
    rh_send(counter, go);
    rh_send(rh_spawn(guest_behaviour, rh_actor *, {stopper}), go);
    rh_invariant(both_seen, struct watched, {{stopper, counter}, {0}});
}

// --- An actor without a guard that has given memory away, in a program in which others have guards. ---

RH_MESSAGE(parcel, { char *bytes; });

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct parcel *parcel = rh_as(message, parcel);
    (void)self, (void)state;
    if (parcel)
        free(parcel->bytes);
}

struct giver {
    rh_actor *keeper;
    int left;
};

static void giver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct giver *giver = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(giver->keeper, parcel, {.bytes = rh_give(malloc(1))});
    else if (rh_as(message, leave))
        giver->left = 1;
    else
        rh_as(message, enter);
}

static void visitor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *giver = *(rh_actor **)state;
    (void)self;
    if (!rh_as(message, go))
        return;
    rh_send(giver, enter);
    rh_send(giver, leave);
}

RH_TEST(gives_without_guard)
{
    rh_actor *giver =
        rh_spawn(giver_behaviour, struct giver, {.keeper = rh_spawn(keeper_behaviour)});
    rh_send(giver, go);
    rh_send(rh_spawn(visitor_behaviour, rh_actor *, {giver}), go);
}

// --- Invariants that look at pending messages: who sends such is visible, others are not. ---

struct relay {
    rh_actor *to;
    int value;
};

static void relay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct relay *relay = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(relay->to, number, {relay->value});
}

static void is_in_order(const void *context)
{
    const struct watched *watched = context;
    const struct number *first = rh_view_pending(watched->counters[0], number, 0);
    const struct number *second = rh_view_pending(watched->counters[0], number, 1);
    rh_check(!second || first->value < second->value);
}

static void are_few(const void *context)
{
    const struct watched *watched = context;
    rh_check(rh_view_count(watched->counters[0], number) <= 2);
}

static rh_actor *relay_to_last(void)
{
    rh_actor *last = rh_spawn(last_behaviour, int, {0});
    for (int i = 1; i <= 2; i++)
        rh_send(rh_spawn(relay_behaviour, struct relay, {last, i}), go);
    for (int i = 0; i < 2; i++)
        rh_send(rh_spawn(counter_behaviour, int, {0}), go);
    return last;
}

RH_TEST(pending_in_order)
{
    rh_invariant(is_in_order, struct watched, {{relay_to_last()}, {0}});
}

RH_TEST(pending_are_few)
{
    rh_invariant(are_few, struct watched, {{relay_to_last()}, {0}});
}

// Looked at only when it is late: what was sent before was taken for invisible.
static void is_in_order_late(const void *context)
{
    const struct watched *watched = context;
    if (*(const int *)rh_view_state(watched->counters[1]) == 1)
        is_in_order(context);
}

RH_TEST(pending_looked_at_late)
{
    rh_actor *counter = rh_spawn(counter_behaviour, int, {0});
    rh_actor *last = rh_spawn(last_behaviour, int, {0});
    for (int i = 1; i <= 2; i++)
        rh_send(rh_spawn(relay_behaviour, struct relay, {last, i}), go);
    rh_send(counter, go);
    rh_invariant(is_in_order_late, struct watched, {{last, counter}, {0}});
}
