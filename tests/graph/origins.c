// SPDX-License-Identifier: MIT
// Where something comes from: a message, from one place of the program or another; what a variable holds, from its
// initializer or from the test. Each in a test of its own; origins.txt says which edges there are, and so which there are
// not. In the tests from `shared` on, but for `set`, the edge is easily lost: it is taken, so it has to be there.
#include <stdint.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(yes);
RH_SIGNAL(no);
RH_MESSAGE(news, {
    int number;
    bool is_last;
});

struct contact {
    rh_actor *to;
};

static void left_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

// --- What a message carries belongs to who sent it. ---

static void first_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct contact *contact = state;
    (void)self;
    if (rh_as(message, start))
        rh_send(contact->to, news, {.number = 1});
    else
        rh_ignore(message);
}

static void last_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct contact *contact = state;
    (void)self;
    if (rh_as(message, start))
        rh_send(contact->to, news, {.number = 2, .is_last = true});
    else
        rh_ignore(message);
}

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct contact *keeper = state;
    const struct news *news = rh_as(message, news);
    (void)self;
    if (news && news->is_last)
        keeper->to = rh_sender(message);
    if (keeper->to)
        rh_send(keeper->to, yes);
    if (news && news->number == 1)
        rh_reply(message, no);
}

RH_TEST(told)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour, struct contact, {NULL});
    rh_send(rh_spawn(first_behaviour, struct contact, {keeper}), start);
    rh_send(rh_spawn(last_behaviour, struct contact, {keeper}), start);
}

// --- What is asked in the same place, whatever is handled, is answered to both. ---

static void oracle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct news *news = rh_as(message, news);
    (void)self, (void)state;
    if (news)
        rh_reply(message, news, {.number = news->number + 1});
}

struct asker {
    rh_actor *oracle, *left;
    int sum;
};

__attribute__((noinline)) static int ask(const struct asker *asker, int number)
{
    const rh_message *answer = rh_ask(asker->oracle, news, {.number = number});
    const struct news *news = rh_as(answer, news);
    return news ? news->number : 0;
}

static void asker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct asker *asker = state;
    (void)self;
    if (rh_as(message, start) && ask(asker, 4) == 5)
        asker->sum++;
    if (rh_as(message, yes) && ask(asker, 6) == 7)
        asker->sum++;
    if (asker->sum == 2)
        rh_send(asker->left, no);
}

RH_TEST(shared)
{
    rh_actor *left = rh_spawn(left_behaviour), *oracle = rh_spawn(oracle_behaviour);
    rh_actor *asker = rh_spawn(asker_behaviour, struct asker, {oracle, left, 0});
    rh_send(asker, start);
    rh_send(asker, yes);
}

// --- From more places than are told apart. ---

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct contact *contact = state;
    const struct news *news = rh_as(message, news);
    (void)self;
    if (news && news->number == 0)
        rh_send(contact->to, yes);
    if (news && news->number == 79)
        rh_send(contact->to, no);
}

RH_TEST(crowd)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct contact, {rh_spawn(left_behaviour)});
#define SEND(n) rh_send(counter, news, {.number = n})
#define SEND_4(n) SEND(n), SEND((n) + 1), SEND((n) + 2), SEND((n) + 3)
#define SEND_20(n) SEND_4(n), SEND_4((n) + 4), SEND_4((n) + 8), SEND_4((n) + 12), SEND_4((n) + 16)
    SEND_20(0);
    SEND_20(20);
    SEND_20(40);
    SEND_20(60);
}

// --- What a variable holds that the test sets, after all or from the start. ---

static struct setting {
    int mode;
    int bits;
    int *pointer;
} setting = {.mode = 1, .bits = 0x01010101};

struct reader {
    rh_actor *to;
    int mode;
};

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct reader *reader = state;
    (void)self;
    rh_ignore(message);
    if (setting.mode == 1 || reader->mode == 1)
        rh_send(reader->to, yes);
    if (setting.mode == 2)
        rh_send(reader->to, no);
}

static void read_with(int mode)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(reader_behaviour, struct reader, {left, mode}), start);
}

static void set(int mode)
{
    setting.mode = mode;
    setting.pointer = NULL;
}

RH_TEST(set)
{
    set(2);
    read_with(0);
}

// It has been read before.
RH_TEST(early)
{
    int before = setting.mode;
    set(2);
    read_with(before);
}

__attribute__((noinline)) static int look(const int *at)
{
    return *at;
}

RH_TEST(pointed)
{
    int before = look(&setting.mode);
    set(2);
    read_with(before);
}

__attribute__((noinline)) static int look_into(struct setting copy)
{
    return copy.mode;
}

RH_TEST(copied)
{
    int before = look_into(setting);
    set(2);
    read_with(before);
}

// It is set only sometimes.
RH_TEST(sometimes)
{
    if (rh_choose(2))
        set(2);
    read_with(0);
}

// Somebody may have read it when it is set.
RH_TEST(late)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(reader_behaviour, struct reader, {left, setting.mode}), start);
    set(2);
}

// Only a part of it is set.
static void bits_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct contact *contact = state;
    (void)self;
    rh_ignore(message);
    if (setting.bits == 0x01010107)
        rh_send(contact->to, yes);
    if (*((const unsigned char *)&setting.bits + 1) == 1 && setting.mode == 3)
        rh_send(contact->to, no);
}

RH_TEST(partly)
{
    *(unsigned char *)&setting.bits = 7;
    memset(&setting.mode, 0, sizeof setting.mode);
    setting.mode = 3;
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(bits_behaviour, struct contact, {left}), start);
}
