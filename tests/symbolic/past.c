// SPDX-License-Identifier: MIT
// Places that nothing leads to from what a test sets up (DEAD, where all values and orders have to be tried; NOWAY, where
// nobody sends what is needed), each beside one that something leads to (LIVE). The tests `every_digit` and `every_limit`
// have all values in all orders, by rh_choose, for what `door` and `limited` leave to the outside and to their input.
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <stdint.h>

RH_MESSAGE(digit, { uint8_t value; });
RH_SIGNAL(reset);
RH_MESSAGE(ring, { int level; });
RH_SIGNAL(quiet);
RH_SIGNAL(audit);
RH_MESSAGE(enter, { int weight; });
RH_SIGNAL(count);
RH_MESSAGE(counted, { int number; });
RH_SIGNAL(go);

enum { DIGITS = 64 }; // more are ignored

struct guest {
    int id, seen;
};

static void guest_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct guest *guest = state;
    const struct enter *enter = rh_as(message, enter);
    (void)self;
    if (!enter)
        return;
    if (guest->id % 2 == 0)
        guest->seen = 1; // DEAD: all that are created have odd numbers
    if (guest->id == 7 && enter->weight == 8)
        guest->seen = 2; // LIVE: one has this number
    if (enter->weight != guest->id + 1)
        guest->seen = 3; // DEAD: what is sent goes with the number
    if (enter->weight > 15)
        guest->seen = 4; // LIVE
}

struct alarm {
    bool is_on;
    int seen;
};

static void alarm_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct alarm *alarm = state;
    const struct ring *ring = rh_as(message, ring);
    (void)self;
    if (ring) {
        if (ring->level < 50)
            alarm->seen = 1; // DEAD: the lock rings with more
        if (ring->level == 63)
            alarm->seen = 2; // LIVE
        alarm->is_on = true;
    } else if (rh_as(message, quiet)) {
        if (!alarm->is_on)
            alarm->seen = 3; // DEAD: it comes behind the ring
        if (alarm->is_on)
            alarm->seen = 4; // LIVE
        alarm->is_on = false;
    } else if (rh_as(message, audit)) {
        alarm->seen = 5; // NOWAY: nobody audits it
    }
}

struct vault {
    int opened;
};

static void vault_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct vault *vault = state;
    (void)self;
    if (rh_as(message, digit))
        vault->opened++; // NOWAY: there is none
}

struct lock {
    rh_actor *alarm;
    int tries, sum, doubled, seen;
    bool is_open;
};

static void take_digit(struct lock *lock, int value)
{
    lock->tries++;
    lock->sum += value;
    lock->doubled = 2 * value;
    if (lock->is_open && lock->tries < 2)
        lock->seen = 1; // DEAD: the first digit opens nothing
    if (lock->is_open && lock->tries == 2)
        lock->seen = 2; // LIVE
    if (lock->tries == 2 && lock->sum == 127)
        lock->seen = 3; // DEAD: two digits have less
    if (lock->tries == 2 && lock->sum == 126)
        lock->seen = 4; // LIVE
    lock->is_open = value == 42;
}

static void lock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct lock *lock = state;
    const struct digit *digit = rh_as(message, digit);
    (void)self;
    if (digit && digit->value >= DIGITS)
        return;
    if (digit) {
        take_digit(lock, digit->value);
        if (digit->value >= 50) {
            rh_send(lock->alarm, ring, {.level = digit->value});
            rh_send(lock->alarm, quiet);
        } else if (digit->value < 20) {
            rh_actor *guest = rh_spawn(guest_behaviour, struct guest, {.id = digit->value | 1});
            rh_send(guest, enter, {.weight = (digit->value | 1) + 1});
        }
    } else if (rh_as(message, reset)) {
        if (lock->doubled % 2 == 1)
            lock->seen = 5; // DEAD: it is even
        if (lock->doubled == 84)
            lock->seen = 6; // LIVE
        if (lock->is_open && lock->tries == 0)
            lock->seen = 7; // DEAD: it begins closed
        if (lock->is_open && lock->tries == 1)
            lock->seen = 8; // LIVE
    }
}

static rh_actor *set_up(void)
{
    rh_actor *alarm = rh_spawn(alarm_behaviour, struct alarm, {0});
    return rh_spawn(lock_behaviour, struct lock, {.alarm = alarm});
}

RH_TEST(door)
{
    rh_receptionist(set_up());
}

RH_TEST(audited)
{
    rh_actor *alarm = rh_spawn(alarm_behaviour, struct alarm, {0});
    rh_send(alarm, audit);
    rh_receptionist(rh_spawn(vault_behaviour, struct vault, {0}));
}

struct clerk {
    int limit, counted, seen;
};

static void clerk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct clerk *clerk = state;
    (void)self;
    if (!rh_as(message, count))
        return;
    clerk->counted++;
    if (clerk->limit > 10)
        clerk->seen = 1; // DEAD: it was cut down
    if (clerk->limit == 10 && clerk->counted == 2)
        clerk->seen = 2; // LIVE
    int choice = rh_choose(3);
    if (choice == 3)
        clerk->seen = 3; // DEAD: there are three
    if (choice == 2)
        clerk->seen = 4; // LIVE
    rh_reply(message, counted, {.number = clerk->limit * 3 + choice});
}

struct boss {
    rh_actor *clerk;
    int seen;
};

static void boss_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct boss *boss = state;
    (void)self;
    if (!rh_as(message, go))
        return;
    const struct counted *counted = rh_as(rh_ask(boss->clerk, count), counted);
    if (counted && counted->number == 33)
        boss->seen = 1; // DEAD: the largest is 32
    if (counted && counted->number == 32)
        boss->seen = 2; // LIVE
}

static void begin(uint8_t limit)
{
    rh_actor *clerk = rh_spawn(clerk_behaviour, struct clerk, {.limit = limit > 10 ? 10 : limit});
    rh_send(rh_spawn(boss_behaviour, struct boss, {.clerk = clerk}), go);
    rh_send(rh_spawn(boss_behaviour, struct boss, {.clerk = clerk}), go);
}

RH_TEST(limited)
{
    begin(rh_input(uint8_t, "limit"));
}

struct driver {
    rh_actor *lock;
    int left;
};

static void driver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct driver *driver = state;
    if (!rh_as(message, go) || driver->left-- == 0)
        return;
    int which = rh_choose(DIGITS + 1);
    if (which == DIGITS)
        rh_send(driver->lock, reset);
    else
        rh_send(driver->lock, digit, {.value = (uint8_t)which});
    rh_send(self, go);
}

RH_TEST(every_digit)
{
    rh_actor *lock = set_up();
    rh_send(rh_spawn(driver_behaviour, struct driver, {.lock = lock, .left = 2}), go);
}

RH_TEST(every_limit)
{
    begin((uint8_t)rh_choose(256));
}
