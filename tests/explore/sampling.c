// SPDX-License-Identifier: MIT
// Programs so small that the chance of each order can be worked out by hand; see sampling.sh.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(hop);
RH_SIGNAL(early);
RH_SIGNAL(late);

struct relay {
    rh_actor *next;
    bool is_last;
};

static void relay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct relay *relay = state;
    (void)self;
    (void)rh_as(message, hop);
    if (relay->is_last)
        rh_send(relay->next, late);
    else
        rh_send(relay->next, hop);
}

struct goal {
    int early, late;
};

static void goal_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct goal *goal = state;
    (void)self;
    if (rh_as(message, early)) {
        goal->early++;
    } else if (rh_as(message, late)) {
        goal->late++;
        rh_check(goal->early > 0);
    }
}

// Three hops and `late` on one way, `early` on the other.
RH_TEST(overtaken)
{
    rh_actor *goal = rh_spawn(goal_behaviour, struct goal, {.early = 0});
    rh_actor *third = rh_spawn(relay_behaviour, struct relay, {.next = goal, .is_last = true});
    rh_actor *second = rh_spawn(relay_behaviour, struct relay, {.next = third});
    rh_actor *first = rh_spawn(relay_behaviour, struct relay, {.next = second});
    rh_send_from(rh_outside("ben"), first, hop);
    rh_send_from(rh_outside("ann"), goal, early);
}

static void between_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct goal *goal = state;
    (void)self;
    if (rh_as(message, early))
        goal->early++;
    else if (rh_as(message, hop))
        rh_check(goal->late == 0);
    else if (rh_as(message, late))
        goal->late = goal->early;
}

// `early`, then `late` of the other sender, then `hop`.
RH_TEST(between)
{
    rh_actor *goal = rh_spawn(between_behaviour, struct goal, {.early = 0});
    rh_actor *ben = rh_outside("ben");
    rh_send_from(ben, goal, early);
    rh_send_from(ben, goal, hop);
    rh_send_from(rh_outside("ann"), goal, late);
}

// The last message first.
RH_TEST(last_of_three)
{
    rh_actor *goal = rh_spawn(goal_behaviour, struct goal, {.early = 0});
    rh_send_from(rh_outside("ann"), goal, early);
    rh_send_from(rh_outside("ben"), goal, early);
    rh_send_from(rh_outside("eva"), goal, late);
}

// A timer, and a message that was sent after it was set.
RH_TEST(tick)
{
    rh_actor *goal = rh_spawn(goal_behaviour, struct goal, {.early = 0});
    rh_after(1, goal, late);
    rh_send_from(rh_outside("ann"), goal, early);
}

// Two timers, of which the one that is due later was set first.
RH_TEST(two_ticks)
{
    rh_actor *goal = rh_spawn(goal_behaviour, struct goal, {.early = 0});
    rh_actor *relay = rh_spawn(relay_behaviour, struct relay, {.next = goal, .is_last = true});
    rh_after(2, relay, hop);
    rh_after(1, goal, early);
}
