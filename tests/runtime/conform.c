// SPDX-License-Identifier: MIT
// One program for each operation. Each ends in a line `final: ...` that tells what its actors have seen; conform.sh
// compares the lines of a run on threads with those of all executions.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(letter, { char what; });
RH_MESSAGE(words, {
    int count;
    char text[];
});
RH_SIGNAL(go);
RH_SIGNAL(item);
RH_MESSAGE(get, { char what; });
RH_MESSAGE(value, { char what; });
RH_MESSAGE(block, { char *text; });

// Writes down what it gets.
struct diary {
    char text[32];
    rh_actor *other;
};

static void note(struct diary *diary, char what)
{
    size_t length = strlen(diary->text);
    rh_check(length + 1 < sizeof diary->text);
    diary->text[length] = what;
}

static void diary_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct letter *letter = rh_as(message, letter);
    (void)self;
    if (letter)
        note(state, letter->what);
}

struct watched {
    rh_actor *diaries[3];
};

static void tell(const void *context)
{
    const struct watched *watched = context;
    printf("final:");
    for (int i = 0; i < 3 && watched->diaries[i]; i++) {
        const struct diary *diary = rh_view_state(watched->diaries[i]);
        printf(" %s", !diary ? "stopped" : diary->text[0] ? diary->text : "-");
    }
    printf("\n");
    fflush(stdout);
}

static rh_actor *new_diary(rh_behaviour *behaviour, rh_actor *other)
{
    return rh_spawn(behaviour, struct diary, {.other = other});
}

// a before b of one sender, c of another: abc, acb, cab: 3 finals.
RH_TEST(fifo_of_senders)
{
    rh_actor *diary = new_diary(diary_behaviour, NULL);
    rh_actor *other = rh_outside("other");
    rh_finally(tell, struct watched, {{diary}});
    rh_send(diary, letter, {.what = 'a'});
    rh_send(diary, letter, {.what = 'b'});
    rh_send_from(other, diary, letter, {.what = 'c'});
}

static void relay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    const struct letter *letter = rh_as(message, letter);
    (void)self;
    note(diary, letter->what);
    rh_send(diary->other, letter, {.what = (char)(letter->what - 'a' + 'A')});
}

// a and b through a relay and x directly: x at any of three places: 3 finals.
RH_TEST(sends_in_handlers)
{
    rh_actor *diary = new_diary(diary_behaviour, NULL);
    rh_actor *relay = new_diary(relay_behaviour, diary);
    rh_finally(tell, struct watched, {{diary, relay}});
    rh_send(relay, letter, {.what = 'a'});
    rh_send(relay, letter, {.what = 'b'});
    rh_send(diary, letter, {.what = 'x'});
}

static void spawner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    (void)self;
    if (!rh_as(message, go))
        return;
    for (int i = 0; i < 3; i++) {
        rh_actor *child = new_diary(relay_behaviour, diary->other);
        rh_send(child, letter, {.what = (char)('a' + i)});
    }
}

// Three children, each with one letter: 6 finals.
RH_TEST(spawns_in_handlers)
{
    rh_actor *diary = new_diary(diary_behaviour, NULL);
    rh_actor *spawner = new_diary(spawner_behaviour, diary);
    rh_finally(tell, struct watched, {{diary}});
    rh_send(spawner, go);
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct get *get;
    const struct letter *letter;
    (void)self;
    if ((get = rh_as(message, get))) {
        note(state, get->what);
        rh_reply(message, value, {.what = (char)(get->what + 1)});
    } else if ((letter = rh_as(message, letter))) {
        note(state, letter->what);
    }
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    const struct letter *letter;
    if (rh_as(message, go)) {
        const rh_message *first = rh_ask(diary->other, get, {.what = '1'});
        note(diary, rh_as(first, value)->what);
        rh_check(rh_self() == self && rh_sender(first) == diary->other && errno == 0);
        const rh_message *second = rh_ask(diary->other, get, {.what = '5'});
        note(diary, rh_as(second, value)->what);
        // Both are still there.
        rh_check(rh_as(first, value)->what == '2');
    } else if ((letter = rh_as(message, letter))) {
        note(diary, letter->what);
    }
}

// The client's letter comes before go or after both replies, the server's anywhere among its two requests: 2 * 3
// finals.
RH_TEST(asks)
{
    rh_actor *server = new_diary(server_behaviour, NULL);
    rh_actor *client = new_diary(client_behaviour, server);
    rh_finally(tell, struct watched, {{client, server}});
    rh_send(client, go);
    rh_send_from(rh_outside("one"), client, letter, {.what = 'x'});
    rh_send_from(rh_outside("two"), server, letter, {.what = 'y'});
}

// Takes letters only while it has an item for each.
struct store {
    struct diary diary;
    int items;
};

static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct store *store = state;
    const struct letter *letter;
    (void)self;
    if (rh_as(message, item)) {
        store->items++;
    } else if ((letter = rh_as(message, letter))) {
        rh_check(store->items-- > 0);
        note(&store->diary, letter->what);
    }
}

static bool store_guard(const void *state, const rh_message *message)
{
    return ((const struct store *)state)->items > 0 || !rh_as(message, letter);
}
RH_GUARD(store_behaviour, store_guard);

// a before b of one sender, c of another, each when an item is there: 3 finals.
RH_TEST(guards)
{
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.items = 0});
    rh_actor *other = rh_outside("other");
    rh_actor *third = rh_outside("third");
    rh_finally(tell, struct watched, {{store}});
    rh_send(store, letter, {.what = 'a'});
    rh_send(store, letter, {.what = 'b'});
    rh_send_from(other, store, letter, {.what = 'c'});
    for (int i = 0; i < 3; i++)
        rh_send_from(third, store, item);
}

