// SPDX-License-Identifier: MIT
// rehearse: --libs -lm
// A handler waits with another rounding mode: it finds it again, and no other handler sees it.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <fenv.h>

RH_MESSAGE(go, { int mode; });
RH_SIGNAL(get);
RH_SIGNAL(done);

struct client {
    rh_actor *server;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct go *go = rh_as(message, go);
    (void)self;

    if (go) {
        rh_check(fegetround() == FE_TONEAREST);
        fesetround(go->mode);
        rh_ask(client->server, get);
        rh_check(fegetround() == go->mode);
    }
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;

    if (rh_as(message, get)) {
        rh_check(fegetround() == FE_TONEAREST);
        rh_reply(message, done);
    }
}

RH_TEST(rounding)
{
    rh_actor *server = rh_spawn(server_behaviour);
    rh_actor *first = rh_spawn(client_behaviour, struct client, {.server = server});
    rh_actor *second = rh_spawn(client_behaviour, struct client, {.server = server});

    rh_send(first, go, {.mode = FE_UPWARD});
    rh_send(second, go, {.mode = FE_DOWNWARD});
}
