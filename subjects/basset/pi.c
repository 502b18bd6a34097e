// SPDX-License-Identifier: MIT
// An approximation of pi: the area under 4 / (1 + x * x), shared out among workers.
//
// The master gives each worker every n-th interval, adds up the areas that come back and then stops
// all of them. No bug under any order. The order of the additions changes the last digits, so the
// oracle leaves room for rounding.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { INTERVALS = 100, MOST_WORKERS = 4 };

RH_SIGNAL(boot);
RH_MESSAGE(intervals, {
    int first;
    int step;
});
RH_MESSAGE(sum, { double area; });
RH_SIGNAL(stop);

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct intervals *intervals;
    (void)self, (void)state;

    if ((intervals = rh_as(message, intervals))) {
        double height = 0;
        for (int i = intervals->first; i < INTERVALS; i += intervals->step) {
            double x = (i + 0.5) / INTERVALS;
            height += 4 / (1 + x * x);
        }
        rh_reply(message, sum, {.area = height / INTERVALS});
    } else if (rh_as(message, stop)) {
        rh_stop();
    }
}

struct master {
    int workers;
    int sums;
    double area;
    rh_actor *worker[MOST_WORKERS]; // the boot creates those that are missing
};

static bool is_pi(double value)
{
    return value > 3.1415 && value < 3.1417;
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct sum *sum;
    (void)self;

    if (rh_as(message, boot)) {
        for (int i = 0; i < master->workers; i++) {
            if (!master->worker[i])
                master->worker[i] = rh_spawn(worker_behaviour);
            rh_send(master->worker[i], intervals, {.first = i, .step = master->workers});
        }
    } else if ((sum = rh_as(message, sum))) {
        master->area += sum->area;
        if (++master->sums < master->workers)
            return;
        rh_check(is_pi(master->area));
        for (int i = 0; i < master->workers; i++)
            rh_send(master->worker[i], stop);
        rh_stop();
    }
}

struct watched {
    rh_actor *master;
};

static void master_is_done(const void *context)
{
    const struct watched *watched = context;

    rh_check(!rh_view_alive(watched->master));
}

static void boot_master(rh_actor *master)
{
    rh_finally(master_is_done, struct watched, {.master = master});
    rh_send(master, boot);
}

static void compute(int workers)
{
    boot_master(rh_spawn(master_behaviour, struct master, {.workers = workers}));
}

RH_TEST(two_workers)
{
    compute(2);
}

RH_TEST(three_workers)
{
    compute(3);
}

RH_TEST(four_workers)
{
    compute(4);
}

// The master is the youngest actor, not the oldest.
RH_TEST(four_workers_first)
{
    rh_actor *worker[4];
    for (int i = 0; i < 4; i++)
        worker[i] = rh_spawn(worker_behaviour);
    boot_master(rh_spawn(master_behaviour, struct master,
                         {.workers = 4, .worker = {worker[0], worker[1], worker[2], worker[3]}}));
}
