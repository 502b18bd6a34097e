// SPDX-License-Identifier: MIT
// The sleeping barber, as Bita's authors wrote it for their evaluation, with the bug that they had
// not intended.
//
// Customers enter a waiting room. It turns them away if it is full; it wakes the barber for one who
// comes while he sleeps, and tells the others to wait. The barber tells a customer when he starts
// and when he is done, and the room that he wants the next, who is the one that came last. A
// monitor counts who was served and who was not.
//
// Under `--delivery fifo`: the room tells a customer to wait, the barber that he starts. If `begin`
// comes before `wait`, a customer who is being served is told to wait. Nothing happens if it comes
// after `done` only. In the fixed twin a customer who is being served knows that such a word is
// late; that `begin` comes before `done` rests on `--delivery fifo`.
//
// bug:     --test buggy : unhandled
// cause:   begin from barber reached customer before wait from room
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_CUSTOMERS = 30 };

RH_SIGNAL(go);
RH_SIGNAL(enter);
RH_SIGNAL(full);
RH_SIGNAL(wait);
RH_SIGNAL(next);
RH_MESSAGE(serve, { rh_actor *customer; });
RH_SIGNAL(begin);
RH_SIGNAL(done);
RH_MESSAGE(report, { bool served; });

// Set by the test's body, and only read afterwards.
static struct {
    bool expects_late_word; // the fix
    rh_actor *monitor;
    rh_actor *room;
    rh_actor *barber;
} shop;

struct monitor {
    int served;
    int not_served;
};

static void monitor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct monitor *monitor = state;
    const struct report *report = rh_as(message, report);
    (void)self;

    if (!report)
        return;
    if (report->served)
        monitor->served++;
    else
        monitor->not_served++;
}

static void gone_customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void leave(bool served)
{
    rh_send(shop.monitor, report, {.served = served});
    rh_become(gone_customer_behaviour);
}

static void served_customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, done))
        leave(true);
    else if (!rh_as(message, wait) || !shop.expects_late_word)
        rh_unhandled(message);
}

static void waiting_customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, begin))
        rh_become(served_customer_behaviour);
}

static void entering_customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, full))
        leave(false);
    else if (rh_as(message, wait))
        rh_become(waiting_customer_behaviour);
    else if (rh_as(message, begin))
        rh_become(served_customer_behaviour);
}

static void customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (!rh_as(message, go))
        return;
    rh_send(shop.room, enter);
    rh_become(entering_customer_behaviour);
}

struct room {
    int chairs;
    int waiting;
    rh_actor *customer[MOST_CUSTOMERS];
    bool barber_is_busy;
};

static void take_in(rh_actor *self, struct room *room, rh_actor *customer)
{
    if (room->waiting == room->chairs) {
        rh_send(customer, full);
        return;
    }
    room->customer[room->waiting++] = customer;
    if (room->barber_is_busy) {
        rh_send(customer, wait);
    } else {
        room->barber_is_busy = true;
        rh_send(self, next);
    }
}

static void room_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct room *room = state;

    if (rh_as(message, enter))
        take_in(self, room, rh_sender(message));
    else if (!rh_as(message, next))
        return;
    else if (room->waiting > 0)
        rh_send(shop.barber, serve, {.customer = room->customer[--room->waiting]});
    else
        room->barber_is_busy = false;
}

static void barber_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct serve *serve = rh_as(message, serve);
    (void)self, (void)state;

    if (!serve)
        return;
    rh_send(serve->customer, begin);
    rh_send(serve->customer, done);
    rh_reply(message, next);
}

struct watched {
    rh_actor *monitor;
    int customers;
};

static void all_have_reported(const void *context)
{
    const struct watched *watched = context;
    const struct monitor *monitor = rh_view_state(watched->monitor);

    rh_check(monitor->served + monitor->not_served == watched->customers);
}

static void open_shop(bool expects_late_word, int chairs, int customers)
{
    shop.expects_late_word = expects_late_word;
    shop.monitor = rh_spawn(monitor_behaviour, struct monitor, {.served = 0});
    shop.room = rh_spawn(room_behaviour, struct room, {.chairs = chairs});
    shop.barber = rh_spawn(barber_behaviour);
    rh_finally(all_have_reported, struct watched,
               {.monitor = shop.monitor, .customers = customers});
    for (int i = 0; i < customers; i++)
        rh_send(rh_spawn(customer_behaviour), go);
}

RH_TEST(buggy)
{
    open_shop(false, 2, 3);
}

RH_TEST(fixed)
{
    open_shop(true, 2, 3);
}

RH_TEST(buggy_with_two)
{
    open_shop(false, 2, 2);
}

RH_TEST(fixed_with_two)
{
    open_shop(true, 2, 2);
}

RH_TEST(buggy_full)
{
    open_shop(false, 10, MOST_CUSTOMERS);
}

RH_TEST(fixed_full)
{
    open_shop(true, 10, MOST_CUSTOMERS);
}
