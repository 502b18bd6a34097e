// SPDX-License-Identifier: MIT
// Handlers that call libc with what nobody knows. libc.sh has how many classes there are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(word, { char text[4]; });
RH_MESSAGE(pair, {
    char one[3];
    char other[3];
});
RH_MESSAGE(list, {
    unsigned char count;
    int numbers[3];
});
RH_MESSAGE(amount, { double real; });
RH_MESSAGE(bits, { uint32_t word; });

struct result {
    int number;
    char copy[8];
    int sorted[3];
    double real;
};

// The lengths 0 to 3, and a text without an end.
static void length_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct result *result = state;
    const struct word *word = rh_as(message, word);
    (void)self;
    if (!word)
        return;
    result->number = (int)strlen(word->text);
    strcpy(result->copy, word->text);
}

// Less, and not: what else there is to say of the order is one value.
static void order_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct result *result = state;
    const struct pair *pair = rh_as(message, pair);
    (void)self;
    if (!pair)
        return;
    int order = memcmp(pair->one, pair->other, sizeof pair->one);
    result->number = order < 0 ? -1 : order > 0;
}

static int by_size(const void *one, const void *other)
{
    int left = *(const int *)one, right = *(const int *)other;
    return (left > right) - (left < right);
}

// Three numbers in each of their six orders, or rather less where some are equal.
static void sort_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct result *result = state;
    const struct list *list = rh_as(message, list);
    (void)self;
    if (!list)
        return;
    memcpy(result->sorted, list->numbers, sizeof result->sorted);
    qsort(result->sorted, 3, sizeof(int), by_size);
    rh_check(result->sorted[0] <= result->sorted[1] && result->sorted[1] <= result->sorted[2]);
}

// A block of as many numbers as the message says: none, one, two; more are cut off.
static void block_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct result *result = state;
    const struct list *list = rh_as(message, list);
    (void)self;
    if (!list)
        return;
    int *block = malloc(list->count * sizeof *block);
    memset(block, 0, list->count * sizeof *block);
    memcpy(block, list->numbers, list->count * sizeof *block);
    for (int i = 0; i < list->count; i++)
        result->number += block[i] > 0;
    free(block);
}

// One class: nothing is asked.
static void size_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct result *result = state;
    const struct amount *amount = rh_as(message, amount);
    (void)self;
    if (!amount)
        return;
    result->real = fabs(amount->real);
    result->number = result->real > 1.5;
}

// Other numbers of bits than three, three in another order, and the one that is meant.
static void bits_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct result *result = state;
    const struct bits *bits = rh_as(message, bits);
    (void)self;
    if (!bits)
        return;
    result->number = __builtin_popcount(bits->word) == 3 && __builtin_bswap32(bits->word) == 7;
    rh_check(!result->number || bits->word == 0x07000000);
}

RH_SIGNAL(pop);

struct stack {
    long count;
    int *items;
    int popped;
};

// No items, and one of the first two; more are cut off.
static void stack_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stack *stack = state;
    (void)self;
    if (rh_as(message, pop))
        stack->popped = stack->items[--stack->count];
}

RH_TEST(all)
{
    rh_spawn(length_behaviour, struct result, {0});
    rh_spawn(order_behaviour, struct result, {0});
    rh_spawn(sort_behaviour, struct result, {0});
    rh_spawn(block_behaviour, struct result, {0});
    rh_spawn(size_behaviour, struct result, {0});
    rh_spawn(bits_behaviour, struct result, {0});
    rh_spawn(stack_behaviour, struct stack, {0});
}
