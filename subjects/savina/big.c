// SPDX-License-Identifier: MIT
// Big of Savina: each actor pings one of the others at random, and the next when that has answered.
// A sink ends them when all have done so often enough.
//
// Everybody learns the others from the outside, in messages that are not ordered with those of the
// others. Under `fifo` an actor is pinged before it knows anybody, and the sink is told that all are
// done before it does: two places that use a NULL pointer. Under `any` there is a third, since
// the word to begin may come before the addresses too. In the fixed twin nobody takes anything else
// before the addresses.
#include <string.h>

#include "savina.h"

enum { PLAYERS = 120, NOBODY = -1 };

RH_MESSAGE(neighbours, {
    int count;
    rh_actor *all[];
});
RH_MESSAGE(ping, { int sender; });
RH_MESSAGE(pong, { int sender; });
RH_SIGNAL(leave);

static rh_actor **copy_neighbours(const struct neighbours *neighbours)
{
    size_t size = (size_t)neighbours->count * sizeof(rh_actor *);

    return memcpy(malloc(size), neighbours->all, size);
}

struct sink {
    int players;
    int done;
    rh_actor **all;
};

static void sink_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sink *sink = state;
    const struct neighbours *neighbours;
    (void)self;

    if ((neighbours = rh_as(message, neighbours))) {
        sink->all = copy_neighbours(neighbours);
    } else if (rh_as(message, leave) && ++sink->done == sink->players) {
        for (int i = 0; i < sink->players; i++)
            rh_send(sink->all[i], leave);
        free(sink->all);
        rh_stop();
    }
}

struct player {
    rh_actor *sink;
    rh_actor **all;
    int players;
    int id;
    int expected; // who has to answer
    long left;    // pings that are still to be sent
    struct random random;
};

static void ping_somebody(struct player *player)
{
    int target = next_random(&player->random, player->players);

    player->expected = target;
    player->left--;
    rh_send(player->all[target], ping, {.sender = player->id});
}

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player *player = state;
    const struct neighbours *neighbours;
    const struct ping *ping;
    const struct pong *pong;
    (void)self;

    if ((neighbours = rh_as(message, neighbours))) {
        player->all = copy_neighbours(neighbours);
    } else if ((ping = rh_as(message, ping))) {
        rh_send(player->all[ping->sender], pong, {.sender = player->id});
    } else if ((pong = rh_as(message, pong))) {
        rh_check(pong->sender == player->expected);
        if (player->left > 0)
            ping_somebody(player);
        else
            rh_send(player->sink, leave);
    } else if (rh_as(message, leave)) {
        rh_check(player->left == 0);
        free(player->all);
        rh_stop();
    }
}

// Of the fixed twin: these take nothing but the addresses, and become what they are above.

static void lonely_sink_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    sink_behaviour(self, state, message);
    rh_become(sink_behaviour);
}

static void lonely_player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    player_behaviour(self, state, message);
    rh_become(player_behaviour);
}

static bool lonely_guard(const void *state, const rh_message *message)
{
    (void)state;
    return rh_as(message, neighbours);
}
RH_GUARD(lonely_sink_behaviour, lonely_guard);
RH_GUARD(lonely_player_behaviour, lonely_guard);

static rh_actor *add_player(bool is_fixed, const struct player *player)
{
    return is_fixed ? rh_spawn_sized(lonely_player_behaviour, player, sizeof *player)
                    : rh_spawn_sized(player_behaviour, player, sizeof *player);
}

static void play(bool is_fixed, int players, long pings)
{
    size_t size = sizeof(struct neighbours) + (size_t)players * sizeof(rh_actor *);
    struct neighbours *neighbours = malloc(size);
    rh_actor *sink = is_fixed ? rh_spawn(lonely_sink_behaviour, struct sink, {.players = players})
                              : rh_spawn(sink_behaviour, struct sink, {.players = players});

    neighbours->count = players;
    for (int i = 0; i < players; i++)
        neighbours->all[i] = add_player(is_fixed, &(struct player){.sink = sink,
                                                                   .players = players,
                                                                   .id = i,
                                                                   .expected = NOBODY,
                                                                   .left = pings,
                                                                   .random = {(unsigned)i}});
    rh_send_sized(sink, neighbours, neighbours, size);
    for (int i = 0; i < players; i++)
        rh_send_sized(neighbours->all[i], neighbours, neighbours, size);
    for (int i = 0; i < players; i++)
        rh_send(neighbours->all[i], pong, {.sender = NOBODY});
    free(neighbours);
}

static void set_up(void *context)
{
    const long *pings = context;

    play(true, PLAYERS, *pings);
}

RH_TEST(small)
{
    play(false, 2, 1);
}

RH_TEST(fixed)
{
    play(true, rh_parameter(int, players, 2), rh_parameter(int, pings, 1));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 20000, set_up);
}
