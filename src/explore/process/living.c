// SPDX-License-Identifier: MIT
#include "explore/process/living.h"

#include <unistd.h>

#include "base/descriptor.h"
#include "explore/process/questions.h"
#include "result/tape.h"

static const size_t STORE_SIZE = (size_t)1 << 32;

bool rh_living_is_possible(const struct rh_job *job)
{
    return job->options->undo != RH_UNDO_OFF && !job->options->adapter->keeps_state &&
           job->shared->owns_malloc;
}

// What the test's body depends on: everything up to the first delivery. A generated schedule has no
// body: what it makes is taken back too.
static uint64_t hash_beginning(const struct rh_run_options *options)
{
    struct rh_schedule beginning = *options->schedule;
    size_t count = 0;
    while (count < beginning.steps.count && !rh_step_is_move(beginning.steps.items[count].kind))
        count++;
    beginning.steps.count = count;
    beginning.holds.count = 0;
    beginning.stops = false;
    beginning.note = NULL;
    beginning.ends.count = 0;
    if (beginning.is_generated) {
        beginning.test = NULL;
        beginning.inputs.count = beginning.sends.count = 0;
    }
    struct rh_text text = {0};
    rh_schedule_print(&beginning, &text);
    uint64_t hash = rh_hash64_text(rh_text_get(&text), options->lenient);
    rh_text_fini(&text);
    const struct rh_faults *faults = &options->faults;
    hash = rh_hash64_pair(hash, (uint64_t)faults->drops << 32 | faults->duplicates);
    return rh_hash64_pair(hash, (uint64_t)faults->crashes << 32 | faults->restarts);
}

// Puts options and schedule where the worker finds them. Schedules that begin alike lie alike up to
// there, so that what the body has kept of the first one is still valid. NULL if there is no room.
static const struct rh_run_options *place(struct rh_living *living,
                                          const struct rh_run_options *options)
{
    living->store.top = 0;
    struct rh_run_options *placed = rh_store_take(&living->store, sizeof *placed);
    const struct rh_schedule *schedule = rh_schedule_place(&living->store, options->schedule);
    if (!schedule)
        return NULL;
    *placed = *options;
    placed->schedule = schedule;
    return placed;
}

static void forget_worker(struct rh_living *living)
{
    close(living->bell[0]);
    close(living->bell[1]);
    rh_shared_free(living->job.shared);
    rh_tape_free(living->job.tape);
    living->job.shared = NULL;
}

static void end_worker(struct rh_living *living)
{
    if (living->process.id != 0)
        rh_keeper_stop(&living->job, &living->process);
    if (living->job.shared)
        forget_worker(living);
}

void rh_living_fini(struct rh_living *living)
{
    end_worker(living);
    if (living->store.memory)
        rh_store_close(&living->store);
}

// Prepares what a worker needs that is not there yet. false if it is not to be had.
static bool prepare(struct rh_living *living, const struct rh_job *job)
{
    struct rh_shared *shared = rh_shared_new();
    struct rh_tape *tape = rh_tape_new();
    if (!shared || !tape || !rh_descriptor_pipe(living->bell)) {
        if (shared)
            rh_shared_free(shared);
        rh_tape_free(tape);
        return false;
    }
    // A call of strtok could go on with what a schedule before has left.
    shared->tokens_shared = true;
    shared->footprints = job->shared->footprints;
    living->job = *job;
    living->job.shared = shared;
    living->job.tape = tape;
    living->job.lives = true;
    living->job.ask_keeper = living->bell[1];
    return true;
}

// The worker waits: what the last schedule has left is forgotten, and the worker goes on.
static void go_on(struct rh_living *living)
{
    struct rh_shared *shared = living->job.shared;
    shared->executions = shared->deliveries = 0;
    shared->lead_count = 0;
    shared->leads_lost = shared->path_top = 0;
    shared->begun = 0;
    shared->pruned = shared->unvisited = false;
    shared->idle_hold = NULL;
    shared->write.frame_count = 0;
    shared->crash = (struct rh_crash){0};
    shared->status = rh_ok();
    rh_question_answer(shared);
}

// The worker waits for its next schedule.
static bool pause_worker(void *context, char question)
{
    (void)context;
    (void)question;
    return false;
}

bool rh_living_run(struct rh_living *living, const struct rh_job *job,
                   const struct rh_run_options *options, const struct rh_watch *watch,
                   enum rh_end *end)
{
    uint64_t beginning = hash_beginning(options);
    if (living->process.id == 0 || living->beginning != beginning)
        end_worker(living);
    bool is_new = living->process.id == 0;
    if (!living->store.memory && !rh_store_open(&living->store, STORE_SIZE))
        return false;
    const struct rh_run_options *placed = place(living, options);
    if (!placed || (is_new && !prepare(living, job)))
        return false;
    living->job.options = placed;
    living->beginning = beginning;
    rh_strategy_replay.init(living->job.shared->strategy, placed);
    if (is_new && !rh_keeper_start(&living->job, &living->process))
        return false;
    if (!is_new)
        go_on(living);
    struct rh_watch own = *watch;
    own.questions = living->bell[0];
    own.answer = pause_worker;
    *end = rh_keeper_watch(&living->job, &own, &living->process);
    if (*end == RH_END_PAUSED)
        *end = rh_is_ok(&living->job.shared->status) ? RH_END_DONE : RH_END_STATUS;
    return true;
}
