// SPDX-License-Identifier: MIT
// Factorials by several actors: each multiplies at most `mx` numbers itself, and lets an actor that
// it creates do the rest. Figure 2 of aPET. The work (`wk`) and the report of the rest (`rp`)
// of an actor may come in either order, and only one of them is right: an actor that gets the
// report first tells its own boss too early.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(ft, { int n; });
RH_MESSAGE(wk, {
    int n;
    int h;
});
RH_MESSAGE(dg, { int n; });
RH_MESSAGE(rp, { int x; });

struct fact {
    rh_actor *b; // the boss, who gets the result
    int mx;      // factors that the actor multiplies itself
    int r;       // result so far
};

static void start(rh_actor *self, const struct fact *fact, int n)
{
    if (n > fact->mx) {
        rh_send(self, wk, {.n = n, .h = fact->mx});
        rh_send(self, dg, {.n = n - fact->mx});
    } else {
        rh_send(self, wk, {.n = n, .h = n});
        rh_send(self, rp, {.x = 1});
    }
}

static void multiply(struct fact *fact, int n, int h)
{
    while (h > 0) {
        fact->r = fact->r * n;
        n = n - 1;
        h = h - 1;
    }
}

static void fact_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct fact *fact = state;
    const struct ft *ft;
    const struct wk *wk;
    const struct dg *dg;
    const struct rp *rp;
    if ((ft = rh_as(message, ft))) {
        start(self, fact, ft->n);
    } else if ((wk = rh_as(message, wk))) {
        multiply(fact, wk->n, wk->h);
    } else if ((dg = rh_as(message, dg))) {
        rh_actor *helper =
            rh_spawn(fact_behaviour, struct fact, {.b = self, .mx = fact->mx, .r = 1});
        rh_send(helper, ft, {.n = dg->n});
    } else if ((rp = rh_as(message, rp))) {
        fact->r = fact->r * rp->x;
        if (fact->b)
            rh_send(fact->b, rp, {.x = fact->r});
    }
}

RH_TEST(five)
{
    rh_actor *first = rh_spawn(fact_behaviour, struct fact, {.mx = 2, .r = 1});
    rh_send(first, ft, {.n = 5});
}
