// SPDX-License-Identifier: MIT
// Producer and consumer with a buffer between them; `consume` and `produce` are each a subject.
// Nobody knows how much is in the buffer at the beginning.
//
// Either takes note of each of its i rounds, and tells the buffer: i! orders of the notes, of which
// one makes a difference, and i! of what the buffer gets. Along each of the latter the consumer
// always finds something, or nothing from the j-th time on: i + 1 paths. So there are i! (i + 1)!
// tests for i rounds, and (i + 1)! where independence is used. The producer always finds room, or
// none from the j-th time on, and then moves all that is stored: at least the j - 1 items before,
// and at most the k that the limit on loops allows, so that there are k + 2 - j paths for each j.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(consume, {
    int items;
    unsigned stored; // in the buffer, at the beginning
});
RH_SIGNAL(asked);
RH_SIGNAL(get);

RH_MESSAGE(produce, {
    int items;
    unsigned stored;
    unsigned capacity;
});
RH_MESSAGE(made, { int value; });
RH_MESSAGE(put, { int value; });

struct buffer {
    unsigned stored;
    unsigned capacity;
    unsigned missed; // how often there was nothing
    unsigned moved;  // items that were moved to make room
    int newest;
};

static void take_out(struct buffer *buffer)
{
    if (buffer->stored > 0)
        buffer->stored--;
    else
        buffer->missed++;
}

// Where there is no room all items move up by one, and the oldest is lost.
static void put_in(struct buffer *buffer, int value)
{
    if (buffer->stored < buffer->capacity)
        buffer->stored++;
    else
        for (unsigned i = 0; i < buffer->stored; i++)
            buffer->moved++;
    buffer->newest = value;
}

static void buffer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct put *put;
    (void)self;

    if (rh_as(message, get))
        take_out(state);
    else if ((put = rh_as(message, put)))
        put_in(state, put->value);
}

static void consumer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct consume *consume = rh_as(message, consume);
    (void)state;

    if (!consume) {
        rh_as(message, asked);
        return;
    }
    rh_actor *buffer = rh_spawn(buffer_behaviour, struct buffer, {.stored = consume->stored});
    for (int i = 0; i < consume->items; i++) {
        rh_send(self, asked);
        rh_send(buffer, get);
    }
}

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct produce *produce = rh_as(message, produce);
    (void)state;

    if (!produce) {
        rh_as(message, made);
        return;
    }
    rh_actor *buffer = rh_spawn(buffer_behaviour, struct buffer,
                                {.stored = produce->stored, .capacity = produce->capacity});
    for (int i = 0; i < produce->items; i++) {
        rh_send(self, made, {.value = i});
        rh_send(buffer, put, {.value = i});
    }
}

RH_TEST(three_consumed)
{
    rh_actor *consumer = rh_spawn(consumer_behaviour);
    rh_send(consumer, consume, {.items = 3, .stored = 2});
}

RH_TEST(three_produced)
{
    rh_actor *producer = rh_spawn(producer_behaviour);
    rh_send(producer, produce, {.items = 3, .stored = 1, .capacity = 2});
}
