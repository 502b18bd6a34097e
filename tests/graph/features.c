// SPDX-License-Identifier: MIT
// Each way in which an address can get from one place to another, each in a test of its own. features.txt says which edges
// there are, and so which there are not: `left`, `right` and `far` do nothing, so who writes to them is what counts.
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_MESSAGE(hello, { int value; });

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

static void far_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

// --- A table of behaviours. ---

static rh_behaviour *const kinds[] = {left_behaviour, right_behaviour};

RH_TEST(table)
{
    for (int i = 0; i < 2; i++) {
        rh_actor *made = rh_spawn(kinds[i]);
        rh_send(made, hello, {1});
    }
}

// --- A function that calls itself. ---

RH_MESSAGE(deep, { int depth; });

struct diver {
    rh_actor *to;
};

__attribute__((noinline)) static void dive(rh_actor *to, int depth)
{
    if (depth > 0)
        dive(to, depth - 1);
    else
        rh_send(to, deep, {depth});
}

static void diver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct diver *diver = state;
    (void)self;
    if (rh_as(message, start))
        dive(diver->to, 3);
}

RH_TEST(recursion)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_send(rh_spawn(diver_behaviour, struct diver, {left}), start);
}

// --- An array of addresses in a state, beside a single one. ---

RH_MESSAGE(item, { int number; });
RH_SIGNAL(single);

struct holder {
    rh_actor *all[2];
    rh_actor *other;
};

static void holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct holder *holder = state;
    (void)self;
    if (!rh_as(message, start))
        return;
    for (int i = 0; i < 2; i++)
        rh_send(holder->all[i], item, {i});
    rh_send(holder->other, single);
}

RH_TEST(array)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *right = rh_spawn(right_behaviour);
    rh_actor *far = rh_spawn(far_behaviour);
    rh_send(rh_spawn(holder_behaviour, struct holder, {{left, right}, far}), start);
}

// --- An address in a block that a message gives away. ---

struct inner {
    int weight;
    rh_actor *who;
};
RH_MESSAGE(box, { struct inner *inside; });
RH_SIGNAL(opened);

static void opener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct box *box = rh_as(message, box);
    (void)self, (void)state;
    if (!box)
        return;
    rh_send(box->inside->who, opened);
    free(box->inside);
}

struct packer {
    rh_actor *opener;
    rh_actor *who;
};

static void packer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct packer *packer = state;
    (void)self;
    if (!rh_as(message, start))
        return;
    struct inner *inside = malloc(sizeof *inside);
    *inside = (struct inner){3, packer->who};
    rh_send(packer->opener, box, {(struct inner *)rh_give(inside)});
}

RH_TEST(boxed)
{
    rh_actor *far = rh_spawn(far_behaviour);
    rh_actor *opener = rh_spawn(opener_behaviour);
    rh_send(rh_spawn(packer_behaviour, struct packer, {opener, far}), start);
}

// --- A list on the heap, an array that grows, a copy of bytes. ---

struct link {
    struct link *next;
    rh_actor *who;
};
RH_SIGNAL(listed);
RH_SIGNAL(grown);
RH_SIGNAL(copied);
RH_MESSAGE(join, { rh_actor *who; });

struct keeper {
    struct link *list;
    rh_actor **grown;
    int count;
};

static void copy_bytes(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

static void keep(struct keeper *keeper, rh_actor *who)
{
    struct link *link = malloc(sizeof *link);
    link->next = keeper->list;
    link->who = who;
    keeper->list = link;
    keeper->grown = realloc(keeper->grown, sizeof(rh_actor *) * (size_t)(keeper->count + 1));
    keeper->grown[keeper->count++] = who;
}

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    const struct join *join = rh_as(message, join);
    (void)self;
    if (join) {
        keep(keeper, join->who);
    } else if (rh_as(message, start)) {
        for (const struct link *link = keeper->list; link; link = link->next)
            rh_send(link->who, listed);
        for (rh_actor **each = keeper->grown; each < keeper->grown + keeper->count; each++)
            rh_send(*each, grown);
        if (keeper->list) {
            struct link copy;
            copy_bytes(&copy, keeper->list, sizeof copy);
            rh_send(copy.who, copied);
        }
    }
}

RH_TEST(heap)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *right = rh_spawn(right_behaviour);
    rh_actor *keeper = rh_spawn(keeper_behaviour, struct keeper, {.count = 0});
    rh_send(keeper, join, {left});
    rh_send(keeper, join, {right});
    rh_send(keeper, start);
}

// --- Unions, integers, memcpy, globals. ---

union word {
    rh_actor *who;
    uintptr_t bits;
};
RH_SIGNAL(from_union);
RH_SIGNAL(from_integer);
RH_SIGNAL(from_copy);
RH_SIGNAL(from_global);

struct pair {
    int first;
    rh_actor *who;
};

