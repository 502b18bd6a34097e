// SPDX-License-Identifier: MIT
// A search that takes longer than any test: twelve messages from twelve senders in all their orders.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(letter, { int number; });

struct box {
    unsigned hash;
    int last;
    bool is_strict;
};

static void box_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct box *box = state;
    const struct letter *letter = rh_as(message, letter);
    (void)self;
    if (!letter)
        return;
    rh_check(!box->is_strict || box->last != 11 || letter->number != 10);
    box->hash = box->hash * 31 + (unsigned)letter->number;
    box->last = letter->number;
}

static void send_letters(bool is_strict)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    rh_actor *box = rh_spawn(box_behaviour, struct box, {.last = -1, .is_strict = is_strict});
    for (int i = 0; i < 12; i++)
        rh_send_from(rh_outside(names[i]), box, letter, {.number = i});
}

RH_TEST(slow)
{
    send_letters(false);
}

RH_TEST(slow_and_wrong)
{
    send_letters(true);
}
