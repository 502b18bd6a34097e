// SPDX-License-Identifier: MIT
// Types that fields and blocks have, pointers into blocks, padding, and addresses that are numbers.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum colour { RED, GREEN = 7, BLUE };
struct config {
    const int limit;
    const char *const label;
};
struct bits {
    unsigned a : 3, b : 9;
    bool on;
    enum colour colour;
};
union number {
    int whole;
    float real;
};
typedef struct {
    int x, y;
} point;
struct nested {
    struct {
        int in;
        point at;
    } inner;
    union {
        long l;
        char c;
    };
    point corners[2];
};
struct kinds {
    const struct config *config;
    struct bits *bits;
    union number *number;
    point *point;
    struct nested *nested;
    bool *flag;
    enum colour *colours;
    float *real;
    double *reals;
    uint64_t *words;
    int (*rows)[3];
    int result;
    void *opaque;
    rh_actor **friends;
    const struct config *const fixed;
};
RH_SIGNAL(use_config);
RH_SIGNAL(use_bits);
RH_SIGNAL(use_number);
RH_SIGNAL(use_point);
RH_SIGNAL(use_nested);
RH_SIGNAL(use_flag);
RH_SIGNAL(use_colours);
RH_SIGNAL(use_real);
RH_SIGNAL(use_reals);
RH_SIGNAL(use_words);
RH_SIGNAL(use_rows);
RH_SIGNAL(use_opaque);
RH_SIGNAL(use_friends);
RH_SIGNAL(use_fixed);
RH_SIGNAL(note);
static void kinds_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct kinds *k = state;
    (void)self;
    if (rh_as(message, use_config)) {
        if (k->config && k->config->limit > 10)
            k->result = 1;
    } else if (rh_as(message, use_bits)) {
        if (k->bits && k->bits->a > 2 && k->bits->on)
            k->bits->colour = k->bits->b > 100 ? BLUE : RED;
    } else if (rh_as(message, use_number)) {
        if (k->number)
            k->number->whole = 4;
    } else if (rh_as(message, use_point)) {
        if (k->point && k->point->x < k->point->y)
            *k->point = (point){k->point->y, k->point->x};
    } else if (rh_as(message, use_nested)) {
        if (k->nested && k->nested->inner.at.x == k->nested->corners[1].y)
            k->nested->l = 9;
    } else if (rh_as(message, use_flag)) {
        if (k->flag && *k->flag)
            k->flag[0] = false;
    } else if (rh_as(message, use_colours)) {
        if (k->colours && k->colours[0] == GREEN)
            k->colours[0] = BLUE;
    } else if (rh_as(message, use_real)) {
        if (k->real && *k->real > 1.5f)
            *k->real *= 2;
    } else if (rh_as(message, use_reals)) {
        if (k->reals && k->reals[1] > k->reals[0])
            k->result = 4;
    } else if (rh_as(message, use_words)) {
        if (k->words)
            k->words[0] ^= k->words[1];
    } else if (rh_as(message, use_rows)) {
        if (k->rows)
            k->result = k->rows[0][1];
    } else if (rh_as(message, use_opaque)) {
        free(k->opaque);
        k->opaque = malloc(24);
    } else if (rh_as(message, use_friends)) {
        for (int i = 0; k->friends && i < 2; i++)
            if (k->friends[i])
                rh_send(k->friends[i], note);
    } else if (rh_as(message, use_fixed)) {
        if (k->fixed && k->fixed->limit == 3)
            k->result = 2;
    } else if (rh_as(message, note)) {
        k->result++;
    }
}
RH_TEST(kinds_begin)
{
    rh_actor *kinds = rh_spawn(kinds_behaviour, struct kinds, {0});
    rh_send(kinds, use_opaque);
}

struct link {
    struct link *next, *prev;
};
struct job {
    int cost;
    struct link link;
};
struct queue {
    struct link *first;
    struct job *current;
    int done;
};
RH_SIGNAL(unlink_first);
RH_SIGNAL(check_ring);
RH_MESSAGE(add, { int cost; });
static void queue_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct queue *queue = state;
    const struct add *add;
    (void)self;
    if (rh_as(message, unlink_first)) {
        struct link *link = queue->first;
        if (!link)
            return;
        if (link->next)
            link->next->prev = link->prev;
        if (link->prev)
            link->prev->next = link->next;
        queue->first = link->next == link ? NULL : link->next;
        queue->done++;
    } else if (rh_as(message, check_ring)) {
        if (queue->first && queue->first->next)
            rh_check(queue->first->next->prev == queue->first);
    } else if ((add = rh_as(message, add))) {
        struct job *job = malloc(sizeof *job);
        job->cost = add->cost;
        job->link.next = queue->first;
        job->link.prev = NULL;
        if (queue->first)
            queue->first->prev = &job->link;
        queue->first = &job->link;
        queue->current = job;
    }
}
RH_TEST(ring_begins)
{
    rh_actor *queue = rh_spawn(queue_behaviour, struct queue, {0});
    rh_send(queue, add, {.cost = 3});
}

