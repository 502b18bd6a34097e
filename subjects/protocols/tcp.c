// SPDX-License-Identifier: MIT
// A connection as TCP makes it, uses it and closes it, over a network that loses nothing and keeps the order: three
// messages to open it, packets of data in one direction, and each side closes.
//
// Nothing goes wrong with fifo; with --delivery any messages overtake each other, and a check fails.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(connect, { int packets; });
RH_SIGNAL(syn);
RH_SIGNAL(syn_ack);
RH_SIGNAL(ack);
RH_MESSAGE(data, { int number; });
RH_SIGNAL(fin);

enum phase { CLOSED, OPENING, OPEN, CLOSING };

struct end {
    rh_actor *peer;
    enum phase phase;
    int packets; // still to be sent, or received so far
};

static void send_all(struct end *sender)
{
    for (int i = 0; i < sender->packets; i++)
        rh_send(sender->peer, data, {.number = i});
}

static void sender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct end *sender = state;
    const struct connect *connect;
    (void)self;
    if ((connect = rh_as(message, connect))) {
        sender->packets = connect->packets;
        sender->phase = OPENING;
        rh_send(sender->peer, syn);
    } else if (rh_as(message, syn_ack)) {
        rh_check(sender->phase == OPENING);
        sender->phase = CLOSING;
        rh_send(sender->peer, ack);
        send_all(sender);
        rh_send(sender->peer, fin);
    } else if (rh_as(message, fin)) {
        rh_check(sender->phase == CLOSING);
        sender->phase = CLOSED;
        rh_send(sender->peer, ack);
    } else {
        rh_check(rh_as(message, ack) && sender->phase == CLOSING);
    }
}

static void receiver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct end *receiver = state;
    const struct data *data;
    (void)self;
    if (rh_as(message, syn)) {
        receiver->peer = rh_sender(message);
        receiver->phase = OPENING;
        rh_send(receiver->peer, syn_ack);
    } else if ((data = rh_as(message, data))) {
        rh_check(receiver->phase == OPEN && data->number == receiver->packets);
        receiver->packets++;
    } else if (rh_as(message, fin)) {
        rh_check(receiver->phase == OPEN);
        receiver->phase = CLOSING;
        rh_send(receiver->peer, ack);
        rh_send(receiver->peer, fin);
    } else {
        rh_check(rh_as(message, ack));
        receiver->phase = receiver->phase == OPENING ? OPEN : CLOSED;
    }
}

RH_TEST(connection)
{
    rh_actor *receiver = rh_spawn(receiver_behaviour, struct end, {.phase = CLOSED});
    rh_send(rh_spawn(sender_behaviour, struct end, {.peer = receiver}), connect,
            {.packets = rh_parameter(int, packets, 2)});
}
