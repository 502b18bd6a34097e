// SPDX-License-Identifier: MIT
// A variable is written for the first time in delivery 1024 of the search, when pages that were written to, but not
// changed, are protected again: the write must not be overlooked.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(digit, { int value; });

static int variable = 1;

struct reader {
    int number;
};

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct reader *reader = state;
    const struct digit *digit = rh_as(message, digit);
    const char text[] = {(char)('0' + (digit ? digit->value : 0)), '\0'};
    (void)self;

    // The dynamic linker looks this function up when it is first called, and writes down where it is.
    reader->number = reader->number * 10 + (int)strtol(text, NULL, 10);
    if (reader->number == 4156)
        variable = 2;
}

RH_TEST(late_global)
{
    static const char *const senders[] = {"a", "b", "c", "d", "e", "f"};
    rh_actor *reader = rh_spawn(reader_behaviour, struct reader, {.number = 0});

    for (int i = 0; i < 6; i++)
        rh_send_from(rh_outside(senders[i]), reader, digit, {.value = i + 1});
}
