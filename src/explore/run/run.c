// SPDX-License-Identifier: MIT
// The keeper's side of a run: workers one after the other until the search is over, then the
// result.
#include "explore/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/hash.h"
#include "explore/process/budget.h"
#include "explore/process/keeper.h"
#include "explore/process/questions.h"
#include "explore/process/suspicion.h"
#include "explore/reduce/dcute.h"
#include "explore/reduce/reduce.h"
#include "explore/run/find_livelocks.h"
#include "explore/run/find_unset.h"
#include "explore/run/found.h"
#include "explore/run/order.h"
#include "explore/run/portfolio.h"
#include "explore/run/run_state.h"
#include "explore/run/shrink_results.h"
#include "explore/run/strategies.h"
#include "explore/strategy/holds.h"
#include "world/unset.h"

enum { HANG_FACTOR = 10, TRIES = 3 };

void rh_run_options_init(struct rh_run_options *options)
{
    *options = (struct rh_run_options){.strategy = "dfs",
                                       .reduction = "none",
                                       .actor_order = RH_ACTORS_HIGH,
                                       .max_length = 10000,
                                       .hang_ms = 1000,
                                       .depth = RH_DEPTH_DEFAULT,
                                       .delays = RH_DELAYS_DEFAULT,
                                       .undo = RH_UNDO_ON};
}

// The estimated number of all executions; 0 if unknown. Nobody can say how many executions will end
// in states that were seen before.
static double expected_executions(const struct rh_run *run)
{
    const struct rh_shared *shared = run->shared;
    if (!run->job.strategy->estimate || shared->states.entries)
        return 0;
    return run->job.strategy->estimate(shared->strategy, &shared->path, shared->executions);
}

static void tell_progress(struct rh_run *run)
{
    const struct rh_run_options *options = run->options;
    double time = rh_clock_seconds();
    if (!options->progress || time - run->told < 0.2)
        return;
    run->told = time;
    const struct rh_shared *shared = run->shared;
    bool samples = strcmp(options->verb, "sample") == 0;
    double expected = samples ? 0 : expected_executions(run);
    double done = expected > 0 ? (double)shared->executions / expected : -1;
    struct rh_progress progress = {.executions = shared->executions,
                                   .deliveries = shared->deliveries,
                                   .findings = shared->lead_count,
                                   .states = rh_shared_compares(shared) ? shared->states.count : 0,
                                   .seconds = time - run->started,
                                   .done = done};
    if (run->job.strategy->progress)
        run->job.strategy->progress(shared->strategy, &progress);
    options->progress(options->progress_context, &progress);
}

static bool on_tick(void *context)
{
    struct rh_run *run = context;
    tell_progress(run);
    if (run->options->interrupted && *run->options->interrupted) {
        run->shared->stopped_by = RH_STOP_INTERRUPT;
        return false;
    }
    if (run->options->max_seconds > 0 &&
        rh_clock_seconds() - run->started > run->options->max_seconds) {
        run->shared->stopped_by = RH_STOP_SECONDS;
        return false;
    }
    return true;
}

// Questions.

static struct rh_path copy_path(const struct rh_path *path, uint32_t length)
{
    struct rh_path copy = {.length = length, .keep = length};
    copy.decisions = rh_alloc(sizeof *copy.decisions * (length + 1));
    memcpy(copy.decisions, path->decisions, sizeof *copy.decisions * length);
    return copy;
}

// Follows the present path once more in a worker beside the search.
static enum rh_end follow_beside(struct rh_run *run, enum rh_worker_mode mode)
{
    struct rh_shared *shared = run->shared;
    uint64_t counts[RH_LEADS_MOST];
    uint32_t count = rh_shared_keep_counts(shared, counts);
    struct rh_path path = shared->path;
    struct rh_trace_room room;
    run->status = rh_trace_room_open(&room);
    if (!rh_is_ok(&run->status))
        return RH_END_STATUS;
    struct rh_job job = run->job;
    job.mode = mode;
    enum rh_end end = rh_confirm_follow_beside(&job, &path, run->options->hang_ms * HANG_FACTOR,
                                               mode == RH_WORKER_FOLLOW ? &room : NULL);
    rh_trace_room_close(&room);
    rh_shared_restore(shared, counts, count);
    shared->crash = (struct rh_crash){0};
    return end;
}

