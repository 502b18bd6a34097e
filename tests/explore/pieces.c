// SPDX-License-Identifier: MIT
// Actors with memory of several pieces, each with a hash of its own: a delivery changes one of them, more than one, or
// how many there are.
#include <rehearse/test.h>
#include <stdlib.h>
#include <string.h>

RH_MESSAGE(touch, { int place; });
RH_MESSAGE(grow, { int size; });
RH_SIGNAL(shrink);
RH_SIGNAL(wait_for);
RH_MESSAGE(question, { int place; });
RH_MESSAGE(answer, { int value; });

struct holder {
    rh_actor *other;
    char *blocks[4];
    int count;
    unsigned char bytes[1000];
};

static void holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct holder *holder = state;
    const struct touch *touch = rh_as(message, touch);
    const struct grow *grow = rh_as(message, grow);
    const struct question *question = rh_as(message, question);
    (void)self;
    if (touch) {
        holder->bytes[touch->place] ^= 1;
    } else if (grow) {
        holder->blocks[holder->count] = calloc(1, (size_t)grow->size);
        rh_check(holder->blocks[holder->count]);
        holder->blocks[holder->count++][grow->size - 1] = 1;
    } else if (rh_as(message, shrink)) {
        if (holder->count > 0) {
            free(holder->blocks[--holder->count]);
            holder->blocks[holder->count] = NULL;
        }
    } else if (rh_as(message, wait_for)) {
        const struct answer *answer =
            rh_as(rh_ask(holder->other, question, {.place = 700}), answer);
        holder->bytes[900] = (unsigned char)answer->value;
    } else if (question) {
        rh_reply(message, answer, {.value = holder->bytes[question->place]});
    }
}

static rh_actor *spawn(rh_actor *other)
{
    return rh_spawn(holder_behaviour, struct holder, {.other = other});
}

// Bytes in different pieces, and one that is put back.
RH_TEST(touched)
{
    rh_actor *holder = spawn(NULL);
    rh_send_from(rh_outside("a"), holder, touch, {.place = 0});
    rh_send_from(rh_outside("b"), holder, touch, {.place = 500});
    rh_send_from(rh_outside("c"), holder, touch, {.place = 999});
    rh_send_from(rh_outside("d"), holder, touch, {.place = 500});
}

// Blocks of different sizes come and go.
RH_TEST(grown)
{
    rh_actor *holder = spawn(NULL);
    rh_send_from(rh_outside("a"), holder, grow, {.size = 100});
    rh_send_from(rh_outside("b"), holder, grow, {.size = 900});
    rh_send_from(rh_outside("c"), holder, shrink);
    rh_send_from(rh_outside("d"), holder, touch, {.place = 300});
}

// A handler waits in between: its stack is part of its actor's memory.
RH_TEST(waiting)
{
    rh_actor *other = spawn(NULL);
    rh_actor *holder = spawn(other);
    rh_send_from(rh_outside("a"), holder, wait_for);
    rh_send_from(rh_outside("b"), other, touch, {.place = 700});
    rh_send_from(rh_outside("c"), holder, touch, {.place = 10});
    rh_send_from(rh_outside("d"), holder, grow, {.size = 300});
}
