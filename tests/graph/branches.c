// SPDX-License-Identifier: MIT
// What decides which way a branch goes: numbers that only ever have one value, types of messages in guards, loops that run
// at least once; and an address that moves on. Each in a test of its own; branches.txt says which edges there are, and so
// which there are not. In the tests from `punned` on the value comes in a way that is easily lost: they take the branch, so the edge has to be there.
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(yes);
RH_SIGNAL(no);

static void left_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void right_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

// --- A parameter. ---

__attribute__((noinline)) static rh_actor *add(bool is_left)
{
    return is_left ? rh_spawn(left_behaviour) : rh_spawn(right_behaviour);
}

RH_TEST(parameter)
{
    rh_send(add(true), yes);
}

RH_TEST(otherwise)
{
    rh_send(add(false), yes);
}

// --- A field of the state, in a switch. ---

struct chooser {
    rh_actor *to;
    short kind;
};

static void chooser_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct chooser *chooser = state;
    (void)self;
    rh_ignore(message);
    switch (chooser->kind) {
    case 1:
        rh_send(chooser->to, start);
        break;
    case 2:
        rh_send(chooser->to, yes);
        break;
    default:
        rh_send(chooser->to, no);
    }
}

RH_TEST(field)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(chooser_behaviour, struct chooser, {left, 2}), start);
}

RH_TEST(fields)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(chooser_behaviour, struct chooser, {left, 2}), start);
    rh_send(rh_spawn(chooser_behaviour, struct chooser, {left, -7}), start);
}

// --- A variable of the program, and two conditions at once. ---

static enum mode { PLAIN, FANCY, BROKEN } mode;

struct pair {
    rh_actor *to;
    unsigned limit;
    void *nothing;
};

static void careful_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct pair *pair = state;
    (void)self;
    rh_ignore(message);
    if (mode == BROKEN || pair->nothing)
        rh_send(pair->to, no);
    if (mode == FANCY && pair->limit > 3000000000u)
        rh_send(pair->to, yes);
}

RH_TEST(global)
{
    mode = FANCY;
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(careful_behaviour, struct pair, {.to = left, .limit = 4000000000u}), start);
}

// --- A loop that runs at least once. ---

struct link {
    rh_actor *next;
};

static void link_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct link *link = state;
    (void)self;
    if (rh_as(message, start) || rh_as(message, yes))
        rh_send(link->next, yes);
}

__attribute__((noinline)) static rh_actor *add_links(rh_actor *next, int count)
{
    for (int i = 0; i < count; i++)
        next = rh_spawn(link_behaviour, struct link, {next});
    return next;
}

RH_TEST(loop)
{
    rh_send(add_links(rh_spawn(left_behaviour), 2), start);
}

RH_TEST(idle)
{
    rh_send(add_links(rh_spawn(left_behaviour), 0), start);
}

// --- Guards: one that takes one type only, until the actor becomes another; one that looks at the state, too. ---

RH_MESSAGE(friend, { rh_actor *address; });

struct lonely {
    rh_actor *friend;
};

static void sociable_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct lonely *lonely = state;
    (void)self;
    if (rh_as(message, start))
        rh_send(lonely->friend, yes);
    else
        rh_ignore(message);
}

static void lonely_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct friend *friend = rh_as(message, friend);
    struct lonely *lonely = state;
    (void)self;
    if (!friend) {
        rh_ignore(message);
        return;
    }
    lonely->friend = friend->address;
    rh_become(sociable_behaviour);
}

__attribute__((noinline)) static bool is_friend(const rh_message *message)
{
    return rh_as(message, friend);
}

static bool lonely_guard(const void *state, const rh_message *message)
{
    (void)state;
    return is_friend(message);
}
RH_GUARD(lonely_behaviour, lonely_guard);

RH_TEST(guard)
{
    rh_actor *lonely = rh_spawn(lonely_behaviour, struct lonely, {NULL});
    rh_send(lonely, start);
    rh_send(lonely, friend, {rh_spawn(left_behaviour)});
}

struct store {
    rh_actor *to;
    int count;
    bool is_open;
};

static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct store *store = state;
    (void)self;
    if (rh_as(message, start))
        store->count++;
    else if (rh_as(message, yes) || rh_as(message, no))
        rh_send(store->to, yes);
}

static bool store_guard(const void *state, const rh_message *message)
{
    const struct store *store = state;
    if (rh_as(message, no))
        return store->is_open;
    return rh_as(message, start) || store->count > 0;
}
RH_GUARD(store_behaviour, store_guard);

static void supply(bool is_open)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.to = left, .is_open = is_open});
    rh_send(store, no);
    rh_send(store, yes);
    rh_send(store, start);
}

RH_TEST(closed)
{
    supply(false);
}

RH_TEST(open)
{
    supply(true);
}

// A guard that asks a library, which is not looked into.
static void asking_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct link *link = state;
    (void)self;
    if (rh_as(message, start))
        rh_send(link->next, yes);
}

static bool asking_guard(const void *state, const rh_message *message)
{
    (void)state;
    return rh_size(message) == 0 && *rh_name(message) == 's';
}
RH_GUARD(asking_behaviour, asking_guard);

RH_TEST(asking)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(asking_behaviour, struct link, {left}), start);
}

// --- An address in memory that moves on through an array, and not beyond. ---

struct queue {
    rh_actor **next;
    rh_actor *all[2];
    rh_actor *beside;
};

static void queue_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct queue *queue = state;
    (void)self;
    rh_ignore(message);
    if (!queue->next)
        queue->next = queue->all;
    rh_send(*queue->next++, yes);
}

