// SPDX-License-Identifier: MIT
#include "explore/run/find_livelocks.h"

#include "explore/process/confirm.h"
#include "explore/states/livelock_search.h"

enum { HANG_FACTOR = 10 };

// A worker makes the deliveries of the lasso, and leaves the finding.
static struct rh_status make_lasso(const struct rh_job *search, struct rh_lasso *lasso,
                                   uint64_t count)
{
    struct rh_shared *shared = search->shared;
    uint64_t counts[RH_LEADS_MOST];
    uint32_t lead_count = rh_shared_keep_counts(shared, counts);
    struct rh_job job = *search;
    job.mode = RH_WORKER_LASSO;
    job.lasso = lasso;
    job.lap = rh_lasso_lap(lasso);
    job.variety = lasso->variety;
    struct rh_path path = {.decisions = shared->path.decisions};
    enum rh_end end = rh_confirm_follow(&job, &path, search->options->hang_ms * HANG_FACTOR, NULL);
    rh_shared_restore(shared, counts, lead_count);
    if (shared->lead_count > lead_count)
        shared->leads[lead_count].finding.count = count;
    return end == RH_END_STATUS ? shared->status : rh_ok();
}

static struct rh_status find_lasso(const struct rh_job *job, const struct rh_livelock_group *group)
{
    struct rh_shared *shared = job->shared;
    struct rh_lasso lasso;
    struct rh_status status = rh_ok();
    if (rh_lasso_init(&lasso, &shared->graph, &shared->states, group))
        status = make_lasso(job, &lasso, group->count);
    rh_lasso_fini(&lasso);
    return status;
}

// A livelock that was found in an execution that was cut off, before states were compared, is found
// again in the graph.
static void forget_rounds(struct rh_shared *shared)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (shared->leads[i].finding.kind != RH_FINDING_LIVELOCK)
            shared->leads[kept++] = shared->leads[i];
    shared->lead_count = kept;
}

static bool have_fair(const struct rh_livelock_groups *groups)
{
    for (size_t i = 0; i < groups->items.count; i++)
        if (groups->items.items[i].fair)
            return true;
    return false;
}

struct rh_status rh_find_livelocks(const struct rh_job *job)
{
    struct rh_shared *shared = job->shared;
    struct rh_livelock_groups groups;
    struct rh_status status = rh_ok();
    if (!shared->graph.on || (!job->options->keep_going && rh_shared_has_error(shared)))
        return status;
    rh_livelock_search(&shared->graph, job->options->unfair, &groups);
    if (have_fair(&groups))
        forget_rounds(shared);
    for (size_t i = 0; i < groups.items.count && rh_is_ok(&status); i++)
        status = find_lasso(job, &groups.items.items[i]);
    rh_livelock_groups_fini(&groups);
    return status;
}
