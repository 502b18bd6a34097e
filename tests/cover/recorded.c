// SPDX-License-Identifier: MIT
// Guests who come to a host on threads, in any order; see recorded.sh.
#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

enum { GUESTS = 4 };

RH_SIGNAL(go);
RH_MESSAGE(hello, { uint64_t at; });

static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    (void)rh_as(message, hello);
}

struct guest {
    rh_actor *host;
};

// The answer of a clock is in the recording too.
static void guest_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct guest *guest = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(guest->host, hello, {.at = rh_now()});
}

static void invite(void *context)
{
    (void)context;
    rh_actor *host = rh_spawn(host_behaviour);
    for (int i = 0; i < GUESTS; i++)
        rh_send(rh_spawn(guest_behaviour, struct guest, {.host = host}), go);
}

int main(void)
{
    return rh_run(NULL, invite);
}