struct cursor_owner {
    int *begin, *end, *at;
    struct pair {
        int a, b;
    } * pair;
    int *second;
};
RH_SIGNAL(next);
RH_SIGNAL(point_at);
RH_SIGNAL(make);
RH_SIGNAL(own);
static void cursor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct cursor_owner *c = state;
    (void)self;
    if (rh_as(message, next)) {
        if (c->at && c->at != c->end)
            c->at++;
    } else if (rh_as(message, point_at)) {
        if (c->pair) {
            c->second = &c->pair->b;
            *c->second = 4;
        }
    } else if (rh_as(message, make)) {
        c->begin = malloc(3 * sizeof *c->begin);
        c->begin[1] = 5;
        c->end = c->begin + 3;
        c->at = c->begin + 1;
    } else if (rh_as(message, own)) {
        c->second = (int *)&c->begin;
    }
}
RH_TEST(cursor_begins)
{
    rh_actor *cursor = rh_spawn(cursor_behaviour, struct cursor_owner, {0});
    rh_send(cursor, make);
    rh_send(cursor, next);
}

struct mixed {
    char c;
    long l;
    short s;
};
struct mixed_holder {
    struct mixed *mixed;
    struct mixed *other;
};
RH_MESSAGE(set, {
    char c;
    long l;
});
RH_SIGNAL(swap);
static struct mixed made(char c, long l)
{
    struct mixed mixed;
    memset(&mixed, 0xaa, sizeof mixed);
    mixed.c = c;
    mixed.l = l;
    mixed.s = 1;
    return mixed;
}
static void mixed_holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct mixed_holder *mixed_holder = state;
    const struct set *set;
    (void)self;
    if ((set = rh_as(message, set))) {
        if (!mixed_holder->mixed)
            mixed_holder->mixed = malloc(sizeof *mixed_holder->mixed);
        *mixed_holder->mixed = made(set->c, set->l);
    } else if (rh_as(message, swap)) {
        if (mixed_holder->mixed && mixed_holder->other) {
            struct mixed saved = *mixed_holder->mixed;
            *mixed_holder->mixed = *mixed_holder->other;
            *mixed_holder->other = saved;
        }
    }
}
RH_TEST(mixed_begins)
{
    rh_actor *mixed_holder = rh_spawn(mixed_holder_behaviour, struct mixed_holder, {0});
    rh_send(mixed_holder, set, {.c = 'a', .l = 4});
    rh_send(mixed_holder, swap);
}

struct hidden_holder {
    void *hidden;
    int n;
    struct {
        int a;
    } * anonymous;
};
RH_SIGNAL(local);
RH_SIGNAL(anon);
static void hidden_holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct inner {
        int v;
        struct inner *next;
    };
    struct hidden_holder *hidden_holder = state;
    (void)self;
    if (rh_as(message, local)) {
        struct inner *inner = malloc(sizeof *inner);
        inner->v = 4;
        inner->next = NULL;
        hidden_holder->hidden = inner;
    } else if (rh_as(message, anon)) {
        if (hidden_holder->anonymous && hidden_holder->anonymous->a > 3)
            hidden_holder->n = 2;
    }
}
RH_TEST(hidden_begins)
{
    rh_actor *hidden_holder = rh_spawn(hidden_holder_behaviour, struct hidden_holder, {0});
    rh_send(hidden_holder, local);
}

// Addresses in what is no pointer, and what is computed from them.
struct number_holder {
    uintptr_t tagged;
    unsigned hash;
    union {
        long number;
        int *pointer;
    } either;
    int order;
};
RH_SIGNAL(tag);
RH_SIGNAL(hash_address);
RH_SIGNAL(put_either);
RH_SIGNAL(order_blocks);
static void number_holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct number_holder *holder = state;
    (void)self;
    if (rh_as(message, tag)) {
        int *block = malloc(8);
        *block = 4;
        holder->tagged = (uintptr_t)block | 1;
        holder->hash = ((uintptr_t)block & 7) == 0;
    } else if (rh_as(message, hash_address)) {
        int *block = malloc(8);
        holder->hash = (uintptr_t)block / 16 % 7;
        free(block);
    } else if (rh_as(message, put_either)) {
        holder->either.pointer = calloc(1, sizeof *holder->either.pointer);
    } else if (rh_as(message, order_blocks)) {
        char *one = malloc(8), *other = malloc(8);
        holder->order = one < other;
        free(one);
        free(other);
    }
}
RH_TEST(numbers_begin)
{
    rh_send(rh_spawn(number_holder_behaviour, struct number_holder, {0}), put_either);
}

// Arrays of two dimensions.
struct grid {
    int *cells[2][3];
    short weights[2][2];
};
RH_MESSAGE(set_cell, {
    unsigned row, column;
    short weight;
});
static void grid_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct grid *grid = state;
    const struct set_cell *set_cell = rh_as(message, set_cell);
    (void)self;
    if (!set_cell || set_cell->row != 1 || set_cell->column > 1)
        return;
    grid->weights[set_cell->row][set_cell->column] = set_cell->weight;
    if (grid->cells[1][2])
        *grid->cells[1][2] = 3;
}
RH_TEST(grid_begins)
{
    rh_send(rh_spawn(grid_behaviour, struct grid, {0}), set_cell, {.row = 1});
}

// A number of a union that is used as a pointer: nobody knows where it leads.
struct tagged {
    int kind;
    union {
        long number;
        int *pointer;
    } as;
    int seen;
};
RH_SIGNAL(look_up);
static void tagged_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct tagged *tagged = state;
    (void)self;
    if (rh_as(message, look_up))
        tagged->seen = tagged->kind == 1 ? (int)(tagged->as.number > 3) : *tagged->as.pointer;
}
RH_TEST(tagged_begins)
{
    rh_send(rh_spawn(tagged_behaviour, struct tagged, {.kind = 1}), look_up);
}
