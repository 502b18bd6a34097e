// SPDX-License-Identifier: MIT
// ThreadRing of Savina: a message goes round a ring of actors until its count is down to nothing,
// and after it one that ends them all.
//
// Each actor learns its successor from the outside, in a message that is not ordered with those of
// its predecessor. In `long_way` the first message comes too early while it has a way to go, in
// `short_way` at the end of its way, and the one that ends all comes too early as well: three places
// that send to NULL under `fifo`. And the end goes round once more than there are actors, so the
// last of it finds nobody, in every execution. In the fixed twin an actor takes nothing before it
// knows its successor, and the end is counted from one less.
#include "savina.h"

enum { RING = 100 };

RH_MESSAGE(successor, { rh_actor *next; });
RH_MESSAGE(trip, { long left; });
RH_MESSAGE(leave, { int left; });

struct link {
    rh_actor *next;
    int after; // how many have to leave after who leaves first
};

static void link_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct link *link = state;
    const struct successor *successor;
    const struct trip *trip;
    const struct leave *leave;
    (void)self;

    if ((successor = rh_as(message, successor))) {
        link->next = successor->next;
    } else if ((trip = rh_as(message, trip))) {
        if (trip->left > 0)
            rh_send(link->next, trip, {.left = trip->left - 1});
        else
            rh_send(link->next, leave, {.left = link->after});
    } else if ((leave = rh_as(message, leave))) {
        if (leave->left > 0)
            rh_send(link->next, leave, {.left = leave->left - 1});
        rh_stop();
    }
}

// Of the fixed twin: takes nothing but its successor, and becomes one as above.
static void unlinked_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    link_behaviour(self, state, message);
    rh_become(link_behaviour);
}

static bool unlinked_guard(const void *state, const rh_message *message)
{
    (void)state;
    return rh_as(message, successor);
}
RH_GUARD(unlinked_behaviour, unlinked_guard);

static void go_round(bool is_fixed, int links, long length)
{
    rh_actor *ring[RING];

    for (int i = 0; i < links; i++)
        ring[i] = is_fixed ? rh_spawn(unlinked_behaviour, struct link, {.after = links - 1})
                           : rh_spawn(link_behaviour, struct link, {.after = links});
    for (int i = 0; i < links; i++)
        rh_send(ring[i], successor, {.next = ring[(i + 1) % links]});
    rh_send(ring[0], trip, {.left = length});
}

static void set_up(void *context)
{
    const long *length = context;

    go_round(true, RING, *length);
}

RH_TEST(short_way)
{
    go_round(false, 3, 1);
}

RH_TEST(long_way)
{
    go_round(false, 3, 4);
}

RH_TEST(short_way_fixed)
{
    go_round(true, 3, 1);
}

RH_TEST(long_way_fixed)
{
    go_round(true, rh_parameter(int, actors, 3), rh_parameter(int, hops, 4));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 100000, set_up);
}