static rh_actor *everyone[2];
static rh_actor **const way_in = &everyone[1];

struct juggler {
    union word word;
    uintptr_t number;
    struct pair pair;
};

static void juggler_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct juggler *juggler = state;
    (void)self;
    if (!rh_as(message, start))
        return;
    struct pair copy;
    memcpy(&copy, &juggler->pair, sizeof copy);
    rh_send((rh_actor *)juggler->word.bits, from_union);
    rh_send((rh_actor *)juggler->number, from_integer);
    rh_send(copy.who, from_copy);
    rh_send(*way_in, from_global);
}

RH_TEST(juggled)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *right = rh_spawn(right_behaviour);
    rh_actor *far = rh_spawn(far_behaviour);
    everyone[0] = left;
    everyone[1] = right;
    rh_actor *juggler = rh_spawn(juggler_behaviour, struct juggler,
                                 {.word.who = left, .number = (uintptr_t)right, .pair = {1, far}});
    rh_send(juggler, start);
}

// --- Functions by address: called by the program, by libc, by code that is not known. ---

RH_SIGNAL(called);
RH_SIGNAL(compared);
RH_SIGNAL(searched);
RH_SIGNAL(found);

struct record {
    int key;
    rh_actor *who;
};

struct caller {
    void (*then)(rh_actor *to);
    struct record entries[2];
    rh_actor *far;
};

static void call_left(rh_actor *to)
{
    rh_send(to, called);
}

static int compare_entries(const void *a, const void *b)
{
    const struct record *first = a, *second = b;
    rh_send(first->who, compared);
    return first->key - second->key;
}

static int compare_keys(const void *a, const void *b)
{
    return ((const struct record *)a)->key - ((const struct record *)b)->key;
}

static void caller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct caller *caller = state;
    (void)self;
    if (!rh_as(message, start))
        return;
    caller->then(caller->far);
    qsort(caller->entries, 2, sizeof caller->entries[0], compare_entries);
    struct record key = {2, NULL};
    struct record *entry = bsearch(&key, caller->entries, 2, sizeof key, compare_keys);
    if (entry)
        rh_send(entry->who, searched);
    void *root = NULL;
    struct record *only = malloc(sizeof *only);
    *only = (struct record){7, caller->far};
    tsearch(only, &root, compare_keys);
    key.key = 7;
    struct record **node = tfind(&key, &root, compare_keys);
    if (node)
        rh_send((*node)->who, found);
    tdelete(&key, &root, compare_keys);
    free(only);
}

RH_TEST(functions)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *right = rh_spawn(right_behaviour);
    rh_actor *far = rh_spawn(far_behaviour);
    rh_actor *caller =
        rh_spawn(caller_behaviour, struct caller, {call_left, {{2, left}, {1, right}}, far});
    rh_send(caller, start);
}

// --- Variable arguments. ---

RH_SIGNAL(told);

static void tell_all(int count, ...)
{
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        rh_send(va_arg(list, rh_actor *), told);
    va_end(list);
}

RH_TEST(variadic)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *right = rh_spawn(right_behaviour);
    tell_all(2, left, right);
}

// --- Become, stop, self, timers. ---

RH_SIGNAL(knock);
RH_SIGNAL(unlock);
RH_SIGNAL(bye);
RH_SIGNAL(ring);

struct door {
    rh_actor *bell;
};

static void open_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct door *door = state;
    (void)self;
    if (rh_as(message, knock))
        rh_send(door->bell, ring);
    else
        rh_ignore(message);
}

static void leave(rh_actor *self, void *state)
{
    const struct door *door = state;
    (void)self;
    rh_send(door->bell, bye);
}

static void closed_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    rh_at_stop(leave);
    if (rh_as(message, unlock)) {
        rh_become(open_behaviour);
        rh_after(5, self, knock);
    } else if (rh_as(message, start)) {
        rh_stop();
    } else {
        rh_ignore(message);
    }
}

RH_TEST(door)
{
    rh_actor *bell = rh_spawn(left_behaviour);
    rh_actor *door = rh_spawn(closed_behaviour, struct door, {bell});
    rh_send_from(rh_outside("ann"), door, unlock);
    rh_send_from(rh_outside("ben"), door, start);
    rh_may_come(door, knock, 1);
}

// --- Ask, reply and sender: who asks for one thing gets no answer to another. ---

RH_SIGNAL(get);
RH_MESSAGE(put, { int value; });
RH_MESSAGE(value, { int value; });
RH_SIGNAL(stored);
RH_SIGNAL(noted);

struct client {
    rh_actor *store;
};

