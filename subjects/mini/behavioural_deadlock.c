// SPDX-License-Identifier: MIT
// Behavioural deadlock: a message is discarded, and its sender will never repeat it.
//
// Two groups want to see Santa, one after the other. While he is out with a group he does not
// listen: a group that knocks then is not heard, and waits for ever, under any order rule. In the
// fixed twin a guard makes knocks wait until he is back.
//
// bug:     --test broken : final
// cause:   knock from group reached santa before leave from group
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(knock);
RH_SIGNAL(go);
RH_SIGNAL(leave);

struct santa {
    bool busy;
    bool patient; // the fix
};

static void santa_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct santa *santa = state;
    (void)self;

    if (rh_as(message, knock)) {
        if (santa->busy)
            return;
        santa->busy = true;
        rh_reply(message, go);
    } else if (rh_as(message, leave)) {
        santa->busy = false;
    }
}

static bool santa_guard(const void *state, const rh_message *message)
{
    const struct santa *santa = state;

    return !santa->patient || !santa->busy || !rh_as(message, knock);
}
RH_GUARD(santa_behaviour, santa_guard);

struct group {
    rh_actor *santa;
    bool served;
};

static void group_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct group *group = state;
    (void)self;

    if (rh_as(message, start)) {
        rh_send(group->santa, knock);
    } else if (rh_as(message, go)) {
        group->served = true;
        rh_send(group->santa, leave);
    }
}

struct watched {
    rh_actor *reindeer;
    rh_actor *elves;
};

static void all_were_served(const void *context)
{
    const struct watched *watched = context;
    const struct group *reindeer = rh_view_state(watched->reindeer);
    const struct group *elves = rh_view_state(watched->elves);

    rh_check(reindeer->served && elves->served);
}

static void set_up(bool patient)
{
    rh_actor *santa = rh_spawn(santa_behaviour, struct santa, {.patient = patient});
    rh_actor *reindeer = rh_spawn(group_behaviour, struct group, {.santa = santa});
    rh_actor *elves = rh_spawn(group_behaviour, struct group, {.santa = santa});

    rh_finally(all_were_served, struct watched, {.reindeer = reindeer, .elves = elves});
    rh_send(reindeer, start);
    rh_send(elves, start);
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