// Undo and re-execution differ. Two re-executions that differ too blame the program; otherwise undo
// is wrong, which is our failure.
static void blame(struct rh_run *run)
{
    struct rh_status status = run->shared->status;
    follow_beside(run, RH_WORKER_RECORD);
    if (follow_beside(run, RH_WORKER_VERIFY) != RH_END_STATUS) {
        run->status = status;
        return;
    }
    struct rh_finding finding = {.kind = RH_FINDING_NONDETERMINISM};
    finding.severity = rh_shared_severity(run->options, &finding);
    RH_FINDING_SET(finding.message,
                   "the same deliveries led to another state when they were repeated");
    rh_shared_add(run->shared, &finding, &run->shared->path, run->shared->path.length, NULL);
}

static bool on_question(void *context, char question)
{
    struct rh_run *run = context;
    if (question == RH_QUESTION_BOUND)
        follow_beside(run, RH_WORKER_FOLLOW);
    else if (question == RH_QUESTION_FOUND)
        rh_run_take_news(run);
    else if (follow_beside(run, RH_WORKER_VERIFY) == RH_END_STATUS && rh_is_ok(&run->status))
        blame(run);
    if (!rh_is_ok(&run->status))
        run->shared->stopped_by = RH_STOP_FAILURE;
    rh_question_answer(run->shared);
    return true;
}

// The search.

// Runs the execution alone, with much more time. Gives how it ends then.
static enum rh_end wait_for_hang(struct rh_run *run)
{
    struct rh_path path = copy_path(&run->shared->path, run->shared->path.length);
    struct rh_crash crash = run->shared->crash;
    uint64_t counts[RH_LEADS_MOST];
    uint32_t count = rh_shared_keep_counts(run->shared, counts);
    struct rh_job job = run->job;
    double limit = run->options->hang_ms * HANG_FACTOR / 1000.0;
    rh_suspicion_tell(run->options, run->shared, run->hang_ms / 1000.0, limit);
    job.unguarded = true; // beside a given block the program is slow only because we watch it
    enum rh_end end =
        rh_confirm_follow_beside(&job, &path, run->options->hang_ms * HANG_FACTOR, NULL);
    rh_shared_restore(run->shared, counts, count);
    if (end == RH_END_HANG && !run->shared->crash.valid)
        run->shared->crash = crash;
    free(path.decisions);
    return end;
}

static bool retry(struct rh_shared *shared)
{
    rh_shared_retry(shared);
    return true;
}

// Whether the program has printed something that nobody reads any more. The next worker prints
// nothing.
static bool lacks_reader(const struct rh_run *run, enum rh_end end)
{
    return end == RH_END_CRASH && run->shared->crash.signal == SIGPIPE && run->options->output &&
           !rh_descriptor_has_reader(STDERR_FILENO);
}

// The execution has shown something that ended its worker.
static bool add_death(struct rh_run *run, const struct rh_finding *finding)
{
    struct rh_shared *shared = run->shared;
    // Of a death outside of a delivery nobody knows what led there.
    struct rh_needs needs = {.all = !shared->delivering || run->job.strategy->tries_all,
                             .is_unknown = !shared->delivering};
    rh_shared_add(shared, finding, &shared->path, shared->path.length,
                  run->options->shortest ? &needs : NULL);
    rh_run_take_news(run);
    if ((shared->footprints->has_grown &&
         rh_shared_relies_on_footprints(shared, run->job.strategy)) ||
        shared->states.has_looked) {
        rh_shared_start_again(shared, run->job.strategy);
        return true;
    }
    shared->path.cut = true;
    return rh_shared_advance(shared, run->options, run->job.strategy);
}

