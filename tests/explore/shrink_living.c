// SPDX-License-Identifier: MIT
// Bugs whose executions can't all be taken back in one process, or begin in different ways: a worker that tries schedules
// has to notice.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

RH_SIGNAL(go);
RH_MESSAGE(note, { int value; });
RH_MESSAGE(tick, { int left; });

enum failing { BY_CHECK, BY_CRASH, BY_EXIT };

struct keeper {
    enum failing failing;
    int limit;
    int seen;
};

// Fails if the note with the largest value comes before another.
static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    const struct note *note = rh_as(message, note);
    (void)self;
    bool fails = keeper->seen >= keeper->limit;
    keeper->seen = note->value > keeper->seen ? note->value : keeper->seen;
    if (fails && keeper->failing == BY_CRASH)
        abort();
    if (fails && keeper->failing == BY_EXIT)
        exit(0);
    rh_check(!fails);
}

static void ticker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    const struct tick *tick = rh_as(message, tick);
    if (tick->left > 0)
        rh_send(self, tick, {.left = tick->left - 1});
}

struct source {
    rh_actor *keeper;
    int value;
    enum { PLAIN, OPENS, TOKENS } doing;
};

// What strtok goes on with is in libc.
static int count_words(void)
{
    char text[] = "one two three";
    int count = 0;
    for (const char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        count++;
    return count;
}

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct source *source = state;
    (void)self;
    (void)rh_as(message, go);
    if (source->doing == OPENS) {
        FILE *file = fopen("/dev/null", "w");
        if (file)
            fclose(file);
    }
    int extra = source->doing == TOKENS ? count_words() - 3 : 0;
    rh_send(source->keeper, note, {.value = source->value + extra});
}

// How often the test's body runs shows how many workers there are.
static void count_bodies(void)
{
    const char *path = getenv("BODIES");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (file < 0)
        return;
    if (write(file, ".", 1) != 1)
        abort();
    close(file);
}

static void set_up(enum failing failing, int limit, int doing)
{
    count_bodies();
    rh_actor *keeper =
        rh_spawn(keeper_behaviour, struct keeper, {.failing = failing, .limit = limit});
    for (int i = 1; i <= 3; i++) {
        rh_actor *source = rh_spawn(source_behaviour, struct source,
                                    {.keeper = keeper, .value = i, .doing = doing});
        rh_send(source, go);
    }
    for (int i = 0; i < 2; i++)
        rh_send(rh_spawn(ticker_behaviour), tick, {.left = 2});
}

RH_TEST(checks)
{
    set_up(BY_CHECK, 3, PLAIN);
}

RH_TEST(crashes)
{
    set_up(BY_CRASH, 3, PLAIN);
}

RH_TEST(exits)
{
    set_up(BY_EXIT, 3, PLAIN);
}

// A call that can't be undone: after each trial there is another worker.
RH_TEST(opens)
{
    set_up(BY_CHECK, 3, OPENS);
}

RH_TEST(tokens)
{
    set_up(BY_CHECK, 3, TOKENS);
}

// The body's choice is simplified too: then the body has to run again.
RH_TEST(chooses)
{
    set_up(BY_CHECK, 2 + rh_choose(2), PLAIN);
}
