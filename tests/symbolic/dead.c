// SPDX-License-Identifier: MIT
// Places that nothing leads to (DEAD), each beside one that something leads to (LIVE), and places that no test comes to
// though a handler by itself could: what they need, nothing brings about (GONE), or not with so few messages (PAST). The test `brute` sends up to three messages with all fields from -2 to 2.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(pair, {
    int x;
    int y;
});
RH_MESSAGE(one, { int x; });
RH_SIGNAL(tick);
RH_SIGNAL(go);

struct box {
    int low, high, ticks, seen;
    bool is_open;
};

static void note(struct box *box, int number)
{
    if (number > 100)
        box->seen = 1; // DEAD: no caller has such a number
    if (number == 6)
        box->seen = 2; // LIVE
}

static int doubled(int x)
{
    return x * 2;
}

static void take_pair(struct box *box, const struct pair *pair)
{
    if (pair->x > pair->y && pair->y > pair->x)
        box->seen = 3; // DEAD: an order that is none
    if (pair->x > pair->y && pair->y > -2)
        box->seen = 4; // LIVE
    if (pair->x - pair->y == 1 && pair->y - pair->x == 1)
        box->seen = 5; // DEAD: arithmetic
    if (pair->x - pair->y == 1 && pair->y == -1)
        box->seen = 6; // LIVE
    int odd = pair->x | 1;
    if (odd == pair->y * 2)
        box->seen = 7; // DEAD: an odd number
    if (odd == pair->y + 1)
        box->seen = 8; // LIVE
    if (doubled(pair->y) == 3)
        box->seen = 9; // DEAD: in what a callee gives
    if (doubled(pair->y) == -4)
        box->seen = 10; // LIVE
}

static void take_one(struct box *box, const struct one *one)
{
    int sign = one->x > 0 ? 1 : one->x < 0 ? -1 : 0;
    switch (sign) {
    case 1:
        box->high = 1;
        break;
    case -1:
        box->low = -1; // LIVE
        break;
    case 2:
        box->seen = 11; // DEAD: no such case
        break;
    default:
        break;
    }
    for (int i = 0; i < 3; i++)
        if (i > 3)
            box->seen = 12; // DEAD: rounds that a loop has not
        else if (i == 2 && one->x == -1)
            box->seen = 13; // LIVE
    if (one->x >= 0 && one->x <= 2)
        note(box, one->x * 3);
    int small = (unsigned char)one->x;
    if (small + 1 > 256 + (one->x & 1))
        box->seen = 14; // DEAD: too large for its type
    if (small == 254)
        box->seen = 15; // LIVE
}

static void take_tick(struct box *box)
{
    int ticks = box->ticks;
    box->ticks = ticks + 1;
    if (box->ticks == ticks)
        box->seen = 16; // DEAD: the state was just written
    if (box->ticks == 2)
        box->seen = 17; // LIVE: the second
    if (box->is_open && !box->is_open)
        box->seen = 18; // DEAD: a truth value
    if (box->low == -1 && box->high == 1)
        box->seen = 19; // LIVE: with three
    if (box->high == 2)
        box->seen = 20; // GONE: nothing sets it
    if (box->ticks < 1)
        box->seen = 21; // PAST: it begins with 0
    box->is_open = !box->is_open;
}

static void box_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct box *box = state;
    const struct pair *pair;
    const struct one *one;
    (void)self;
    if ((pair = rh_as(message, pair))) {
        take_pair(box, pair);
    } else if ((one = rh_as(message, one))) {
        take_one(box, one);
    } else if (rh_as(message, tick)) {
        take_tick(box);
        if (rh_as(message, one))
            box->seen = 22; // DEAD: of no such type
    }
    if (rh_as(message, tick))
        box->seen = 23; // LIVE
}

struct driver {
    rh_actor *box;
    int left;
};

static int small_number(void)
{
    return rh_choose(5) - 2;
}

static void driver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct driver *driver = state;
    if (!rh_as(message, go) || driver->left-- == 0)
        return;
    int kind = rh_choose(4);
    if (kind == 0) {
        int x = small_number(), y = small_number();
        rh_send(driver->box, pair, {.x = x, .y = y});
    } else if (kind == 1) {
        int x = small_number();
        rh_send(driver->box, one, {.x = x});
    } else if (kind == 2) {
        rh_send(driver->box, tick);
    } else {
        return;
    }
    rh_send(self, go);
}

RH_TEST(alone)
{
    rh_spawn(box_behaviour, struct box, {0});
}

RH_TEST(brute)
{
    rh_actor *box = rh_spawn(box_behaviour, struct box, {0});
    rh_actor *driver = rh_spawn(driver_behaviour, struct driver, {.box = box, .left = 3});
    rh_send(driver, go);
}
