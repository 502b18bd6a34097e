// SPDX-License-Identifier: MIT
// What random programs have brought to light, as small as it gets. regressions.sh says what is expected.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(halt);
RH_MESSAGE(number, { int value; });
RH_MESSAGE(parcel, {
    int count;
    int *items;
});

// --- A warning in the part that two executions share counts once. ---

struct hoarder {
    char *block;
};

static void hoarder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct hoarder *hoarder = state;
    (void)self;

    if (rh_as(message, go)) {
        hoarder->block = malloc(7);
    } else if (rh_as(message, halt)) {
        rh_stop();
    }
}

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *sum = state;
    const struct number *number = rh_as(message, number);
    (void)self;

    if (number)
        *sum += number->value;
}

// The hoarder leaks when it stops; the numbers go to somebody else.
RH_TEST(leak_then_fork)
{
    rh_actor *hoarder = rh_spawn(hoarder_behaviour, struct hoarder, {NULL});
    rh_actor *counter = rh_spawn(counter_behaviour, int, {0});
    rh_actor *left = rh_outside("left");
    rh_actor *right = rh_outside("right");

    rh_send(hoarder, go);
    rh_send(hoarder, halt);
    rh_send_from(left, counter, number, {1});
    rh_send_from(right, counter, number, {2});
}

// --- Bytes between the blocks that travel with a message. ---

static void giver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *to = *(rh_actor **)state;
    const struct number *number = rh_as(message, number);
    (void)self;

    if (number) {
        int *items = malloc(sizeof *items * (size_t)number->value);
        for (int i = 0; i < number->value; i++)
            items[i] = -1;
        rh_send(to, parcel, {number->value, (int *)rh_give(items)});
    }
}

static void taker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct parcel *parcel = rh_as(message, parcel);
    (void)self, (void)state;

    if (parcel)
        free(parcel->items);
}

// Blocks of different length follow each other at the same place.
RH_TEST(parcels_of_all_sizes)
{
    rh_actor *taker = rh_spawn(taker_behaviour);
    rh_actor *giver = rh_spawn(giver_behaviour, rh_actor *, {taker});
    rh_actor *senders[] = {rh_outside("a"), rh_outside("b"), rh_outside("c")};

    for (int i = 0; i < 3; i++)
        rh_send_from(senders[i], giver, number, {3 * i + 1});
}

// --- Work beside a block that was given away. ---

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *taker = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        int *items = malloc(sizeof *items);
        volatile int *beside = malloc(sizeof *beside);
        rh_send(taker, parcel, {1, (int *)rh_give(items)});
        for (*beside = 0; *beside < 200000;)
            ++*beside;
        free((int *)beside);
    }
}

RH_TEST(work_beside_given)
{
    rh_actor *taker = rh_spawn(taker_behaviour);

    rh_send(rh_spawn(worker_behaviour, rh_actor *, {taker}), go);
}

// --- What first calls leave on the stack of a handler that waits afterwards. ---

static void answerer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;

    if (rh_as(message, number))
        rh_reply(message, number, {7});
    else
        rh_ignore(message);
}

__attribute__((noinline)) static int ask_deep(rh_actor *to, int depth)
{
    volatile char room[200];

    room[depth] = (char)depth;
    if (depth > 0)
        return ask_deep(to, depth - 1) + room[depth];
    const struct number *reply = rh_as(rh_ask(to, number, {1}), number);
    return reply->value;
}

static void asker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *to = *(rh_actor **)state;
    char text[40];
    (void)self;

    if (rh_as(message, go) || rh_as(message, halt)) {
        snprintf(text, sizeof text, "%s %d", rh_name(message), (int)strlen(rh_name(message)));
        rh_check(ask_deep(to, 4) == 7 + 1 + 2 + 3 + 4 &&
                 strlen(text) == 4 + strlen(rh_name(message)) - 2);
    }
}

RH_TEST(waiting_after_first_calls)
{
    rh_actor *answerer = rh_spawn(answerer_behaviour);
    rh_actor *askers[2];

    for (int i = 0; i < 2; i++) {
        askers[i] = rh_spawn(asker_behaviour, rh_actor *, {answerer});
        rh_send(askers[i], go);
    }
    rh_send(answerer, halt);
}

