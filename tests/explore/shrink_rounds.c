// SPDX-License-Identifier: MIT
// Exchanges of many rounds: an error in a late round could have come in the first one.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(ping, { int round; });
RH_MESSAGE(pong, { int round; });
RH_SIGNAL(disturb);

enum { ROUNDS = 8 };

struct player {
    rh_actor *peer;
    bool is_disturbed;
};

// Takes a chance in each round, of which one outcome in three is bad once it is disturbed.
static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player *server = state;
    const struct ping *ping = rh_as(message, ping);
    (void)self;
    if (ping) {
        int chance = rh_choose(3);
        rh_check(chance != 2 || !server->is_disturbed);
        rh_send(rh_sender(message), pong, {.round = ping->round});
    } else if (rh_as(message, disturb)) {
        server->is_disturbed = true;
    }
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct player *client = state;
    const struct pong *pong = rh_as(message, pong);
    (void)self;
    if (pong && pong->round < ROUNDS)
        rh_send(client->peer, ping, {.round = pong->round + 1});
}

// The least is disturb and the first ping.
RH_TEST(rounds)
{
    rh_actor *server = rh_spawn(server_behaviour, struct player, {0});
    rh_actor *client = rh_spawn(client_behaviour, struct player, {.peer = server});
    rh_send(client, pong, {.round = 0});
    rh_send(server, disturb);
}

// A second disturber is not needed, and is not needed in a late round either.
RH_TEST(two_disturb)
{
    rh_actor *server = rh_spawn(server_behaviour, struct player, {0});
    rh_actor *client = rh_spawn(client_behaviour, struct player, {.peer = server});
    rh_send(client, pong, {.round = 0});
    rh_send_from(rh_outside("ann"), server, disturb);
    rh_send_from(rh_outside("bob"), server, disturb);
}

// Orders of two deliveries hang, and one of three fails: a search for something smaller that has met a hang gives up, and
// does not wait for each.
struct trap {
    int last, before;
};

static void trap_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct trap *trap = state;
    int round = rh_as(message, ping)->round;
    (void)self;
    rh_check(trap->before != 3 || trap->last != 1 || round != 2);
    for (volatile int i = 0; trap->last == 2 && round == 1; i = i + 1)
        ;
    trap->before = trap->last;
    trap->last = round;
}

RH_TEST(hangs_elsewhere)
{
    static const char *const names[] = {"a", "b", "c"};
    rh_actor *trap = rh_spawn(trap_behaviour, struct trap, {0});
    for (int i = 0; i < 3; i++)
        rh_send_from(rh_outside(names[i]), trap, ping, {.round = i + 1});
}
