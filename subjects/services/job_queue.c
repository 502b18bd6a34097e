// SPDX-License-Identifier: MIT
// A job queue with visibility time-outs, as cloud services and job servers have them.
//
// A worker asks for a job and gets one with a receipt, a number of its own for each time that a job is handed out. The
// job is invisible to others from then on, for a while: if nothing is heard of it by then, it becomes visible again and
// is handed to the next that asks. A worker that is at work for long asks for more time, once. In the end it says that
// the job is finished, which goes into the results, or that it failed; a job that failed in its last attempt goes to
// the dead letters. A worker that finds the queue empty asks again after a while.
//
// What goes wrong: the queue does not look at the receipt of what it is told. A worker that was too slow says at last
// that its attempt failed, when the job is with another one. The queue takes that for the other one's failure and makes
// the job visible, and a third attempt begins while the second is under way and within its time. In the fixed twin a
// receipt that is not the latest counts for nothing.
//
// bug:     --test broken : invariant
// cause:   take from worker reached queue before failed from worker
// needs:   rh_choose(2) gave 1 in work_over to worker
// twin:    --test fixed
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum {
    JOBS = 2,
    MOST_ATTEMPTS = 3,
    MOST_RECEIPTS = 16,
    VISIBLE_MS = 500,
    WORK_MS = 300,
    EXTEND_MS = 200,
    POLL_MS = 100
};

// To the queue.
RH_MESSAGE(submit, { int job; });
RH_SIGNAL(take);
RH_MESSAGE(extend, {
    int job;
    int receipt;
});
RH_MESSAGE(finished, {
    int job;
    int receipt;
});
RH_MESSAGE(failed, {
    int job;
    int receipt;
});
RH_MESSAGE(visible_again, {
    int job;
    int receipt;
    int extensions;
});

// To a worker.
RH_SIGNAL(start);
RH_MESSAGE(job_is, {
    int job;
    int receipt;
});
RH_SIGNAL(no_job);
RH_SIGNAL(poll);
RH_MESSAGE(extend_due, { int receipt; });
RH_MESSAGE(work_over, { int receipt; });

// To the results and to the dead letters.
RH_MESSAGE(record, { int job; });

enum status { UNKNOWN, VISIBLE, INVISIBLE, FINISHED, DEAD };

struct job {
    enum status status;
    int attempts;
    int receipt; // of the latest attempt
    int extensions;
};

struct attempt {
    int job;
    bool is_over; // its time is, or its worker has said how it went
};

struct queue {
    rh_actor *results;
    rh_actor *dead_letters;
    bool compares; // the fix
    struct job jobs[JOBS];
    int receipts; // from 1 on
    struct attempt attempts[MOST_RECEIPTS];
};

static void hide(const struct queue *queue, int number)
{
    const struct job *job = &queue->jobs[number];
    rh_after(VISIBLE_MS, rh_self(), visible_again,
             {.job = number, .receipt = job->receipt, .extensions = job->extensions});
}

static void hand_out(struct queue *queue, rh_actor *worker)
{
    for (int i = 0; i < JOBS; i++) {
        struct job *job = &queue->jobs[i];
        if (job->status != VISIBLE)
            continue;
        job->status = INVISIBLE;
        job->attempts++;
        job->extensions = 0;
        rh_check(queue->receipts + 1 < MOST_RECEIPTS);
        job->receipt = ++queue->receipts;
        queue->attempts[job->receipt].job = i;
        hide(queue, i);
        rh_send(worker, job_is, {.job = i, .receipt = job->receipt});
        return;
    }
    rh_send(worker, no_job);
}

// Whether what a worker says about a job is about the latest attempt.
static bool counts(const struct queue *queue, const struct job *job, int receipt)
{
    if (queue->compares)
        return job->status == INVISIBLE && job->receipt == receipt;
    return job->status == INVISIBLE;
}

static void handle_failed(struct queue *queue, const struct failed *failed)
{
    struct job *job = &queue->jobs[failed->job];
    queue->attempts[failed->receipt].is_over = true;
    if (!counts(queue, job, failed->receipt))
        return;
    if (job->attempts < MOST_ATTEMPTS) {
        job->status = VISIBLE;
    } else {
        job->status = DEAD;
        rh_send(queue->dead_letters, record, {.job = failed->job});
    }
}

static void handle_finished(struct queue *queue, const struct finished *finished)
{
    struct job *job = &queue->jobs[finished->job];
    queue->attempts[finished->receipt].is_over = true;
    if (!counts(queue, job, finished->receipt))
        return;
    job->status = FINISHED;
    rh_send(queue->results, record, {.job = finished->job});
}

