// SPDX-License-Identifier: MIT
// Order violation: a job that comes before the configuration it needs.
//
// The keeper configures the worker, a customer sends it a job. Two senders, so no order rule puts
// the configuration first: under `--delivery fifo` already, a worker that gets the job first follows a
// null pointer. In the fixed twin a guard makes jobs wait for the configuration.
//
// bug:     --test broken : crash
// cause:   job from customer reached worker before configure from keeper
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_MESSAGE(configure, { const int *prices; });
RH_MESSAGE(job, { int article; });

struct worker {
    const int *prices; // NULL until configured
    int sum;
    bool waits; // the fix
};

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct configure *configure;
    const struct job *job;
    (void)self;

    if ((configure = rh_as(message, configure)))
        worker->prices = configure->prices;
    else if ((job = rh_as(message, job)))
        worker->sum += worker->prices[job->article];
}

static bool worker_guard(const void *state, const rh_message *message)
{
    const struct worker *worker = state;

    return !worker->waits || worker->prices || !rh_as(message, job);
}
RH_GUARD(worker_behaviour, worker_guard);

struct sender {
    rh_actor *worker;
};

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    static const int prices[] = {10, 20};
    const struct sender *sender = state;
    (void)self;

    if (rh_as(message, start))
        rh_send(sender->worker, configure, {.prices = prices});
}

static void customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct sender *sender = state;
    (void)self;

    if (rh_as(message, start))
        rh_send(sender->worker, job, {.article = 1});
}

struct watched {
    rh_actor *worker;
};

static void job_is_done(const void *context)
{
    const struct watched *watched = context;
    const struct worker *worker = rh_view_state(watched->worker);

    rh_check(worker->sum == 20);
}

static void set_up(bool waits)
{
    rh_actor *worker = rh_spawn(worker_behaviour, struct worker, {.waits = waits});
    rh_actor *keeper = rh_spawn(keeper_behaviour, struct sender, {.worker = worker});
    rh_actor *customer = rh_spawn(customer_behaviour, struct sender, {.worker = worker});

    rh_finally(job_is_done, struct watched, {.worker = worker});
    rh_send(keeper, start);
    rh_send(customer, start);
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
