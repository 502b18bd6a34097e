// SPDX-License-Identifier: MIT
// Bugs among deliveries that have nothing to do with them; what is left of each is worked out in shrink.sh.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(write);
RH_SIGNAL(flush);
RH_MESSAGE(tick, { int left; });

// Noise: ticks that an actor sends to itself.
static void ticker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    const struct tick *tick = rh_as(message, tick);
    if (tick->left > rh_choose(2))
        rh_send(self, tick, {.left = tick->left - 1});
}

static void make_noise(void)
{
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(ticker_behaviour), tick, {.left = 2});
}

struct writer {
    bool is_closed;
    bool is_strict;
    int written, lost;
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    (void)self;
    if (rh_as(message, flush)) {
        writer->is_closed = true;
    } else if (rh_as(message, write)) {
        rh_check(!writer->is_closed || !writer->is_strict);
        writer->lost += writer->is_closed;
        writer->written += !writer->is_closed;
    }
}

struct source {
    rh_actor *writer;
    int which; // writes if an rh_choose of three gives this; 3: whatever it gives
};

static void action_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct source *source = state;
    (void)self;
    (void)rh_as(message, go);
    if (source->which == 3 || rh_choose(3) == source->which)
        rh_send(source->writer, write);
}

static void terminator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct source *source = state;
    (void)self;
    (void)rh_as(message, go);
    rh_send(source->writer, flush);
}

static rh_actor *two_ways(bool is_strict, int which)
{
    rh_actor *writer = rh_spawn(writer_behaviour, struct writer, {.is_strict = is_strict});
    rh_actor *action =
        rh_spawn(action_behaviour, struct source, {.writer = writer, .which = which});
    rh_actor *terminator = rh_spawn(terminator_behaviour, struct source, {.writer = writer});
    rh_send_from(rh_outside("ann"), action, go);
    make_noise();
    rh_send_from(rh_outside("ben"), terminator, go);
    return writer;
}

// It shows in a delivery.
RH_TEST(refused)
{
    two_ways(true, 3);
}

struct watched {
    rh_actor *writer;
};

static void nothing_is_lost(const void *context)
{
    const struct watched *watched = context;
    const struct writer *writer = rh_view_state(watched->writer);
    rh_check(writer->lost == 0);
}

// It shows at the end.
RH_TEST(lost)
{
    rh_finally(nothing_is_lost, struct watched, {.writer = two_ways(false, 3)});
}

// It needs an outcome too.
RH_TEST(chosen)
{
    two_ways(true, 2);
}

static void all_is_written(const void *context)
{
    const struct watched *watched = context;
    const struct writer *writer = rh_view_state(watched->writer);
    rh_check(writer->written == 1);
}

// It needs a fault: `write` comes in one order only.
RH_TEST(dropped)
{
    rh_actor *writer = rh_spawn(writer_behaviour, struct writer, {.written = 0});
    rh_actor *action = rh_spawn(action_behaviour, struct source, {.writer = writer, .which = 3});
    make_noise();
    rh_send(action, go);
    rh_finally(all_is_written, struct watched, {.writer = writer});
}

// It is there in every order.
static void never(const void *context)
{
    (void)context;
    rh_check(false);
}

RH_TEST(always)
{
    make_noise();
    rh_finally(never, int, {0});
}

// The second alarm can't come before the first: without the one the other one does not come either, and both make no
// difference.
RH_SIGNAL(set);
RH_SIGNAL(first);
RH_SIGNAL(second);
RH_SIGNAL(probe);

static void prober_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, go))
        rh_reply(message, probe);
}

struct alarms {
    rh_actor *prober;
    int came;
};

static void alarms_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct alarms *alarms = state;
    if (rh_as(message, set)) {
        rh_after(1, self, first);
        rh_after(2, self, second);
        rh_send(alarms->prober, go);
    } else if (rh_as(message, first) || rh_as(message, second)) {
        alarms->came++;
    } else if (rh_as(message, probe)) {
        rh_check(alarms->came == 1);
    }
}

RH_TEST(two_alarms)
{
    rh_actor *prober = rh_spawn(prober_behaviour);
    rh_actor *alarms = rh_spawn(alarms_behaviour, struct alarms, {.prober = prober});
    rh_send(alarms, set);
}

// Whatever comes before the first `empty` is thrown away twice; what comes behind it is put where nothing is.
RH_SIGNAL(item);
RH_SIGNAL(empty);

struct bin {
    int items;
    bool is_gone;
};

static void bin_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct bin *bin = state;
    (void)self;
    if (rh_as(message, item)) {
        rh_check(!bin->is_gone);
        bin->items++;
    } else if (rh_as(message, empty)) {
        rh_check(!bin->is_gone);
        bin->is_gone = bin->items > 0;
    }
}

RH_TEST(thrown_twice)
{
    rh_actor *bin = rh_spawn(bin_behaviour, struct bin, {0});
    rh_send_from(rh_outside("ann"), bin, item);
    rh_send_from(rh_outside("ben"), bin, item);
    rh_send_from(rh_outside("eva"), bin, empty);
    rh_send_from(rh_outside("joe"), bin, empty);
}
