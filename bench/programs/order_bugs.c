// SPDX-License-Identifier: MIT
// Programs with an order bug that nobody has picked: the variable PROGRAM of the environment numbers them, and all else
// is drawn with that.
//
// There are ACTORS actors and MESSAGES messages. Each message has a receiver, and is sent by the handler of another one,
// or, every fourth, when its sender has got both of two messages, whichever comes last; so what actors send depends on
// what they have received before. The bug is one of three, of messages of several senders to one actor:
//  - order: the one that comes later in sending order comes earlier;
//  - between: one comes after the first and before the second of two that come from one sender;
//  - two orders: the first, at two actors in one execution.
// Only bugs are taken that sending order does not show, and that what leads to what does not forbid. (A few may be
// impossible all the same, by the order of messages of one sender.)
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { ACTORS = 20, MESSAGES = 200, FIRST = 4, OUTSIDE = -1 };

RH_MESSAGE(parcel, { int number; });

// Where each message comes from and goes to, and when it comes in sending order.
struct plan {
    int receiver[MESSAGES];
    int parents[MESSAGES]
               [2]; // the second is OUTSIDE if there is one, both are for the first messages
    int place[MESSAGES];
    bool causes[MESSAGES][MESSAGES]; // whether one is needed for another to be sent
};

// What has to come: early[i] before late[i], for each of `count`; `last`, if it is one, after late[0].
struct bug {
    int count;
    int early[2], late[2];
    int last;
};

static uint64_t state;

static int draw(int bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)bound);
}

static int sender_of(const struct plan *plan, int message)
{
    int parent = plan->parents[message][0];
    return parent == OUTSIDE ? OUTSIDE : plan->receiver[parent];
}

static void add_causes(struct plan *plan, int message)
{
    for (int i = 0; i < 2; i++) {
        int parent = plan->parents[message][i];
        if (parent == OUTSIDE)
            continue;
        plan->causes[parent][message] = true;
        for (int k = 0; k < MESSAGES; k++)
            plan->causes[k][message] |= plan->causes[k][parent];
    }
}

static void draw_message(struct plan *plan, int message)
{
    int *parents = plan->parents[message];
    plan->receiver[message] = draw(ACTORS);
    parents[0] = parents[1] = OUTSIDE;
    if (message < FIRST)
        return;
    // Recent ones, so that there are long chains.
    int since = message > 40 ? message - 40 : 0;
    parents[0] = since + draw(message - since);
    for (int tries = 0; message % 4 == 0 && tries < 100 && parents[1] == OUTSIDE; tries++) {
        int other = draw(message);
        if (other != parents[0] && plan->receiver[other] == plan->receiver[parents[0]])
            parents[1] = other;
    }
    add_causes(plan, message);
}

// Delivers in sending order.
static void place_messages(struct plan *plan)
{
    int queue[MESSAGES], sent = 0;
    bool came[MESSAGES] = {false};
    for (int i = 0; i < FIRST; i++)
        queue[sent++] = i;
    for (int place = 0; place < sent; place++) {
        int message = queue[place];
        came[message] = true;
        plan->place[message] = place;
        for (int i = FIRST; i < MESSAGES; i++) {
            int one = plan->parents[i][0], other = plan->parents[i][1];
            if ((one == message || other == message) && came[one] &&
                (other == OUTSIDE || came[other]))
                queue[sent++] = i;
        }
    }
}

static bool is_pair(const struct plan *plan, int early, int late)
{
    return early != late && plan->receiver[early] == plan->receiver[late] &&
           sender_of(plan, early) != sender_of(plan, late) && !plan->causes[late][early] &&
           !plan->causes[early][late] && plan->place[early] > plan->place[late];
}

static void draw_pair(const struct plan *plan, int *early, int *late)
{
    do {
        *early = draw(MESSAGES);
        *late = draw(MESSAGES);
    } while (!is_pair(plan, *early, *late));
}

// `late` is between `early`, which comes later in sending order, and `last`, of the same sender as `early`.
static bool draw_between(const struct plan *plan, struct bug *bug)
{
    draw_pair(plan, &bug->early[0], &bug->late[0]);
    for (int tries = 0; tries < 100; tries++) {
        int last = draw(MESSAGES);
        if (plan->receiver[last] == plan->receiver[bug->early[0]] &&
            sender_of(plan, last) == sender_of(plan, bug->early[0]) &&
            plan->place[last] > plan->place[bug->early[0]] && !plan->causes[last][bug->late[0]]) {
            bug->last = last;
            return true;
        }
    }
    return false;
}

static struct plan plan;
static struct bug bug;

__attribute__((constructor)) static void draw_program(void)
{
    const char *text = getenv("PROGRAM");
    int program = text ? atoi(text) : 1;
    state = (uint64_t)program * UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < MESSAGES; i++)
        draw_message(&plan, i);
    place_messages(&plan);
    bug = (struct bug){.count = program % 3 == 2 ? 2 : 1, .last = OUTSIDE};
    if (program % 3 == 1)
        while (!draw_between(&plan, &bug))
            continue;
    else
        draw_pair(&plan, &bug.early[0], &bug.late[0]);
    while (bug.count == 2 && (bug.early[1] == bug.late[1] ||
                              plan.receiver[bug.early[1]] == plan.receiver[bug.early[0]]))
        draw_pair(&plan, &bug.early[1], &bug.late[1]);
}

struct station {
    rh_actor **all;
    int count;
    int came[MESSAGES]; // messages, in the order in which they came
};

static int when(const struct station *station, int message)
{
    for (int i = 0; i < station->count; i++)
        if (station->came[i] == message)
            return i;
    return MESSAGES;
}

static void station_behaviour(rh_actor *self, void *memory, const rh_message *message)
{
    struct station *station = memory;
    const struct parcel *parcel = rh_as(message, parcel);
    (void)self;
    if (!parcel)
        return;
    station->came[station->count++] = parcel->number;
    for (int i = FIRST; i < MESSAGES; i++) {
        const int *parents = plan.parents[i];
        if ((parents[0] == parcel->number || parents[1] == parcel->number) &&
            when(station, parents[0]) < MESSAGES &&
            (parents[1] == OUTSIDE || when(station, parents[1]) < MESSAGES))
            rh_send(station->all[plan.receiver[i]], parcel, {.number = i});
    }
}

struct network {
    rh_actor **stations;
};

static bool shows(const struct network *network, int index)
{
    const struct station *station =
        rh_view_state(network->stations[plan.receiver[bug.early[index]]]);
    int late = when(station, bug.late[index]);
    return when(station, bug.early[index]) < late &&
           (bug.last == OUTSIDE || late < when(station, bug.last));
}

static void is_right(const void *context)
{
    int shown = 0;
    for (int i = 0; i < bug.count; i++)
        shown += shows(context, i);
    rh_check(shown < bug.count);
}

RH_TEST(order_bug)
{
    static rh_actor *all[ACTORS];
    rh_actor *outside = rh_outside("client");
    for (int i = 0; i < ACTORS; i++)
        all[i] = rh_spawn(station_behaviour, struct station, {.all = all});
    rh_finally(is_right, struct network, {.stations = all});
    for (int i = 0; i < FIRST; i++)
        rh_send_from(outside, all[plan.receiver[i]], parcel, {.number = i});
}