// --- What a judge prints. ---

static void show(const void *context)
{
    const int *const *state = context;

    printf("sum %d\n", *(const int *)rh_view_state((const rh_actor *)*state));
}

RH_TEST(judge_prints)
{
    rh_actor *counter = rh_spawn(counter_behaviour, int, {0});

    rh_send(counter, number, {5});
    rh_finally(show, rh_actor *, {counter});
}

// --- An invariant that the test's body breaks. ---

static void never(const void *context)
{
    (void)context;
    rh_check(0);
}

RH_TEST(broken_from_the_start)
{
    rh_send(rh_spawn(counter_behaviour, int, {0}), number, {5});
    rh_invariant(never, int, {0});
}

// --- A choice that one branch of a search has made one way, and another the other way. ---

struct pair {
    int seen; // a digit for each message, and for what was chosen
    bool chooses;
};

static void pair_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct pair *pair = state;
    (void)self;

    pair->seen = pair->seen * 10 + ((const struct number *)rh_as(message, number))->value;
    if (pair->chooses && pair->seen > 9)
        pair->seen = pair->seen * 10 + (int)rh_choose(2);
}

RH_TEST(choice_beside_a_race)
{
    rh_actor *sender = rh_outside("sender");
    rh_actor *first = rh_spawn(pair_behaviour, struct pair, {.seen = 0});
    rh_actor *second = rh_spawn(pair_behaviour, struct pair, {.chooses = true});

    rh_send_from(sender, first, number, {2});
    rh_send(first, number, {1});
    rh_send(second, number, {5});
    rh_send_from(sender, second, number, {3});
}

// --- Two messages of one channel are left over: the second can't come before the first. ---

RH_MESSAGE(riddle, { int value; });
RH_MESSAGE(answer, { int value; });

struct stuck {
    int seen;
    rh_actor *other; // NULL: itself
};

static void stuck_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stuck *stuck = state;
    const struct number *number = rh_as(message, number);

    stuck->seen = stuck->seen * 10 + (number ? number->value : 9);
    if (rh_as(message, riddle) || (number && number->value != 1))
        rh_ask(stuck->other ? stuck->other : self, riddle, {1});
    else if (number && stuck->other)
        rh_send(stuck->other, number, {7});
}

RH_TEST(two_left_over)
{
    rh_actor *sender = rh_outside("sender");
    rh_actor *first = rh_spawn(stuck_behaviour, struct stuck, {.seen = 0});
    rh_actor *second = rh_spawn(stuck_behaviour, struct stuck, {.other = first});

    rh_send(second, number, {1});
    rh_send_from(sender, first, number, {4});
    rh_send_from(sender, second, number, {4});
}

// --- All outcomes of a choice have been tried, but not all that can come before it. ---

struct chooser {
    int seen;
    rh_actor *other; // NULL: it chooses every time, and sends nothing
};

static void chooser_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct chooser *chooser = state;
    const struct number *number = rh_as(message, number);
    bool chooses = !chooser->other || chooser->seen == 0;
    (void)self;

    if (rh_as(message, riddle)) {
        chooser->seen = chooser->seen * 10 + 9;
        return;
    }
    chooser->seen = chooser->seen * 10 + number->value;
    if (chooses)
        chooser->seen = chooser->seen * 10 + 5 + (int)rh_choose(2);
    if (chooses && chooser->other)
        rh_send(chooser->other, riddle, {0});
}

RH_TEST(choices_before_a_race)
{
    rh_actor *sender = rh_outside("sender");
    rh_actor *first = rh_spawn(chooser_behaviour, struct chooser, {.seen = 0});
    rh_actor *second = rh_spawn(chooser_behaviour, struct chooser, {.other = first});

    rh_send_from(sender, second, number, {1});
    rh_after(0, second, number, {2});
    rh_send_from(sender, first, number, {3});
}

// --- What comes before a choice is searched once among all its outcomes, and nowhere else in part. ---

struct relay {
    int seen;
    rh_actor *to[3]; // who is told of a 1 and of a 2
};

