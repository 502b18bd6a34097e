// SPDX-License-Identifier: MIT
// Answers that nobody takes, a stop, and an actor that the outside may not write to.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum tone { LOW, HIGH };

RH_MESSAGE(call, {
    int number;
    enum tone tone;
    char words[16];
    rh_actor *friend;
});
RH_MESSAGE(answer, { int number; });
RH_SIGNAL(quit);

struct echo {
    int last;
};

static void echo_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct echo *echo = state;
    const struct call *call;
    (void)self;

    if ((call = rh_as(message, call))) {
        rh_check(call->number >= 0);
        echo->last = call->number;
        if (call->tone == HIGH)
            rh_reply(message, answer, {.number = call->number});
        if (call->friend)
            rh_send(call->friend, quit);
    } else if (rh_as(message, quit)) {
        rh_stop();
    }
}

RH_TEST(quiet)
{
    rh_outside("ann");
    rh_spawn(echo_behaviour, struct echo, {.last = 0});
}

RH_TEST(guarded)
{
    rh_receptionist(rh_spawn(echo_behaviour, struct echo, {.last = 0}));
    rh_spawn(echo_behaviour, struct echo, {.last = 0});
}