// A worker died in a handler: a finding, and the execution is over.
static bool take_death(struct rh_run *run, enum rh_end end)
{
    struct rh_shared *shared = run->shared;
    if (shared->commute.trying) {
        rh_commute_forbid(&shared->commute);
        return retry(shared);
    }
    bool in_tool = end == RH_END_CRASH && shared->crash.in_tool;
    if ((in_tool || lacks_reader(run, end)) && run->retried != shared->executions + 1) {
        run->retried = shared->executions + 1;
        return retry(shared);
    }
    if (end == RH_END_HANG && run->options->stops_at_hang)
        return !rh_budget_stop(shared, RH_STOP_FINDING);
    enum rh_end alone = end == RH_END_HANG ? wait_for_hang(run) : end;
    if (alone == RH_END_STOPPED)
        return on_tick(run); // on_tick is what has stopped it
    if (alone != end) {
        // The program is slow: without more patience the search would never end.
        run->hang_ms *= HANG_FACTOR;
        return retry(shared);
    }
    struct rh_finding finding;
    rh_confirm_describe(run->options, shared, end, &finding);
    return add_death(run, &finding);
}

// Whether workers end again and again without having come any further, each leaving it to the next.
static bool is_stuck(struct rh_run *run)
{
    const struct rh_shared *shared = run->shared;
    const uint64_t position[] = {shared->executions,   shared->deliveries,  shared->pruned_count,
                                 shared->starts_again, shared->path.length, shared->path.keep,
                                 shared->lead_count,   shared->graph.on};
    uint64_t progress = rh_hash64(position, sizeof position, 0);
    run->vain = progress == run->progress ? run->vain + 1 : 1;
    run->progress = progress;
    return run->vain >= TRIES;
}

static bool take_stuck(struct rh_run *run)
{
    struct rh_finding finding = {.kind = RH_FINDING_NONDETERMINISM};
    run->vain = 0;
    finding.severity = rh_shared_severity(run->options, &finding);
    RH_FINDING_SET(finding.message, "the execution could not be brought to its end, three times: "
                                    "the program has changed or closed what is not its own");
    return add_death(run, &finding);
}

static enum rh_states_kept kept_of_states(const struct rh_run *run)
{
    return rh_run_is_reduced(run)      ? RH_KEEP_NUMBER
           : run->options->states_full ? RH_KEEP_WHOLE
                                       : RH_KEEP_NOTHING;
}

static const struct rh_strategy_ops *find_strategy(const struct rh_run_options *options)
{
    if (options->own_strategy)
        return options->own_strategy;
    const struct rh_strategy_ops *strategy = rh_strategy_named(options->strategy);
    const struct rh_strategy_ops *reduction =
        strategy && strategy->tries_all ? rh_strategy_named(options->reduction) : NULL;
    return reduction ? reduction : strategy;
}

// The second part of an automatic search.

static void forget_bounds(struct rh_shared *shared)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (shared->leads[i].finding.kind != RH_FINDING_BOUND)
            shared->leads[kept++] = shared->leads[i];
    shared->lead_count = kept;
}

// false if there is no memory.
static bool open_states(struct rh_shared *shared, const struct rh_run_options *options,
                        enum rh_states_kept kept)
{
    return rh_states_open(&shared->states, options->states, kept) &&
           rh_trail_open(&shared->trail, (uint32_t)shared->path_most) &&
           rh_graph_open(&shared->graph);
}

// A reduction that was given up still has its memory.
static void fini_strategy(const struct rh_run *run)
{
    const struct rh_strategy_ops *begun = run->reduction ? run->reduction : run->job.strategy;
    if (begun->fini)
        begun->fini(run->shared->strategy);
}

