// SPDX-License-Identifier: MIT
// Counting of Savina: a producer sends increments to a counter, and asks for the number at the end.
//
// Under `--delivery any` the question overtakes an increment: the number is too small, and what
// comes after it finds nobody. In the fixed twin the question says how many increments there were,
// and waits for them. The producer goes on by a message to itself now and then, so that the
// increments that wait are few.
#include "savina.h"

enum { BATCH = 128 };

RH_SIGNAL(go_on);
RH_SIGNAL(increment);
RH_MESSAGE(retrieve, { long increments; });
RH_MESSAGE(result, { long count; });

struct counter {
    long count;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;

    if (rh_as(message, increment)) {
        counter->count++;
    } else if (rh_as(message, retrieve)) {
        rh_reply(message, result, {.count = counter->count});
        rh_stop();
    }
}

static void patient_counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    counter_behaviour(self, state, message);
}

static bool patient_counter_guard(const void *state, const rh_message *message)
{
    const struct counter *counter = state;
    const struct retrieve *retrieve = rh_as(message, retrieve);

    return !retrieve || counter->count == retrieve->increments;
}
RH_GUARD(patient_counter_behaviour, patient_counter_guard);

struct producer {
    rh_actor *counter;
    long increments;
    long sent;
};

static void send_some(rh_actor *self, struct producer *producer)
{
    for (int i = 0; i < BATCH && producer->sent < producer->increments; i++, producer->sent++)
        rh_send(producer->counter, increment);
    if (producer->sent < producer->increments)
        rh_send(self, go_on);
    else
        rh_send(producer->counter, retrieve, {.increments = producer->increments});
}

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct producer *producer = state;
    const struct result *result;

    if (rh_as(message, go_on)) {
        send_some(self, producer);
    } else if ((result = rh_as(message, result))) {
        rh_check(result->count == producer->increments);
        rh_stop();
    }
}

static void count_up(rh_actor *counter, long increments)
{
    rh_actor *producer = rh_spawn(producer_behaviour, struct producer,
                                  {.counter = counter, .increments = increments});

    rh_send(producer, go_on);
}

static void set_up(void *context)
{
    const long *increments = context;

    count_up(rh_spawn(counter_behaviour, struct counter, {.count = 0}), *increments);
}

RH_TEST(small)
{
    set_up(&(long){rh_parameter(int, increments, 3)});
}

RH_TEST(fixed)
{
    count_up(rh_spawn(patient_counter_behaviour, struct counter, {.count = 0}), 3);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 1000000, set_up);
}
