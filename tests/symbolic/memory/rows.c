// SPDX-License-Identifier: MIT
// Blocks of several elements: arrays of numbers and structs, structs that end in an array, sizes of zero.
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

struct vec {
    int *items;
    unsigned count, capacity;
};
RH_MESSAGE(push, { int value; });
RH_SIGNAL(pop);
RH_SIGNAL(shrink);
RH_SIGNAL(empty);
RH_SIGNAL(sort);
RH_MESSAGE(at, { unsigned index; });
static int order(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}
static void vec_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct vec *vec = state;
    const struct push *push;
    const struct at *at;
    (void)self;
    if ((push = rh_as(message, push))) {
        if (vec->count == vec->capacity) {
            vec->capacity = vec->capacity ? vec->capacity * 2 : 1;
            vec->items = realloc(vec->items, vec->capacity * sizeof *vec->items);
        }
        vec->items[vec->count++] = push->value;
    } else if (rh_as(message, pop)) {
        rh_check(vec->count > 0);
        vec->count--;
    } else if (rh_as(message, shrink)) {
        vec->items = realloc(vec->items, vec->count * sizeof *vec->items);
        vec->capacity = vec->count;
    } else if (rh_as(message, empty)) {
        free(vec->items);
        vec->items = malloc(0);
        vec->count = vec->capacity = 0;
    } else if (rh_as(message, sort)) {
        if (vec->items)
            qsort(vec->items, vec->count, sizeof *vec->items, order);
    } else if ((at = rh_as(message, at))) {
        if (at->index < vec->count && vec->items)
            vec->items[at->index] = -vec->items[at->index];
    }
}
RH_TEST(vec_begins)
{
    rh_actor *vec = rh_spawn(vec_behaviour, struct vec, {0});
    rh_send(vec, push, {.value = 3});
    rh_send(vec, shrink);
}

struct item {
    char code;
    int price;
    short amount;
};
struct shop {
    struct item *items;
    int count;
    int total;
};
RH_SIGNAL(sum_items);
RH_MESSAGE(buy, {
    unsigned index;
    short amount;
});
RH_MESSAGE(add, { int price; });
RH_MESSAGE(order, {
    struct item *lines;
    unsigned count;
});
static void shop_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct shop *shop = state;
    const struct buy *buy;
    const struct add *add;
    const struct order *order;
    (void)self;
    if (rh_as(message, sum_items)) {
        shop->total = 0;
        for (int i = 0; shop->items && i < shop->count; i++)
            shop->total += shop->items[i].price;
    } else if ((buy = rh_as(message, buy))) {
        if (shop->items && buy->index < (unsigned)shop->count)
            shop->items[buy->index].amount -= buy->amount;
    } else if ((add = rh_as(message, add))) {
        if (shop->count < 0 || shop->count > 2)
            return;
        struct item *bigger = malloc((shop->count + 1) * sizeof *bigger);
        if (shop->items)
            memcpy(bigger, shop->items, shop->count * sizeof *bigger);
        else
            memset(bigger, 0, shop->count * sizeof *bigger);
        struct item last;
        last.code = 'x';
        last.price = add->price;
        last.amount = 1;
        bigger[shop->count++] = last;
        free(shop->items);
        shop->items = bigger;
    } else if ((order = rh_as(message, order))) {
        if (!order->lines)
            return;
        for (unsigned i = 0; i < order->count; i++)
            shop->total += order->lines[i].price * order->lines[i].amount;
    }
}
RH_TEST(shop_begins)
{
    rh_actor *shop = rh_spawn(shop_behaviour, struct shop, {0});
    rh_send(shop, add, {.price = 3});
    rh_send(shop, buy, {.index = 0, .amount = 1});
}

struct buffer {
    unsigned used, size;
    unsigned char data[];
};
struct holder {
    struct buffer *buffer;
    int sum_bytes;
};
RH_MESSAGE(append, { unsigned char byte; });
RH_SIGNAL(sum_bytes);
RH_MESSAGE(parcel, { struct buffer *buffer; });
static void holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct holder *holder = state;
    const struct append *append;
    const struct parcel *parcel;
    (void)self;
    if ((append = rh_as(message, append))) {
        if (!holder->buffer) {
            holder->buffer = malloc(sizeof *holder->buffer + 4);
            *holder->buffer = (struct buffer){0, 4};
        }
        if (holder->buffer->used < holder->buffer->size)
            holder->buffer->data[holder->buffer->used++] = append->byte;
    } else if (rh_as(message, sum_bytes)) {
        for (unsigned i = 0; holder->buffer && i < holder->buffer->used; i++)
            holder->sum_bytes += holder->buffer->data[i];
    } else if ((parcel = rh_as(message, parcel))) {
        free(holder->buffer);
        holder->buffer = parcel->buffer;
    }
}
RH_TEST(holder_begins)
{
    rh_actor *holder = rh_spawn(holder_behaviour, struct holder, {0});
    rh_send(holder, append, {.byte = 3});
    rh_send(holder, sum_bytes);
}

struct sizes {
    void *block;
    unsigned size;
    char *text;
};
RH_MESSAGE(resize, { unsigned size; });
RH_SIGNAL(zero);
RH_SIGNAL(none);
RH_SIGNAL(again);
RH_SIGNAL(same);
static void sizes_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sizes *s = state;
    const struct resize *resize;
    (void)self;
    if ((resize = rh_as(message, resize))) {
        s->text = realloc(s->text, resize->size);
        s->size = resize->size;
    } else if (rh_as(message, zero)) {
        s->text = malloc(0);
        if (s->text)
            s->size = 7;
    } else if (rh_as(message, none)) {
        s->text = realloc(s->text, 0);
        if (!s->text)
            s->size = 5;
    } else if (rh_as(message, again)) {
        char *first = malloc(8);
        char *old = first;
        free(first);
        char *two = malloc(8);
        s->size = old == two;
        free(two);
    } else if (rh_as(message, same)) {
        s->text = calloc(s->size, 4);
    }
}
RH_TEST(sizes_begin)
{
    rh_actor *sizes = rh_spawn(sizes_behaviour, struct sizes, {0});
    rh_send(sizes, zero);
}
