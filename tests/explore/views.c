// SPDX-License-Identifier: MIT
// Judges that look at what waits: they see the same in every order of deliveries that does not matter otherwise.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(note);
RH_MESSAGE(number, { int value; });

static bool refuse_numbers(const void *state, const rh_message *message)
{
    (void)state;
    return !rh_as(message, number);
}

static void box_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_ignore(message);
}
RH_GUARD(box_behaviour, refuse_numbers);

struct sender {
    rh_actor *box;
    int value;
    rh_actor *counter; // NULL: nobody is told
};

static void sender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct sender *sender = state;
    const struct number *number;
    (void)self;
    if ((number = rh_as(message, number)))
        rh_send(sender->box, number, {.value = number->value});
    else if (rh_as(message, go))
        rh_send(sender->box, number, {.value = sender->value});
    if (sender->counter)
        rh_send(sender->counter, note);
}

// Creates the sender that it tells to go.
static void creator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct sender *sender = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(
            rh_spawn(sender_behaviour, struct sender, {.box = sender->box, .value = sender->value}),
            go);
}

struct counter {
    int notes;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    counter->notes += rh_as(message, note) != NULL;
}

struct watched {
    rh_actor *box, *counter;
};

static void ascends(const void *context)
{
    const struct watched *watched = context;
    const struct number *first = rh_view_pending(watched->box, number, 0);
    const struct number *second = rh_view_pending(watched->box, number, 1);
    rh_check(!second || first->value < second->value);
}

static void ascends_when_noted(const void *context)
{
    const struct watched *watched = context;
    const struct counter *counter = rh_view_state(watched->counter);
    if (counter->notes == 2)
        ascends(context);
}

static rh_actor *set_up(rh_behaviour *behaviour, rh_actor *counter)
{
    rh_actor *box = rh_spawn(box_behaviour);
    for (int i = 1; i <= 2; i++) {
        rh_actor *sender;
        if (behaviour == sender_behaviour)
            sender = rh_spawn(sender_behaviour, struct sender,
                              {.box = box, .value = i, .counter = counter});
        else
            sender = rh_spawn(creator_behaviour, struct sender, {.box = box, .value = i});
        rh_send(sender, go);
    }
    return box;
}

// Messages of the test's own actors are seen by sender.
RH_TEST(at_the_end)
{
    rh_finally(ascends, struct watched, {.box = set_up(sender_behaviour, NULL)});
}

RH_TEST(always)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});
    rh_actor *box = set_up(sender_behaviour, counter);
    rh_invariant(ascends_when_noted, struct watched, {.box = box, .counter = counter});
}

// Messages of actors that were created later are seen by contents.
RH_TEST(created_later)
{
    rh_finally(ascends, struct watched, {.box = set_up(creator_behaviour, NULL)});
}

// One sender hands on what two others send to it: under fifo, the order in which it does so is the order that is seen, and
// one of the two is wrong. Under `any` there is none.
RH_TEST(of_one_sender)
{
    rh_actor *box = rh_spawn(box_behaviour);
    rh_actor *sender = rh_spawn(sender_behaviour, struct sender, {.box = box});
    rh_send_from(rh_outside("ann"), sender, number, {.value = 1});
    rh_send_from(rh_outside("bob"), sender, number, {.value = 2});
    rh_finally(ascends, struct watched, {.box = box});
}

// Timers keep no order: they are seen by contents.
RH_TEST(timers)
{
    rh_actor *box = rh_spawn(box_behaviour);
    rh_after(5, box, number, {.value = 2});
    rh_after(5, box, number, {.value = 1});
    rh_finally(ascends, struct watched, {.box = box});
}
