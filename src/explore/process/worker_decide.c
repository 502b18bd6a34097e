// SPDX-License-Identifier: MIT
// Which way an execution goes: as the path prescribes, and as the strategy says beyond the path.
#include "explore/process/worker.h"
#include "explore/strategy/replay.h"

// Notes what the decided delivery depends on, for --shortest and for shrinking.
static void note_causes(const struct rh_worker *worker, struct rh_decision *decision)
{
    const struct rh_world *world = worker->world;
    if ((!worker->job.options->shortest && !worker->job.learns) || rh_worker_follows(worker))
        return;
    const struct rh_message *message = &world->messages[world->deliverable[decision->index]];
    decision->touched = rh_footprints_of(worker->shared->footprints, world, message);
    decision->sent_at = message->sent_at;
    decision->also_sent_at = message->also_sent_at;
}

// The way to the delivery with this identity; RH_NONE if it can't be made here.
static uint32_t find_identity(const struct rh_world *world, uint32_t count, uint64_t identity)
{
    for (uint32_t i = 0; i < count; i++)
        if (world->messages[world->deliverable[i]].identity == identity)
            return i;
    return RH_NONE;
}

static uint64_t identity_of(const struct rh_worker *worker, const struct rh_fork *fork,
                            uint32_t index)
{
    const struct rh_world *world = worker->world;
    return fork->is_delivery ? world->messages[world->deliverable[index]].identity : fork->fault;
}

static uint32_t take_prescribed(struct rh_worker *worker, const struct rh_fork *fork)
{
    struct rh_decision *decision = &worker->path->decisions[worker->applied];
    if (worker->job.by_identity && fork->is_delivery) {
        worker->applied++;
        return find_identity(worker->world, fork->count, decision->identity);
    }
    // There may be more ways where a delivery with a fault was left out.
    if (worker->job.by_identity && fork->fault && decision->index < fork->count) {
        worker->applied++;
        return decision->index;
    }
    bool fits = decision->index < fork->count && decision->count == fork->count;
    uint64_t identity = fits ? identity_of(worker, fork, decision->index) : 0;
    if (fits && decision->identity == 0)
        decision->identity = identity;
    if (!fits || decision->identity != identity) {
        rh_worker_report_divergence(worker, decision, fork->count);
        return RH_NONE;
    }
    worker->applied++;
    if (fork->is_delivery)
        note_causes(worker, decision);
    return decision->index;
}

const struct rh_choice_point *rh_worker_choice_point(struct rh_worker *worker,
                                                     const struct rh_fork *fork)
{
    worker->point.count = fork->count;
    worker->point.is_delivery = fork->is_delivery;
    worker->point.comes = fork->comes;
    worker->point.fault = fork->fault;
    worker->point.sent = fork->sent;
    worker->point.execution = worker->shared->executions;
    return &worker->point;
}

static uint32_t choose(struct rh_worker *worker, const struct rh_fork *fork)
{
    const struct rh_choice_point *point = rh_worker_choice_point(worker, fork);
    if (worker->job.lasso)
        return rh_lasso_choose(worker->job.lasso, &worker->rounds.lap, point);
    return worker->job.strategy->choose(worker->shared->strategy, point);
}

static uint32_t take_new(struct rh_worker *worker, const struct rh_fork *fork)
{
    struct rh_shared *shared = worker->shared;
    if (worker->applied == shared->path_most)
        rh_worker_bad_input(rh_failed("an execution has more than %llu deliveries and choices, and "
                                      "there is no room for more; --max-length ends it before",
                                      (unsigned long long)shared->path_most));
    uint32_t index = choose(worker, fork);
    // A trial may have done something that can't be taken back.
    if (shared->commute.on)
        rh_worker_check_footprints(worker);
    if (index == RH_NONE)
        return RH_NONE;
    rh_assert(index < fork->count);
    struct rh_decision *decision = &worker->path->decisions[worker->applied];
    *decision = (struct rh_decision){
        .identity = identity_of(worker, fork, index), .index = index, .count = fork->count};
    if (fork->is_delivery)
        note_causes(worker, decision);
    worker->applied++;
    worker->path->length = worker->applied;
    return index;
}

static uint32_t wander(struct rh_worker *worker, const struct rh_fork *fork)
{
    worker->path->decisions[worker->applied++] =
        (struct rh_decision){.identity = identity_of(worker, fork, 0), .count = fork->count};
    worker->path->length = worker->applied;
    return 0;
}

uint32_t rh_worker_decide(struct rh_worker *worker, const struct rh_fork *fork)
{
    if (worker->applied < worker->path->length)
        return take_prescribed(worker, fork);
    if (worker->applied < worker->job.wanders)
        return wander(worker, fork);
    bool is_done = rh_worker_follows(worker) && !worker->job.lasso;
    return is_done ? RH_NONE : take_new(worker, fork);
}

// A delivery that is repeated with another outcome of a choice is a delivery of its own.
static int choose_outcome(struct rh_worker *worker, const struct rh_fork *fork)
{
    if (rh_worker_tries(worker))
        return 0;
    if (worker->applied == worker->path->keep && !rh_worker_is_counted(worker) &&
        !rh_worker_follows(worker) && worker->world->number > 0)
        rh_worker_count_delivery(worker);
    uint32_t outcome = rh_worker_decide(worker, fork);
    return outcome == RH_NONE ? 0 : (int)outcome;
}

int rh_worker_on_choose(void *context, int count)
{
    const struct rh_fork fork = {.count = (uint32_t)count};
    return choose_outcome(context, &fork);
}

int rh_worker_on_fault(void *context, enum rh_fault fault, const struct rh_message *message,
                       int count)
{
    const struct rh_fork fork = {.count = (uint32_t)count, .fault = fault, .sent = message};
    return choose_outcome(context, &fork);
}

// A schedule that does not say how many messages come names those that do by its deliveries: no
// others come.
bool rh_worker_on_comes(void *context, int *number)
{
    struct rh_worker *worker = context;
    if (worker->job.strategy->has_schedule && !rh_worker_follows(worker)) {
        const struct rh_step *step = rh_replay_step(worker->shared->strategy);
        worker->is_silent |= !step || step->kind != RH_STEP_CHOOSE;
        if (worker->is_silent)
            return false;
    }
    const struct rh_fork fork = {.count = (uint32_t)*number + 1, .comes = true};
    *number = choose_outcome(worker, &fork);
    return true;
}