// Begins the search again with states; findings so far stay.
static struct rh_status compare_states(struct rh_run *run)
{
    struct rh_shared *shared = run->shared;
    struct rh_run_options *options = &run->automatic_options;
    forget_bounds(shared);
    fini_strategy(run);
    run->reduction = NULL;
    shared->commute.on = false;
    *options = *run->options;
    options->automatic = false;
    // With a reduction, what is remembered of a state does not say which faults race with it.
    bool is_reduced = !rh_faults_any(&options->faults) && rh_is_ok(&run->no_room);
    options->reduction = is_reduced ? "source" : "none";
    options->states = RH_STATES_EXACT;
    if (!options->begins)
        options->max_executions = 0;
    if (options->max_deliveries == 0)
        options->max_deliveries = RH_DELIVERIES_SECOND;
    run->options = run->job.options = options;
    run->job.strategy = find_strategy(options);
    if (!open_states(shared, options, kept_of_states(run)) ||
        !run->job.strategy->init(shared->strategy, options))
        return rh_failed("cannot reserve the address space for the states of a search");
    rh_shared_start_again(shared, run->job.strategy);
    return rh_ok();
}

// Whether there is more to do after the first part of an automatic search.
static bool go_on(struct rh_run *run)
{
    struct rh_shared *shared = run->shared;
    if (shared->stopped_by != RH_STOP_FOR_STATES)
        return false;
    shared->stopped_by = RH_STOP_NOTHING;
    if (!run->options->keep_going && !run->options->shortest && rh_shared_has_error(shared)) {
        shared->stopped_by = RH_STOP_FINDING;
        return false;
    }
    run->status = compare_states(run);
    return rh_is_ok(&run->status);
}

// From now on the search leaves nothing out.
static void try_every_order(struct rh_run *run)
{
    struct rh_shared *shared = run->shared;
    run->reduction = run->job.strategy;
    run->job.strategy = &rh_strategy_dfs;
    if (!shared->states.entries)
        return;
    rh_states_fini(&shared->states);
    if (!rh_states_open(&shared->states, run->options->states, RH_KEEP_NOTHING))
        run->status = rh_failed("cannot reserve the address space for the states of a search");
}

// A reduced search that meets no state twice in one execution has left out no way round: executions
// that it has left out are equivalent to parts of others, which all end. A search that does meet
// one may have left some out: then every order is tried.
static void give_up_reduction(struct rh_run *run)
{
    if (run->shared->graph.on && !run->job.strategy->tries_all)
        try_every_order(run);
}

// A reduction has no room for an execution that is so long, or has so much to try. Whatever it has
// left out so far is tried, too.
static void do_without_reduction(struct rh_run *run)
{
    struct rh_shared *shared = run->shared;
    run->no_room = shared->status;
    shared->status = rh_ok();
    shared->commute.on = false;
    rh_shared_start_again(shared, run->job.strategy);
    try_every_order(run);
}

// A failure of the tool ends the search, and loses nothing that was found before.
static void take_failure(struct rh_run *run)
{
    run->status = run->shared->status;
    if (run->status.code != RH_FAILED || run->shared->lead_count == 0 || run->job.strategy->replays)
        return;
    run->failure = run->status;
    run->status = rh_ok();
    run->shared->stopped_by = RH_STOP_FAILURE;
}

static void search(struct rh_run *run)
{
    struct rh_watch watch = {
        .questions = run->bell[0], .context = run, .answer = on_question, .tick = on_tick};
    for (;;) {
        watch.limit_ms = run->hang_ms;
        enum rh_end end = rh_keeper_run(&run->job, &watch);
        switch (end) {
        case RH_END_RESTART:
            if (!on_tick(run))
                return;
            rh_run_take_news(run);
            give_up_reduction(run);
            if (is_stuck(run) && !take_stuck(run) && !go_on(run))
                return;
            break;
        case RH_END_CRASH:
        case RH_END_HANG:
        case RH_END_EXIT:
            if (!take_death(run, end) && !go_on(run))
                return;
            break;
        case RH_END_STATUS:
            if (run->shared->status.code == RH_NO_ROOM) {
                do_without_reduction(run);
                break;
            }
            take_failure(run);
            return;
        case RH_END_DONE:
            if (!go_on(run))
                return;
            break;
        case RH_END_STOPPED:
        case RH_END_PAUSED: // every question of a search is answered at once
            return;
        }
        if (!rh_is_ok(&run->status))
            return;
    }
}

// The result.

