// SPDX-License-Identifier: MIT
// Payloads are copied when they are sent and may have any length; rh_give hands a block over.
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(text, {
    int length;
    char letters[];
});
RH_MESSAGE(job, {
    int length;
    char *buffer;
});
RH_MESSAGE(wide, { long numbers[100]; });

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *expected_length = state;
    const struct text *text;
    const struct wide *wide;
    (void)self;

    if ((text = rh_as(message, text))) {
        rh_check(rh_size(message) == sizeof *text + (size_t)text->length);
        rh_check(text->length == *expected_length);
        for (int i = 0; i < text->length; i++)
            rh_check(text->letters[i] == 'a' + i % 26);
        *expected_length += 1000;
    } else if ((wide = rh_as(message, wide))) {
        for (int i = 0; i < 100; i++)
            rh_check(wide->numbers[i] == (i == 7 ? 70 : 0));
    }
}

static void send_letters(rh_actor *reader, int length)
{
    struct text *text = malloc(sizeof *text + (size_t)length);

    text->length = length;
    for (int i = 0; i < length; i++)
        text->letters[i] = (char)('a' + i % 26);
    rh_send_sized(reader, text, text, sizeof *text + (size_t)length);
    memset(text, 0, sizeof *text + (size_t)length);
    free(text);
}

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *reader = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        for (int length = 0; length <= 3000; length += 1000)
            send_letters(reader, length);
        rh_send(reader, wide, {.numbers = {[7] = 70}});
    }
}

// One sender, fifo: 1 execution, 1 + 5 deliveries. The reader expects the lengths in order.
RH_TEST(variable_length)
{
    rh_actor *reader = rh_spawn(reader_behaviour, int, {0});

    rh_send(rh_spawn(writer_behaviour, rh_actor *, {reader}), go);
}

// The test itself may send from a buffer, too: 1 execution, 1 delivery.
RH_TEST(variable_length_from_test)
{
    send_letters(rh_spawn(reader_behaviour, int, {10}), 10);
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct job *job;
    rh_actor *next = *(rh_actor **)state;
    (void)self;

    if ((job = rh_as(message, job))) {
        rh_check(strcmp(job->buffer, "given away") == 0);
        rh_check((size_t)job->length == strlen(job->buffer));
        if (next)
            rh_send(next, job, {.buffer = rh_give(job->buffer), .length = job->length});
        else
            free(job->buffer);
    }
}

static void giver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *worker = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        char *buffer = malloc(64);
        strcpy(buffer, "given away");
        rh_send(worker, job, {.length = 10, .buffer = rh_give(buffer)});
    }
}

// Two givers, two workers in a row: go(i) < job(first) < job(second) for i = 1, 2. The first
// worker's messages to the second keep their order, which the chains have anyway as the first
// worker sends one in each delivery: the i-th job that it handles is the i-th that it sends. Two
// chains of three with the third elements ordered as the second ones. Without that rule there are
// C(6,3) = 20 orders; those that swap the last two have both jobs handled before either is passed
// on. By symmetry let giver 1's job be handled first: count orders of g1 g2 j1 j2 k1 k2 with g1 <
// j1 < k1, g2 < j2 < k2, j1 < j2, k1 < k2. k2 is last. The rest: g1 g2 j1 j2 k1 with k1 after j1,
// j2 after j1 and g2: if k1 is the last of the five, the orders of g1 g2 j1 j2 with j2 last: 3. If
// j2 is last, g2 interleaves with g1 j1 k1: 4. Sum 7, both ways 14 executions.
RH_TEST(given_twice)
{
    rh_actor *last = rh_spawn(worker_behaviour, rh_actor *, {NULL});
    rh_actor *first = rh_spawn(worker_behaviour, rh_actor *, {last});

    rh_send(rh_spawn(giver_behaviour, rh_actor *, {first}), go);
    rh_send(rh_spawn(giver_behaviour, rh_actor *, {first}), go);
}