static void relay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct relay *relay = state;
    int value = ((const struct number *)rh_as(message, number))->value;
    (void)self;

    relay->seen = relay->seen * 10 + value;
    if (value == 4)
        relay->seen = relay->seen * 10 + 5 + (int)rh_choose(2);
    if (value < 3 && relay->to[value])
        rh_send(relay->to[value], number, {9});
}

RH_TEST(choice_behind_a_crash)
{
    rh_actor *bystander = rh_spawn(relay_behaviour, struct relay, {.seen = 0});
    rh_actor *chooser = rh_spawn(relay_behaviour, struct relay, {.seen = 0});
    rh_actor *relay = rh_spawn(relay_behaviour, struct relay, {.to = {NULL, bystander, chooser}});

    rh_send_from(rh_outside("a"), relay, number, {1});
    rh_send_from(rh_outside("b"), relay, number, {2});
    rh_send_from(rh_outside("c"), relay, number, {3});
    rh_send_from(rh_outside("d"), chooser, number, {4});
}

// --- What is lost at one actor while another begins anew. ---

struct teller {
    int seen;
    rh_actor *to;
};

static void teller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct teller *teller = state;
    int value = ((const struct number *)rh_as(message, number))->value;
    (void)self;

    teller->seen = teller->seen * 10 + value;
    if (value == 2 || value == 4)
        rh_send(teller->to, number, {value + 4});
    if (value == 2)
        rh_send(teller->to, number, {7});
}

RH_TEST(drops_and_a_restart)
{
    rh_actor *last = rh_spawn(teller_behaviour, struct teller, {.seen = 0});
    rh_actor *middle = rh_spawn(teller_behaviour, struct teller, {.to = last});
    rh_actor *first = rh_spawn(teller_behaviour, struct teller, {.to = middle});

    rh_send_from(rh_outside("a"), first, number, {1});
    rh_send_from(rh_outside("b"), first, number, {3});
    rh_send_from(rh_outside("c"), middle, number, {2});
    rh_send_from(rh_outside("d"), first, number, {4});
}

// --- All that could come is an error; a crash that can come instead leaves no room for another one, earlier. ---

struct server {
    int seen;
    rh_actor *other; // whom it asks
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    (void)self;

    if (rh_as(message, number)) {
        server->seen = server->seen * 3 + 1;
        if (server->other)
            rh_send(server->other, riddle, {2});
    } else if (rh_as(message, riddle)) {
        server->seen = server->seen * 3 + 2;
        rh_reply(message, answer, {3}); // nobody handles it
        rh_stop();
    }
}

RH_TEST(error_before_a_crash)
{
    rh_actor *last = rh_spawn(server_behaviour, struct server, {.seen = 0});
    rh_actor *first = rh_spawn(server_behaviour, struct server, {.other = last});
    rh_actor *second = rh_spawn(server_behaviour, struct server, {.other = last});

    rh_send(second, number, {5});
    rh_send(last, number, {3});
    rh_send(first, number, {2});
}

// --- Data is changed while a handler waits that has got a reply and kept no pointer to it. ---

static int told; // shared, which is a finding of its own

static void oracle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct riddle *riddle = rh_as(message, riddle);
    (void)self, (void)state;

    if (!riddle)
        return;
    if (riddle->value == 2)
        told++;
    rh_reply(message, answer, {riddle->value});
}

// Leaves no pointer where the next frames will be.
__attribute__((noinline)) static void wipe_stack(void)
{
    volatile char bytes[8192];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = 0;
}

__attribute__((noinline)) static int ask_riddle(rh_actor *oracle, int value)
{
    const rh_message *reply = rh_ask(oracle, riddle, {value});

    return ((const struct answer *)rh_as(reply, answer))->value;
}

static void seeker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *oracle = *(rh_actor **)state;
    int sum = 0;
    (void)self;

    if (!rh_as(message, go))
        return;
    sum = ask_riddle(oracle, 1);
    wipe_stack();
    sum += ask_riddle(oracle, 2);
    rh_check(sum == 3);
}

RH_TEST(write_beside_a_wait)
{
    rh_actor *oracle = rh_spawn(oracle_behaviour);

    rh_send(rh_spawn(seeker_behaviour, rh_actor *, {oracle}), go);
}
