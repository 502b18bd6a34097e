// SPDX-License-Identifier: MIT
// What is to happen on a line, besides that it is reached: accesses out of bounds, and checks of
// judges that fail. Each beside one that never does.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(put, {
    int place;
    int pieces;
});
RH_MESSAGE(extend, { int places; });
RH_MESSAGE(mark, { int place; });

struct shelf {
    int boxes[8];
    int *marks;
    int places;
};

static void shelf_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct shelf *shelf = state;
    const struct put *put;
    const struct extend *extend;
    const struct mark *mark;
    (void)self;
    if ((put = rh_as(message, put))) {
        if (put->place >= 0 && put->place <= 8)
            shelf->boxes[put->place] = put->pieces; // BAD: one too far
    } else if ((extend = rh_as(message, extend))) {
        if (shelf->marks || extend->places <= 0 || extend->places > 3)
            return;
        shelf->marks = calloc((size_t)extend->places, sizeof *shelf->marks);
        shelf->places = extend->places;
    } else if ((mark = rh_as(message, mark))) {
        if (shelf->marks && mark->place >= 0 && mark->place <= shelf->places)
            shelf->marks[mark->place] = 1; // BAD: behind the block
    }
}

RH_TEST(bounds)
{
    rh_spawn(shelf_behaviour, struct shelf, {0});
}

// The same with care.
static void tidy_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct shelf *shelf = state;
    const struct put *put;
    const struct extend *extend;
    const struct mark *mark;
    (void)self;
    if ((put = rh_as(message, put))) {
        if (put->place >= 0 && put->place < 8)
            shelf->boxes[put->place] = put->pieces; // GOOD
    } else if ((extend = rh_as(message, extend))) {
        if (shelf->marks || extend->places <= 0 || extend->places > 3)
            return;
        shelf->marks = calloc((size_t)extend->places, sizeof *shelf->marks);
        shelf->places = extend->places;
    } else if ((mark = rh_as(message, mark))) {
        if (shelf->marks && mark->place >= 0 && mark->place < shelf->places)
            shelf->marks[mark->place] = 1; // GOOD
    }
}

RH_TEST(care)
{
    rh_spawn(tidy_behaviour, struct shelf, {0});
}

struct till {
    int sum;
};

static void till_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct till *till = state;
    const struct put *put = rh_as(message, put);
    (void)self;
    if (put && put->pieces > 0 && put->pieces < 10)
        till->sum += put->pieces;
}

struct watched {
    rh_actor *till;
};

static int sum_of(const void *context)
{
    const struct watched *watched = context;
    return ((const struct till *)rh_view_state(watched->till))->sum;
}

static void has_room(const void *context)
{
    rh_check(sum_of(context) < 15); // FAILS: with a second message
    rh_check(sum_of(context) >= 0); // HOLDS
}

static void comes_out(const void *context)
{
    rh_check(sum_of(context) != 7); // FAILS: only once what the test sends has come, too
    rh_check(sum_of(context) != 2); // HOLDS: the test's own pieces have come
}

RH_TEST(judged)
{
    rh_actor *till = rh_spawn(till_behaviour, struct till, {0});
    rh_send(till, put, {.pieces = 3});
    rh_invariant(has_room, struct watched, {till});
    rh_finally(comes_out, struct watched, {till});
}

RH_TEST(declared)
{
    rh_spawn(till_behaviour, struct till, {0});
}

RH_INVARIANT(declared)
{
    const struct till *till = rh_view_state(rh_view_named("till#1"));
    rh_check(till->sum != 12); // FAILS
}

RH_FINALLY(declared)
{
    const struct till *till = rh_view_state(rh_view_named("till#1"));
    rh_check(till->sum != 5); // FAILS
}
