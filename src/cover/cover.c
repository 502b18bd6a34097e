// SPDX-License-Identifier: MIT
#include "cover/cover.h"

#include <stdio.h>
#include <string.h>

#include "base/mapping.h"
#include "base/rng.h"
#include "base/valgrind.h"
#include "cover/force.h"
#include "cover/generate.h"
#include "cover/record.h"
#include "cover/sweep.h"
#include "explore/strategy/strategy.h"

// Valgrind keeps books about every page that could be touched, so under Valgrind there are fewer.
static size_t store_size(void)
{
    return rh_valgrind_is_running() ? (size_t)1 << 26 : (size_t)1 << 34;
}

struct rh_cover {
    struct rh_cover_options options;
    uint64_t seed;
    bool is_strict; // time is strict
    struct rh_rng rng;
    struct rh_coverage coverage;
    struct rh_record record;
    struct rh_force force;
    uint32_t decision;               // index in the path of the running delivery's decision
    struct rh_happens_before latest; // relation of the execution that has just ended

    struct rh_receives *kept; // executions that schedules are generated from
    uint32_t kept_count, kept_capacity;
    uint32_t source; // index of the kept execution that schedules are generated from now
    struct rh_happens_before base; // relation of the execution `source`, if `is_based`
    bool is_based;
    int criterion; // index in options.criteria of the one that schedules are generated for now
    struct rh_generator generator;
    struct rh_plan plan;
    bool has_plan; // the present execution follows the plan
    struct rh_sweep sweep;
    bool is_sweep; // the present execution is a sweep
    uint64_t turn; // how many executions have been chosen

    uint64_t sweeps, schedules; // how many were run
    uint64_t infeasible;        // schedules that could not be followed to their end
    uint64_t useless;           // schedules that were followed to their end without a new goal
    uint64_t broken_off;        // schedules whose execution ended before its time
    bool was_cut;               // some execution has ended before its time
    bool had_outcomes;          // the program has made a choice with several outcomes
    uint64_t too_long;          // executions with more receives than there is room for
    struct rh_goal_count shown; // goals of all criteria after the newest execution, for progress
    uint64_t newest_news;       // number of the newest execution that has changed `shown`
    bool is_past_first;         // all schedules from the first execution have been run
    // What was covered, and how many schedules were run, when is_past_first became true:
    uint64_t single_pass[RH_CRITERION_COUNT];
    uint64_t single_pass_schedules;
};

struct rh_cover *rh_cover_new(const struct rh_cover_options *options)
{
    struct rh_cover *cover = rh_map_shared(sizeof *cover);
    if (!cover)
        return NULL;
    cover->options = *options;
    cover->plan.places = rh_map_shared(sizeof *cover->plan.places * RH_RECEIVES_MOST);
    if (cover->plan.places && rh_coverage_open(&cover->coverage, store_size()) &&
        rh_record_open(&cover->record) && rh_force_open(&cover->force) &&
        rh_happens_before_open(&cover->latest) && rh_happens_before_open(&cover->base) &&
        rh_sweep_open(&cover->sweep))
        return cover;
    rh_cover_free(cover);
    return NULL;
}

void rh_cover_free(struct rh_cover *cover)
{
    rh_unmap_shared(cover->plan.places, sizeof *cover->plan.places * RH_RECEIVES_MOST);
    rh_coverage_close(&cover->coverage);
    rh_record_close(&cover->record);
    rh_force_close(&cover->force);
    rh_happens_before_close(&cover->latest);
    rh_happens_before_close(&cover->base);
    rh_sweep_close(&cover->sweep);
    rh_unmap_shared(cover, sizeof *cover);
}

const struct rh_coverage *rh_cover_coverage(const struct rh_cover *cover)
{
    return &cover->coverage;
}

uint32_t rh_cover_kept_count(const struct rh_cover *cover)
{
    return cover->kept_count;
}

const struct rh_receives *rh_cover_kept(const struct rh_cover *cover, uint32_t index)
{
    return &cover->kept[index];
}

// The strategy's memory holds the address of our own, which is the same in every worker.

static struct rh_cover *cover_of(const void *memory)
{
    return *(struct rh_cover *const *)memory;
}

static void start_execution(struct rh_cover *cover)
{
    rh_record_start(&cover->record);
    cover->decision = 0;
    rh_rng_seed(&cover->rng, cover->seed ^ (cover->record.number * UINT64_C(0x9E3779B97F4A7C15)));
}

