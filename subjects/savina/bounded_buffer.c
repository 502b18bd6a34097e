// SPDX-License-Identifier: MIT
// Producer-Consumer with a bounded buffer, of Savina: a manager takes items from producers, and
// gives them to consumers. A producer makes its next item when it is told to, and is parked while
// there are too many in the buffer.
//
// No order matters, but the size does: if the buffer has no more places than there are producers
// (`no_room`), one whose item was given to an idle consumer is parked with nothing in the buffer,
// and only a consumer that takes an item out of the buffer would wake it. All wait for ever, in
// every execution. In the fixed twin, a consumer that finds the buffer empty wakes a producer too.
#include <math.h>

#include "savina.h"

enum { PRODUCERS = 40, CONSUMERS = 40, PLACES = 50, MOST_PENDING = PLACES + PRODUCERS };

RH_SIGNAL(start);
RH_SIGNAL(produce);
RH_MESSAGE(item, { int number; });
RH_SIGNAL(available);
RH_SIGNAL(producer_done);
RH_SIGNAL(leave);

// Set by the test's body, and only read afterwards.
static struct {
    bool wakes_when_empty; // the fix
    int producers;
    int consumers;
    int places;
    int work; // for each item
    long items;
} market;

// Something to compute for an item.
static void make_or_use(int number)
{
    double sum = 0;

    for (int i = 0; i < market.work; i++)
        sum += log(number + i + 1.0);
    rh_check(sum >= 0);
}

struct producer {
    rh_actor *manager;
    int made;
};

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct producer *producer = state;
    (void)self;

    if (!rh_as(message, produce))
        return;
    if (producer->made == market.items) {
        rh_send(producer->manager, producer_done);
        rh_stop();
    } else {
        make_or_use(producer->made);
        rh_send(producer->manager, item, {.number = producer->made++});
    }
}

struct consumer {
    rh_actor *manager;
};

static void consumer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct consumer *consumer = state;
    const struct item *item;
    (void)self;

    if ((item = rh_as(message, item))) {
        make_or_use(item->number);
        rh_send(consumer->manager, available);
    } else if (rh_as(message, leave)) {
        rh_stop();
    }
}

struct manager {
    rh_actor *consumer[CONSUMERS];
    rh_actor *idle[CONSUMERS];
    rh_actor *parked[PRODUCERS];
    int pending[MOST_PENDING]; // the oldest at `first`, and round
    int idle_count;
    int parked_count;
    int pending_count;
    int first;
    int producers_done;
    long consumed;
};

static void begin(rh_actor *self, struct manager *manager)
{
    for (int i = 0; i < market.consumers; i++) {
        manager->consumer[i] = rh_spawn(consumer_behaviour, struct consumer, {.manager = self});
        manager->idle[manager->idle_count++] = manager->consumer[i];
    }
    for (int i = 0; i < market.producers; i++)
        rh_send(rh_spawn(producer_behaviour, struct producer, {.manager = self}), produce);
}

static void take_item(struct manager *manager, rh_actor *producer, int number)
{
    if (manager->idle_count > 0) {
        rh_send(manager->idle[--manager->idle_count], item, {.number = number});
    } else {
        int place = (manager->first + manager->pending_count++) % MOST_PENDING;
        manager->pending[place] = number;
    }
    if (manager->pending_count >= market.places - market.producers)
        manager->parked[manager->parked_count++] = producer;
    else
        rh_send(producer, produce);
}

static void wake_producer(struct manager *manager)
{
    if (manager->parked_count > 0)
        rh_send(manager->parked[--manager->parked_count], produce);
}

static void try_to_leave(struct manager *manager)
{
    if (manager->producers_done < market.producers || manager->idle_count < market.consumers)
        return;
    rh_check(manager->consumed == market.producers * market.items);
    for (int i = 0; i < market.consumers; i++)
        rh_send(manager->consumer[i], leave);
    rh_stop();
}

static void serve_consumer(struct manager *manager, rh_actor *consumer)
{
    manager->consumed++;
    if (manager->pending_count > 0) {
        rh_send(consumer, item, {.number = manager->pending[manager->first]});
        manager->first = (manager->first + 1) % MOST_PENDING;
        manager->pending_count--;
        wake_producer(manager);
    } else {
        manager->idle[manager->idle_count++] = consumer;
        if (market.wakes_when_empty)
            wake_producer(manager);
        try_to_leave(manager);
    }
}

static void manager_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct manager *manager = state;
    const struct item *item;

    if (rh_as(message, start)) {
        begin(self, manager);
    } else if ((item = rh_as(message, item))) {
        take_item(manager, rh_sender(message), item->number);
    } else if (rh_as(message, available)) {
        serve_consumer(manager, rh_sender(message));
    } else if (rh_as(message, producer_done)) {
        manager->producers_done++;
        try_to_leave(manager);
    }
}

static void trade(void)
{
    rh_send(rh_spawn(manager_behaviour, struct manager, {.first = 0}), start);
}

static void set_up(void *context)
{
    const long *items = context;

    market.producers = PRODUCERS;
    market.consumers = CONSUMERS;
    market.places = PLACES;
    market.work = 2500;
    market.items = *items;
    trade();
}

static void trade_little(bool wakes_when_empty, int producers, int places, int items)
{
    market.wakes_when_empty = wakes_when_empty;
    market.producers = producers;
    market.consumers = 1;
    market.places = places;
    market.items = items;
    trade();
}

RH_TEST(small)
{
    trade_little(false, 2, 3, 1);
}

RH_TEST(no_room)
{
    trade_little(false, 1, 1, 1);
}

RH_TEST(no_room_fixed)
{
    trade_little(true, 1, 1, 1);
}

RH_TEST(two_without_room)
{
    trade_little(false, 2, 2, 1);
}

RH_TEST(two_without_room_fixed)
{
    trade_little(true, 2, 2, 1);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 1000, set_up);
}
