// SPDX-License-Identifier: MIT
#include "explore/strategy/sample.h"

#include "explore/strategy/estimate.h"

// A fault strikes once in so many times that there could be one: executions that are all faults
// from their start would show little.
enum { FAULT_ONE_IN = 8 };

// So many executions in a row have the same faults at what the test's body sends: other faults cost
// a worker of their own, since the body can't be taken back.
enum { ALIKE = 16 };

static void start(struct rh_sample *sample, uint64_t execution)
{
    rh_rng_seed(&sample->rng, sample->seed ^ (execution * UINT64_C(0x9E3779B97F4A7C15)));
    sample->reached = 0;
}

void rh_sample_init(struct rh_sample *sample, const struct rh_run_options *options)
{
    sample->seed = options->seed;
    sample->depth = options->depth;
    sample->delays = options->delays;
    start(sample, 0);
}

// How many decisions the path begins with, if these are all faults, and no outcomes of choices, at
// what the test's body sends.
static uint32_t count_body_faults(const struct rh_path *path)
{
    uint32_t count = 0;
    while (count < path->length && rh_decision_is_outcome(&path->decisions[count])) {
        if (path->decisions[count].identity == 0)
            return 0;
        count++;
    }
    return count;
}

void rh_sample_next(struct rh_sample *sample, struct rh_path *path, uint64_t executions)
{
    if (sample->longest < sample->reached)
        sample->longest = sample->reached;
    start(sample, executions);
    path->length = path->keep = executions % ALIKE == 0 ? 0 : count_body_faults(path);
}

// How many of the ways are no faults: those come first.
static uint32_t count_faultless(const struct rh_choice_point *point)
{
    if (!point->is_delivery)
        return point->fault ? 1 : point->count;
    uint32_t count = point->count;
    const struct rh_world *world = point->world;
    while (count > 0 && world->messages[world->deliverable[count - 1]].kind == RH_CRASH)
        count--;
    return count;
}

struct rh_stretch rh_sample_ways(struct rh_sample *sample, const struct rh_choice_point *point)
{
    uint32_t faultless = count_faultless(point);
    if (faultless == point->count)
        return (struct rh_stretch){0, faultless};
    bool strikes = rh_rng_below(&sample->rng, FAULT_ONE_IN) == 0;
    return strikes ? (struct rh_stretch){faultless, point->count}
                   : (struct rh_stretch){0, faultless};
}

double rh_sample_fault_weight(const struct rh_choice_point *point, struct rh_stretch ways)
{
    if (ways.first > 0)
        return FAULT_ONE_IN;
    return ways.end < point->count ? FAULT_ONE_IN / (FAULT_ONE_IN - 1.0) : 1;
}

uint32_t rh_sample_uniform(struct rh_sample *sample, struct rh_stretch ways)
{
    rh_assert(ways.first < ways.end);
    return ways.first + (uint32_t)rh_rng_below(&sample->rng, ways.end - ways.first);
}

uint32_t rh_sample_deliveries(struct rh_sample *sample, const struct rh_choice_point *point,
                              uint32_t *way)
{
    struct rh_stretch ways = rh_sample_ways(sample, point);
    if (point->is_delivery)
        sample->reached = point->world->number + 1;
    if (point->is_delivery && ways.first == 0)
        return ways.end;
    *way = rh_sample_uniform(sample, ways);
    return 0;
}

uint64_t rh_sample_rank(const struct rh_sample *sample, const struct rh_message *message,
                        uint64_t luck)
{
    if (message->kind != RH_TIMER || sample->timers == RH_TIMERS_EVEN)
        return 0;
    if (sample->timers == RH_TIMERS_STRICT)
        return message->due < UINT64_MAX ? message->due + 1 : UINT64_MAX;
    return luck % RH_TIMER_ONE_IN != 0;
}

// random: at each point every way is equally likely, but for timers.

struct random_memory {
    struct rh_sample sample;
    double sum;    // sum over all executions of one over the chance that each had
    double weight; // one over the chance of the present execution as far as it goes
};

_Static_assert(sizeof(struct random_memory) <= RH_SAMPLE_SMALL_ROOM, "a strategy's memory");

static bool random_init(void *memory, const struct rh_run_options *options)
{
    struct random_memory *random = memory;
    rh_sample_init(&random->sample, options);
    random->weight = 1;
    return true;
}

// How many chances each of the ways has in a draw: a timer has fewer where timers are rare, and
// none under strict time if another way goes before it.
static uint32_t chances_of(const struct rh_sample *sample, const struct rh_choice_point *point,
                           uint32_t way, uint64_t least)
{
    const struct rh_message *message = &point->world->messages[point->world->deliverable[way]];
    if (sample->timers == RH_TIMERS_STRICT)
        return rh_sample_rank(sample, message, 0) == least;
    return message->kind == RH_TIMER ? 1 : RH_TIMER_ONE_IN;
}

static bool has_timers(const struct rh_choice_point *point, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (point->world->messages[point->world->deliverable[i]].kind == RH_TIMER)
            return true;
    return false;
}

static uint64_t least_rank(const struct rh_sample *sample, const struct rh_choice_point *point,
                           uint32_t count)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t rank =
            rh_sample_rank(sample, &point->world->messages[point->world->deliverable[i]], 0);
        least = rank < least ? rank : least;
    }
    return least;
}

// Draws between messages and timers, which are the first `count` ways.
static uint32_t draw_rare(struct random_memory *random, const struct rh_choice_point *point,
                          uint32_t count)
{
    struct rh_sample *sample = &random->sample;
    uint64_t least =
        sample->timers == RH_TIMERS_STRICT ? least_rank(sample, point, count) : UINT64_C(0);
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all += chances_of(sample, point, i, least);
    uint64_t drawn = rh_rng_below(&sample->rng, all);
    uint32_t way = 0, chances;
    while (drawn >= (chances = chances_of(sample, point, way, least))) {
        drawn -= chances;
        way++;
    }
    random->weight *= (double)all / chances;
    return way;
}

static uint32_t random_choose(void *memory, const struct rh_choice_point *point)
{
    struct random_memory *random = memory;
    struct rh_stretch ways = rh_sample_ways(&random->sample, point);
    random->weight *= rh_sample_fault_weight(point, ways);
    if (point->is_delivery)
        random->sample.reached = point->world->number + 1;
    bool is_even = random->sample.timers == RH_TIMERS_EVEN || !point->is_delivery ||
                   ways.first > 0 || !has_timers(point, ways.end);
    if (!is_even)
        return draw_rare(random, point, ways.end);
    random->weight *= ways.end - ways.first;
    return rh_sample_uniform(&random->sample, ways);
}

static bool random_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct random_memory *random = memory;
    random->sum += random->weight;
    random->weight = 1;
    rh_sample_next(&random->sample, path, executions);
    return true; // the number of runs is a bound like any other
}

// On average each execution is counted once, whatever its chance.
static double random_estimate(const void *memory, const struct rh_path *path, uint64_t executions)
{
    const struct random_memory *random = memory;
    (void)path;
    if (executions == 0)
        return 0;
    double all = random->sum / (double)executions;
    return all < RH_ESTIMATE_MOST ? all : RH_ESTIMATE_MOST;
}

const struct rh_strategy_ops rh_strategy_random = {.name = "random",
                                                   .begins_anew = true,
                                                   .init = random_init,
                                                   .choose = random_choose,
                                                   .next = random_next,
                                                   .estimate = random_estimate};
