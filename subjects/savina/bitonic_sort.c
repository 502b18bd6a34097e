// SPDX-License-Identifier: MIT
// BitonicSort of Savina: numbers flow through a sorting network. A stage merges sequences of two, four
// and so on, in steps. A step splits the row into runs and hands them out in turn, has the numbers
// of each run compared in pairs, and joins the runs again.
//
// It rests on the order of messages: under `any` numbers overtake each other, or the end overtakes
// them. In the fixed twin messages say which they are in the row of those from one actor to another, and
// wait for those before them.
#include "savina.h"

enum { LENGTH = 4096 };

RH_SIGNAL(start);
RH_MESSAGE(number, {
    int place; // in the row of those from the same sender to the same receiver
    int tag;   // which of the joiner's inputs the sender is
    int value;
});
RH_MESSAGE(end, {
    int place;
    int tag;
});

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int length;
} row;

static int place_of(const rh_message *message)
{
    const struct number *number = rh_as(message, number);

    return number ? number->place : rh_as(message, end)->place;
}

static int tag_of(const rh_message *message)
{
    const struct number *number = rh_as(message, number);

    return number ? number->tag : rh_as(message, end)->tag;
}

// What actors with one input have first in their states.
struct taker {
    int taken;
};

static bool taker_guard(const void *state, const rh_message *message)
{
    const struct taker *taker = state;

    return !row.is_fixed || rh_as(message, start) || place_of(message) == taker->taken;
}

// Where an actor's numbers go.
struct output {
    rh_actor *to;
    int tag;
    int sent;
};

static void put(struct output *output, int value)
{
    rh_send(output->to, number, {.place = output->sent++, .tag = output->tag, .value = value});
}

static void put_end(const struct output *output)
{
    rh_send(output->to, end, {.place = output->sent, .tag = output->tag});
}

struct source {
    struct output output;
    struct random random;
};

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct source *source = state;
    (void)self;

    if (!rh_as(message, start))
        return;
    for (int i = 0; i < row.length; i++)
        put(&source->output, next_random(&source->random, 65536));
    put_end(&source->output);
    rh_stop();
}

// Hands numbers out in runs.
struct splitter {
    struct taker taker;
    int run;
    int outputs;
    struct output output[];
};

static void splitter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct splitter *splitter = state;
    const struct number *number = rh_as(message, number);
    (void)self;

    if (number) {
        int turn = splitter->taker.taken++ / splitter->run;
        put(&splitter->output[turn % splitter->outputs], number->value);
    } else if (rh_as(message, end)) {
        for (int i = 0; i < splitter->outputs; i++)
            put_end(&splitter->output[i]);
        rh_stop();
    }
}
RH_GUARD(splitter_behaviour, taker_guard);

// Compares pairs.
struct comparer {
    struct taker taker;
    bool is_ascending;
    int first;
    struct output output;
};

static void comparer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct comparer *comparer = state;
    const struct number *number = rh_as(message, number);
    (void)self;

    if (!number) {
        if (rh_as(message, end))
            put_end(&comparer->output);
        rh_stop();
    } else if (comparer->taker.taken++ % 2 == 0) {
        comparer->first = number->value;
    } else {
        bool is_in_order = (comparer->first <= number->value) == comparer->is_ascending;
        put(&comparer->output, is_in_order ? comparer->first : number->value);
        put(&comparer->output, is_in_order ? number->value : comparer->first);
    }
}
RH_GUARD(comparer_behaviour, taker_guard);

// Takes runs from its inputs in turn.
struct joiner {
    struct output output;
    int run;
    int inputs;
    int length; // of what each input has in all
    int next;   // place in what is put together
    int ended;
    int *numbers; // of each input in turn
    int taken[];
};

static void emit(struct joiner *joiner)
{
    while (joiner->next < joiner->inputs * joiner->length) {
        int turn = joiner->next / joiner->run, input = turn % joiner->inputs;
        int place = turn / joiner->inputs * joiner->run + joiner->next % joiner->run;
        if (place >= joiner->taken[input])
            return;
        put(&joiner->output, joiner->numbers[input * joiner->length + place]);
        joiner->next++;
    }
}

