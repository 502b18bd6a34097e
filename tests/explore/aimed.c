// SPDX-License-Identifier: MIT
// Few messages of several types to several actors; see aimed.sh.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(begin);
RH_SIGNAL(vote);
RH_SIGNAL(note);

struct member {
    int votes;
};

static void member_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct member *member = state;
    (void)self;
    member->votes += rh_as(message, vote) != NULL;
}

struct clerk {
    int notes;
};

static void clerk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct clerk *clerk = state;
    (void)self;
    clerk->notes += rh_as(message, note) != NULL;
}

struct boss {
    rh_actor *members[2], *clerk;
};

static void boss_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct boss *boss = state;
    (void)self;
    (void)rh_as(message, begin);
    rh_send(boss->members[0], vote);
    rh_send(boss->members[1], vote);
    rh_send(boss->clerk, note);
}

RH_TEST(one_vote)
{
    rh_actor *first = rh_spawn(member_behaviour, struct member, {.votes = 0});
    rh_actor *second = rh_spawn(member_behaviour, struct member, {.votes = 0});
    rh_actor *clerk = rh_spawn(clerk_behaviour, struct clerk, {.notes = 0});
    rh_actor *boss =
        rh_spawn(boss_behaviour, struct boss, {.members = {first, second}, .clerk = clerk});
    rh_send(boss, begin);
}
