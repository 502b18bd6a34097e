// SPDX-License-Identifier: MIT
// The rule over two actors breaks while the token is on its way: 1 execution.
// FIXED: The rule counts the token on its way too, and holds: 1 execution, 2 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(pass, { rh_actor *to; });
RH_SIGNAL(token);

static void holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *tokens = state;
    const struct pass *pass;
    (void)self;

    if ((pass = rh_as(message, pass))) {
        --*tokens;
        rh_send(pass->to, token);
    } else if (rh_as(message, token)) {
        ++*tokens;
    }
}

struct watched {
    rh_actor *first;
    rh_actor *second;
};

static void one_token(const void *context)
{
    const struct watched *watched = context;
    int first = *(const int *)rh_view_state(watched->first);
    int second = *(const int *)rh_view_state(watched->second);
#ifndef FIXED
    int travelling = 0;
#else
    int travelling = (int)rh_view_count(watched->second, token);
#endif

    rh_check(first + second + travelling == 1);
}

RH_TEST(invariant)
{
    rh_actor *first = rh_spawn(holder_behaviour, int, {1});
    rh_actor *second = rh_spawn(holder_behaviour, int, {0});

    rh_invariant(one_token, struct watched, {.first = first, .second = second});
    rh_send(first, pass, {.to = second});
}
