// SPDX-License-Identifier: MIT
// Messages and states with fields that nobody sets: on the stack where earlier calls had their frames, also far down,
// in blocks, behind an rh_ask, and in a variable that optimizers keep in a register. For same_unset.sh.
#include <stdio.h>
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { VOTES = 4, DEEP = 100000, COUNTED = 16 };

RH_SIGNAL(go);
RH_SIGNAL(question);
RH_MESSAGE(vote, {
    long version;
    int term;
});

struct voter {
    rh_actor *box;
    long kept;
};

struct box {
    long mixed;
    int count;
};

#define APART __attribute__((noinline))

// Leaves on the stack what libc has put there.
APART static void print_something(void)
{
    char text[64];

    snprintf(text, sizeof text, "%d %g", 5, 0.1);
}

APART static void send_votes(rh_actor *to)
{
    struct vote votes[VOTES];

    for (int i = 0; i < VOTES; i++)
        votes[i].term = 1;
    for (int i = 0; i < VOTES; i++)
        rh_send_sized(to, vote, &votes[i], sizeof votes[i]);
}

APART static void send_from_below(rh_actor *to)
{
    volatile char room[DEEP];

    room[0] = 1;
    send_votes(to);
    room[DEEP - 1] = 1;
}

APART static void send_block(rh_actor *to)
{
    struct vote *block = malloc(sizeof *block);

    block->term = 2;
    rh_send_sized(to, vote, block, sizeof *block);
    free(block);
}

APART static long set_if(int wanted)
{
    long number;

    if (wanted)
        number = 7;
    return number;
}

static void voter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct voter *voter = state;
    (void)self;

    if (!rh_as(message, go))
        return;
    print_something();
    send_votes(voter->box);
    send_from_below(voter->box);
    send_block(voter->box);
    rh_ask(voter->box, question);
    send_votes(voter->box);
    voter->kept = set_if(voter->kept != 0);
}

static void box_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct box *box = state;
    const struct vote *vote = rh_as(message, vote);
    (void)self;

    if (rh_as(message, question))
        rh_reply(message, go);
    if (!vote)
        return;
    box->mixed = 3 * box->mixed + vote->version;
    rh_check(++box->count < COUNTED);
}

RH_TEST(unset)
{
    rh_actor *box = rh_spawn(box_behaviour, struct box, {0});

    for (int i = 0; i < 2; i++)
        rh_send_from(rh_outside(i ? "ann" : "ben"),
                     rh_spawn(voter_behaviour, struct voter, {box, 0}), go);
}
