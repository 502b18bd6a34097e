// SPDX-License-Identifier: MIT
// What actors share inside of libc without a system call of their own: libc_state.txt says what is found.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(add);
RH_SIGNAL(look);

// Three actors, one stream. The look comes behind both adds in two of six orders.
struct shared {
    FILE *file;
};

static void shared_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct shared *shared = state;
    (void)self;
    if (rh_as(message, add))
        fputs("x", shared->file);
    else if (rh_as(message, look))
        rh_check(ftell(shared->file) != 2);
}

static void three_share(FILE *file)
{
    rh_actor *first = rh_spawn(shared_behaviour, struct shared, {.file = file});
    rh_actor *second = rh_spawn(shared_behaviour, struct shared, {.file = file});
    rh_actor *third = rh_spawn(shared_behaviour, struct shared, {.file = file});
    rh_send(first, look);
    rh_send(second, add);
    rh_send(third, add);
}

RH_TEST(file_of_three)
{
    three_share(tmpfile());
}

RH_TEST(memory_of_three)
{
    three_share(fmemopen(NULL, 64, "w+"));
}

RH_TEST(growing_of_three)
{
    static char *text;
    static size_t size;
    three_share(open_memstream(&text, &size));
}

struct appender {
    FILE *file;
};

static void appender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct appender *appender = state;
    (void)self;
    if (rh_as(message, add)) {
        fprintf(appender->file, "%s", "x");
        fflush(appender->file);
    } else if (rh_as(message, look)) {
        rh_check(ftell(appender->file) <= 1);
    }
}

RH_TEST(file_of_one)
{
    rh_actor *actor = rh_spawn(appender_behaviour, struct appender, {.file = tmpfile()});
    rh_send_from(rh_outside("ann"), actor, add);
    rh_send_from(rh_outside("ben"), actor, look);
    rh_send_from(rh_outside("eva"), actor, look);
}

// The test's body is through with its streams.
static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *count = state;
    (void)self;
    if (rh_as(message, add))
        ++*count;
}

static void three_apart(int start)
{
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(counter_behaviour, int, {start}), add);
}

RH_TEST(closed_before)
{
    char *text;
    size_t size;
    FILE *file = tmpfile(), *memory = open_memstream(&text, &size);
    FILE *command = popen("echo 1", "r");
    fputs("7", memory);
    fprintf(file, "7");
    rewind(file);
    int start = getc(file) - '0';
    fclose(file);
    fclose(memory);
    pclose(command);
    rh_check(size == 1 && start == 7);
    free(text);
    three_apart(start);
}
