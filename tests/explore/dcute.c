// SPDX-License-Identifier: MIT
// Executions that end before their time hide what would have been sent after that. Whichever actor --reduction dcute
// tries first, it must not lose what the others do.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(change);
RH_SIGNAL(late);

static void left_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state, (void)message;
    rh_check(!"left");
}

static void right_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state, (void)message;
    rh_check(!"right");
}

// Two actors, and each fails at once: the one that is tried first must not keep the other from being tried.
RH_TEST(both_fail)
{
    rh_send(rh_spawn(left_behaviour), go);
    rh_send(rh_spawn(right_behaviour), go);
}

struct target {
    bool is_changed;
};

static void target_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct target *target = state;
    (void)self;
    if (rh_as(message, change))
        target->is_changed = true;
    else if (rh_as(message, late))
        rh_check(target->is_changed);
}

static bool target_guard(const void *state, const rh_message *message)
{
    const struct target *target = state;
    if (rh_as(message, late))
        rh_check(!target->is_changed);
    return true;
}
RH_GUARD(target_behaviour, target_guard);

// The same with a crash, which ends the process.
static void fragile_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    target_behaviour(self, state, message);
}

static bool fragile_guard(const void *state, const rh_message *message)
{
    const struct target *target = state;
    if (rh_as(message, late) && target->is_changed)
        __builtin_trap();
    return true;
}
RH_GUARD(fragile_behaviour, fragile_guard);

struct sender {
    rh_actor *target;
};

static void sender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct sender *sender = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(sender->target, late);
}

static rh_actor *spawn_target(bool is_fragile)
{
    if (is_fragile)
        return rh_spawn(fragile_behaviour, struct target, {.is_changed = false});
    return rh_spawn(target_behaviour, struct target, {.is_changed = false});
}

// The target is the older one. Its `change` and the `late` that the sender sends race: with `change` first, its guard
// fails on `late`, and nothing is delivered any more; with `late` first, its behaviour fails.
static void target_first(bool is_fragile)
{
    rh_actor *target = spawn_target(is_fragile);
    rh_send(target, change);
    rh_send(rh_spawn(sender_behaviour, struct sender, {.target = target}), go);
}

// The sender is the older one; it learns who the target is from the test.
RH_MESSAGE(target_is, { rh_actor *target; });

static void messenger_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct target_is *target_is = rh_as(message, target_is);
    (void)self, (void)state;
    if (target_is)
        rh_send(target_is->target, late);
}

static void sender_first(bool is_fragile)
{
    rh_actor *messenger = rh_spawn(messenger_behaviour);
    rh_actor *target = spawn_target(is_fragile);
    rh_send(target, change);
    rh_send(messenger, target_is, {.target = target});
}

RH_TEST(guard_fails)
{
    target_first(false);
}

RH_TEST(guard_fails_at_the_younger)
{
    sender_first(false);
}

RH_TEST(guard_crashes)
{
    target_first(true);
}

RH_TEST(guard_crashes_at_the_younger)
{
    sender_first(true);
}