static void write_digest(rh_hash128 digest, char text[RH_DIGEST_SIZE])
{
    snprintf(text, RH_DIGEST_SIZE, "%016llx%016llx", (unsigned long long)(digest >> 64),
             (unsigned long long)digest);
}

static void fill_census(const struct rh_shared *shared, struct rh_result *result)
{
    if (!shared->census.on)
        return;
    result->census.on = true;
    result->census.final_states = shared->census.finals.count;
    result->census.classes = shared->census.classes.count;
    result->census.given_up = shared->pruned_count;
    write_digest(shared->census.digest, result->census.digest);
    if (shared->census.forms.count > 0)
        write_digest(shared->census.forms_digest, result->census.forms_digest);
}

static void fill_result(struct rh_run *run, const struct rh_test *test, struct rh_result *result)
{
    const struct rh_run_options *options = run->options;
    const struct rh_shared *shared = run->shared;
    bool compares_all = rh_shared_compares(shared) && shared->cannot_undo[0] == '\0';
    *result = (struct rh_result){
        .program = options->program,
        .test = test->name,
        .verb = options->verb,
        .strategy = options->strategy,
        .reduction = options->reduction,
        .delivery = options->order_rule,
        .environment = options->environment,
        .faults = options->faults,
        .seed = options->seed,
        .complete = shared->done && shared->stopped_by == RH_STOP_NOTHING &&
                    run->job.strategy->can_complete && shared->states.mode != RH_STATES_BITSTATE,
        .stopped_by = shared->stopped_by,
        .executions = shared->executions,
        .deliveries = shared->deliveries,
        .earlier = shared->spent,
        .is_in_order = run->job.strategy == &rh_strategy_order,
        .expected_executions = shared->done ? 0 : expected_executions(run),
        .compares_states = compares_all,
        .omits_states = shared->states.mode == RH_STATES_BITSTATE,
        .states = compares_all ? shared->states.count : shared->deliveries + 1,
    };
    fill_census(shared, result);
    rh_run_add_notes(run, result);
    result->omits_outcomes =
        (options->adapter->omits && options->adapter->omits()) || shared->starts_thread[0] != '\0';
    result->complete &= !shared->graph.full && !result->omits_outcomes;
    result->complete &= shared->suppressed[0] == '\0' || !rh_strategy_reduces(run->job.strategy);
    result->came_to_end = shared->done && shared->stopped_by == RH_STOP_NOTHING;
    // Executions that a bound has cut off were not explored to their end.
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (shared->leads[i].finding.kind == RH_FINDING_BOUND ||
            shared->leads[i].finding.kind == RH_FINDING_NONDETERMINISM)
            result->complete = result->came_to_end = false;
}

static void take_trace(struct rh_run *run, const struct rh_test *test, struct rh_result *result)
{
    run->status = rh_trace_room_read(&run->room, &result->execution, &result->output);
    for (uint32_t i = 0; i < run->shared->lead_count && rh_is_ok(&run->status); i++) {
        struct rh_shown *shown = rh_vector_push(&result->findings);
        struct rh_finding *finding = &run->shared->leads[i].finding;
        rh_confirm_schedule(run->options, test, &result->execution, &shown->schedule);
        rh_confirm_write(run->options->debug, run->shared, finding);
        rh_confirm_fill(finding, &result->execution, shown);
    }
}

// If the program did not even send the message that the schedule holds back, finding nothing says
// nothing.
static void check_holds(struct rh_run *run, const struct rh_result *result)
{
    const struct rh_schedule *schedule = run->options->schedule;
    if (!run->shared->idle_hold || rh_shared_has_error(run->shared))
        return;
    if (rh_result_find(result, schedule))
        return;
    run->shared->is_refused = true;
    run->status = rh_holds_idle(schedule, run->shared->idle_hold);
}

// The program can't follow the order that its test gives, or a schedule that was saved: that is no
// failure of the tool.
static struct rh_status take_refusal(struct rh_run *run)
{
    const struct rh_run_options *options = run->options;
    struct rh_status refusal = rh_ok();
    bool is_told = options->is_order || (options->tells_refusal && run->shared->is_refused);
    if (is_told && run->status.code == RH_BAD_INPUT) {
        refusal = run->status;
        run->status = rh_ok();
    }
    return refusal;
}

