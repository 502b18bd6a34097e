// SPDX-License-Identifier: MIT
// Places that are far from the set-up: behind a hundred messages back and forth, where two actors of one behaviour with
// different numbers are needed, and a message to nobody.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(ping);
RH_SIGNAL(pong);
RH_MESSAGE(claim, { int id; });
RH_MESSAGE(wire, { rh_actor *next; });

struct player {
    rh_actor *other;
    int left;
};

static void ping_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player *player = state;
    (void)self;
    if (rh_as(message, start) || rh_as(message, pong)) {
        if (player->left-- > 0)
            rh_send(player->other, ping);
        else
            rh_stop(); // the last
    }
}

static void pong_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ping) && rh_sender(message))
        rh_send(rh_sender(message), pong);
}

struct voter {
    rh_actor *registry;
    int id;
};

static void voter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct voter *voter = state;
    (void)self;
    if (rh_as(message, start))
        rh_send(voter->registry, claim, {.id = voter->id});
}

struct registry {
    int claims, sum;
};

static void registry_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct registry *registry = state;
    const struct claim *claim = rh_as(message, claim);
    (void)self;
    if (!claim)
        return;
    registry->claims++;
    registry->sum = registry->sum * 10 + claim->id;
    if (registry->claims == 2 && registry->sum == 73)
        rh_stop(); // two voters
}

struct link {
    rh_actor *next;
    int passed;
};

static void link_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct link *link = state;
    const struct wire *wire = rh_as(message, wire);
    (void)self;
    if (wire)
        link->next = wire->next;
    else if (rh_as(message, start))
        rh_send(link->next, start); // to nobody
}

RH_TEST(match)
{
    rh_actor *pong = rh_spawn(pong_behaviour);
    rh_actor *ping = rh_spawn(ping_behaviour, struct player, {.other = pong, .left = 100});
    rh_receptionist(ping);
}

RH_TEST(vote)
{
    rh_actor *registry = rh_spawn(registry_behaviour, struct registry, {0});
    for (int i = 0; i < 3; i++)
        rh_receptionist(
            rh_spawn(voter_behaviour, struct voter, {.registry = registry, .id = 3 + i * 2}));
}

RH_TEST(ring)
{
    rh_actor *first = rh_spawn(link_behaviour, struct link, {0});
    rh_actor *second = rh_spawn(link_behaviour, struct link, {.next = first});
    rh_send(first, wire, {.next = second});
    rh_receptionist(first);
    rh_receptionist(second);
}
