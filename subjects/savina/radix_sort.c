// SPDX-License-Identifier: MIT
// RadixSort of Savina: numbers flow through a chain of actors, one for each bit, the lowest first. Each lets numbers
// without its bit pass at once, and those that have it when all have come.
//
// It rests on the order of messages: under `any` a number overtakes another, and they come out unsorted. In the fixed
// twin numbers say which they are in the row, and wait for those before them.
#include "savina.h"

enum { LENGTH = 100000, BITS = 60 };

RH_SIGNAL(start);
RH_MESSAGE(number, {
    int place; // in the row of those from the same sender
    uint64_t value;
});

// Set by the test's body, and only read afterwards.
static struct {
    int count;
    int bits;
} row;

struct source {
    rh_actor *next;
    struct random random;
};

static uint64_t random_number(struct random *random)
{
    uint64_t value = 0;

    for (int i = 0; i < 4; i++)
        value = value << 16 | (uint64_t)next_random(random, 65536);
    return value >> (64 - row.bits);
}

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct source *source = state;
    (void)self;

    if (!rh_as(message, start))
        return;
    for (int i = 0; i < row.count; i++)
        rh_send(source->next, number, {.place = i, .value = random_number(&source->random)});
    rh_stop();
}

// What stages and the validator have in common, and how the fixed ones wait.
struct taker {
    rh_actor *next; // NULL for the validator
    int taken;
};

struct stage {
    struct taker taker;
    uint64_t bit;
    int sent;
    int held_count;
    uint64_t *held; // those with the bit
};

static void pass_on(struct stage *stage, uint64_t value)
{
    rh_send(stage->taker.next, number, {.place = stage->sent++, .value = value});
}

static void stage_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stage *stage = state;
    const struct number *number = rh_as(message, number);
    (void)self;

    if (!stage->held)
        stage->held = malloc((size_t)row.count * sizeof *stage->held);
    if (number->value & stage->bit)
        stage->held[stage->held_count++] = number->value;
    else
        pass_on(stage, number->value);
    if (++stage->taker.taken < row.count)
        return;
    for (int i = 0; i < stage->held_count; i++)
        pass_on(stage, stage->held[i]);
    free(stage->held);
    rh_stop();
}

struct validator {
    struct taker taker;
    uint64_t last;
};

static void validator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct validator *validator = state;
    const struct number *number = rh_as(message, number);
    (void)self;

    rh_check(number->value >= validator->last);
    validator->last = number->value;
    if (++validator->taker.taken == row.count)
        rh_stop();
}

// Of the fixed twin.

static void patient_stage_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    stage_behaviour(self, state, message);
}

static void patient_validator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    validator_behaviour(self, state, message);
}

static bool patient_guard(const void *state, const rh_message *message)
{
    const struct taker *taker = state;

    return rh_as(message, number)->place == taker->taken;
}
RH_GUARD(patient_stage_behaviour, patient_guard);
RH_GUARD(patient_validator_behaviour, patient_guard);

static rh_actor *add_stage(bool is_fixed, rh_actor *next, uint64_t bit)
{
    struct stage stage = {.taker = {.next = next}, .bit = bit};

    return is_fixed ? rh_spawn_sized(patient_stage_behaviour, &stage, sizeof stage)
                    : rh_spawn_sized(stage_behaviour, &stage, sizeof stage);
}

static void sort_row(bool is_fixed, int count, int bits)
{
    row.count = count;
    row.bits = bits;
    rh_actor *next = is_fixed ? rh_spawn(patient_validator_behaviour, struct validator, {.last = 0})
                              : rh_spawn(validator_behaviour, struct validator, {.last = 0});
    for (int bit = bits - 1; bit >= 0; bit--)
        next = add_stage(is_fixed, next, UINT64_C(1) << bit);
    rh_send(rh_spawn(source_behaviour, struct source, {.next = next, .random = {SAVINA_SEED}}),
            start);
}

static void set_up(void *context)
{
    const long *count = context;

    sort_row(false, (int)*count, BITS);
}

RH_TEST(small)
{
    sort_row(false, rh_parameter(int, count, 3), rh_parameter(int, bits, 2));
}

RH_TEST(fixed)
{
    sort_row(true, 3, 2);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, LENGTH, set_up);
}
