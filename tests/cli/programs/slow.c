// SPDX-License-Identifier: MIT
// A search that takes longer than any test: twelve messages from twelve senders in all their orders.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(letter, { int number; });

struct box {
    unsigned hash;
};

static void box_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct box *box = state;
    const struct letter *letter = rh_as(message, letter);
    (void)self;
    if (letter)
        box->hash = box->hash * 31 + (unsigned)letter->number;
}

RH_TEST(slow)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    rh_actor *box = rh_spawn(box_behaviour, struct box, {.hash = 0});
    for (int i = 0; i < 12; i++)
        rh_send_from(rh_outside(names[i]), box, letter, {.number = i});
}
