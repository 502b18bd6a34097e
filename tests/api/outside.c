// SPDX-License-Identifier: MIT
// Who the messages of a test come from, and whom they may go to.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(work);

static void inner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, work))
        rh_check(rh_sender(message) != NULL);
}

static void front_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *inner = *(rh_actor **)state;

    if (rh_as(message, go)) {
        rh_check(rh_sender(message) == NULL);
        rh_check(self == rh_self() && self != inner);
        rh_send(inner, work);
    }
}

// Actors may write to one another whatever was declared: 1 execution, 2 deliveries.
RH_TEST(through_the_front)
{
    rh_actor *inner = rh_spawn(inner_behaviour);
    rh_actor *front = rh_spawn(front_behaviour, rh_actor *, {inner});

    rh_check(rh_self() == NULL);
    rh_receptionist(front);
    rh_send(front, go);
}

// The inner actor is no receptionist: a finding in the setup, 1 execution without a delivery.
RH_TEST(past_the_front)
{
    rh_actor *inner = rh_spawn(inner_behaviour);
    rh_actor *front = rh_spawn(front_behaviour, rh_actor *, {inner});

    rh_receptionist(front);
    rh_send(inner, work);
}

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *count = state;
    (void)self;

    if (rh_as(message, go))
        ++*count;
}

// Three independent senders with 1, 1 and 2 messages: 4! / 2! = 12 executions. Nodes by depth:
// 3; 7 (6 pairs of different senders, 1 of the same); 12; 12: 34 deliveries.
RH_TEST(three_outside)
{
    rh_actor *counter = rh_spawn(counter_behaviour, int, {0});
    rh_actor *second = rh_outside("second");
    rh_actor *third = rh_outside("third");

    rh_send(counter, go);
    rh_send_from(second, counter, go);
    rh_send_from(third, counter, go);
    rh_send_from(third, counter, go);
}

// Names that reports and schedules could not tell from others: findings in the setup, 1 execution without a delivery.
static void send_in_name(const char *name)
{
    rh_send_from(rh_outside(name), rh_spawn(counter_behaviour, int, {0}), go);
}

RH_TEST(nameless)
{
    send_in_name("");
}

RH_TEST(two_lines)
{
    send_in_name("ann\nben");
}

RH_TEST(like_an_actor)
{
    send_in_name("counter#1");
}

RH_TEST(like_the_test)
{
    send_in_name("outside");
}

RH_TEST(one_name_for_two)
{
    send_in_name("ann");
    send_in_name("ann");
}
