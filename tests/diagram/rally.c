// SPDX-License-Identifier: MIT
// A player that hits a ball so many times, and a partner that hits it back: as a test, and as a program on threads.
// With -DWRONG the partner says early that the player has to stop.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

RH_SIGNAL(begin);
RH_SIGNAL(ball);
RH_SIGNAL(back);
RH_SIGNAL(over);

struct player {
    rh_actor *partner;
    int left;
};

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player *player = state;
    (void)self;
    if (rh_as(message, over))
        return;
    rh_check(rh_as(message, begin) || rh_as(message, back));
    if (player->left-- > 0)
        rh_send(player->partner, ball);
    else
        rh_send(player->partner, over);
}

struct partner {
    int seen;
};

static void partner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, over))
        return;
    rh_check(rh_as(message, ball));
    rh_reply(message, back);
#ifdef WRONG
    if (++((struct partner *)state)->seen == 5)
        rh_reply(message, over);
#endif
}

static void set_up(int rounds)
{
    rh_actor *partner = rh_spawn(partner_behaviour, struct partner, {0});
    rh_send(rh_spawn(player_behaviour, struct player, {.partner = partner, .left = rounds}), begin);
}

RH_TEST(rally)
{
    set_up(rh_parameter(int, rounds, 3));
}

static int rounds_of_main;

static void set_up_main(void *argument)
{
    (void)argument;
    set_up(rounds_of_main);
}

int main(int count, char **arguments)
{
    rounds_of_main = count > 1 ? atoi(arguments[1]) : 3;
    return rh_run(NULL, set_up_main);
}
