// SPDX-License-Identifier: MIT
// A load balancer, after a sample program of Bita.
//
// The balancer queues tasks, and creates a worker if there is none or the queue has become too
// long. A worker asks for more work until there is none, and stops. When the last one has stopped,
// the balancer reports that all is done.
//
// Under any order rule that can happen while tasks are on their way to the balancer: its workers
// are faster than the one who sends tasks. In the fixed twin that one says when it has sent all,
// and the balancer does not report before; that this comes last rests on `--delivery fifo`.
//
// bug:     --test buggy : check
// cause:   need_work from worker reached balancer before task from outside
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_TASKS = 60 };

RH_MESSAGE(task, { int number; });
RH_SIGNAL(no_more_tasks);
RH_SIGNAL(start_working);
RH_SIGNAL(need_work);
RH_SIGNAL(exit_now);
RH_MESSAGE(all_done, { int handed_out; });

// Set by the test's body, and only read afterwards.
static struct {
    bool waits_for_last; // the fix
    int longest_queue;
    int tasks;
    rh_actor *balancer;
    rh_actor *client;
} office;

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, start_working) || rh_as(message, task))
        rh_send(office.balancer, need_work);
    else if (rh_as(message, exit_now))
        rh_stop();
}

struct balancer {
    int workers;
    int queued;
    int queue[MOST_TASKS];
    int handed_out;
    bool had_last;
};

static void look_for_end(const struct balancer *balancer)
{
    if (balancer->workers == 0 && (balancer->had_last || !office.waits_for_last))
        rh_send(office.client, all_done, {.handed_out = balancer->handed_out});
}

static void hand_out(struct balancer *balancer, rh_actor *worker)
{
    if (balancer->queued == 0) {
        rh_send(worker, exit_now);
        balancer->workers--;
        look_for_end(balancer);
    } else {
        rh_send(worker, task, {.number = balancer->queue[--balancer->queued]});
        balancer->handed_out++;
    }
}

static void enqueue(struct balancer *balancer, int number)
{
    balancer->queue[balancer->queued++] = number;
    if (balancer->workers == 0 || balancer->queued >= office.longest_queue) {
        balancer->workers++;
        rh_send(rh_spawn(worker_behaviour), start_working);
    }
}

static void balancer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct balancer *balancer = state;
    const struct task *task;
    (void)self;

    if ((task = rh_as(message, task))) {
        enqueue(balancer, task->number);
    } else if (rh_as(message, need_work)) {
        hand_out(balancer, rh_sender(message));
    } else if (rh_as(message, no_more_tasks)) {
        balancer->had_last = true;
        look_for_end(balancer);
    }
}

struct client {
    bool knows_that_all_is_done;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct all_done *all_done = rh_as(message, all_done);
    (void)self;

    if (!all_done)
        return;
    rh_check(all_done->handed_out == office.tasks);
    client->knows_that_all_is_done = true;
}

struct watched {
    rh_actor *client;
};

static void client_knows(const void *context)
{
    const struct watched *watched = context;
    const struct client *client = rh_view_state(watched->client);

    rh_check(client->knows_that_all_is_done);
}

static void balance(bool waits_for_last, int tasks, int longest_queue)
{
    office.waits_for_last = waits_for_last;
    office.longest_queue = longest_queue;
    office.tasks = tasks;
    office.balancer = rh_spawn(balancer_behaviour, struct balancer, {.workers = 0});
    office.client = rh_spawn(client_behaviour, struct client, {.knows_that_all_is_done = false});
    rh_finally(client_knows, struct watched, {.client = office.client});
    for (int i = 0; i < tasks; i++)
        rh_send(office.balancer, task, {.number = i});
    if (waits_for_last)
        rh_send(office.balancer, no_more_tasks);
}

RH_TEST(buggy)
{
    balance(false, 2, 2);
}

RH_TEST(fixed)
{
    balance(true, 2, 2);
}

RH_TEST(buggy_full)
{
    balance(false, MOST_TASKS, 4);
}

RH_TEST(fixed_full)
{
    balance(true, MOST_TASKS, 4);
}
