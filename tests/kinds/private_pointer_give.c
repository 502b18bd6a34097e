// SPDX-License-Identifier: MIT
// A block is handed over, and one of its entries points to a block that the giver keeps. 1 execution, 1 delivery.
// FIXED: A block is handed over, and its entries point to constants. 1 execution, 2 deliveries.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { ENTRIES = 3 };

struct entry {
    int key;
    const char *text;
};

RH_SIGNAL(go);
RH_MESSAGE(table, {
    int count;
    struct entry *entries;
});

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct table *table = rh_as(message, table);
    (void)self;
    (void)state;

    if (table) {
        rh_check(strcmp(table->entries[2].text, "three") == 0);
        free(table->entries);
    }
}

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *reader = *(rh_actor **)state;
    struct entry *entries;
    char *text;
    (void)self;

    if (rh_as(message, go)) {
        entries = calloc(ENTRIES, sizeof *entries);
        text = strdup("three");
#ifndef FIXED
        entries[2].text = text;
#else
        entries[2].text = "three";
#endif
        rh_send(reader, table, {.count = ENTRIES, .entries = (struct entry *)rh_give(entries)});
        free(text);
    }
}

RH_TEST(private_pointer_give)
{
    rh_actor *reader = rh_spawn(reader_behaviour);

    rh_send(rh_spawn(writer_behaviour, rh_actor *, {reader}), go);
}