static void joiner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct joiner *joiner = state;
    const struct number *number = rh_as(message, number);
    (void)self;

    if (!joiner->numbers)
        joiner->numbers =
            malloc((size_t)(joiner->inputs * joiner->length) * sizeof *joiner->numbers);
    if (number) {
        int place = joiner->taken[number->tag]++;
        joiner->numbers[number->tag * joiner->length + place] = number->value;
        emit(joiner);
    } else if (rh_as(message, end) && ++joiner->ended == joiner->inputs) {
        put_end(&joiner->output);
        free(joiner->numbers);
        rh_stop();
    }
}

static bool joiner_guard(const void *state, const rh_message *message)
{
    const struct joiner *joiner = state;

    return !row.is_fixed || place_of(message) == joiner->taken[tag_of(message)];
}
RH_GUARD(joiner_behaviour, joiner_guard);

struct validator {
    struct taker taker;
    int last;
};

static void validator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct validator *validator = state;
    const struct number *number = rh_as(message, number);
    (void)self;

    if (number) {
        rh_check(number->value >= validator->last);
        validator->last = number->value;
        validator->taker.taken++;
    } else if (rh_as(message, end)) {
        rh_check(validator->taker.taken == row.length);
        rh_stop();
    }
}
RH_GUARD(validator_behaviour, taker_guard);

// The network is made from its end: each function gives the actor that comes first.

static rh_actor *add_joiner(struct output output, int run, int inputs, int length)
{
    size_t size = sizeof(struct joiner) + (size_t)inputs * sizeof(int);
    struct joiner *joiner = calloc(1, size);

    *joiner = (struct joiner){.output = output, .run = run, .inputs = inputs, .length = length};
    rh_actor *actor = rh_spawn_sized(joiner_behaviour, joiner, size);
    free(joiner);
    return actor;
}

static struct splitter *new_splitter(int run, int outputs)
{
    struct splitter *splitter =
        calloc(1, sizeof *splitter + (size_t)outputs * sizeof(struct output));

    splitter->run = run;
    splitter->outputs = outputs;
    return splitter;
}

static rh_actor *add_splitter(struct splitter *splitter)
{
    rh_actor *actor =
        rh_spawn_sized(splitter_behaviour, splitter,
                       sizeof *splitter + (size_t)splitter->outputs * sizeof(struct output));

    free(splitter);
    return actor;
}

static rh_actor *add_comparer(bool is_ascending, struct output output)
{
    return rh_spawn(comparer_behaviour, struct comparer,
                    {.is_ascending = is_ascending, .output = output});
}

// Compares each number of the first half of a run with its like in the second half.
static rh_actor *add_partition(int run, bool is_ascending, struct output output)
{
    struct splitter *splitter = new_splitter(1, run / 2);
    rh_actor *joiner = add_joiner(output, 1, run / 2, 2);

    for (int i = 0; i < run / 2; i++)
        splitter->output[i].to =
            add_comparer(is_ascending, (struct output){.to = joiner, .tag = i});
    return add_splitter(splitter);
}

// Merged is the length of the sequences that come out of the stage that this is a step of.
static rh_actor *add_step(int run, int merged, rh_actor *next)
{
    int runs = row.length / run;
    struct splitter *splitter = new_splitter(run, runs);
    rh_actor *joiner = add_joiner((struct output){.to = next}, run, runs, run);

    for (int i = 0; i < runs; i++) {
        bool is_ascending = i * run / merged % 2 == 0;
        struct output output = {.to = joiner, .tag = i};
        splitter->output[i].to = run == 2 ? add_comparer(is_ascending, output)
                                          : add_partition(run, is_ascending, output);
    }
    return add_splitter(splitter);
}

static void sort_row(bool is_fixed, int length)
{
    row.is_fixed = is_fixed;
    row.length = length;
    rh_actor *next = rh_spawn(validator_behaviour, struct validator, {.last = 0});
    for (int merged = length; merged >= 2; merged /= 2)
        for (int run = 2; run <= merged; run *= 2)
            next = add_step(run, merged, next);
    rh_send(rh_spawn(source_behaviour, struct source,
                     {.output = {.to = next}, .random = {SAVINA_SEED}}),
            start);
}

static void set_up(void *context)
{
    const long *length = context;
    int power = 2;

    while (2 * power <= *length)
        power *= 2;
    sort_row(false, power);
}

RH_TEST(smallest)
{
    sort_row(false, 2);
}

RH_TEST(smallest_fixed)
{
    sort_row(true, 2);
}

RH_TEST(small)
{
    sort_row(false, 4);
}

RH_TEST(fixed)
{
    sort_row(true, 4);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, LENGTH, set_up);
}
