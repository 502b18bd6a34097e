// SPDX-License-Identifier: MIT
#include "cover/cover.h"

#include <stdio.h>
#include <string.h>

#include "base/mapping.h"
#include "base/rng.h"
#include "base/valgrind.h"
#include "cover/force.h"
#include "cover/generate.h"
#include "cover/outcomes.h"
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
    uint64_t turn; // how many executions have been chosen for orders
    struct rh_outcomes outcomes;
    uint64_t aimed;  // how many executions were for goals of `outcomes`
    bool is_crashed; // an actor has crashed in the present execution, which counts for no orders

    // Going on when schedules and sweeps have nothing new, with one seed after another.
    bool goes_on;
    uint64_t seeded;              // how many executions have gone on
    struct rh_table shown_before; // in the store: what executions were, by `fingerprints`
    uint64_t *fingerprints;
    uint32_t fingerprint_count, fingerprint_capacity;
    uint64_t fingerprint; // of the present execution
    uint64_t repeated;    // how many executions in a row were as earlier ones

    uint64_t sweeps, schedules; // how many were run
    uint64_t infeasible;        // schedules that could not be followed to their end
    uint64_t useless;           // schedules that were followed to their end without a new goal
    uint64_t broken_off;        // schedules whose execution ended before its time
    bool was_cut;               // some execution has ended before its time
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
        rh_sweep_open(&cover->sweep) && rh_outcomes_open(&cover->outcomes))
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
    rh_outcomes_close(&cover->outcomes);
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
    cover->is_crashed = false;
    cover->fingerprint = 0;
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

// Whether what nobody says is chosen at random, with the present seed.
static bool is_seeded(const struct rh_cover *cover)
{
    return cover->options.is_seeded || cover->goes_on;
}

// A fault that may strike does so once in so many times where it is left to chance.
enum { FAULT_ONE_IN = 8 };

// What nobody says. A delivery has the same outcomes in every execution of a seed: these differ in
// the order of deliveries alone.
static uint32_t usual_outcome(const struct rh_cover *cover, const struct rh_choice_point *point,
                              uint64_t identity)
{
    uint32_t usual = point->comes ? point->count - 1 : 0;
    bool is_drawn = is_seeded(cover) && (!point->comes || cover->goes_on);
    if (!is_drawn)
        return usual;
    uint64_t hash = rh_hash64_pair(cover->seed, identity);
    if (point->fault && hash % FAULT_ONE_IN != 0)
        return usual;
    return (uint32_t)(hash / FAULT_ONE_IN % point->count);
}

static uint32_t choose_outcome(struct rh_cover *cover, const struct rh_choice_point *point)
{
    uint64_t number = point->path->length - cover->decision;
    uint64_t identity = point->fault ? rh_hash64_pair(point->sent->identity, point->fault)
                                     : rh_hash64_pair(point->world->delivery, number);
    uint32_t said = rh_force_choose(&cover->force, &cover->coverage, point, NULL);
    uint32_t usual = said != RH_NONE ? said : usual_outcome(cover, point, identity);
    uint32_t way = rh_outcomes_choose(&cover->outcomes, &cover->coverage.store, identity,
                                      point->count, usual, point->fault != 0);
    cover->fingerprint = rh_hash64_pair(cover->fingerprint, way);
    return way;
}

static uint32_t choose_delivery(struct rh_cover *cover, const struct rh_choice_point *point)
{
    struct rh_rng *rng = is_seeded(cover) ? &cover->rng : NULL;
    if (cover->is_sweep)
        return rh_sweep_choose(&cover->sweep, &cover->record, point, rng);
    uint32_t way = rh_force_choose(&cover->force, &cover->coverage, point, rng);
    if (way != RH_NONE)
        return way;
    return rng ? (uint32_t)rh_rng_below(rng, point->count) : 0;
}

// Crashes, and the end of the execution where it is a choice, stand behind the deliveries.
static uint32_t count_deliveries(const struct rh_choice_point *point)
{
    const struct rh_world *world = point->world;
    uint32_t count = point->count;
    while (count > 0 && world->messages[world->deliverable[count - 1]].kind >= RH_CRASH)
        count--;
    return count;
}

// A crash that is to be made here; RH_NONE: none. Where crashes are left to chance one comes
// anywhere in the execution.
static uint32_t choose_crash(struct rh_cover *cover, const struct rh_choice_point *point,
                             uint32_t deliveries)
{
    // The end of the execution stands in front of the crashes, if nothing else is left.
    uint32_t first = deliveries > 0 ? deliveries : 1;
    uint32_t way = rh_outcomes_crash(&cover->outcomes, &cover->coverage.store, cover->record.number,
                                     point, first);
    bool is_drawn = way == RH_NONE && is_seeded(cover) &&
                    rh_rng_below(&cover->rng, cover->sweep.longest + UINT64_C(1)) == 0;
    return is_drawn ? first + (uint32_t)rh_rng_below(&cover->rng, point->count - first) : way;
}