// Makes the deliveries once more that could be made.
static void show_beginning(struct rh_run *run, struct rh_shown *shown)
{
    struct rh_path path = copy_path(&run->shared->path, run->shared->path.length);
    struct rh_trace_room room;
    run->status = rh_trace_room_open(&room);
    if (rh_is_ok(&run->status)) {
        rh_confirm_follow(&run->job, &path, run->options->hang_ms * HANG_FACTOR, &room);
        run->status = rh_trace_room_read(&room, &shown->execution, &shown->output);
    }
    rh_trace_room_close(&room);
    free(path.decisions);
}

// What is replayed for this finding is the order itself.
static void show_refusal(struct rh_run *run, const struct rh_test *test,
                         const struct rh_status *refusal, struct rh_result *result)
{
    const struct rh_test_order *order = rh_order_find(test);
    struct rh_finding finding = {.kind = RH_FINDING_ORDER,
                                 .severity = RH_SEVERITY_ERROR,
                                 .count = 1,
                                 .line = order ? order->line : 0};
    RH_FINDING_SET(finding.message, refusal->text);
    RH_FINDING_SET(finding.file, order ? order->file : run->options->schedule->path);
    bool replays = run->job.strategy->replays;
    struct rh_shown *shown = rh_vector_push(&result->findings);
    if (!replays)
        show_beginning(run, shown);
    if (order)
        rh_order_read(order, &shown->schedule);
    else
        rh_schedule_copy(&shown->schedule, run->options->schedule);
    rh_confirm_fill(&finding, replays ? &result->execution : &shown->execution, shown);
}

static void tell_refusal(struct rh_run *run, const struct rh_test *test,
                         const struct rh_status *refusal, struct rh_result *result)
{
    if (run->options->is_order) {
        show_refusal(run, test, refusal, result);
        return;
    }
    result->came_to_end = false;
    result->refusal = rh_strdup(refusal->text);
}

static struct rh_status start_run(struct rh_run *run, const struct rh_run_options *options,
                                  const struct rh_test *test)
{
    const struct rh_strategy_ops *strategy = find_strategy(options);
    rh_assert(strategy);
    run->own_options = *options;
    if (strategy->has_schedule && options->schedule)
        run->own_options.faults = rh_schedule_faults(options->schedule);
    run->options = options = &run->own_options;
    run->hang_ms = options->hang_ms;
    run->started = run->told = rh_clock_seconds();
    run->shared = rh_shared_new();
    run->job = (struct rh_job){
        .options = options,
        .test = test,
        .strategy = strategy,
        .shared = run->shared,
        .trace_output = -1,
        .lap = RH_NONE,
    };
    if (!run->shared)
        return rh_failed("cannot map the memory that a search needs");
    run->shared->footprints = rh_footprints_new();
    if (!run->shared->footprints)
        return rh_failed("cannot reserve the address space for what deliveries touch");
    if (options->time == RH_TIME_STRICT && (rh_run_is_reduced(run) || options->census))
        rh_footprints_add_everything(run->shared->footprints,
                                     "with --time strict a timer waits for everything else");
    rh_footprints_restart(run->shared->footprints);
    if (options->commuting && !rh_commute_init(&run->shared->commute))
        return rh_failed("cannot reserve the address space for what commutes");
    if (options->census && !rh_census_init(&run->shared->census, !options->faults.restarts))
        return rh_failed("cannot reserve the address space for a census");
    if (options->states != RH_STATES_NONE &&
        !open_states(run->shared, options, kept_of_states(run)))
        return rh_failed("cannot reserve the address space for the states of a search");
    if (!rh_descriptor_pipe(run->bell))
        return rh_failed("cannot make a pipe");
    run->job.ask_keeper = run->bell[1];
    if (!run->job.strategy->init(run->shared->strategy, options))
        return rh_failed("cannot reserve the address space for the search");
    // A schedule that was saved for something that nobody has set shows it.
    struct rh_finding saved = {0};
    if (strategy->has_schedule && options->schedule && options->schedule->finding_kind &&
        rh_finding_kind_parse(options->schedule->finding_kind, &saved.kind))
        run->job.fill = rh_unset_fill(&saved);
    run->types_unknown = options->debug && !rh_run_knows_types(options->debug, options->adapter);
    return rh_ok();
}

