// SPDX-License-Identifier: MIT
// What every random program has: message types, the state of its actors, and the operations that
// generate.c calls in handlers.
#ifndef REHEARSE_TESTS_RANDOM_PRELUDE_H
#define REHEARSE_TESTS_RANDOM_PRELUDE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

// A program uses some of what stands here.
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunneeded-internal-declaration"
#endif

RH_SIGNAL(tick);
RH_MESSAGE(number, {
    int value;
    char unused;
}); // with padding
RH_MESSAGE(contact, {
    rh_actor *who;
    int value;
});
RH_MESSAGE(letters, {
    int length;
    char bytes[];
});
RH_MESSAGE(parcel, {
    int count;
    int *items;
});
RH_MESSAGE(question, { int value; });
RH_MESSAGE(answer, { int value; });

struct node {
    struct node *next;
    int value;
};

struct state {
    unsigned hash; // depends on the order of what happened
    unsigned sum;  // does not
    char phase;
    int fuel;  // bounds what this actor does
    int count; // messages handled
    rh_actor *friends[3];
    rh_actor *name; // an outside sender in whose name this actor writes; NULL: it does not
    struct node *list;
    int *items;
    int item_count;
    char *label;
    uint64_t when;
    unsigned noise; // from uncontrolled input: no decision of a plain program depends on it
};

struct watched {
    rh_actor *actors[5];
};

static int shared_counter;
static char shared_array[3000];

static void mix(struct state *s, int value)
{
#ifdef SUMS
    s->hash += (unsigned)value * 3u;
#else
    s->hash = (s->hash ^ (unsigned)value) * 16777619u + 97;
#endif
    s->sum += (unsigned)value;
}

static bool spend(struct state *s)
{
    if (s->fuel <= 0)
        return false;
    s->fuel--;
    return true;
}

static rh_actor *friend_of(const struct state *s, unsigned index)
{
    for (unsigned i = 0; i < 3; i++)
        if (s->friends[(index + i) % 3])
            return s->friends[(index + i) % 3];
    return rh_self();
}

// --- Memory. ---

static void list_push(struct state *s, int value)
{
    struct node *node = malloc(sizeof *node);

    *node = (struct node){s->list, value};
    s->list = node;
}

static int list_pop(struct state *s)
{
    struct node *node = s->list;

    if (!node)
        return -1;
    int value = node->value;
    s->list = node->next;
    free(node);
    return value;
}

static int list_sum(const struct state *s)
{
    int sum = 0;

    for (const struct node *node = s->list; node; node = node->next)
        sum = sum * 3 + node->value % 100;
    return sum & 0xffffff;
}

static void list_clear(struct state *s)
{
    while (s->list)
        list_pop(s);
}

static int items_sum(const struct state *s)
{
    int sum = 0;

    for (int i = 0; i < s->item_count; i++)
        sum = (sum * 5 + s->items[i]) & 0xffffff;
    return sum;
}

static void items_resize(struct state *s, int count)
{
    if (count == 0) {
        free(s->items);
        s->items = NULL;
    } else {
        s->items = realloc(s->items, sizeof *s->items * (size_t)count);
    }
    for (int i = s->item_count; i < count; i++)
        s->items[i] = (int)(s->hash >> (i % 16)) & 0xff;
    s->item_count = count;
}

static void items_aligned(struct state *s, size_t alignment)
{
    int *items = aligned_alloc(alignment, alignment);
    int count = (int)(alignment / sizeof *items);

    rh_check((uintptr_t)items % alignment == 0);
    for (int i = 0; i < count; i++)
        items[i] = i < s->item_count ? s->items[i] : i;
    free(s->items);
    s->items = items;
    s->item_count = count;
}

static void label(struct state *s, int value)
{
    char buffer[64];

    snprintf(buffer, sizeof buffer, "%s%d", s->label ? s->label : "label ", value);
    free(s->label);
    s->label = strdup(buffer);
    mix(s, (int)strlen(s->label));
}

