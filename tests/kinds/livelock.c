// SPDX-License-Identifier: MIT
// Two players return the ball for ever. The state comes back with every second delivery, and
// nothing else is deliverable: a livelock. 1 execution, cut at --max-length.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(ball);
RH_SIGNAL(whistle);

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    bool *over = state;
    (void)self;

    if (rh_as(message, ball) && !*over)
        rh_reply(message, ball);
    else if (rh_as(message, whistle))
        *over = true;
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *player = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, ball))
        rh_send(player, ball);
}

RH_TEST(livelock)
{
    rh_actor *player = rh_spawn(player_behaviour, bool, {false});
    rh_actor *server = rh_spawn(server_behaviour, rh_actor *, {player});

    rh_send(server, ball);
}
