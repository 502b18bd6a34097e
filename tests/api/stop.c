// SPDX-License-Identifier: MIT
// Stopping: when it takes effect, what it releases, what becomes of pending messages; becoming.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(quit);
RH_SIGNAL(work);
RH_SIGNAL(goodbye);

struct holder {
    int *block;
    rh_actor *heir;
    int stopped;
};

static void holder_at_stop(rh_actor *self, void *state)
{
    struct holder *holder = state;

    rh_check(self == rh_self());
    rh_check(holder->stopped == 1);
    rh_check(*holder->block == 42);
    free(holder->block);
}

static void holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct holder *holder = state;
    (void)self;

    if (rh_as(message, go)) {
        rh_at_stop(holder_at_stop);
        holder->block = malloc(sizeof *holder->block);
    } else if (rh_as(message, quit)) {
        rh_stop();
        // The actor lives until its handler ends.
        *holder->block = 42;
        holder->stopped = 1;
        rh_send(holder->heir, goodbye);
    }
}

static void heir_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *goodbyes = state;
    (void)self;

    if (rh_as(message, goodbye))
        ++*goodbyes;
}

struct death {
    rh_actor *holder;
    rh_actor *heir;
};

static void dead_and_mourned(const void *context)
{
    const struct death *death = context;

    rh_check(!rh_view_alive(death->holder));
    rh_check(!rh_view_state(death->holder));
    rh_check(rh_view_alive(death->heir));
    rh_check(*(const int *)rh_view_state(death->heir) == 1);
}

// 1 execution, 3 deliveries. Were the function not called, the block would be a leak.
RH_TEST(at_stop_releases)
{
    rh_actor *heir = rh_spawn(heir_behaviour, int, {0});
    rh_actor *holder = rh_spawn(holder_behaviour, struct holder, {.heir = heir});

    rh_finally(dead_and_mourned, struct death, {.holder = holder, .heir = heir});
    rh_send(holder, go);
    rh_send(holder, quit);
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, quit))
        rh_stop();
    else if (rh_as(message, work))
        rh_check(true);
}

// quit comes before, between or after the two works of the other sender; what is left then is
// undeliverable, no delivery, and the execution ends: 3 executions.
// Deliveries: quit; work; work quit; work work; work work quit: 5. Undelivered is a warning.
RH_TEST(pending_to_stopped)
{
    rh_actor *worker = rh_spawn(worker_behaviour);
    rh_actor *boss = rh_outside("boss");

    rh_send(worker, work);
    rh_send(worker, work);
    rh_send_from(boss, worker, quit);
}

static void second_behaviour(rh_actor *self, void *state, const rh_message *message);

static void first_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *handled = state;
    (void)self;

    if (rh_as(message, go)) {
        rh_check(*handled % 2 == 0);
        rh_become(second_behaviour);
        ++*handled;
    }
}

static void second_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *handled = state;
    (void)self;

    if (rh_as(message, go)) {
        rh_check(*handled % 2 == 1);
        rh_become(first_behaviour);
        ++*handled;
    }
}

struct counted {
    rh_actor *actor;
};

static void four_handled(const void *context)
{
    const struct counted *counted = context;

    rh_check(*(const int *)rh_view_state(counted->actor) == 4);
}

// Two chains of two: 6 executions, 18 deliveries.
RH_TEST(becoming)
{
    rh_actor *actor = rh_spawn(first_behaviour, int, {0});
    rh_actor *other = rh_outside("other");

    rh_finally(four_handled, struct counted, {.actor = actor});
    rh_send(actor, go);
    rh_send(actor, go);
    rh_send_from(other, actor, go);
    rh_send_from(other, actor, go);
}
