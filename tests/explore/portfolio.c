// SPDX-License-Identifier: MIT
// Tests with few orders, with many, and with an error in the last of them; see portfolio.sh.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(word, { int number; });

enum { MOST = 40 };

struct reader {
    int heard, words[MOST];
};

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct reader *reader = state;
    const struct word *word = rh_as(message, word);
    (void)self;
    reader->words[reader->heard++] = word->number;
}

static rh_actor *hear(int count)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    rh_actor *reader = rh_spawn(reader_behaviour, struct reader, {.heard = 0});
    for (int i = 0; i < count; i++)
        rh_send_from(rh_outside(names[i]), reader, word, {.number = i});
    return reader;
}

RH_TEST(few)
{
    hear(5);
}

RH_TEST(many)
{
    hear(7);
}

// A writer writes as often as it is asked to.
struct writer {
    rh_actor *reader;
    int number;
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct writer *writer = state;
    (void)self;
    (void)rh_as(message, word);
    rh_send(writer->reader, word, {.number = writer->number});
}

static void late_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct reader *reader = state;
    const struct word *word = rh_as(message, word);
    (void)self;
    reader->words[reader->heard++] = word->number;
    rh_check(reader->heard > 1 || word->number < 3);
}

static void write_to(rh_actor *reader)
{
    for (int i = 0; i < 4; i++) {
        rh_actor *writer =
            rh_spawn(writer_behaviour, struct writer, {.reader = reader, .number = i});
        for (int k = 0; k < 4; k++)
            rh_send(writer, word, {.number = k});
    }
}

// What the last writer writes must not come first.
RH_TEST(last_first)
{
    write_to(rh_spawn(late_behaviour, struct reader, {.heard = 0}));
}

RH_TEST(nothing)
{
    write_to(rh_spawn(reader_behaviour, struct reader, {.heard = 0}));
}

RH_TEST(ordered)
{
    hear(7);
}
RH_TEST_ORDER(ordered, "deliver word to reader#1\n");
