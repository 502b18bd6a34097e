// SPDX-License-Identifier: MIT
#include "explore/run/follow.h"

#include "explore/strategy/strategy.h"

static bool prepare(struct rh_follower *follower)
{
    if (follower->shared)
        return true;
    struct rh_shared *shared = rh_shared_new();
    if (shared)
        shared->footprints = rh_footprints_new();
    if (shared && !shared->footprints) {
        rh_shared_free(shared);
        return false;
    }
    follower->shared = shared;
    return shared != NULL;
}

static bool on_tick(void *context)
{
    const struct rh_run_options *options = context;
    return !options->interrupted || !*options->interrupted;
}

static void fill_result(const struct rh_run_options *options, const struct rh_test *test,
                        const struct rh_shared *shared, struct rh_result *result)
{
    *result = (struct rh_result){
        .program = options->program,
        .test = test->name,
        .verb = options->verb,
        .strategy = options->strategy,
        .reduction = options->reduction,
        .delivery = options->order_rule,
        .environment = options->environment,
        .executions = 1,
        .deliveries = shared->deliveries,
        .states = shared->deliveries + 1,
        .is_in_order = true,
        .came_to_end = true,
    };
    result->verdict = rh_result_judge(result);
}

bool rh_follower_run(struct rh_follower *follower, const struct rh_run_options *options,
                     const struct rh_test *test, struct rh_result *result)
{
    if (options->undo != RH_UNDO_ON || options->adapter->keeps_state || !prepare(follower))
        return false;
    struct rh_run_options own = *options;
    own.faults = rh_schedule_faults(options->schedule);
    const struct rh_job job = {.options = &own,
                               .test = test,
                               .shared = follower->shared,
                               .strategy = &rh_strategy_replay,
                               .lap = RH_NONE,
                               .trace_output = -1,
                               .ask_keeper = -1};
    const struct rh_watch watch = {.limit_ms = options->hang_ms,
                                   .questions = -1,
                                   .context = (void *)(uintptr_t)options,
                                   .tick = on_tick};
    enum rh_end end;
    if (!rh_living_run(&follower->living, &job, &own, &watch, &end))
        return false;
    const struct rh_shared *shared = follower->living.job.shared;
    if (end != RH_END_DONE || shared->lead_count > 0)
        return false;
    fill_result(options, test, shared, result);
    return true;
}

void rh_follower_fini(struct rh_follower *follower)
{
    rh_living_fini(&follower->living);
    if (!follower->shared)
        return;
    rh_footprints_free(follower->shared->footprints);
    rh_shared_free(follower->shared);
    follower->shared = NULL;
}