static void handle_extend(struct queue *queue, const struct extend *extend)
{
    struct job *job = &queue->jobs[extend->job];
    if (job->status != INVISIBLE || job->receipt != extend->receipt)
        return;
    job->extensions++;
    hide(queue, extend->job);
}

// The last attempt is over with its time, too.
static void handle_visible_again(struct queue *queue, const struct visible_again *again)
{
    struct job *job = &queue->jobs[again->job];
    if (job->status != INVISIBLE || job->receipt != again->receipt ||
        job->extensions != again->extensions)
        return;
    queue->attempts[again->receipt].is_over = true;
    job->status = job->attempts < MOST_ATTEMPTS ? VISIBLE : DEAD;
    if (job->status == DEAD)
        rh_send(queue->dead_letters, record, {.job = again->job});
}

static void queue_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct queue *queue = state;
    const struct submit *submit;
    const struct extend *extend;
    const struct finished *finished;
    const struct failed *failed;
    const struct visible_again *again;
    (void)self;

    if ((submit = rh_as(message, submit)))
        queue->jobs[submit->job].status = VISIBLE;
    else if (rh_as(message, take))
        hand_out(queue, rh_sender(message));
    else if ((extend = rh_as(message, extend)))
        handle_extend(queue, extend);
    else if ((finished = rh_as(message, finished)))
        handle_finished(queue, finished);
    else if ((failed = rh_as(message, failed)))
        handle_failed(queue, failed);
    else if ((again = rh_as(message, visible_again)))
        handle_visible_again(queue, again);
}

struct worker {
    rh_actor *queue;
    int asks; // still to be made
    int job;
    int receipt; // 0: it has no job
};

static void ask(struct worker *worker)
{
    worker->receipt = 0;
    if (worker->asks == 0)
        return;
    worker->asks--;
    rh_send(worker->queue, take);
}

static void begin_work(struct worker *worker, const struct job_is *given)
{
    worker->job = given->job;
    worker->receipt = given->receipt;
    rh_after(EXTEND_MS, rh_self(), extend_due, {.receipt = given->receipt});
    rh_after(WORK_MS, rh_self(), work_over, {.receipt = given->receipt});
}

static void end_work(struct worker *worker)
{
    if (rh_choose(2) == 1)
        rh_send(worker->queue, failed, {.job = worker->job, .receipt = worker->receipt});
    else
        rh_send(worker->queue, finished, {.job = worker->job, .receipt = worker->receipt});
    ask(worker);
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct job_is *given;
    const struct extend_due *due;
    (void)self;

    if (rh_as(message, start) || rh_as(message, poll)) {
        ask(worker);
    } else if ((given = rh_as(message, job_is))) {
        begin_work(worker, given);
    } else if (rh_as(message, no_job)) {
        if (worker->asks > 0)
            rh_after(POLL_MS, rh_self(), poll);
    } else if ((due = rh_as(message, extend_due))) {
        if (due->receipt == worker->receipt)
            rh_send(worker->queue, extend, {.job = worker->job, .receipt = worker->receipt});
    } else if (rh_as(message, work_over)) {
        end_work(worker);
    }
}

struct archive {
    int records[JOBS];
};

static void archive_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct archive *archive = state;
    const struct record *record = rh_as(message, record);
    (void)self;

    if (record)
        archive->records[record->job]++;
}

struct watched {
    rh_actor *queue;
};

static void nobody_else_is_at_it(const void *context)
{
    const struct watched *watched = context;
    const struct queue *queue = rh_view_state(watched->queue);
    int under_way[JOBS] = {0};

    for (int i = 1; queue && i <= queue->receipts; i++)
        if (!queue->attempts[i].is_over)
            under_way[queue->attempts[i].job]++;
    for (int i = 0; i < JOBS; i++)
        rh_check(under_way[i] <= 1);
}

static void set_up(bool compares)
{
    rh_actor *results = rh_spawn(archive_behaviour, struct archive, {.records = {0}});
    rh_actor *dead_letters = rh_spawn(archive_behaviour, struct archive, {.records = {0}});
    rh_actor *queue =
        rh_spawn(queue_behaviour, struct queue,
                 {.results = results, .dead_letters = dead_letters, .compares = compares});

    for (int i = 0; i < JOBS && i < rh_parameter(int, jobs, 1); i++)
        rh_send(queue, submit, {.job = i});
    for (int i = 0; i < rh_parameter(int, workers, 2); i++)
        rh_send(rh_spawn(worker_behaviour, struct worker,
                         {.queue = queue, .asks = rh_parameter(int, asks, 2)}),
                start);
    rh_invariant(nobody_else_is_at_it, struct watched, {.queue = queue});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