static bool cover_init(void *memory, const struct rh_run_options *options)
{
    struct rh_cover *cover = options->own_memory;
    *(struct rh_cover **)memory = cover;
    cover->seed = options->seed;
    cover->is_strict = options->time == RH_TIME_STRICT;
    cover->coverage.has_guards = cover->record.has_guards;
    rh_rng_seed(&cover->sweep.rng, options->seed);
    rh_force_start_file(&cover->force, options->schedule);
    start_execution(cover);
    return true;
}

// Choosing.

// A delivery has the same outcomes in every execution: executions differ in the order of deliveries
// alone.
static uint32_t choose_outcome(struct rh_cover *cover, const struct rh_choice_point *point)
{
    if (point->comes)
        return point->count - 1;
    cover->had_outcomes |= point->count > 1;
    if (!cover->options.is_seeded)
        return 0;
    uint64_t number = point->path->length - cover->decision;
    uint64_t hash = rh_hash64_pair(cover->seed, rh_hash64_pair(point->world->delivery, number));
    return (uint32_t)(hash % point->count);
}

static uint32_t choose_way(struct rh_cover *cover, const struct rh_choice_point *point)
{
    struct rh_rng *rng = cover->options.is_seeded ? &cover->rng : NULL;
    if (cover->is_sweep && point->is_delivery)
        return rh_sweep_choose(&cover->sweep, &cover->record, point, rng);
    uint32_t way = rh_force_choose(&cover->force, &cover->coverage, point, rng);
    if (way != RH_NONE)
        return way;
    if (!point->is_delivery)
        return choose_outcome(cover, point);
    return rng ? (uint32_t)rh_rng_below(rng, point->count) : 0;
}

static uint32_t cover_choose(void *memory, const struct rh_choice_point *point)
{
    struct rh_cover *cover = cover_of(memory);
    const struct rh_world *world = point->world;
    if (!point->is_delivery)
        return choose_way(cover, point);
    cover->decision = point->path->length;
    cover->record.footprints = point->footprints;
    rh_record_settle(&cover->record, &cover->coverage, world);
    uint32_t way = choose_way(cover, point);
    rh_sweep_receive(&cover->sweep, &cover->coverage.store, &cover->record, world,
                     world->deliverable[way]);
    rh_record_receive(&cover->record, &cover->coverage, world,
                      &world->messages[world->deliverable[way]]);
    return way;
}

static bool cover_answer(void *memory, const char *function, uint64_t *value)
{
    return rh_force_answer(&cover_of(memory)->force, function, value);
}

static void cover_ended(void *memory, const struct rh_choice_point *point)
{
    struct rh_cover *cover = cover_of(memory);
    rh_force_end(&cover->force, point->world);
    rh_record_end(&cover->record, &cover->coverage, point->world);
}

// What an execution has shown.

static void keep_execution(struct rh_cover *cover)
{
    struct rh_store *store = &cover->coverage.store;
    const struct rh_receives *execution = &cover->record.execution;
    struct rh_receives *kept =
        rh_store_grow(store, cover->kept, sizeof *kept, cover->kept_count, &cover->kept_capacity);
    struct rh_receive *items = rh_store_take(store, sizeof *items * (execution->count + (size_t)1));
    if (!kept || !items)
        return;
    memcpy(items, execution->items, sizeof *items * execution->count);
    cover->kept = kept;
    kept[cover->kept_count++] = (struct rh_receives){items, execution->count};
}

static uint64_t covered_goals(struct rh_cover *cover)
{
    return rh_coverage_total(&cover->coverage, cover->generator.criterion).covered;
}

// Notes whether the execution has followed its schedule and reached the goal that the schedule was
// for.
static void rate_plan(struct rh_cover *cover, bool is_cut, uint64_t covered)
{
    const struct rh_plan *plan = &cover->plan;
    if (!cover->has_plan)
        return;
    cover->schedules++;
    bool is_reached = rh_coverage_has(&cover->coverage, (enum rh_bits)cover->generator.criterion,
                                      plan->first, plan->second);
    if (is_cut)
        cover->broken_off++;
    else if (!rh_force_is_done(&cover->force))
        cover->infeasible++;
    else if (covered_goals(cover) == covered)
        cover->useless++;
    if (!is_reached)
        rh_coverage_note_attempt(&cover->coverage, cover->generator.criterion, plan->first,
                                 plan->second);
}

