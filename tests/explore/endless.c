// SPDX-License-Identifier: MIT
// Timers for ever, and a guard that a reduced search asks about earlier states most of the time.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(tick);
RH_SIGNAL(open_up);
RH_MESSAGE(report, { int who; });

struct ticker {
    int who;
    rh_actor *sink;
};

static void ticker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct ticker *ticker = state;
    if (rh_as(message, tick)) {
        rh_send(ticker->sink, report, {ticker->who});
        rh_after(10, self, tick);
    }
}

struct sink {
    int last;
    bool is_open;
};

static void sink_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sink *sink = state;
    const struct report *report;
    (void)self;
    if (rh_as(message, open_up))
        sink->is_open = true;
    else if ((report = rh_as(message, report)))
        sink->last = report->who;
}

static bool sink_guard(const void *state, const rh_message *message)
{
    const struct sink *sink = state;
    return sink->is_open || rh_as(message, open_up);
}
RH_GUARD(sink_behaviour, sink_guard);

RH_TEST(tickers)
{
    rh_actor *sink = rh_spawn(sink_behaviour, struct sink, {0});
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(ticker_behaviour, struct ticker, {i, sink}), tick);
    rh_send(sink, open_up);
}
