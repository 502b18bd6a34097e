// SPDX-License-Identifier: MIT
// Two players return the ball for ever. The state comes back with every second delivery, and
// nothing else is deliverable: a livelock. 1 execution, cut at --max-length.
// FIXED: A whistle ends the game whenever it is delivered. The execution that never delivers it is cut, but
// it is unfair to a message that was deliverable all along: the bound was reached, there is no livelock. With
// --max-length 10 the whistle is one of the deliveries 1 to 10, or none: 11 executions. Without it: 10
// deliveries. As delivery k it adds itself and the rest of that execution: for odd k the ball still goes to
// the server and the player, 2; for even k to the player, 1; cut at ten: 1 for k = 9 and 0 for k = 10. 10 +
// 10 + (2 + 1 + 2 + 1 + 2 + 1 + 2 + 1 + 1 + 0) = 33 deliveries.
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
#ifdef FIXED
    rh_send(player, whistle);
#endif
}