static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, get))
        rh_reply(message, value, {4});
    else if (rh_as(message, put))
        rh_reply(message, stored);
    else if (rh_as(message, noted) && rh_sender(message))
        rh_send(rh_sender(message), hello, {2});
}

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;
    if (!rh_as(message, start))
        return;
    const rh_message *reply = rh_ask(client->store, get);
    const struct value *value = rh_as(reply, value);
    rh_check(value && value->value == 4);
}

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;
    if (rh_as(message, start)) {
        rh_send(client->store, put, {9});
        rh_send(client->store, noted);
    } else {
        rh_ignore(message);
    }
}

RH_TEST(store)
{
    rh_actor *store = rh_spawn(store_behaviour);
    rh_receptionist(store);
    rh_actor *reader = rh_spawn(reader_behaviour, struct client, {store});
    rh_actor *writer = rh_spawn(writer_behaviour, struct client, {store});
    rh_receptionist(reader);
    rh_receptionist(writer);
    rh_send(reader, start);
    rh_send(writer, start);
}

// --- An address that comes with a reply. ---

RH_SIGNAL(whom);
RH_MESSAGE(that, { rh_actor *who; });
RH_SIGNAL(advised);

struct adviser {
    rh_actor *known;
};

static void adviser_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct adviser *adviser = state;
    (void)self;
    if (rh_as(message, whom))
        rh_reply(message, that, {adviser->known});
}

static void seeker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;
    if (!rh_as(message, start))
        return;
    const struct that *that = rh_as(rh_ask(client->store, whom), that);
    if (that)
        rh_send(that->who, advised);
}

RH_TEST(advice)
{
    rh_actor *far = rh_spawn(far_behaviour);
    rh_actor *adviser = rh_spawn(adviser_behaviour, struct adviser, {far});
    rh_send(rh_spawn(seeker_behaviour, struct client, {adviser}), start);
}

// --- Code that is not known moves what it was not given itself. ---

struct queued {
    struct queued *next, *previous;
    rh_actor *who;
};
RH_SIGNAL(moved);

static void queuer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;
    if (!rh_as(message, start))
        return;
    struct queued third = {.who = client->store};
    struct queued first = {.next = &third};
    struct queued second = {.who = NULL};
    third.previous = &first;
    insque(&second, &first);
    rh_send(second.next->who, moved);
}

RH_TEST(queue)
{
    rh_actor *right = rh_spawn(right_behaviour);
    rh_send(rh_spawn(queuer_behaviour, struct client, {right}), start);
}

// --- One behaviour with states of two types, whose arrays are not of one length. ---

struct short_list {
    rh_actor *who[2];
};

struct long_list {
    rh_actor *who[4];
};
RH_MESSAGE(count, { int count; });
RH_SIGNAL(listed_too);

static void lister_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor **who = state;
    const struct count *count = rh_as(message, count);
    (void)self;
    for (int i = 0; count && i < count->count; i++)
        rh_send(who[i], listed_too);
}

RH_TEST(lists)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *far = rh_spawn(far_behaviour);
    rh_actor *first = rh_spawn(lister_behaviour, struct short_list, {{left, left}});
    rh_actor *second = rh_spawn(lister_behaviour, struct long_list, {{left, left, left, far}});
    rh_send(first, count, {2});
    rh_send(second, count, {4});
}

// --- A table of rows that is walked through as one array. ---

RH_SIGNAL(seated);

struct table {
    rh_actor *rows[2][2];
    rh_actor *beside;
};

__attribute__((noinline)) static void seat(rh_actor **chairs, int count)
{
    for (int i = 0; i < count; i++)
        rh_send(chairs[i], seated);
}

static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct table *table = state;
    (void)self;
    if (rh_as(message, start))
        seat(&table->rows[0][0], 4);
}

RH_TEST(rows)
{
    rh_actor *left = rh_spawn(left_behaviour);
    rh_actor *right = rh_spawn(right_behaviour);
    rh_actor *far = rh_spawn(far_behaviour);
    rh_actor *host = rh_spawn(host_behaviour, struct table, {{{left, left}, {left, right}}, far});
    rh_send(host, start);
}

// --- A message that nobody looks for. ---

RH_SIGNAL(surprise);

static void deaf_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, start))
        rh_progress();
}

RH_TEST(unheard)
{
    rh_actor *deaf = rh_spawn(deaf_behaviour);
    rh_send(deaf, start);
    rh_send(deaf, surprise);
}

// --- Two actors that name each other: one has its address before its state. ---

struct neighbour {
    rh_actor *other;
};

static void east_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct neighbour *neighbour = state;
    (void)self;
    if (rh_as(message, start))
        rh_send(neighbour->other, hello);
}

static void west_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct neighbour *neighbour = state;
    (void)self;
    if (rh_as(message, hello))
        rh_send(neighbour->other, start);
}

RH_TEST(neighbours)
{
    rh_actor *east = rh_reserve(east_behaviour);
    rh_send(east, start);
    rh_actor *west = rh_spawn(west_behaviour, struct neighbour, {east});
    rh_spawn_at(east, struct neighbour, {west});
}
