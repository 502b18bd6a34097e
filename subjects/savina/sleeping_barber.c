// SPDX-License-Identifier: MIT
// SleepingBarber of Savina: customers enter a waiting room, which sends them to the barber one by
// one, or back if it is full. A factory makes customers, and sends who came back in again.
//
// Under `fifo`, the room's word to wait may reach a customer who has been served and is gone, and
// the barber's word that it is free may reach a room that is closed: these are lost, and nobody
// misses them here. And who finds the room full comes back at once, without end. In the fixed twin
// the room tells nobody to wait, closes when the barber is free, and a customer that was sent away
// comes back when another has been served. Under `--delivery any` the barber's word that it begins
// may be late too; there the customer waits for it.
#include "savina.h"

enum { PLACES = 1000, PRODUCTION = 1000, HAIRCUT = 1000 };

RH_SIGNAL(start);
RH_MESSAGE(enter, { rh_actor *customer; });
RH_SIGNAL(full);
RH_SIGNAL(wait);
RH_SIGNAL(next);
RH_SIGNAL(begin);
RH_SIGNAL(done);
RH_SIGNAL(returned);
RH_SIGNAL(leave);

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int places;
    long customers;
    int production; // work between two customers, at most
    int haircut;    // work for each, at most
} shop;

struct customer {
    rh_actor *factory;
    bool has_begun;
    bool is_done;
};

static void customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct customer *customer = state;
    (void)self;

    if (rh_as(message, full)) {
        rh_send(customer->factory, returned);
        return;
    }
    if (rh_as(message, begin))
        customer->has_begun = true;
    else if (rh_as(message, done))
        customer->is_done = true;
    else if (!rh_as(message, wait))
        rh_unhandled(message);
    if (customer->is_done && (customer->has_begun || !shop.is_fixed)) {
        rh_send(customer->factory, done);
        rh_stop();
    }
}

struct barber {
    struct random random;
};

static void barber_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct barber *barber = state;
    const struct enter *enter;
    (void)self;

    if ((enter = rh_as(message, enter))) {
        rh_send(enter->customer, begin);
        do_work(shop.haircut ? next_random(&barber->random, shop.haircut) : 0);
        rh_send(enter->customer, done);
        rh_reply(message, next);
    } else if (rh_as(message, leave)) {
        rh_stop();
    } else if (!rh_as(message, wait)) {
        rh_unhandled(message);
    }
}

struct room {
    rh_actor *barber;
    rh_actor *queue[PLACES]; // the first at `first`, and round
    int first;
    int count;
    bool is_busy; // the barber is
    bool is_closing;
};

static void receive_customer(rh_actor *self, struct room *room, rh_actor *customer)
{
    if (room->count == shop.places) {
        rh_send(customer, full);
        return;
    }
    room->queue[(room->first + room->count++) % shop.places] = customer;
    if (!room->is_busy) {
        room->is_busy = true;
        rh_send(self, next);
    } else if (!shop.is_fixed) {
        rh_send(customer, wait);
    }
}

static void close_room(const struct room *room)
{
    rh_send(room->barber, leave);
    rh_stop();
}

static void send_next(struct room *room)
{
    if (room->count > 0) {
        rh_send(room->barber, enter, {.customer = room->queue[room->first]});
        room->first = (room->first + 1) % shop.places;
        room->count--;
        return;
    }
    room->is_busy = false;
    if (room->is_closing)
        close_room(room);
    else if (!shop.is_fixed)
        rh_send(room->barber, wait);
}

static void room_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct room *room = state;
    const struct enter *enter;

    if ((enter = rh_as(message, enter))) {
        receive_customer(self, room, enter->customer);
    } else if (rh_as(message, next)) {
        send_next(room);
    } else if (rh_as(message, leave)) {
        room->is_closing = true;
        if (!shop.is_fixed || !room->is_busy)
            close_room(room);
    }
}

struct factory {
    rh_actor *room;
    rh_actor **away; // of the fixed twin: who came back, and waits for another to be served
    long away_count;
    long inside; // neither served nor away
    long served;
    struct random random;
};

static void send_in(struct factory *factory, rh_actor *customer)
{
    factory->inside++;
    rh_send(factory->room, enter, {.customer = customer});
}

static void make_customers(rh_actor *self, struct factory *factory)
{
    factory->away = malloc((size_t)shop.customers * sizeof(rh_actor *));
    for (long i = 0; i < shop.customers; i++) {
        send_in(factory, rh_spawn(customer_behaviour, struct customer, {.factory = self}));
        do_work(shop.production ? next_random(&factory->random, shop.production) : 0);
    }
}

static void send_one_back(struct factory *factory)
{
    if (factory->away_count > 0)
        send_in(factory, factory->away[--factory->away_count]);
}

static void take_back(struct factory *factory, rh_actor *customer)
{
    factory->inside--;
    factory->away[factory->away_count++] = customer;
    if (!shop.is_fixed || factory->inside == 0)
        send_one_back(factory);
}

static void factory_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct factory *factory = state;

    if (rh_as(message, start)) {
        make_customers(self, factory);
    } else if (rh_as(message, returned)) {
        take_back(factory, rh_sender(message));
    } else if (rh_as(message, done)) {
        factory->inside--;
        send_one_back(factory);
        if (++factory->served == shop.customers) {
            rh_send(factory->room, leave);
            free(factory->away);
            rh_stop();
        }
    }
}

static void open_shop(void)
{
    rh_actor *barber = rh_spawn(barber_behaviour, struct barber, {.random = {SAVINA_SEED}});
    rh_actor *room = rh_spawn(room_behaviour, struct room, {.barber = barber});
    rh_actor *factory =
        rh_spawn(factory_behaviour, struct factory, {.room = room, .random = {SAVINA_SEED}});

    rh_send(factory, start);
}

static void set_up(void *context)
{
    const long *customers = context;

    shop.is_fixed = false;
    shop.places = PLACES;
    shop.customers = *customers;
    shop.production = PRODUCTION;
    shop.haircut = HAIRCUT;
    open_shop();
}

static void open_small_shop(bool is_fixed, int places, long customers)
{
    shop.is_fixed = is_fixed;
    shop.places = places;
    shop.customers = customers;
    open_shop();
}

RH_TEST(small)
{
    open_small_shop(false, 2, 2);
}

RH_TEST(fixed)
{
    open_small_shop(true, 2, 2);
}

RH_TEST(full_room)
{
    open_small_shop(false, 1, 2);
}

RH_TEST(full_room_fixed)
{
    open_small_shop(true, 1, 2);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 5000, set_up);
}