RH_TEST(queue)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *right = rh_spawn(right_behaviour);
    rh_actor *link = rh_spawn(link_behaviour, struct link, {left});
    rh_actor *queue = rh_spawn(queue_behaviour, struct queue, {NULL, {left, right}, link});
    rh_send(queue, start);
    rh_send(queue, start);
}

// --- Ways of a number that are easily lost. ---

struct keeper {
    rh_actor *to;
    union {
        double real;
        uint64_t bits;
        struct {
            uint16_t low, high;
        } halves;
        unsigned char bytes[8];
    } as;
    unsigned small : 3, other : 5;
    int array[4];
    _Atomic int shared;
};

__attribute__((noinline)) static bool is_seven(int number)
{
    return number == 7;
}

static void punned_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    (void)self;
    rh_ignore(message);
    keeper->as.real = 1.0;
    if (keeper->as.bits >> 52 == 0x3ff)
        rh_send(keeper->to, yes);
    keeper->as.bits = UINT64_C(0x700000000);
    if (is_seven(keeper->as.bytes[4]))
        rh_send(keeper->to, no);
}

RH_TEST(punned)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(punned_behaviour, struct keeper, {.to = left}), start);
}

static void packed_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    (void)self;
    rh_ignore(message);
    keeper->small = 5;
    keeper->other = 9;
    keeper->as.halves.low = 0xffff;
    keeper->as.halves.high = 6;
    keeper->as.halves.low++;
    if (keeper->small == 5 && keeper->other == 9 && !keeper->as.halves.low)
        rh_send(keeper->to, yes);
    if ((uint32_t)keeper->as.bits == 0x60000)
        rh_send(keeper->to, no);
}

RH_TEST(packed)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(packed_behaviour, struct keeper, {.to = left}), start);
}

static int descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

static void sorted_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    (void)self;
    rh_ignore(message);
    keeper->array[1] = 2;
    keeper->array[3] = 7;
    qsort(keeper->array, 4, sizeof(int), descending);
    if (is_seven(keeper->array[0]))
        rh_send(keeper->to, yes);
    memset(keeper->array, 1, sizeof keeper->array);
    if (keeper->array[2] == 0x1010101)
        rh_send(keeper->to, no);
}

RH_TEST(sorted)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(sorted_behaviour, struct keeper, {.to = left}), start);
}

static void atomic_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    int expected = 5, sum;
    (void)self;
    rh_ignore(message);
    keeper->shared = 2;
    keeper->shared += 3;
    if (__atomic_compare_exchange_n((int *)&keeper->shared, &expected, 7, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
        rh_send(keeper->to, yes);
    if (!__builtin_add_overflow(keeper->shared, 0, &sum) && is_seven(sum))
        rh_send(keeper->to, no);
}

RH_TEST(atomic)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(atomic_behaviour, struct keeper, {.to = left}), start);
}

__attribute__((noinline)) static int last_of(int count, ...)
{
    va_list list;
    int last = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        last = va_arg(list, int);
    va_end(list);
    return last;
}

struct triple {
    int first;
    short second, third;
};

__attribute__((noinline)) static struct triple turn(struct triple triple)
{
    return (struct triple){triple.third, (short)triple.first, triple.second};
}

static void passing_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct keeper *keeper = state;
    struct triple *turned = malloc(sizeof *turned), *empty = calloc(1, sizeof *empty);
    (void)self;
    rh_ignore(message);
    *turned = turn((struct triple){5, 6, 7});
    if (is_seven(turned->first) && turned->third == 6 && is_seven(last_of(2, 3, 7)))
        rh_send(keeper->to, yes);
    if (!empty->second && is_seven((int)strtol("7", NULL, 10)))
        rh_send(keeper->to, no);
    free(turned);
    free(empty);
}

RH_TEST(passing)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(passing_behaviour, struct keeper, {.to = left}), start);
}

// Bytes at no place in particular, read as a number.
typedef uint32_t __attribute__((may_alias)) any_word;

static void bytes_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct keeper *keeper = state;
    unsigned char *bytes = malloc(8);
    (void)self;
    rh_ignore(message);
    for (int i = 0; i < 8; i++)
        bytes[i] = 7;
    if (*(const any_word *)(bytes + 4 * rh_size(message)) == 0x7070707)
        rh_send(keeper->to, yes);
    if (is_seven(bytes[3]))
        rh_send(keeper->to, no);
    free(bytes);
}

RH_TEST(bytes)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(bytes_behaviour, struct keeper, {.to = left}), start);
}

// More places than are told apart, read in another width than they were written in.
struct large {
    rh_actor *to;
    union {
        int numbers[300];
        uint64_t pairs[150];
    } as;
};

static void large_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct large *large = state;
    (void)self;
    rh_ignore(message);
#define PUT(n) large->as.numbers[n] = 7
#define PUT_4(n) PUT(n), PUT((n) + 1), PUT((n) + 2), PUT((n) + 3)
#define PUT_16(n) PUT_4(n), PUT_4((n) + 4), PUT_4((n) + 8), PUT_4((n) + 12)
#define PUT_64(n) PUT_16(n), PUT_16((n) + 16), PUT_16((n) + 32), PUT_16((n) + 48)
    PUT_64(0), PUT_64(64), PUT_64(128), PUT_64(192);
    if (large->as.pairs[127] == UINT64_C(0x700000007))
        rh_send(large->to, yes);
    if (is_seven(large->as.numbers[255]) && large->as.numbers[299] == 0)
        rh_send(large->to, no);
}

RH_TEST(large)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(large_behaviour, struct large, {.to = left}), start);
}
