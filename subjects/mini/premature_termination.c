// SPDX-License-Identifier: MIT
// Premature termination: the work is declared done while some of it is on its way.
//
// A worker that splits its task sends the parts back to the master and then says `received`. The
// master stops the workers when it has as many `received` as it has given out tasks. Under `--delivery
// any` a `received` may overtake the parts: the master stops too early, and parts are lost. Under
// `--delivery fifo` it is right. In the fixed twin `received` says how many parts to expect, and the
// master waits until it has given them out too.
//
// bug:     --test broken --delivery any : final
// cause:   received from worker reached master before part from worker
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { WORKERS = 2, SIZE = 2 };

RH_MESSAGE(task, { int size; });
RH_MESSAGE(part, { int size; });
RH_MESSAGE(received, { int parts; });
RH_SIGNAL(stop);

// A task of size 1 is done at once, a larger one falls into two.
static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct task *task;
    (void)self, (void)state;

    if ((task = rh_as(message, task))) {
        if (task->size > 1) {
            rh_reply(message, part, {.size = task->size / 2});
            rh_reply(message, part, {.size = task->size - task->size / 2});
        }
        rh_reply(message, received, {.parts = task->size > 1 ? 2 : 0});
    } else if (rh_as(message, stop)) {
        rh_stop();
    }
}

struct master {
    rh_actor *worker[WORKERS];
    int given;    // tasks given out
    int expected; // tasks that are known to exist
    int received;
    bool counts_parts; // the fix
    bool done;
};

static void give_out(struct master *master, int size)
{
    rh_send(master->worker[master->given++ % WORKERS], task, {.size = size});
}

static void take_received(struct master *master, int parts)
{
    master->received++;
    master->expected += parts;
    if (master->received < master->given)
        return;
    if (master->counts_parts && master->given < master->expected)
        return;
    master->done = true;
    for (int i = 0; i < WORKERS; i++)
        rh_send(master->worker[i], stop);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct task *task;
    const struct part *part;
    const struct received *received;
    (void)self;

    if ((task = rh_as(message, task)))
        give_out(master, task->size);
    else if ((part = rh_as(message, part)))
        give_out(master, part->size);
    else if ((received = rh_as(message, received)))
        take_received(master, received->parts);
}

struct watched {
    rh_actor *master;
};

static void all_tasks_were_done(const void *context)
{
    const struct watched *watched = context;
    const struct master *master = rh_view_state(watched->master);

    rh_check(master->done);
    rh_check(master->received == 2 * SIZE - 1);
}

static void set_up(bool counts_parts)
{
    rh_actor *first = rh_spawn(worker_behaviour);
    rh_actor *second = rh_spawn(worker_behaviour);
    rh_actor *master =
        rh_spawn(master_behaviour, struct master,
                 {.worker = {first, second}, .expected = 1, .counts_parts = counts_parts});

    rh_finally(all_tasks_were_done, struct watched, {.master = master});
    rh_send(master, task, {.size = SIZE});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
