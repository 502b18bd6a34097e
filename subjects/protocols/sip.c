// SPDX-License-Identifier: MIT
// A call as SIP makes it: a caller invites through a proxy, the callee rings and then takes the call or declines, and
// who talks to each other says goodbye without the proxy.
//
// Nothing goes wrong with fifo; with --delivery any the answer overtakes the ringing, and a check fails.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(call);
RH_MESSAGE(invite, { rh_actor *caller; });
RH_SIGNAL(trying);
RH_SIGNAL(ringing);
RH_MESSAGE(ok, { rh_actor *callee; });
RH_SIGNAL(decline);
RH_SIGNAL(ack);
RH_SIGNAL(bye);

struct caller {
    rh_actor *proxy;
    bool rings;
};

static void caller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct caller *caller = state;
    const struct ok *ok;
    if (rh_as(message, call)) {
        rh_send(caller->proxy, invite, {.caller = self});
    } else if (rh_as(message, ringing)) {
        caller->rings = true;
    } else if ((ok = rh_as(message, ok)) && ok->callee) {
        rh_check(caller->rings);
        rh_send(ok->callee, ack);
        rh_send(ok->callee, bye);
    } else if (rh_as(message, decline)) {
        rh_check(caller->rings);
        rh_send(caller->proxy, ack);
    } else {
        rh_check(ok || rh_as(message, trying));
    }
}

struct proxy {
    rh_actor *caller, *callee;
};

static void proxy_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct proxy *proxy = state;
    const struct invite *invite;
    const struct ok *ok;
    (void)self;
    if ((invite = rh_as(message, invite))) {
        proxy->caller = invite->caller;
        rh_send(proxy->caller, trying);
        rh_send(proxy->callee, invite, {.caller = proxy->caller});
    } else if (rh_as(message, ringing)) {
        rh_send(proxy->caller, ringing);
    } else if ((ok = rh_as(message, ok))) {
        rh_send(proxy->caller, ok, {.callee = ok->callee});
    } else if (rh_as(message, decline)) {
        rh_send(proxy->caller, decline);
    } else {
        rh_check(rh_as(message, ack));
        rh_send(proxy->callee, ack);
    }
}

struct callee {
    bool may_decline;
};

static void callee_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct callee *callee = state;
    if (rh_as(message, invite)) {
        rh_reply(message, ringing);
        if (callee->may_decline && rh_choose(2) == 1)
            rh_reply(message, decline);
        else
            rh_reply(message, ok, {.callee = self});
    } else if (rh_as(message, bye)) {
        rh_reply(message, ok, {.callee = NULL});
    } else {
        rh_check(rh_as(message, ack));
    }
}

static void dial(bool may_decline)
{
    rh_actor *callee = rh_spawn(callee_behaviour, struct callee, {.may_decline = may_decline});
    rh_actor *proxy = rh_spawn(proxy_behaviour, struct proxy, {.callee = callee});
    rh_send(rh_spawn(caller_behaviour, struct caller, {.proxy = proxy}), call);
}

RH_TEST(taken)
{
    dial(false);
}

RH_TEST(taken_or_declined)
{
    dial(true);
}
