// SPDX-License-Identifier: MIT
// Actors keep blocks of their own in a table that the test's body has allocated, as a library does
// that is used in handlers: each handler writes, moves and frees blocks of other actors, also of one
// that has stopped, and none of them is lost. With LOSES the newest number of before is: it lies in
// the memory of whoever has added it.
//
// Three messages in any order: 3! = 6 executions, and 3 + 6 + 6 = 15 deliveries.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(add, { int number; });

struct table {
    int *numbers; // grows with realloc, in the memory of whoever adds
    int *newest;  // a block of whoever has added the newest number
    int count;
    int sum;
};

struct adder {
    struct table *table;
    int stops;
    int *own; // of which a crash leaves nothing
};

static void check_table(const struct table *table)
{
    int sum = 0;
    for (int i = 0; i < table->count; i++)
        sum += table->numbers[i];
    rh_check(sum == table->sum);
    rh_check(table->count == 0 || *table->newest == table->numbers[table->count - 1]);
}

static void adder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct adder *adder = state;
    (void)self;
    struct table *table = adder->table;
    int number = rh_as(message, add)->number;
    check_table(table);
    if (!adder->own && !adder->stops)
        adder->own = malloc(sizeof *adder->own);
    table->numbers = realloc(table->numbers, (size_t)(table->count + 1) * sizeof *table->numbers);
    table->numbers[table->count++] = number;
#ifndef LOSES
    free(table->newest);
#endif
    table->newest = malloc(sizeof *table->newest);
    *table->newest = number;
    table->sum += number;
    check_table(table);
    if (adder->stops)
        rh_stop();
}

RH_TEST(grow_together)
{
    struct table *table = calloc(1, sizeof *table);
    rh_actor *first = rh_spawn(adder_behaviour, struct adder, {.table = table, .stops = 1});
    rh_actor *second = rh_spawn(adder_behaviour, struct adder, {.table = table, .stops = 0});
    rh_send_from(rh_outside("ann"), first, add, {.number = 1});
    rh_send_from(rh_outside("ben"), second, add, {.number = 2});
    rh_send_from(rh_outside("eva"), second, add, {.number = 4});
}
