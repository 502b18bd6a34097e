// SPDX-License-Identifier: MIT
// Pairs of messages of which one comes first in the first execution, for a reason that holds only with the same past; and
// some of which one always comes first. pasts.sh says which.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(one);
RH_SIGNAL(two);
RH_SIGNAL(both);
RH_SIGNAL(a);
RH_SIGNAL(b);
RH_SIGNAL(ask_back);
RH_SIGNAL(back);
RH_SIGNAL(set_both);
RH_SIGNAL(tick);
RH_SIGNAL(tock);

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ask_back))
        rh_send(rh_sender(message), back);
    else
        rh_ignore(message);
}

struct sender {
    rh_actor *reader;
    bool has_one;
};

static void sender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sender *sender = state;
    if (rh_as(message, one)) {
        sender->has_one = true;
        rh_send(sender->reader, a);
    } else if (rh_as(message, two)) {
        rh_send(sender->reader, b);
        rh_send(sender->reader, ask_back);
    } else if (rh_as(message, both)) {
        if (sender->has_one) {
            rh_send(sender->reader, a);
            rh_send(sender->reader, b);
        } else {
            rh_send(sender->reader, b);
            rh_send(sender->reader, a);
        }
    } else if (rh_as(message, set_both)) {
        rh_after(sender->has_one ? 5 : 20, self, tick);
        rh_after(10, self, tock);
    } else {
        rh_ignore(message);
    }
}

static rh_actor *spawn_sender(void)
{
    rh_actor *reader = rh_spawn(reader_behaviour);
    return rh_spawn(sender_behaviour, struct sender, {.reader = reader});
}

// One sender, two deliveries in any order. `back` comes after `two`, and is no answer to `one`.
RH_TEST(two_deliveries)
{
    rh_actor *sender = spawn_sender();
    rh_send_from(rh_outside("ann"), sender, one);
    rh_send_from(rh_outside("ben"), sender, two);
}

// The same in one order: `a` is always sent before `b`.
RH_TEST(two_in_order)
{
    rh_actor *sender = spawn_sender();
    rh_actor *ann = rh_outside("ann");
    rh_send_from(ann, sender, one);
    rh_send_from(ann, sender, two);
}

// One delivery, which sends in the order that the sender's state says.
RH_TEST(one_delivery)
{
    rh_actor *sender = spawn_sender();
    rh_send_from(rh_outside("ann"), sender, one);
    rh_send_from(rh_outside("ben"), sender, both);
}

// Two timers of one delivery, of which the sender's state says which is due first.
RH_TEST(timers)
{
    rh_actor *sender = spawn_sender();
    rh_send_from(rh_outside("ann"), sender, one);
    rh_send_from(rh_outside("ben"), sender, set_both);
}