// Counts the goals of all criteria, for progress while executions go on.
static void count_goals(struct rh_cover *cover)
{
    struct rh_goal_count all = {0};
    for (int i = 0; i < cover->options.criterion_count; i++) {
        struct rh_goal_count one = rh_coverage_total(&cover->coverage, cover->options.criteria[i]);
        all.covered += one.covered;
        all.known += one.known;
    }
    if (all.covered != cover->shown.covered || all.known != cover->shown.known)
        cover->newest_news = cover->record.number;
    cover->shown = all;
}

static void learn_kinds(struct rh_cover *cover)
{
    if (cover->options.no_sweeps || !rh_sweep_is_learning(&cover->sweep))
        return;
    rh_happens_before_direct(&cover->latest, &cover->record.execution);
    rh_sweep_add_execution(&cover->sweep, &cover->coverage, &cover->record.execution,
                           &cover->latest);
}

static void take_execution(struct rh_cover *cover, bool is_cut)
{
    struct rh_record *record = &cover->record;
    uint64_t covered = covered_goals(cover);
    if (record->has_overflowed) {
        cover->too_long++;
    } else {
        rh_record_finish(record, &cover->coverage);
        rh_happens_before_of(&cover->latest, &cover->coverage, &record->execution,
                             cover->is_strict);
        rh_coverage_add_orders(&cover->coverage, &record->execution);
        bool is_new = rh_coverage_add_free(&cover->coverage, &record->execution, &cover->latest);
        if (is_new || record->number == 1)
            keep_execution(cover);
        learn_kinds(cover);
    }
    cover->sweeps += cover->is_sweep;
    rate_plan(cover, is_cut, covered);
    count_goals(cover);
}

// The next execution.

static void leave_source(struct rh_cover *cover)
{
    cover->criterion = 0;
    cover->is_based = false;
    cover->source++;
    if (cover->is_past_first)
        return;
    cover->is_past_first = true;
    cover->single_pass_schedules = cover->schedules;
    for (int i = 0; i < RH_CRITERION_COUNT; i++)
        cover->single_pass[i] = rh_coverage_total(&cover->coverage, (enum rh_criterion)i).covered;
}

static bool generate_from_source(struct rh_cover *cover)
{
    const struct rh_receives *execution = &cover->kept[cover->source];
    if (!cover->is_based) {
        rh_happens_before_of(&cover->base, &cover->coverage, execution, cover->is_strict);
        cover->is_based = true;
        cover->generator = (struct rh_generator){.criterion = cover->options.criteria[0]};
    }
    while (
        !rh_generate(&cover->generator, &cover->coverage, execution, &cover->base, &cover->plan)) {
        if (++cover->criterion == cover->options.criterion_count)
            return false;
        cover->generator =
            (struct rh_generator){.criterion = cover->options.criteria[cover->criterion]};
    }
    return true;
}

static bool generate(struct rh_cover *cover)
{
    while (cover->source < cover->kept_count && !cover->coverage.store.is_full) {
        if (generate_from_source(cover))
            return true;
        leave_source(cover);
    }
    return false;
}

// The first sweeps are worth more than most schedules and come first; but one schedule, for what is
// simple, comes before the second of them. Later sweeps and schedules take turns.
static bool is_turn_of_sweep(uint64_t turn)
{
    return turn < 5 ? turn != 1 : turn % 2 == 0;
}

static bool start_sweep(struct rh_cover *cover)
{
    cover->is_sweep = !cover->options.no_sweeps && rh_sweep_start(&cover->sweep, cover->was_cut);
    return cover->is_sweep;
}

static bool start_plan(struct rh_cover *cover)
{
    cover->has_plan = !cover->options.no_schedules && generate(cover);
    if (cover->has_plan)
        rh_force_start(&cover->force, &cover->coverage, &cover->kept[cover->source], &cover->plan);
    return cover->has_plan;
}

// Sweeps go on when no goal is left that a schedule could be for. First all orders that are not
// random are tried. Then as many executions follow as there were until the last one that has shown
// something new, but at least a hundred: in a small test that is little work, and fewer would say
// little.
static bool is_worth_sweeping(const struct rh_cover *cover)
{
    enum { LEAST = 100 };
    uint64_t news = cover->newest_news, patience = news > LEAST ? news : LEAST;
    return (cover->sweep.started > 0 && rh_sweep_is_learning(&cover->sweep)) ||
           cover->record.number < news + patience;
}

