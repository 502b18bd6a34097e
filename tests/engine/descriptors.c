// SPDX-License-Identifier: MIT
// Descriptors have the numbers that they would have without the tool, in a search as in a replay.
#include <fcntl.h>
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <unistd.h>

RH_MESSAGE(digit, { int value; });

struct writer {
    int file;
    int number;
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    const struct digit *digit = rh_as(message, digit);
    (void)self;
    if (!writer->file)
        writer->file = open("/dev/null", O_WRONLY);
    rh_check(writer->file == 3 || writer->file == 4);
    rh_check(write(writer->file, "x", 1) == 1);
    writer->number = writer->number * 10 + digit->value;
    rh_check(writer->number != 21);
}

static void to_two(int last)
{
    rh_actor *first = rh_spawn(writer_behaviour, struct writer, {0});
    rh_actor *second = rh_spawn(writer_behaviour, struct writer, {0});
    rh_send_from(rh_outside("a"), first, digit, {.value = 1});
    rh_send_from(rh_outside("b"), first, digit, {.value = last});
    rh_send_from(rh_outside("c"), second, digit, {.value = 2});
}

RH_TEST(found)
{
    to_two(2);
}

RH_TEST(holds)
{
    to_two(3);
}
