// SPDX-License-Identifier: MIT
// A till that knows its display from the beginning, and the display its till: addresses in a circle.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(pay, { int amount; });
RH_MESSAGE(show, {
    int left;
    rh_actor *from;
});

struct display {
    rh_actor *till;
    int shown;
    unsigned lit : 1;
    unsigned kind : 3;
};

static void display_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct display *display = state;
    const struct show *show = rh_as(message, show);
    (void)self;
    if (!show)
        return;
    rh_check(display->till == show->from);
    display->shown = show->left;
    display->lit = show->left > 0;
    if (show->left == 0)
        rh_stop();
}

struct till {
    rh_actor *display;
    short price;
    int taken;
};

static void till_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct till *till = state;
    const struct pay *pay = rh_as(message, pay);
    if (!pay)
        return;
    till->taken += pay->amount;
    int left = till->taken > till->price ? 0 : till->price - till->taken + RAISED;
    rh_send(till->display, show, {.left = left, .from = self});
}

RH_TEST(one_payment)
{
    rh_actor *display = rh_spawn(display_behaviour, struct display, {0});
    rh_send(rh_spawn(till_behaviour, struct till, {.display = display, .price = 5}), pay,
            {.amount = 3});
}
