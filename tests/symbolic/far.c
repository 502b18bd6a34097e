// SPDX-License-Identifier: MIT
// Places that are far from the set-up (FAR), places that nothing that can have happened before leads to (DEAD), whatever the
// number of messages, and beside each of these one that something leads to (LIVE). The test `brute` sends up to three messages
// with all fields from -2 to 2.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(digit, { int value; });
RH_MESSAGE(raise, { int by; });
RH_MESSAGE(level, { int height; });
RH_MESSAGE(set, { int mode; });
RH_MESSAGE(pay, { int amount; });
RH_MESSAGE(pass, { int number; });
RH_MESSAGE(enter, { int number; });
RH_MESSAGE(answer, { int number; });
RH_SIGNAL(tick);
RH_SIGNAL(late);
RH_SIGNAL(leave);
RH_SIGNAL(go);

struct tower {
    int height, seen;
};

static void tower_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct tower *tower = state;
    const struct level *level = rh_as(message, level);
    (void)self;
    if (!level)
        return;
    tower->height += level->height;
    if (tower->height == 1000)
        tower->seen = 1; // FAR: ten times 100
    if (level->height == 0)
        tower->seen = 2; // DEAD: by who sends it
    if (level->height == 2)
        tower->seen = 3; // LIVE
}

struct guest {
    rh_actor *host;
    int id, seen;
};

static void guest_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct guest *guest = state;
    const struct enter *enter = rh_as(message, enter);
    const struct answer *answer = rh_as(message, answer);
    (void)self;
    if (enter) {
        if (guest->id % 2 == 0)
            guest->seen = 1; // DEAD: by what it is created with
        if (guest->id == 1)
            guest->seen = 2; // LIVE
        if (enter->number == guest->id)
            guest->seen = 3; // DEAD: by what it is created with and sent
        if (enter->number == 2 && guest->id == 1)
            guest->seen = 4; // LIVE
    } else if (answer) {
        if (answer->number % 2 == 1)
            guest->seen = 5; // DEAD: two senders before
        if (answer->number == 4)
            guest->seen = 6; // LIVE
    }
}

static void middle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct guest *middle = state;
    const struct pass *pass = rh_as(message, pass);
    (void)self;
    if (pass)
        rh_send(middle->host, answer, {.number = pass->number});
}

struct lock {
    rh_actor *tower, *middle;
    int ticks, state, mode, last, seen;
    bool is_paid, has_left, is_late;
};

static void take_digit(struct lock *lock, int value)
{
    static const int code[] = {3, 1, 4, 1, 5, 9, 2, 6};
    lock->state =
        lock->state >= 0 && lock->state < 8 && value == code[lock->state] ? lock->state + 1 : 0;
    if (lock->state == 8)
        lock->seen = 1; // FAR: eight digits
}

static void take_tick(rh_actor *self, struct lock *lock)
{
    if (lock->has_left)
        lock->seen = 2; // DEAD: it has stopped then
    if (lock->is_late)
        lock->seen = 3; // LIVE
    if (lock->mode == 2)
        lock->seen = 4; // DEAD: nobody sets it
    if (lock->mode == 3)
        lock->seen = 5; // LIVE
    if (lock->is_paid && lock->last <= 0)
        lock->seen = 6; // DEAD: two fields that go together
    if (lock->is_paid && lock->last == 2)
        lock->seen = 7; // LIVE
    lock->ticks++;
    if (lock->ticks == 25)
        lock->seen = 8; // FAR: so many
    rh_after(10, self, late);
}

static void lock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct lock *lock = state;
    const struct digit *digit = rh_as(message, digit);
    const struct raise *raise = rh_as(message, raise);
    const struct set *set = rh_as(message, set);
    const struct pay *pay = rh_as(message, pay);
    const struct pass *pass = rh_as(message, pass);
    if (digit)
        take_digit(lock, digit->value);
    else if (rh_as(message, tick))
        take_tick(self, lock);
    else if (raise && raise->by > 0 && raise->by <= 100)
        rh_send(lock->tower, level, {.height = raise->by});
    else if (set)
        lock->mode = set->mode > 0 ? 3 : 1;
    else if (pay && pay->amount > 0)
        lock->is_paid = true, lock->last = pay->amount;
    else if (pass && pass->number > 0)
        rh_send(lock->middle, pass, {.number = pass->number * 2});
    else if (rh_as(message, late))
        lock->is_late = true;
    if (rh_as(message, leave)) {
        rh_actor *guest = rh_spawn(guest_behaviour, struct guest, {.id = lock->mode | 1});
        rh_send(guest, enter, {.number = (lock->mode | 1) + 1});
        lock->has_left = true;
        rh_stop();
    }
}

static rh_actor *set_up(void)
{
    rh_actor *tower = rh_spawn(tower_behaviour, struct tower, {0});
    rh_actor *guest = rh_spawn(guest_behaviour, struct guest, {.id = 1});
    rh_actor *middle = rh_spawn(middle_behaviour, struct guest, {.host = guest});
    return rh_spawn(lock_behaviour, struct lock, {.tower = tower, .middle = middle});
}

RH_TEST(begin)
{
    rh_receptionist(set_up());
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
    int kind = rh_choose(7), number = kind < 5 ? rh_choose(5) - 2 : 0;
    if (kind == 0)
        rh_send(driver->lock, digit, {.value = number});
    else if (kind == 1)
        rh_send(driver->lock, raise, {.by = number});
    else if (kind == 2)
        rh_send(driver->lock, set, {.mode = number});
    else if (kind == 3)
        rh_send(driver->lock, pay, {.amount = number});
    else if (kind == 4)
        rh_send(driver->lock, pass, {.number = number});
    else if (kind == 5)
        rh_send(driver->lock, tick);
    else
        rh_send(driver->lock, leave);
    rh_send(self, go);
}

RH_TEST(brute)
{
    rh_send(rh_spawn(driver_behaviour, struct driver, {.lock = set_up(), .left = 3}), go);
}