static void night_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct letter *letter = rh_as(message, letter);
    (void)self;
    note(state, (char)(letter->what - 'a' + 'A'));
}

static void day_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct letter *letter = rh_as(message, letter);
    (void)self;
    note(state, letter->what);
    rh_become(night_behaviour);
}

// aB or bA: 2 finals.
RH_TEST(becomes)
{
    rh_actor *diary = new_diary(day_behaviour, NULL);
    rh_finally(tell, struct watched, {{diary}});
    rh_send_from(rh_outside("one"), diary, letter, {.what = 'a'});
    rh_send_from(rh_outside("two"), diary, letter, {.what = 'b'});
}

static void farewell(rh_actor *self, void *state)
{
    struct diary *diary = state;
    (void)self;
    rh_send(diary->other, letter, {.what = '!'});
}

static void mortal_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    const struct letter *letter = rh_as(message, letter);
    (void)self;
    rh_at_stop(farewell);
    if (letter->what == 's')
        rh_stop();
    rh_send(diary->other, letter, {.what = letter->what});
}

// s stops the actor, a comes before it or never: s! or as!: 2 finals.
RH_TEST(stops)
{
    rh_actor *diary = new_diary(diary_behaviour, NULL);
    rh_actor *mortal = new_diary(mortal_behaviour, diary);
    rh_finally(tell, struct watched, {{diary, mortal}});
    rh_send_from(rh_outside("one"), mortal, letter, {.what = 's'});
    rh_send_from(rh_outside("two"), mortal, letter, {.what = 'a'});
}

static void timing_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    const struct letter *letter;
    if (rh_as(message, go)) {
        rh_after(30, self, letter, {.what = 'c'});
        rh_after(10, self, letter, {.what = 'a'});
        rh_after(20, self, letter, {.what = 'b'});
        rh_send(self, letter, {.what = 'x'});
    } else if ((letter = rh_as(message, letter))) {
        note(diary, letter->what);
        rh_check(letter->what == 'x' || rh_now() >= (uint64_t)(letter->what - 'a' + 1) * 10);
    }
}

// Timers of one receiver fire in the order in which they are due, x comes anywhere: 4 finals.
RH_TEST(timers)
{
    rh_actor *diary = new_diary(timing_behaviour, NULL);
    rh_finally(tell, struct watched, {{diary}});
    rh_send(diary, go);
}

static void chooser_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go)) {
        note(state, (char)('0' + rh_choose(3)));
        note(state, (char)('0' + rh_choose(2)));
    }
}

// 3 * 2 finals.
RH_TEST(chooses)
{
    rh_actor *diary = new_diary(chooser_behaviour, NULL);
    rh_finally(tell, struct watched, {{diary}});
    rh_send(diary, go);
}

static void giver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    const struct words *words;
    const struct block *block;
    (void)self;
    if (rh_as(message, go)) {
        char *text = malloc(8);
        strcpy(text, "gift");
        rh_send(diary->other, block, {.text = (char *)rh_give(text)});
        char bytes[sizeof(struct words) + 6] = {0};
        struct words *sent = (struct words *)bytes;
        sent->count = 5;
        memcpy(sent->text, "words", 6);
        rh_send_sized(diary->other, words, sent, sizeof bytes);
    } else if ((block = rh_as(message, block))) {
        for (int i = 0; block->text[i]; i++)
            note(diary, block->text[i]);
        free(block->text);
    } else if ((words = rh_as(message, words))) {
        rh_check(rh_size(message) == sizeof *words + 6 && words->count == 5);
        rh_check(strcmp(rh_name(message), "words") == 0);
        for (int i = 0; words->text[i]; i++)
            note(diary, words->text[i]);
    }
}

// giftwords: 1 final.
RH_TEST(gives)
{
    rh_actor *receiver = new_diary(giver_behaviour, NULL);
    rh_actor *giver = new_diary(giver_behaviour, receiver);
    rh_finally(tell, struct watched, {{receiver}});
    rh_send(giver, go);
}

static void self_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct letter *letter;
    if (rh_as(message, go)) {
        rh_check(rh_sender(message) == NULL && rh_self() == self);
        rh_send(rh_self(), letter, {.what = 'a'});
        rh_send(self, letter, {.what = 'b'});
    } else if ((letter = rh_as(message, letter))) {
        rh_check(letter->what == 'x' || rh_sender(message) == self);
        note(state, letter->what);
    }
}

// a before b, x anywhere: 3 finals.
RH_TEST(sends_to_itself)
{
    rh_actor *diary = new_diary(self_behaviour, NULL);
    rh_finally(tell, struct watched, {{diary}});
    rh_send(diary, go);
    rh_send_from(rh_outside("other"), diary, letter, {.what = 'x'});
}

static void plain_server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct get *get = rh_as(message, get);
    (void)self;
    note(state, get->what);
    if (rh_sender(message))
        rh_reply(message, letter, {.what = get->what});
}

static void plain_client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    const struct letter *letter;
    (void)self;
    if (rh_as(message, go)) {
        rh_send(diary->other, get, {.what = 'a'});
        rh_send(diary->other, get, {.what = 'b'});
    } else if ((letter = rh_as(message, letter))) {
        note(diary, letter->what);
    }
}

// A reply to what was only sent: ab at the client, and c anywhere at the server: 3 finals.
RH_TEST(replies_to_sends)
{
    rh_actor *server = new_diary(plain_server_behaviour, NULL);
    rh_actor *client = new_diary(plain_client_behaviour, server);
    rh_finally(tell, struct watched, {{client, server}});
    rh_receptionist(client);
    rh_receptionist(server);
    rh_send(client, go);
    rh_send(server, get, {.what = 'c'});
}
