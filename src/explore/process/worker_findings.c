// SPDX-License-Identifier: MIT
// What a worker hands on of a finding, and what it finds itself.
#include <stdio.h>

#include "explore/process/worker.h"

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static void fill(struct rh_worker *worker, const struct rh_world_finding *finding,
                 struct rh_shared_finding *shared)
{
    *shared = (struct rh_shared_finding){.kind = finding->kind, .line = finding->line};
    if (finding->kind == RH_FINDING_LIVELOCK) {
        shared->lap_start = worker->rounds.claim.start;
        shared->lap_length = worker->rounds.claim.length;
        shared->unfair = worker->rounds.claim.never != RH_NONE;
        shared->variety = worker->job.variety;
    }
    copy_text(shared->text, sizeof shared->text, finding->text);
    copy_text(shared->file, sizeof shared->file, finding->file);
    copy_text(shared->behaviour, sizeof shared->behaviour, finding->behaviour_name);
    copy_text(shared->type, sizeof shared->type, finding->message_type);
    if (finding->actor != RH_NONE) {
        struct rh_text name = {0};
        rh_world_add_name(worker->world, &name, finding->actor);
        copy_text(shared->actor, sizeof shared->actor, rh_text_get(&name));
        rh_text_fini(&name);
    }
}

// A warning does not end its execution: re-execution meets it again on the way to where the executions
// part, and it must not count twice.
static bool is_repeated(const struct rh_worker *worker)
{
    if (rh_worker_follows(worker) || worker->is_new)
        return false;
    return worker->world->number > 0 || worker->shared->executions > 0;
}

// What a finding needs that shows now. NULL if it is the first that counts and not the shortest.
static const struct rh_needs *find_needs(const struct rh_worker *worker, struct rh_needs *needs)
{
    const struct rh_world *world = worker->world;
    if (!worker->job.options->shortest || rh_worker_follows(worker))
        return NULL;
    bool is_reduced = worker->job.strategy != &rh_strategy_dfs;
    *needs = (struct rh_needs){.all = !is_reduced ||
                                      (!worker->shared->delivering && !worker->asks_guards)};
    if (worker->asks_guards) {
        const struct rh_message *message = &world->messages[world->guarded];
        needs->sent_at = message->sent_at;
        needs->object = rh_footprint_object(&worker->shared->footprints, world, message->receiver);
    }
    return needs;
}

void rh_worker_on_finding(void *context, const struct rh_world_finding *finding)
{
    struct rh_worker *worker = context;
    struct rh_shared_finding shared;
    if (rh_worker_tries(worker))
        return;
    fill(worker, finding, &shared);
    bool is_error = rh_shared_severity(worker->job.options, &shared) == RH_SEVERITY_ERROR;
    if (!is_error && is_repeated(worker))
        return;
    if (finding->write)
        worker->shared->write = *finding->write;
    struct rh_needs needs;
    rh_shared_add(worker->shared, &shared, worker->path, worker->applied,
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