static uint32_t cover_choose(void *memory, const struct rh_choice_point *any)
{
    struct rh_cover *cover = cover_of(memory);
    const struct rh_world *world = any->world;
    struct rh_choice_point deliveries = *any, *point = &deliveries;
    if (!any->is_delivery)
        return choose_outcome(cover, any);
    point->count = count_deliveries(any);
    if (point->count < any->count) {
        uint32_t crash = choose_crash(cover, any, point->count);
        cover->is_crashed |= crash != RH_NONE;
        if (crash != RH_NONE || point->count == 0) {
            cover->fingerprint = rh_hash64_pair(cover->fingerprint, crash);
            return crash != RH_NONE ? crash : 0;
        }
    }
    cover->decision = point->path->length;
    cover->record.footprints = point->footprints;
    rh_record_settle(&cover->record, &cover->coverage, world);
    uint32_t way = choose_delivery(cover, point);
    const struct rh_message *message = &world->messages[world->deliverable[way]];
    cover->fingerprint = rh_hash64_pair(cover->fingerprint, message->identity);
    if (any->count > point->count)
        rh_outcomes_receive(&cover->outcomes, cover->record.number, message->receiver);
    if (cover->is_crashed)
        return way;
    rh_sweep_receive(&cover->sweep, &cover->coverage.store, &cover->record, world,
                     world->deliverable[way]);
    rh_record_receive(&cover->record, &cover->coverage, world, message);
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
    if (cover->is_crashed)
        return;
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
    for (int i = 0; i < 2; i++) {
        all.covered += cover->outcomes.totals[i].covered;
        all.known += cover->outcomes.totals[i].known;
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

// Notes whether the execution is as an earlier one was.
static void compare_with_earlier(struct rh_cover *cover)
{
    struct rh_store *store = &cover->coverage.store;
    uint32_t number = cover->fingerprint_count;
    struct rh_probe probe = rh_table_probe(&cover->shown_before, cover->fingerprint);
    while (rh_probe_next(&probe))
        if (cover->fingerprints[probe.number] == cover->fingerprint) {
            cover->repeated++;
            return;
        }
    cover->repeated = 0;
    uint64_t *fingerprints = rh_store_grow(store, cover->fingerprints, sizeof *fingerprints, number,
                                           &cover->fingerprint_capacity);
    if (!fingerprints || !rh_table_add(&cover->shown_before, store, cover->fingerprint, number))
        return;
    cover->fingerprints = fingerprints;
    fingerprints[cover->fingerprint_count++] = cover->fingerprint;
}

static void take_execution(struct rh_cover *cover, bool is_cut)
{
    struct rh_record *record = &cover->record;
    uint64_t covered = covered_goals(cover);
    if (record->has_overflowed) {
        cover->too_long++;
    } else if (!cover->is_crashed) {
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
    rh_outcomes_end(&cover->outcomes);
    compare_with_earlier(cover);
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

static bool choose_ordered(struct rh_cover *cover)
{
    return (is_turn_of_sweep(cover->turn++) && start_sweep(cover)) || start_plan(cover) ||
           (is_worth_sweeping(cover) && start_sweep(cover)) || is_random(cover);
}

// Every third execution is for a goal that is no order, while there are any: in the usual order
// first, then in one that is drawn, where the goal is one that the execution comes by.
static bool start_aimed(struct rh_cover *cover)
{
    bool is_drawn = cover->aimed % 2 == 1 && !rh_sweep_is_learning(&cover->sweep);
    if (cover->options.no_sweeps || cover->options.no_schedules ||
        cover->turn < 2 * (cover->aimed + 1) ||
        !rh_outcomes_start(&cover->outcomes, is_drawn, &cover->sweep.rng))
        return false;
    cover->aimed++;
    if (is_drawn)
        start_sweep(cover);
    return true;
}

// Executions as long as there is a budget, each hundred of them with a seed of their own: most are
// sweeps, which know what competes, and schedules for what these have shown. It ends where so many
// in a row were nothing but earlier ones again.
static bool go_on(struct rh_cover *cover)
{
    enum { OF_A_SEED = 100, REPEATED_MOST = 500 };
    const struct rh_cover_options *options = &cover->options;
    bool may_differ = cover->outcomes.count > 0 || cover->sweep.started > 0;
    if (options->is_seeded || options->no_sweeps || options->no_schedules || !may_differ ||
        cover->repeated >= REPEATED_MOST)
        return false;
    cover->goes_on = true;
    cover->seed = 1 + cover->seeded / OF_A_SEED;
    bool is_sweep = cover->seeded++ % 4 > 0;
    cover->turn++;
    if (!start_plan(cover) && is_sweep)
        start_sweep(cover);
    return true;
}

static bool choose_execution(struct rh_cover *cover)
{
    cover->is_sweep = cover->has_plan = false;
    if (start_aimed(cover))
        return true;
    if (cover->goes_on)
        return go_on(cover);
    return choose_ordered(cover) || go_on(cover);
}

// A budget that nobody has given is exceeded as long as the second half of all executions has shown
// new goals.
static bool is_spent(const struct rh_cover *cover, uint64_t executions)
{
    uint64_t most = cover->options.executions;
    return most > 0 && executions >= most && cover->newest_news * 2 <= executions;
}

static bool cover_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct rh_cover *cover = cover_of(memory);
    cover->was_cut |= path->cut;
    take_execution(cover, path->cut);
    rh_force_stop_file(&cover->force);
    if (is_spent(cover, executions) || !choose_execution(cover))
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
    const struct rh_goal_count *totals = cover->outcomes.totals;
    figures->outcomes = (struct rh_criterion_figures){
        .covered = totals[RH_OUTCOMES_CHOICES].covered, .known = totals[RH_OUTCOMES_CHOICES].known};
    figures->faults = (struct rh_criterion_figures){.covered = totals[RH_OUTCOMES_FAULTS].covered,
                                                    .known = totals[RH_OUTCOMES_FAULTS].known};
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
