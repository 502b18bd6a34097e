// SPDX-License-Identifier: MIT
// A bounded buffer, after a sample program of Bita.
//
// Producers put numbers into a buffer, a consumer takes as many out. Three things go wrong under
// any order rule: the buffer drops what comes when it is full; it answers that there is nothing
// when the consumer comes first; and a producer has each number put by a helper, so that they are
// not in their order. In the fixed twin guards make who comes too early wait, and producers put
// themselves, which keeps the order under `--delivery fifo`.
//
// bug:     --test buggy : check
// cause:   get from consumer reached buffer before put from helper
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { CAPACITY = 3, MOST_PRODUCERS = 4, NOTHING = -1 };

RH_MESSAGE(produce, { int number; });
RH_SIGNAL(consume);
RH_MESSAGE(put, {
    int producer;
    int number;
});
RH_SIGNAL(get);
RH_MESSAGE(item, {
    int producer;
    int number;
});

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    rh_actor *buffer;
} storage;

struct buffer {
    int count;
    struct item item[CAPACITY];
};

static void buffer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct buffer *buffer = state;
    const struct put *put;
    (void)self;

    if ((put = rh_as(message, put))) {
        if (buffer->count < CAPACITY)
            buffer->item[buffer->count++] = (struct item){put->producer, put->number};
    } else if (rh_as(message, get)) {
        struct item first = buffer->count > 0 ? buffer->item[0] : (struct item){.number = NOTHING};
        rh_reply(message, item, {.producer = first.producer, .number = first.number});
        if (buffer->count > 0)
            buffer->count--;
        for (int i = 0; i < buffer->count; i++)
            buffer->item[i] = buffer->item[i + 1];
    }
}

static bool buffer_guard(const void *state, const rh_message *message)
{
    const struct buffer *buffer = state;

    if (!storage.is_fixed)
        return true;
    return rh_as(message, put) ? buffer->count < CAPACITY : buffer->count > 0;
}
RH_GUARD(buffer_behaviour, buffer_guard);

struct producer {
    int id;
};

static void helper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct producer *producer = state;
    const struct produce *produce = rh_as(message, produce);
    (void)self;

    if (!produce)
        return;
    rh_send(storage.buffer, put, {.producer = producer->id, .number = produce->number});
    rh_stop();
}

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct producer *producer = state;
    const struct produce *produce = rh_as(message, produce);
    (void)self;

    if (!produce)
        return;
    if (storage.is_fixed) {
        rh_send(storage.buffer, put, {.producer = producer->id, .number = produce->number});
    } else {
        rh_actor *helper = rh_spawn(helper_behaviour, struct producer, {.id = producer->id});
        rh_send(helper, produce, {.number = produce->number});
    }
}

struct consumer {
    int last[MOST_PRODUCERS]; // the last number of each producer
    int consumed;
};

static void consumer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct consumer *consumer = state;
    (void)self;

    if (!rh_as(message, consume))
        return;
    const struct item *item = rh_as(rh_ask(storage.buffer, get), item);
    rh_check(item->number != NOTHING);
    rh_check(item->number == consumer->last[item->producer] + 1);
    consumer->last[item->producer]++;
    consumer->consumed++;
}

struct watched {
    rh_actor *consumer;
    int items;
};

static void all_were_consumed(const void *context)
{
    const struct watched *watched = context;
    const struct consumer *consumer = rh_view_state(watched->consumer);

    rh_check(consumer->consumed == watched->items);
}

// One more producer, whose numbers start at 1.
static void add_producer(int id, int items)
{
    rh_actor *producer = rh_spawn(producer_behaviour, struct producer, {.id = id});

    for (int i = 1; i <= items; i++)
        rh_send(producer, produce, {.number = i});
}

static void use_buffer(bool is_fixed, int producers, int items)
{
    storage.is_fixed = is_fixed;
    storage.buffer = rh_spawn(buffer_behaviour, struct buffer, {.count = 0});
    rh_actor *consumer = rh_spawn(consumer_behaviour, struct consumer, {.consumed = 0});
    rh_finally(all_were_consumed, struct watched,
               {.consumer = consumer, .items = producers * items});
    for (int i = 0; i < producers; i++)
        add_producer(i, items);
    for (int i = 0; i < producers * items; i++)
        rh_send(consumer, consume);
}

RH_TEST(buggy)
{
    use_buffer(false, 1, 2);
}

RH_TEST(fixed)
{
    use_buffer(true, 1, 2);
}

RH_TEST(buggy_full)
{
    use_buffer(false, MOST_PRODUCERS, 10);
}

RH_TEST(fixed_full)
{
    use_buffer(true, MOST_PRODUCERS, 10);
}
