// SPDX-License-Identifier: MIT
// What a worker hands on of a finding, and findings of its own.
#include <stdio.h>

#include "explore/process/worker.h"

// Fills in what the world can't know of a finding.
static void complete(const struct rh_worker *worker, struct rh_finding *finding)
{
    if (finding->kind == RH_FINDING_LIVELOCK) {
        finding->lap.start = worker->rounds.claim.start;
        finding->lap.length = worker->rounds.claim.length;
        finding->lap.unfair = worker->rounds.claim.never != RH_NONE;
        finding->lap.variety = worker->job.variety;
    }
    finding->severity = rh_shared_severity(worker->job.options, finding);
}

// A warning does not end its execution: re-execution meets it again on the way to where the
// executions part, and it must not count twice.
static bool is_repeated(const struct rh_worker *worker)
{
    if (rh_worker_follows(worker) || worker->is_new)
        return false;
    return worker->world->number > 0 || worker->shared->executions > 0;
}

// The needs of a finding that shows now. NULL if the first path counts and not the shortest.
static const struct rh_needs *find_needs(const struct rh_worker *worker, struct rh_needs *needs)
{
    const struct rh_world *world = worker->world;
    if (!worker->job.options->shortest || rh_worker_follows(worker))
        return NULL;
    bool is_reduced = !worker->job.strategy->tries_all;
    *needs = (struct rh_needs){.all = !is_reduced ||
                                      (!worker->shared->delivering && !worker->asks_guards)};
    if (worker->asks_guards) {
        const struct rh_message *message = &world->messages[world->guarded];
        needs->sent_at = message->sent_at;
        needs->also_sent_at = message->also_sent_at;
        needs->touched = rh_footprints_of(worker->shared->footprints, world, message);
    }
    return needs;
}

void rh_worker_on_finding(void *context, struct rh_finding *finding)
{
    struct rh_worker *worker = context;
    if (rh_worker_tries(worker))
        return;
    complete(worker, finding);
    bool is_error = finding->severity == RH_SEVERITY_ERROR;
    if (!is_error && is_repeated(worker))
        return;
    if (worker->world->write)
        worker->shared->write = *worker->world->write;
    struct rh_needs needs;
    rh_shared_add(worker->shared, finding, worker->path, worker->applied,
                  find_needs(worker, &needs));
    worker->failed |= is_error;
}

void rh_worker_report_divergence(struct rh_worker *worker, const struct rh_decision *decision,
                                 uint32_t count)
{
    rh_world_report(worker->world, RH_FINDING_NONDETERMINISM, NULL, 0,
                    "the same deliveries led elsewhere when they were repeated: at delivery %u "
                    "there were %u ways to go on, now there are %u%s",
                    worker->world->number + 1, decision->count, count,
                    decision->count == count ? " others" : "");
    worker->failed = true;
}

void rh_worker_report_round(struct rh_worker *worker)
{
    struct rh_livelock_round round = rh_rounds_found(&worker->rounds);
    if (round.to == 0)
        return;
    uint32_t applied = worker->applied;
    worker->applied = worker->delivery_at.items[round.to - 1] + 1;
    while (worker->applied < applied && worker->path->decisions[worker->applied].identity == 0)
        worker->applied++;
    rh_rounds_report(&worker->rounds, round);
    worker->applied = applied;
}

void rh_worker_on_thread(void *context, const char *function)
{
    const struct rh_worker *worker = context;
    snprintf(worker->shared->starts_thread, sizeof worker->shared->starts_thread, "%s", function);
}