static void release(rh_actor *self, void *state)
{
    struct state *s = state;
    (void)self;

    list_clear(s);
    items_resize(s, 0);
    free(s->label);
}

static void farewell(rh_actor *self, void *state)
{
    struct state *s = state;

    if (spend(s) && friend_of(s, 1) != self)
        rh_send(friend_of(s, 1), contact, {friend_of(s, 0), (int)(s->hash % 5)});
    release(self, state);
}

// --- Messages. ---

static void send_letters(rh_actor *to, unsigned length)
{
    struct letters *letters = malloc(sizeof *letters + length);

    letters->length = (int)length;
    for (unsigned i = 0; i < length; i++)
        letters->bytes[i] = (char)('a' + i % 26);
    rh_send_sized(to, letters, letters, sizeof *letters + length);
    memset(letters, 0, sizeof *letters + length);
    free(letters);
}

static int letters_sum(const rh_message *message, const struct letters *letters)
{
    int sum = 0;

    rh_check(rh_size(message) == sizeof *letters + (size_t)letters->length);
    for (int i = 0; i < letters->length; i++)
        sum = sum * 2 % 1000 + letters->bytes[i];
    return sum;
}

static void send_parcel(struct state *s, rh_actor *to, int count, int value)
{
    int *items = malloc(sizeof *items * (size_t)(count + 1));

    for (int i = 0; i <= count; i++)
        items[i] = value + i;
    mix(s, count);
    rh_send(to, parcel, {count + 1, (int *)rh_give(items)});
}

static int parcel_take(struct state *s, const struct parcel *parcel)
{
    int sum = 0;

    for (int i = 0; i < parcel->count; i++)
        sum = sum * 2 % 1000 + parcel->items[i];
    if (s->items) {
        free(parcel->items);
    } else {
        s->items = parcel->items;
        s->item_count = parcel->count;
    }
    return sum;
}

// Not inlined, so that each wait has frames of its own.
__attribute__((noinline)) static void ask(struct state *s, rh_actor *to, int value)
{
    const rh_message *reply = rh_ask(to, question, {value});
    const struct answer *answer = rh_as(reply, answer);

    mix(s, answer ? answer->value : -7);
}

__attribute__((noinline)) static void ask_deep(struct state *s, rh_actor *to, int value, int depth)
{
    int local = value + depth;
    int *volatile pointer = &local;

    if (depth > 0)
        ask_deep(s, to, value, depth - 1);
    else
        ask(s, to, value);
    mix(s, *pointer);
}

__attribute__((noinline)) static void ask_with_block(struct state *s, rh_actor *to, int value,
                                                     int count)
{
    char *block = calloc(1, (size_t)count);

    block[count - 1] = (char)(value & 63);
    list_push(s, value);
    ask(s, to, value);
    mix(s, block[count - 1] + list_pop(s));
    free(block);
}

__attribute__((noinline)) static void ask_wide(struct state *s, rh_actor *to, int value)
{
    volatile int numbers[2000];

    for (int i = 0; i < 2000; i++)
        numbers[i] = value + i;
    ask(s, to, value);
    if (s->fuel > 0) {
        s->fuel--;
        ask(s, to, value + 1);
    }
    for (int i = 0; i < 2000; i++)
        rh_check(numbers[i] == value + i);
}

// --- Creation. ---

static void spawn_child(struct state *s, rh_behaviour *behaviour, int fuel, int value)
{
    rh_actor *child = rh_spawn(behaviour, struct state,
                               {.fuel = s->fuel < fuel ? s->fuel : fuel,
                                .hash = (unsigned)value,
                                .friends = {rh_self(), s->friends[1], s->friends[0]}});

    s->fuel -= s->fuel < fuel ? s->fuel : fuel;
    s->friends[s->hash % 3] = child;
    rh_send(child, number, {value, 0});
}

