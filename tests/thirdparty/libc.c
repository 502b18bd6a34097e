// SPDX-License-Identifier: MIT
// An actor that calls localtime, strdup and others that keep or allocate something.
//
// Three senders, one of them with two messages: 4! / 2! = 12 executions, 3 + 7 + 12 + 12 = 34
// deliveries.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(entry, { int number; });

struct diary {
    char *text; // owned; all entries so far
    int entries;
};

static void append(struct diary *diary, const char *line)
{
    size_t old = diary->text ? strlen(diary->text) : 0;
    char *grown = realloc(diary->text, old + strlen(line) + 1);

    rh_check(grown != NULL);
    strcpy(grown + old, line);
    diary->text = grown;
}

static void write_entry(struct diary *diary, int number)
{
    time_t now = time(NULL);
    const struct tm *local = localtime(&now);
    char date[32];
    char line[64];

    rh_check(local != NULL && local->tm_mday >= 1 && local->tm_mday <= 31);
    rh_check(strftime(date, sizeof date, "%Y-%m-%d", local) == 10);
    snprintf(line, sizeof line, "%s entry %d, random %d;", date, number, rand() % 100);
    char *copy = strdup(line);
    rh_check(strcmp(copy, line) == 0);
    append(diary, copy);
    free(copy);
}

static int count_entries(const char *text)
{
    char *copy = strdup(text);
    char *rest = NULL;
    int count = 0;

    for (char *part = strtok_r(copy, ";", &rest); part; part = strtok_r(NULL, ";", &rest))
        count++;
    free(copy);
    return count;
}

static void diary_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct diary *diary = state;
    const struct entry *entry = rh_as(message, entry);
    (void)self;

    if (entry) {
        write_entry(diary, entry->number);
        rh_check(count_entries(diary->text) == ++diary->entries);
    }
}

RH_TEST(libc)
{
    rh_actor *diary = rh_spawn(diary_behaviour, struct diary, {.text = NULL});
    rh_actor *second = rh_outside("second");

    rh_send(diary, entry, {.number = 1});
    rh_send_from(second, diary, entry, {.number = 2});
    rh_send_from(second, diary, entry, {.number = 3});
    rh_send_from(rh_outside("third"), diary, entry, {.number = 4});
}
