// SPDX-License-Identifier: MIT
// What sweeps turn round; see sweeps.sh.
#include <stdio.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(a);
RH_SIGNAL(b);
RH_SIGNAL(c);
RH_SIGNAL(go);

enum { GUESTS = 6 };

struct host {
    int guests;
};

static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct host *host = state;
    (void)self;
    printf("%s", rh_as(message, a) ? "a" : rh_as(message, b) ? "b" : rh_as(message, c) ? "c" : "?");
    if (++host->guests == GUESTS)
        printf("\n");
}

struct guest {
    rh_actor *host;
};

static void guest_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct guest *guest = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(guest->host, b);
}

static void couple_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct guest *guest = state;
    (void)self;
    if (!rh_as(message, go))
        return;
    rh_send(guest->host, c);
    rh_send(guest->host, c);
}

RH_TEST(guests)
{
    rh_actor *host = rh_spawn(host_behaviour, struct host, {.guests = 0});
    rh_send(host, a);
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(guest_behaviour, struct guest, {.host = host}), go);
    rh_send(rh_spawn(couple_behaviour, struct guest, {.host = host}), go);
}

// Nothing can come in another order.
RH_TEST(alone)
{
    rh_actor *host = rh_spawn(host_behaviour, struct host, {.guests = 0});
    rh_send(host, a);
    rh_send(host, b);
}

RH_SIGNAL(note);
RH_SIGNAL(close_desk);
RH_SIGNAL(closed);
RH_SIGNAL(bye);

struct desk {
    rh_actor *clerk;
    bool is_over;
};

static void clerk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, closed))
        rh_reply(message, bye);
}

static void desk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct desk *desk = state;
    (void)self;
    if (rh_as(message, note))
        rh_check(!desk->is_over);
    else if (rh_as(message, close_desk))
        rh_send(desk->clerk, closed);
    else if (rh_as(message, bye))
        desk->is_over = true;
}

RH_TEST(late_note)
{
    rh_actor *clerk = rh_spawn(clerk_behaviour);
    rh_actor *desk = rh_spawn(desk_behaviour, struct desk, {.clerk = clerk});
    rh_send_from(rh_outside("ann"), desk, note);
    rh_send_from(rh_outside("ben"), desk, close_desk);
}

RH_SIGNAL(open_door);
RH_SIGNAL(knock);

struct door {
    bool is_open;
};

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct door *door = state;
    (void)self;
    if (rh_as(message, knock))
        rh_check(door->is_open);
    else if (rh_as(message, open_door))
        door->is_open = true;
    else if (rh_as(message, bye))
        rh_check(!door->is_open);
}

// In the first run the first delivery fails, so that it shows no pair of messages.
RH_TEST(too_early)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {.is_open = false});
    rh_send_from(rh_outside("ann"), door, knock);
    rh_send_from(rh_outside("ben"), door, open_door);
    rh_send_from(rh_outside("eva"), door, bye);
}