static void spawn_sized(struct state *s, rh_behaviour *behaviour)
{
    size_t size = sizeof(struct state) + 16 * (s->hash % 20);
    struct state *state = calloc(1, size);

    state->hash = s->hash;
    state->friends[0] = rh_self();
    s->friends[2] = rh_spawn_sized(behaviour, state, size);
    free(state);
}

// An actor without state.
static void relay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct question *question;
    const struct contact *contact;
    const struct parcel *parcel;
    (void)self, (void)state;

    if ((question = rh_as(message, question)))
        rh_reply(message, answer, {question->value + 1});
    else if ((contact = rh_as(message, contact)))
        rh_send(contact->who, number, {contact->value, 0});
    else if ((parcel = rh_as(message, parcel)))
        free(parcel->items);
    else
        rh_ignore(message);
}

// --- What only wild programs do. ---

static void *nowhere(const struct state *s)
{
    return (void *)(uintptr_t)(s->hash % 13 * 0);
}

static void list_break(struct state *s)
{
    list_push(s, 1);
    free(s->list);
    list_clear(s);
}

static void touch_file(struct state *s)
{
    FILE *file = fopen("/dev/null", "w");

    if (file)
        fclose(file);
    mix(s, 5);
}

// Each execution finds no file at first, so what is read is what this one has written.
static void count_in_file(struct state *s)
{
    FILE *file = fopen("counted", "a+");

    fputc('x', file);
    mix(s, (int)ftell(file));
    fclose(file);
}

static void memory_stream(struct state *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    fprintf(stream, "%u", s->hash);
    fclose(stream);
    mix(s, (int)size);
    free(text);
}

static void touch_given(struct state *s, rh_actor *to)
{
    int *items = malloc(sizeof *items);

    *items = 3;
    if (spend(s))
        rh_send(to, parcel, {1, (int *)rh_give(items)});
    if (s->hash % 3 == 0)
        mix(s, *(volatile int *)items);
}

static void library_state(struct state *s, int value)
{
    char words[] = "one two three";

    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        mix(s, word[0]);
    srand((unsigned)value);
    mix(s, rand() % 3);
}

// Sends what nobody has set: what leave_bytes has left on the stack. It lies in the middle of that, where no address can
// be, since addresses of messages differ between executions that reductions take for one.
enum { UNSET_BYTES = 100, UNSET_MARGIN = 200 };

__attribute__((noinline)) static void leave_bytes(int value)
{
    volatile unsigned char room[UNSET_BYTES + 2 * UNSET_MARGIN];

    for (size_t i = 0; i < sizeof room; i++)
        room[i] = (unsigned char)(value + 1);
}

__attribute__((noinline)) static void send_unset(rh_actor *to)
{
    _Alignas(8) char room[UNSET_BYTES + 2 * UNSET_MARGIN];
    struct letters *letters = (struct letters *)(room + UNSET_MARGIN);

    letters->length = UNSET_BYTES;
    rh_send_sized(to, letters, letters, sizeof *letters + UNSET_BYTES);
}

// --- Judges. ---

static int counts_of(const struct watched *watched, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        const struct state *s = rh_view_state(watched->actors[i]);
        sum += s ? s->count : 0;
    }
    return sum;
}

// --- The end of an execution, for comparison with the oracle. ---

static void show(const char *prefix, const struct watched *watched, int count)
{
    printf("end%s%s", *prefix ? " " : "", prefix);
    for (int i = 0; i < count; i++) {
        const struct state *s = rh_view_state(watched->actors[i]);
        if (!s)
            printf(" | %s", rh_view_alive(watched->actors[i]) ? "empty" : "stopped");
        else
            printf(" | %u %u %d %d %d %llu %d %d %s", s->hash, s->sum, s->phase, s->fuel, s->count,
                   (unsigned long long)s->when, list_sum(s), items_sum(s),
                   s->label ? s->label : "-");
        printf(" (%zu)", rh_view_count(watched->actors[i], number));
    }
    printf("\n");
}

#endif
