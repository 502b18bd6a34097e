// SPDX-License-Identifier: MIT
// What --states actors takes for the same state, and what it must not. renaming.sh has the numbers.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/test.h>

RH_SIGNAL(start);
RH_MESSAGE(job, { rh_actor *reply_to; });
RH_SIGNAL(done);

// Four workers that nobody but their master has made: which of them have done their jobs does not matter.

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct job *job = rh_as(message, job);
    (void)self;
    (void)state;
    if (job)
        rh_send(job->reply_to, done);
}

struct master {
    int done;
};

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    if (rh_as(message, start))
        for (int i = 0; i < 4; i++)
            rh_send(rh_spawn(worker_behaviour), job, {.reply_to = self});
    else if (rh_as(message, done))
        master->done++;
}

RH_TEST(workers)
{
    rh_send(rh_spawn(master_behaviour, struct master, {.done = 0}), start);
}

// Blocks that are allocated in either order.

RH_MESSAGE(put, { int place; });
RH_SIGNAL(compare);

struct shelf {
    int *places[2];
    uintptr_t spare;
};

static void put_value(struct shelf *shelf, const struct put *put)
{
    shelf->places[put->place] = malloc(sizeof(int));
    *shelf->places[put->place] = put->place + 7;
}

static void shelf_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct put *put = rh_as(message, put);
    (void)self;
    if (put)
        put_value(state, put);
}

static void put_both(rh_actor *shelf)
{
    rh_send_from(rh_outside("ann"), shelf, put, {.place = 0});
    rh_send_from(rh_outside("ben"), shelf, put, {.place = 1});
}

RH_TEST(blocks)
{
    put_both(rh_spawn(shelf_behaviour, struct shelf, {.spare = 0}));
}

// The same, but with an eye on which address is larger: what --states actors takes for granted that nobody does.

static void sorter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct shelf *shelf = state;
    const struct put *put = rh_as(message, put);
    (void)self;
    if (put) {
        put_value(shelf, put);
        if (shelf->places[0] && shelf->places[1])
            rh_send(self, compare);
    } else if (rh_as(message, compare)) {
        rh_check(shelf->places[0] < shelf->places[1]);
    }
}

RH_TEST(address_order)
{
    put_both(rh_spawn(sorter_behaviour, struct shelf, {.spare = 0}));
}

// A pointer in no aligned word, and one to a block that was freed: both depend on where blocks lie.

struct packed_shelf {
    char unaligned[9];
    int count;
    int *places[2];
};

static void packer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct packed_shelf *shelf = state;
    const struct put *put = rh_as(message, put);
    (void)self;
    if (put) {
        int *place = malloc(sizeof *place);
        *place = put->place;
        shelf->places[put->place] = place;
        if (++shelf->count == 1)
            memcpy(shelf->unaligned + 1, &place, sizeof place);
        else
            rh_send(self, compare);
    } else if (rh_as(message, compare)) {
        int *place;
        memcpy(&place, shelf->unaligned + 1, sizeof place);
        rh_check(*place == 0);
    }
}

RH_TEST(unaligned)
{
    put_both(rh_spawn(packer_behaviour, struct packed_shelf, {.count = 0}));
}

// Keeps pointers to blocks that it frees in either order: the next block lies where the last one was.
static void forgetful_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct shelf *shelf = state;
    const struct put *put = rh_as(message, put);
    if (rh_as(message, start)) {
        for (int i = 0; i < 2; i++)
            shelf->places[i] = malloc(sizeof(int));
    } else if (put) {
        free(shelf->places[put->place]);
        if (++shelf->spare == 2)
            rh_send(self, compare);
    } else if (rh_as(message, compare)) {
        int *next = malloc(sizeof *next);
        *next = 5;
        rh_check(*shelf->places[1] == 5);
        free(next);
    }
}

static bool forgetful_guard(const void *state, const rh_message *message)
{
    const struct shelf *shelf = state;
    return shelf->places[0] || rh_as(message, start);
}
RH_GUARD(forgetful_behaviour, forgetful_guard);

RH_TEST(dangling)
{
    rh_actor *shelf = rh_spawn(forgetful_behaviour, struct shelf, {.spare = 0});
    rh_send(shelf, start);
    put_both(shelf);
}

// A block that nothing points to any more.

static void loser_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct shelf *shelf = state;
    const struct put *put = rh_as(message, put);
    (void)self;
    if (!put)
        return;
    if (shelf->spare == 0)
        put_value(shelf, put);
    shelf->spare = 1;
    if (put->place == 0)
        shelf->places[0] = NULL;
}

RH_TEST(lost)
{
    put_both(rh_spawn(loser_behaviour, struct shelf, {.spare = 0}));
}

// Two that were made by a third, each with a partner of its own: who has which one matters, and is seen only by looking
// at all of them together.

RH_MESSAGE(enter, { rh_actor *who; });
RH_MESSAGE(partner, { rh_actor *who; });
RH_SIGNAL(name);
RH_MESSAGE(name_is, { int name; });

struct partner_state {
    int name;
};

static void partner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct partner_state *partner = state;
    (void)self;
    if (rh_as(message, name))
        rh_reply(message, name_is, {.name = partner->name});
}

struct host {
    int guests;
};

static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct host *host = state;
    const struct enter *enter = rh_as(message, enter);
    (void)self;
    if (enter) {
        rh_actor *made =
            rh_spawn(partner_behaviour, struct partner_state, {.name = ++host->guests});
        rh_send(enter->who, partner, {.who = made});
    }
}

struct guest {
    int name;
    rh_actor *partner;
};

static void guest_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct guest *guest = state;
    const struct partner *partner = rh_as(message, partner);
    const struct name_is *name_is = rh_as(message, name_is);
    (void)self;
    if (partner)
        guest->partner = partner->who;
    else if (rh_as(message, compare) && guest->partner)
        rh_send(guest->partner, name);
    else if (name_is)
        rh_check(guest->name == name_is->name);
}

RH_TEST(partners)
{
    rh_actor *host = rh_spawn(host_behaviour, struct host, {.guests = 0});
    for (int i = 1; i <= 2; i++) {
        rh_actor *guest = rh_spawn(guest_behaviour, struct guest, {.name = i});
        rh_send_from(rh_outside(i == 1 ? "ann" : "ben"), host, enter, {.who = guest});
        rh_send_from(rh_outside(i == 1 ? "eva" : "kim"), guest, compare);
    }
}

// A clock that goes on for ever, as it is meant to, and nobody who looks at it; then somebody does.

RH_SIGNAL(tick);

static void clock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, tick)) {
        rh_after(10, self, tick);
        rh_progress();
    }
}

RH_TEST(timers)
{
    rh_send(rh_spawn(clock_behaviour), tick);
}

static void watcher_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (!rh_as(message, tick))
        return;
    rh_check(rh_now() < 50);
    rh_after(10, self, tick);
}

RH_TEST(watched_timers)
{
    rh_send(rh_spawn(watcher_behaviour), tick);
}

// Workers that throw dice.

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct job *job = rh_as(message, job);
    (void)self;
    (void)state;
    if (job)
        rh_check(rand() % 3 != 0);
}

static void dealer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, start))
        for (int i = 0; i < 4; i++)
            rh_send(rh_spawn(player_behaviour), job, {.reply_to = self});
}

RH_TEST(dice)
{
    rh_send(rh_spawn(dealer_behaviour), start);
}
