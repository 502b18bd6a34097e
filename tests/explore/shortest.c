// SPDX-License-Identifier: MIT
// Errors that show early or late, depending on the order of deliveries. shortest.sh says how early.
#include <stddef.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(noise);
RH_SIGNAL(probe);
RH_SIGNAL(first);
RH_SIGNAL(second);
RH_SIGNAL(turn);
RH_SIGNAL(pass);
RH_MESSAGE(relay, { rh_actor *to; });

static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

// Goes to actors of their own, so that it has nothing to do with anything.
static void make_noise(int count)
{
    for (int i = 0; i < count; i++)
        rh_send(rh_spawn(idle_behaviour), noise);
}

static void fails_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_check(!rh_as(message, probe));
}

RH_TEST(after_noise)
{
    make_noise(3);
    rh_send(rh_spawn(fails_behaviour), probe);
}

static void crashes_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, probe))
        *(volatile char *)state = 1; // it has none
}

RH_TEST(crash_after_noise)
{
    make_noise(3);
    rh_send(rh_spawn(crashes_behaviour), probe);
}

// Passes the probe on.
static void relay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct relay *relay = rh_as(message, relay);
    (void)self, (void)state;
    if (relay)
        rh_send(relay->to, probe);
}

RH_TEST(relayed)
{
    make_noise(2);
    rh_send(rh_spawn(relay_behaviour), relay, {.to = rh_spawn(fails_behaviour)});
}

struct count {
    int count;
};

static void counting_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct count *count = state;
    (void)self;
    count->count++;
    if (rh_as(message, first))
        rh_check(count->count < 3);
    else if (rh_as(message, second))
        rh_check(count->count < 2);
    else
        rh_ignore(message);
}

RH_TEST(two_errors)
{
    rh_actor *counter = rh_spawn(counting_behaviour, struct count, {0});
    rh_send_from(rh_outside("a"), counter, first);
    rh_send_from(rh_outside("b"), counter, second);
    rh_send_from(rh_outside("c"), counter, noise);
    make_noise(1);
}

static void gate_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct count *gate = state;
    (void)self;
    if (rh_as(message, turn))
        gate->count = 1;
    else
        rh_ignore(message);
}

static bool gate_guard(const void *state, const rh_message *message)
{
    const struct count *gate = state;
    if (rh_as(message, probe))
        rh_check(gate->count == 0);
    return true;
}
RH_GUARD(gate_behaviour, gate_guard);

RH_TEST(in_a_guard)
{
    rh_actor *gate = rh_spawn(gate_behaviour, struct count, {0});
    make_noise(2);
    rh_send_from(rh_outside("a"), rh_spawn(relay_behaviour), relay, {.to = gate});
    rh_send_from(rh_outside("b"), gate, turn);
}

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, turn))
        for (int i = rh_choose(3); i < 3; i++)
            rh_send(self, pass);
    else
        rh_ignore(message);
}

static void never(const void *context)
{
    (void)context;
    rh_check(false);
}

RH_TEST(at_the_end)
{
    rh_send(rh_spawn(source_behaviour), turn);
    make_noise(1);
    rh_finally(never, struct count, {0});
}

struct both {
    rh_actor *one, *other;
};

static void not_both(const void *context)
{
    const struct both *both = context;
    const struct count *one = rh_view_state(both->one), *other = rh_view_state(both->other);
    rh_check(one->count + other->count < 2);
}

RH_TEST(seen_together)
{
    rh_actor *one = rh_spawn(gate_behaviour, struct count, {0});
    rh_actor *other = rh_spawn(gate_behaviour, struct count, {0});
    make_noise(2);
    rh_send(one, turn);
    rh_send(other, turn);
    rh_invariant(not_both, struct both, {one, other});
}

RH_TEST(at_once)
{
    make_noise(2);
    rh_invariant(never, struct count, {0});
}

RH_TEST(nothing)
{
    make_noise(3);
}
