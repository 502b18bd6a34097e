// SPDX-License-Identifier: MIT
// Messages and signals, and how many orders there are of them.
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(number, {
    int value;
    char letter;
});
RH_MESSAGE(other, { double value; });
RH_SIGNAL(ping);

struct receiver {
    int received;
};

static void receiver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct receiver *receiver = state;
    const struct number *number;

    rh_check(self == rh_self());
    rh_check(!rh_as(message, other));
    if ((number = rh_as(message, number))) {
        rh_check(!rh_as(message, ping));
        rh_check(rh_size(message) == sizeof(struct number));
        rh_check(strcmp(rh_name(message), "number") == 0);
        rh_check(number->letter == 'a' + number->value);
        receiver->received += number->value;
    } else if (rh_as(message, ping)) {
        rh_check(rh_size(message) == 0);
        rh_check(strcmp(rh_name(message), "ping") == 0);
        receiver->received += 100;
    }
}

struct expected {
    rh_actor *receiver;
    int received;
};

static void all_received(const void *context)
{
    const struct expected *expected = context;
    const struct receiver *receiver = rh_view_state(expected->receiver);

    rh_check(receiver->received == expected->received);
}

static rh_actor *receiver_of(int sum)
{
    rh_actor *receiver = rh_spawn(receiver_behaviour, struct receiver, {.received = 0});

    rh_finally(all_received, struct expected, {.receiver = receiver, .received = sum});
    return receiver;
}

// No order between the three senders: 3! = 6 executions, 3 + 6 + 6 = 15 deliveries.
RH_TEST(three_senders)
{
    rh_actor *receiver = receiver_of(103);

    rh_send(receiver, number, {.value = 1, .letter = 'b'});
    rh_send_from(rh_outside("second"), receiver, number, {.value = 2, .letter = 'c'});
    rh_send_from(rh_outside("third"), receiver, ping);
}

// fifo: one order, 3 deliveries. any: 3! = 6 and 15 as above.
RH_TEST(one_sender)
{
    rh_actor *receiver = receiver_of(103);

    rh_send(receiver, number, {1, 'b'});
    rh_send(receiver, number, {.letter = 'c', .value = 2});
    rh_send(receiver, ping);
}

// fifo: two chains of two, C(4,2) = 6 executions; a node is reached by each interleaving of the
// parts delivered so far: 2 + (1 + 2 + 1) + (3 + 3) + 6 = 18 deliveries. any: 4! = 24 executions, 4
// + 12 + 24 + 24 = 64 deliveries.
RH_TEST(two_chains)
{
    rh_actor *receiver = receiver_of(201);
    rh_actor *second = rh_outside("second");

    rh_send(receiver, ping);
    rh_send(receiver, ping);
    rh_send_from(second, receiver, number, {.value = 0, .letter = 'a'});
    rh_send_from(second, receiver, number, {.value = 1, .letter = 'b'});
}

// fifo orders messages between two actors, not those of one sender to several: 2 executions,
// 2 + 2 = 4 deliveries.
RH_TEST(two_receivers)
{
    rh_send(receiver_of(100), ping);
    rh_send(receiver_of(100), ping);
}

// Nothing is sent: one execution without a delivery.
RH_TEST(silence)
{
    receiver_of(0);
}
