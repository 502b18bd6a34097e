// SPDX-License-Identifier: MIT
// Inputs: all zero, unless the schedule file gives values (input_jobs.schedule,
// input_values.schedule).
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(job);

enum colour { RED, GREEN };

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *jobs = state;
    (void)self;

    if (rh_as(message, job))
        ++*jobs;
    else if (rh_as(message, go))
        rh_check(*jobs == rh_input(int, "n"));
}

// Without the file: no job, only go: 1 execution, 1 delivery. With n = 5: five jobs before it,
// one sender: 1 execution, 6 deliveries.
RH_TEST(jobs)
{
    rh_actor *worker = rh_spawn(worker_behaviour, int, {0});
    int count = rh_input(int, "n");

    for (int i = 0; i < count; i++)
        rh_send(worker, job);
    rh_send(worker, go);
}

static void checker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, go)) {
        rh_check(rh_input(int, "n") == 5);
        rh_check(rh_input(long, "negative") == -7);
        rh_check(rh_input(double, "share") == 0.5);
        rh_check(rh_input(bool, "yes"));
        rh_check(rh_input(enum colour, "paint") == GREEN);
        rh_check(rh_input(int, "absent") == 0);
    }
}

// With the file: 1 execution, 1 delivery. Without: the first check fails.
RH_TEST(values)
{
    rh_send(rh_spawn(checker_behaviour), go);
}
