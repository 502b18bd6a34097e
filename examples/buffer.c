// SPDX-License-Identifier: MIT
// A bounded buffer between producers that send and consumers that ask.
//
// The guard is the whole synchronisation: a put waits while the buffer is full, a get waits while
// it is empty. No handler ever puts a message back.
//
//     rehearse explore examples/buffer.c
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { CAPACITY = 1 };

RH_MESSAGE(put, { int item; });
RH_SIGNAL(get);
RH_MESSAGE(item, { int item; });
RH_SIGNAL(start);

struct buffer {
    int items[CAPACITY];
    int count;
};

static void buffer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct buffer *buffer = state;
    const struct put *put;
    (void)self;

    if ((put = rh_as(message, put))) {
        buffer->items[buffer->count++] = put->item;
    } else if (rh_as(message, get)) {
        rh_reply(message, item, {.item = buffer->items[--buffer->count]});
    }
}

static bool buffer_guard(const void *state, const rh_message *message)
{
    const struct buffer *buffer = state;

    if (rh_as(message, put))
        return buffer->count < CAPACITY;
    return buffer->count > 0;
}
RH_GUARD(buffer_behaviour, buffer_guard);

struct consumer {
    rh_actor *buffer;
    int sum;
};

static void consumer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct consumer *consumer = state;
    (void)self;

    if (rh_as(message, start)) {
        const rh_message *reply = rh_ask(consumer->buffer, get);
        consumer->sum += rh_as(reply, item)->item;
    }
}

struct watched {
    rh_actor *buffer;
    rh_actor *consumers[2];
};

static void within_capacity(const void *context)
{
    const struct watched *watched = context;
    const struct buffer *buffer = rh_view_state(watched->buffer);

    rh_check(0 <= buffer->count && buffer->count <= CAPACITY);
}

static void everything_consumed(const void *context)
{
    const struct watched *watched = context;
    const struct consumer *first = rh_view_state(watched->consumers[0]);
    const struct consumer *second = rh_view_state(watched->consumers[1]);

    rh_check(first->sum + second->sum == 3);
}

RH_TEST(nothing_lost)
{
    rh_actor *buffer = rh_spawn(buffer_behaviour, struct buffer, {.count = 0});
    rh_actor *first = rh_spawn(consumer_behaviour, struct consumer, {.buffer = buffer});
    rh_actor *second = rh_spawn(consumer_behaviour, struct consumer, {.buffer = buffer});

    rh_invariant(within_capacity, struct watched, {.buffer = buffer});
    rh_finally(everything_consumed, struct watched, {.consumers = {first, second}});

    rh_send(first, start);
    rh_send(second, start);
    rh_send_from(rh_outside("producer"), buffer, put, {.item = 1});
    rh_send(buffer, put, {.item = 2});
}