// To compare the strategy with: all executions are chosen at random, as the first one is.
static bool is_random(const struct rh_cover *cover)
{
    const struct rh_cover_options *options = &cover->options;
    return options->no_sweeps && options->no_schedules && options->is_seeded;
}

static bool choose_execution(struct rh_cover *cover)
{
    cover->is_sweep = cover->has_plan = false;
    return (is_turn_of_sweep(cover->turn++) && start_sweep(cover)) || start_plan(cover) ||
           (is_worth_sweeping(cover) && start_sweep(cover)) || is_random(cover);
}

static bool cover_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct rh_cover *cover = cover_of(memory);
    (void)executions;
    cover->was_cut |= path->cut;
    take_execution(cover, path->cut);
    rh_force_stop_file(&cover->force);
    if (!choose_execution(cover))
        return false;
    start_execution(cover);
    path->length = path->keep = 0;
    return true;
}

// Figures.

static void cover_progress(const void *memory, struct rh_progress *progress)
{
    const struct rh_cover *cover = cover_of(memory);
    progress->goals_covered = cover->shown.covered;
    progress->goals_known = cover->shown.known;
}

static const struct rh_strategy_ops strategy = {.name = "cover",
                                                .asks_footprints = true,
                                                .init = cover_init,
                                                .answer = cover_answer,
                                                .choose = cover_choose,
                                                .ended = cover_ended,
                                                .next = cover_next,
                                                .progress = cover_progress};

struct rh_status rh_cover_check_schedule(const struct rh_schedule *schedule)
{
    return rh_force_check_file(schedule);
}

static void fill_figures(struct rh_cover *cover, struct rh_coverage_figures *figures)
{
    figures->on = true;
    for (int i = 0; i < cover->options.criterion_count; i++) {
        enum rh_criterion criterion = cover->options.criteria[i];
        struct rh_goal_count total = rh_coverage_total(&cover->coverage, criterion);
        figures->criteria[figures->count++] = (struct rh_criterion_figures){
            .name = rh_criterion_name(criterion),
            .covered = total.covered,
            .known = total.known,
            .single_pass = cover->is_past_first ? cover->single_pass[criterion] : total.covered};
    }
    figures->sweeps = cover->sweeps;
    figures->schedules = cover->schedules;
    figures->single_pass_schedules =
        cover->is_past_first ? cover->single_pass_schedules : cover->schedules;
    figures->infeasible = cover->infeasible;
    figures->useless = cover->useless;
    figures->broken_off = cover->broken_off;
}

static void add_notes(const struct rh_cover *cover, struct rh_result *result)
{
    struct rh_text text = {0};
    if (cover->too_long > 0) {
        rh_text_addf(&text,
                     "%llu runs with more than %d deliveries count for no goals: --max-length "
                     "cuts them off before",
                     (unsigned long long)cover->too_long, RH_RECEIVES_MOST);
        *rh_vector_push(&result->notes) = rh_text_take(&text);
    }
    if (cover->had_outcomes)
        *rh_vector_push(&result->notes) =
            rh_strdup("of each choice one outcome was tried: other seeds (--seed N) "
                      "have other ones");
    if (*cover->record.learns_no_more) {
        rh_text_addf(&text, "orders at different actors were looked for only at first: %s",
                     cover->record.learns_no_more);
        *rh_vector_push(&result->notes) = rh_text_take(&text);
    }
    if (cover->coverage.store.is_full)
        *rh_vector_push(&result->notes) =
            rh_strdup("there was no room for more goals and runs: others were not looked for");
}

struct rh_status rh_cover_test(struct rh_cover *cover, const struct rh_run_options *options,
                               const struct rh_test *test, struct rh_result *result)
{
    struct rh_run_options own = *options;
    own.strategy = strategy.name;
    own.own_strategy = &strategy;
    own.own_memory = cover;
    struct rh_status status = rh_run_test(&own, test, result);
    if (rh_is_ok(&status)) {
        rh_coverage_name_rest(&cover->coverage);
        fill_figures(cover, &result->coverage);
        add_notes(cover, result);
    }
    return status;
}
