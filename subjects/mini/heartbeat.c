// SPDX-License-Identifier: MIT
// A timer that is set again and again, as it is meant to be, and as it is not.
//
// A watchman makes a round every minute and sets his timer anew. That goes on for ever and is meant to: a round is
// progress, and rh_progress says so. In `asleep` he sets the timer and makes no round: a livelock. The states come back
// later each time, so only --states actors sees that they do.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(tick);
RH_SIGNAL(look);

struct watchman {
    bool is_asleep;
    bool is_on_round;
};

static void watchman_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct watchman *watchman = state;

    if (rh_as(message, start)) {
        rh_after(60000, self, tick);
    } else if (rh_as(message, tick)) {
        if (!watchman->is_asleep && !watchman->is_on_round)
            rh_send(self, look);
        watchman->is_on_round = !watchman->is_asleep;
        rh_after(60000, self, tick);
    } else if (rh_as(message, look)) {
        watchman->is_on_round = false;
        rh_progress();
    }
}

static void watch(bool is_asleep)
{
    rh_send(rh_spawn(watchman_behaviour, struct watchman, {.is_asleep = is_asleep}), start);
}

RH_TEST(awake)
{
    watch(false);
}

RH_TEST(asleep)
{
    watch(true);
}