// Only one error was asked for: the search has stopped for it, as soon as no shorter one could be
// left.
static void settle_shortest(struct rh_run *run)
{
    struct rh_shared *shared = run->shared;
    if (!rh_shared_has_error(shared))
        return;
    rh_shared_keep_shortest(shared);
    if (shared->stopped_by == RH_STOP_NOTHING)
        shared->stopped_by = RH_STOP_FINDING;
}

// Not where the user wants an end or repeats what is known, or the program's state is not in the
// world.
static bool looks_for_unset(const struct rh_run *run)
{
    enum rh_stop stop = run->shared->stopped_by;
    bool is_replay = run->options->verb && strcmp(run->options->verb, "replay") == 0;
    return !is_replay && !run->job.strategy->replays && !run->options->adapter->keeps_state &&
           stop != RH_STOP_INTERRUPT && stop != RH_STOP_SECONDS && stop != RH_STOP_FAILURE;
}

struct rh_status rh_run_test(const struct rh_run_options *options, const struct rh_test *test,
                             struct rh_result *result)
{
    struct rh_run run = {0};
    if (options->portfolio && find_strategy(options)->can_complete)
        return rh_portfolio_run(options, test, result);
    *result = (struct rh_result){0};
    run.status = start_run(&run, options, test);
    if (!rh_is_ok(&run.status))
        return run.status;
    bool replays = run.job.strategy->replays;
    // A journal has all that is wanted of a run that is only repeated.
    bool traces = replays && !options->journal;
    if (traces) {
        run.status = rh_trace_room_open(&run.room);
        run.job.tape = run.room.tape;
        run.job.trace_output = run.room.output;
    }
    if (rh_is_ok(&run.status))
        search(&run);
    struct rh_status refusal = take_refusal(&run);
    if (rh_is_ok(&run.status) && rh_is_ok(&run.failure))
        run.status = rh_find_livelocks(&run.job);
    if (rh_is_ok(&run.status) && rh_is_ok(&refusal) && looks_for_unset(&run))
        run.status = rh_find_unset(&run.job);
    if (options->shortest && !options->keep_going)
        settle_shortest(&run);
    if (rh_is_ok(&run.status)) {
        fill_result(&run, test, result);
        if (traces)
            take_trace(&run, test, result);
        else if (!replays)
            rh_run_take_findings(&run, result);
        if (rh_is_ok(&run.status) && rh_is_ok(&refusal)) {
            check_holds(&run, result);
            refusal = take_refusal(&run);
        }
        if (rh_is_ok(&run.status) && !rh_is_ok(&refusal))
            tell_refusal(&run, test, &refusal, result);
        if (replays && options->shrink && rh_is_ok(&run.status))
            rh_shrink_replayed(&run.job, run.started, result);
    }
    if (!rh_is_ok(&run.status)) {
        rh_result_fini(result);
        *result = (struct rh_result){0};
    }
    result->verdict = rh_result_judge(result);
    result->seconds = rh_clock_seconds() - run.started;
    if (traces)
        rh_trace_room_close(&run.room);
    close(run.bell[0]);
    close(run.bell[1]);
    fini_strategy(&run);
    rh_run_forget_found(&run);
    rh_footprints_free(run.shared->footprints);
    rh_shared_free(run.shared);
    return rh_is_ok(&run.status) ? run.failure : run.status;
}

void rh_run_here(const struct rh_run_options *options, const struct rh_test *test)
{
    struct rh_run run = {0};
    run.status = start_run(&run, options, test);
    if (!rh_is_ok(&run.status))
        rh_panic("%s", run.status.text);
    run.job.here = true;
    run.job.ask_keeper = -1;
    rh_worker_launch(&run.job);
}
