// SPDX-License-Identifier: MIT
// Executions that are made to show pairs, after a search.
#include "threads/follow.h"
#include "threads/pairs.h"

static bool goes_on(const struct rh_threads_result *result)
{
    return !result->is_refused && (!result->stopped_by || result->stopped_by == RH_STOP_EXECUTIONS);
}

// Makes the executions that should show what none has shown so far.
static void follow_pairs(const struct rh_threads_test *test,
                         const struct rh_threads_options *options, double start,
                         struct rh_threads_result *result)
{
    struct rh_engine *engine = rh__engine;
    struct rh_pair *pair;
    while (goes_on(result) && (pair = rh__pairs_open(options->pairs))) {
        rh__search_begin(RH_MODE_FOLLOW, 0);
        engine->has_grown = false;
        engine->turns = pair->turns.items;
        engine->turn_count = pair->turns.count;
        engine->choices = pair->choices.items;
        engine->choice_count = pair->choices.count;
        size_t number = (size_t)(pair - options->pairs->pairs.items);
        enum rh_outcome outcome = rh__run_once(test);
        rh__look_back();
        if (engine->has_grown)
            rh__pairs_grown(options->pairs, false);
        if (engine->has_grown)
            result->is_exhausted = result->is_complete = false;
        options->pairs->followed++;
        if (outcome != RH_OUTCOME_STRAYED)
            rh__take_execution(test, options, outcome, result);
        rh__pairs_followed(options->pairs, number);
        result->stopped_by = rh__find_stop(options, result, start);
    }
}

void rh__look_for_pairs(const struct rh_threads_test *test,
                        const struct rh_threads_options *options, double start,
                        struct rh_threads_result *result)
{
    enum { SAMPLES = 1000 };
    struct rh_threads_options samples = *options;
    follow_pairs(test, options, start, result);
    if (!result->is_exhausted && goes_on(result) &&
        (options->mode == RH_MODE_SOURCE || options->mode == RH_MODE_OPTIMAL)) {
        samples.mode = RH_MODE_MIXED;
        samples.max_executions = result->executions + SAMPLES;
        rh__search_begin(RH_MODE_PCT, options->seed);
        rh__search_round(test, &samples, start, result);
        follow_pairs(test, options, start, result);
    }
    options->pairs->is_complete = result->is_exhausted;
}

void rh__steer_to_pairs(const struct rh_threads_test *test,
                        const struct rh_threads_options *options, double start,
                        struct rh_threads_result *result)
{
    enum { IDLE_MOST = 500 };
    struct rh_threads_options samples = *options;
    uint64_t most = options->max_executions, seed = options->seed;
    samples.mode = RH_MODE_MIXED;
    for (uint64_t idle = 0; goes_on(result) && idle < IDLE_MOST; idle++) {
        uint64_t news = options->pairs->last_news;
        if (most && result->executions >= most)
            break;
        samples.max_executions = result->executions + 1;
        rh__search_begin(RH_MODE_PCT, seed++);
        rh__engine->depth = options->depth;
        rh__search_round(test, &samples, start, result);
        follow_pairs(test, options, start, result);
        if (options->pairs->last_news > news)
            idle = 0;
    }
    if (result->stopped_by == RH_STOP_EXECUTIONS)
        result->stopped_by = RH_STOP_NOTHING;
}

void rh_threads_show_pair(const struct rh_threads_test *test,
                          const struct rh_threads_options *options, const struct rh_pair *pair,
                          struct rh_threads_shown *shown)
{
    shown->count = 1;
    shown->execution = pair->execution;
    shown->compared.order = -1;
    for (size_t i = 0; i < pair->turns.count; i++)
        *rh_vector_push(&shown->turns) = pair->turns.items[i];
    for (size_t i = 0; i < pair->choices.count; i++)
        *rh_vector_push(&shown->choices) = pair->choices.items[i];
    shown->is_repeated = rh__repeat(test, options, shown);
}
