// SPDX-License-Identifier: MIT
#include "threads/run.h"

#include "threads/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "threads/commit.h"
#include "threads/hooks.h"
#include "threads/look.h"
#include "threads/role.h"
#include "threads/serial_tree.h"
#include "threads/unserial.h"
#include "trace/finding_kind.h"

// --- The program's tests. ---

extern const struct rh_threads_test *const __start_rh_threads_tests[] __attribute__((weak));
extern const struct rh_threads_test *const __stop_rh_threads_tests[] __attribute__((weak));
extern const struct rh__component_entry __start_rh_components[] __attribute__((weak));
extern const struct rh__component_entry __stop_rh_components[] __attribute__((weak));

// The linker has it if there is code whose accesses are not seen.
extern const char rh__threads_unseen[] __attribute__((weak));

size_t rh_threads_test_count(void)
{
    return (size_t)(__stop_rh_threads_tests - __start_rh_threads_tests);
}

const struct rh_threads_test *rh_threads_test_at(size_t number)
{
    return __start_rh_threads_tests[number];
}

const struct rh__component_entry *rh_threads_component(void)
{
    return &__start_rh_components[0] < &__stop_rh_components[0] ? __start_rh_components : NULL;
}

// --- Threads of a test. ---

static const struct rh_threads_test *running;

static void *run_block(void *argument)
{
    struct rh__role role = {.wanted = (int)(intptr_t)argument};
    running->body(&role);
    return NULL;
}

static void *run_test(void *argument)
{
    pthread_t threads[RH_THREADS_MOST];
    struct rh__role count = {0}, after = {.wanted = -1};
    running = argument;
    rh__engine->quiet++;
    running->body(&count);
    rh__engine->quiet--;
    int made = 0;
    for (; made < count.seen; made++)
        if (pthread_create(&threads[made], NULL, run_block, (void *)(intptr_t)(made + 1)) != 0)
            rh__fail(RH_FINDING_CHECK, 0, "there are more than %d threads", RH_THREADS_MOST - 1);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    running->body(&after);
    return NULL;
}

// --- A program's main. ---

static struct {
    rh_main_function *function;
    int argc;
    char **argv, **environment;
} program;

static void *run_main(void *argument)
{
    (void)argument;
    exit(program.function(program.argc, program.argv, program.environment));
    return NULL;
}

const struct rh_threads_test *rh_threads_main(rh_main_function *function, int argc, char **argv,
                                              char **environment)
{
    static const struct rh_threads_test test = {.name = "main"};
    program.function = function;
    program.argc = argc;
    program.argv = argv;
    program.environment = environment;
    return &test;
}

void rh__check(bool holds, const char *condition, const char *file, int line)
{
    if (holds || !rh__has_engine || !rh__engine->is_active)
        return;
    struct rh_text moment = {0};
    char sentence[RH_TEXT_MOST];
    rh__invariant_print(&moment);
    snprintf(sentence, sizeof sentence, "%s%s", condition, rh_text_get(&moment));
    rh_text_fini(&moment);
    rh__fail_at(RH_FINDING_CHECK, file, line, "check failed: %s", sentence);
}

struct rh_status rh_threads_start(uint32_t hang_ms)
{
    const struct rh__component_entry *entry = rh_threads_component();
    const char *missing = rh__engine_start();
    if (missing)
        return rh_failed("%s", missing);
    rh__history_start(entry ? entry->component : NULL);
    rh__look_start(entry ? entry->component : NULL);
    rh__compare_start(entry ? entry->component : NULL);
    if (entry && entry->component->setup) {
        rh__engine->is_serving = rh__engine->is_setting_up = true;
        entry->component->setup();
        rh__engine->is_serving = rh__engine->is_setting_up = false;
    }
    rh__image_take();
    rh__engine->has_unseen = rh__threads_unseen != NULL || rh__image_has_unseen();
    if (hang_ms)
        rh__watch_start(hang_ms);
    return rh_ok();
}

// --- Findings. ---

static bool is_same_finding(const struct rh_threads_shown *shown,
                            const struct rh_threads_finding *finding,
                            const struct rh_compared *compared)
{
    const struct rh_threads_finding *other = &shown->finding;
    if (other->kind != finding->kind)
        return false;
    if (finding->kind == RH_FINDING_UNSERIAL)
        return true;
    if (finding->kind == RH_FINDING_REFINEMENT)
        return rh__compared_is_same(&shown->compared, compared);
    bool is_turned = other->code == finding->other_code && other->other_code == finding->code;
    return (other->code == finding->code && other->line == finding->line &&
            other->other_code == finding->other_code) ||
           (finding->kind == RH_FINDING_RACE && is_turned);
}

// Before which call of its own each thread stops when the execution is over.
static void find_last_stops(uint32_t *next)
{
    const struct rh_engine *engine = rh__engine;
    for (int i = 0; i < RH_THREADS_MOST; i++) {
        const struct rh_fiber *thread = &engine->threads[i];
        bool waits = i < engine->thread_count && thread->state == RH_THREAD_ALIVE &&
                     thread->pending.kind > RH_ACT_START && thread->pending.call == thread->calls;
        next[i] = waits && engine->outcome != RH_OUTCOME_COMPLETE ? thread->calls : UINT32_MAX;
    }
    // Whoever is running when the execution ends has made what it was about to do.
    if (engine->outcome == RH_OUTCOME_FAILED && engine->finding.kind != RH_FINDING_DEADLOCK)
        next[engine->current] = UINT32_MAX;
}

// The events as turns: whose follow each other, and before what each stops.
void rh__find_turns_in(struct rh_threads_shown *shown, const uint32_t *order)
{
    const struct rh_engine *engine = rh__engine;
    uint32_t next[RH_THREADS_MOST];
    int thread_behind = -1;
    find_last_stops(next);
    for (uint32_t i = 0; i < engine->count; i++) {
        const struct rh_act *event = &engine->path[order ? order[i] : i].event;
        if (event->kind == RH_ACT_CHOICE)
            *rh_vector_push(&shown->choices) = (int)event->address;
    }
    for (uint32_t i = engine->count; i-- > 0;) {
        const struct rh_act *event = &engine->path[order ? order[i] : i].event;
        if (event->thread != thread_behind)
            *rh_vector_push(&shown->turns) = (struct rh_turn){event->thread, next[event->thread]};
        thread_behind = event->thread;
        if (event->kind != RH_ACT_CHOICE)
            next[event->thread] = event->call;
    }
    for (size_t i = 0, k = shown->turns.count; i + 1 < k; i++) {
        struct rh_turn turn = shown->turns.items[i];
        shown->turns.items[i] = shown->turns.items[--k];
        shown->turns.items[k] = turn;
    }
}

void rh__find_turns(struct rh_threads_shown *shown)
{
    rh__find_turns_in(shown, NULL);
}

static struct rh_threads_shown *add_finding(struct rh_threads_result *result,
                                            const struct rh_threads_finding *finding,
                                            const struct rh_compared *compared)
{
    for (size_t i = 0; i < result->found.count; i++)
        if (is_same_finding(&result->found.items[i], finding, compared)) {
            result->found.items[i].count++;
            return NULL;
        }
    struct rh_threads_shown *shown = rh_vector_push(&result->found);
    *shown = (struct rh_threads_shown){
        .finding = *finding, .count = 1, .execution = result->executions, .compared = *compared};
    rh__find_turns(shown);
    return shown;
}

struct rh_threads_finding rh__make_refinement(const struct rh_compared *compared)
{
    const struct rh_commit_verdict *verdict = &compared->verdict;
    int last = verdict->wrong ? (int)verdict->operation : rh__history->last_returned;
    const struct rh_operation *operation = last < 0 ? NULL : &rh__history->operations[last];
    struct rh_threads_finding finding = {.kind = RH_FINDING_REFINEMENT,
                                         .thread = operation ? operation->thread : 0,
                                         .file = operation ? operation->file : NULL,
                                         .line = operation ? operation->line : 0,
                                         .other_thread = -1};
    if (verdict->wrong == RH_WRONG_VIEW) {
        rh_assert(operation);
        finding.file = operation->commit_file;
        finding.line = operation->commit_line;
    }
    return finding;
}

static const struct rh_compared nothing_compared = {.order = -1};

static void compare(struct rh_threads_result *result, enum rh_outcome outcome)
{
    struct rh_compared compared;
    bool is_by_orders = !rh__compares_commits();
    if (is_by_orders && (outcome != RH_OUTCOME_COMPLETE || result->is_undecided ||
                         result->is_serial_ended || !result->serial))
        return;
    rh__compare(outcome, &compared);
    result->is_uncompared = result->is_uncompared || compared.is_undecided;
    result->is_refused = result->is_refused || compared.is_refused;
    struct rh_threads_finding finding = rh__make_refinement(&compared);
    if (compared.has_finding)
        add_finding(result, &compared.finding, &nothing_compared);
    else if (rh__compared_is_wrong(&compared))
        add_finding(result, &finding, &compared);
}

// Where nobody says what the variables mean.
bool rh__make_unserial(struct rh_threads_finding *finding)
{
    const struct rh__component_entry *entry = rh_threads_component();
    *finding = (struct rh_threads_finding){.kind = RH_FINDING_UNSERIAL, .other_thread = -1};
    return !rh__compares_commits() && !(entry && entry->component->view) &&
           rh__is_unserial(&finding->address);
}

static void look_at_end(struct rh_threads_result *result)
{
    struct rh_threads_finding finding;
    if (!result->is_serial_ended && result->serial && rh__make_unserial(&finding))
        add_finding(result, &finding, &nothing_compared);
}

// Final states are few wherever they are counted.
static void count_state(struct rh_threads_result *result)
{
    uint64_t hash = rh__image_hash();
    for (size_t i = 0; i < result->hashes.count; i++)
        if (result->hashes.items[i] == hash)
            return;
    *rh_vector_push(&result->hashes) = hash;
    result->states++;
}

// Says at once what was found: should the process be killed, it is saved.
static void tell_found(const struct rh_threads_test *test, const struct rh_threads_options *options,
                       const struct rh_threads_result *result, size_t known)
{
    for (size_t i = known; options->found && i < result->found.count; i++)
        options->found(options->context, test, &result->found.items[i], i);
    if (rh__engine->found < result->found.count)
        rh__engine->found = result->found.count;
}

static void take_outcome(struct rh_threads_result *result, const struct rh_threads_options *options,
                         enum rh_outcome outcome)
{
    result->asleep += outcome == RH_OUTCOME_ASLEEP;
    result->cut += outcome == RH_OUTCOME_CUT;
    result->has_failed = result->has_failed || (outcome == RH_OUTCOME_FAILED &&
                                                rh__engine->finding.kind != RH_FINDING_DEADLOCK);
    result->has_strayed = result->has_strayed || outcome == RH_OUTCOME_STRAYED;
    if (outcome == RH_OUTCOME_ASLEEP || outcome == RH_OUTCOME_STRAYED)
        return;
    rh__engine->executions = ++result->executions;
    if (options->census && outcome == RH_OUTCOME_COMPLETE)
        count_state(result);
    if (options->compares && outcome != RH_OUTCOME_REFUSED)
        compare(result, outcome);
    if (options->compares && outcome == RH_OUTCOME_COMPLETE && !result->is_undecided)
        look_at_end(result);
    if (rh__engine->has_finding)
        add_finding(result, &rh__engine->finding, &nothing_compared);
    if (rh__engine->has_race)
        add_finding(result, &rh__engine->race, &nothing_compared);
}

void rh__forget_found(struct rh_threads_result *result)
{
    for (size_t i = 0; i < result->found.count; i++) {
        rh_vector_fini(&result->found.items[i].turns);
        rh_vector_fini(&result->found.items[i].choices);
        free(result->found.items[i].log);
        free(result->found.items[i].shrunk.cause);
    }
    rh_vector_fini(&result->found);
}

// --- Searches. ---

enum rh_outcome rh__run_once(const struct rh_threads_test *test)
{
    rh__history_clear();
    rh__commit_clear();
    return rh__engine_run(test->body ? run_test : run_main, (void *)(uintptr_t)test);
}

// Runs whole operations in every order.
void rh__run_serial(const struct rh_threads_test *test, struct rh_threads_result *result)
{
    rh__serial_forget();
    rh__search_begin(RH_MODE_SERIAL, 0);
    do {
        enum rh_outcome outcome = rh__run_once(test);
        if (outcome == RH_OUTCOME_COMPLETE)
            rh__serial_add(), rh__unserial_add();
        result->serial_blocked += outcome == RH_OUTCOME_BLOCKED;
        if (outcome == RH_OUTCOME_REFUSED)
            break;
        rh__engine->has_order = rh__engine->has_order || rh__history->count > 2;
        bool is_hang = rh__engine->has_finding && rh__engine->finding.kind == RH_FINDING_HANG;
        result->is_undecided = rh__serial_count() == RH_SERIAL_MOST || rh__history->is_cut;
        result->is_serial_ended = is_hang || rh__engine->is_interrupted;
        if (result->is_undecided || result->is_serial_ended)
            break;
    } while (rh__search_next());
    result->serial = rh__serial_count();
}

enum rh_stop rh__find_stop(const struct rh_threads_options *options,
                           const struct rh_threads_result *result, double start)
{
    enum { EXECUTIONS_EACH = 64 };
    const struct rh_engine *engine = rh__engine;
    if (engine->has_finding && engine->finding.kind == RH_FINDING_HANG)
        return RH_STOP_FINDING;
    if (options->max_executions && result->executions >= options->max_executions)
        return RH_STOP_EXECUTIONS;
    if (engine->is_interrupted)
        return RH_STOP_INTERRUPT;
    if (options->max_seconds > 0 && (result->executions + result->asleep) % EXECUTIONS_EACH == 0 &&
        rh_clock_seconds() - start >= options->max_seconds)
        return RH_STOP_SECONDS;
    return RH_STOP_NOTHING;
}

void rh__take_execution(const struct rh_threads_test *test,
                        const struct rh_threads_options *options, enum rh_outcome outcome,
                        struct rh_threads_result *result)
{
    bool is_whole = outcome != RH_OUTCOME_ASLEEP && outcome != RH_OUTCOME_STRAYED &&
                    outcome != RH_OUTCOME_REFUSED;
    size_t known = result->found.count;
    result->events += rh__engine->count;
    // To compare may take further executions.
    if (options->pairs && is_whole)
        rh__pairs_look(options->pairs, result->executions + 1);
    take_outcome(result, options, outcome);
    tell_found(test, options, result, known);
    result->is_refused =
        result->is_refused || outcome == RH_OUTCOME_REFUSED || rh__engine->has_no_room;
}

bool rh__search_round(const struct rh_threads_test *test, const struct rh_threads_options *options,
                      double start, struct rh_threads_result *result)
{
    bool samples = options->mode >= RH_MODE_RANDOM && options->mode <= RH_MODE_MIXED;
    do {
        if (options->mode == RH_MODE_MIXED)
            rh__engine->mode = result->executions % 2 ? RH_MODE_PCT : RH_MODE_RANDOM;
        enum rh_outcome outcome = rh__run_once(test);
        rh__look_back();
        if (rh__engine->has_grown && options->pairs)
            rh__pairs_grown(options->pairs, !samples);
        if (rh__engine->has_grown && !samples)
            return false;
        rh__engine->has_grown = false;
        rh__take_execution(test, options, outcome, result);
        result->stopped_by = rh__find_stop(options, result, start);
        if (outcome == RH_OUTCOME_STRAYED || result->is_refused || result->stopped_by)
            return true;
    } while (rh__search_next());
    result->is_exhausted = !samples && !result->has_unseen && !result->cut && !result->has_failed;
    result->is_complete = result->is_exhausted && !result->is_undecided && !result->is_uncompared;
    return true;
}

static void search(const struct rh_threads_test *test, const struct rh_threads_options *options,
                   struct rh_threads_result *result)
{
    double start = rh_clock_seconds();
    rh__engine->notes_locks = options->pairs != NULL;
    if (options->steers) {
        rh__steer_to_pairs(test, options, start, result);
        rh__engine->notes_locks = false;
        return;
    }
    do {
        rh__engine->has_grown = false;
        result->executions = result->asleep = result->cut = result->events = 0;
        result->has_failed = false;
        result->states = result->hashes.count = 0;
        rh__forget_found(result);
        rh__search_begin(options->mode == RH_MODE_MIXED ? RH_MODE_PCT : options->mode,
                         options->seed);
        rh__engine->depth = options->depth;
    } while (!rh__search_round(test, options, start, result));
    if (options->pairs)
        rh__look_for_pairs(test, options, start, result);
    rh__engine->notes_locks = false;
}

// Makes the execution once more, and writes down what happens.
bool rh__repeat(const struct rh_threads_test *test, const struct rh_threads_options *options,
                struct rh_threads_shown *shown)
{
    struct rh_engine *engine = rh__engine;
    rh__search_begin(RH_MODE_FOLLOW, 0);
    engine->turns = shown->turns.items;
    engine->turn_count = shown->turns.count;
    engine->choices = shown->choices.items;
    engine->choice_count = shown->choices.count;
    engine->log = calloc(RH_EVENTS_MOST, sizeof *engine->log);
    enum rh_outcome outcome = rh__run_once(test);
    rh__look_back();
    shown->log = engine->log;
    shown->log_count = engine->log_count;
    engine->log = NULL;
    shown->history = *rh__history;
    shown->compared = nothing_compared;
    if (options->compares && outcome != RH_OUTCOME_STRAYED)
        rh__compare(outcome, &shown->compared);
    shown->refinement = rh__make_refinement(&shown->compared);
    rh__other_order_find(&shown->compared, &shown->other_order);
    shown->is_unserial =
        options->compares && outcome == RH_OUTCOME_COMPLETE && rh__make_unserial(&shown->unserial);
    return outcome != RH_OUTCOME_STRAYED;
}

// Races come last: often they are the cause of what else is found, and say less.
static int compare_findings(const void *one, const void *other)
{
    const struct rh_threads_shown *a = one, *b = other;
    int hints = (a->finding.kind == RH_FINDING_UNSERIAL) - (b->finding.kind == RH_FINDING_UNSERIAL);
    if (hints)
        return hints;
    int races = (a->finding.kind == RH_FINDING_RACE) - (b->finding.kind == RH_FINDING_RACE);
    return races ? races : a->execution < b->execution ? -1 : a->execution > b->execution;
}

bool rh__shows(const struct rh_threads_shown *wanted, const struct rh_compared *compared)
{
    struct rh_threads_finding refinement = {.kind = RH_FINDING_REFINEMENT};
    const struct rh_engine *engine = rh__engine;
    struct rh_threads_finding end;
    if (wanted->finding.kind == RH_FINDING_UNSERIAL)
        return engine->outcome == RH_OUTCOME_COMPLETE && rh__make_unserial(&end);
    if (wanted->finding.kind == RH_FINDING_RACE)
        return engine->has_race && is_same_finding(wanted, &engine->race, compared);
    if (wanted->finding.kind == RH_FINDING_REFINEMENT)
        return is_same_finding(wanted, &refinement, compared);
    return engine->has_finding && is_same_finding(wanted, &engine->finding, compared);
}

void rh__begin_comparing(const struct rh_threads_test *test,
                         const struct rh_threads_options *options, struct rh_threads_result *result)
{
    rh__engine->is_marked = options->compares && rh__compares_commits();
    rh__engine->has_no_view = options->has_no_view;
    rh__serial_forget();
    rh__serial_tree_use(test);
    rh__unserial_forget();
    if (options->compares && !rh__engine->is_marked)
        rh__run_serial(test, result);
}

void rh_threads_run(const struct rh_threads_test *test, const struct rh_threads_options *options,
                    struct rh_threads_result *result)
{
    *result = (struct rh_threads_result){.test = test->name, .has_unseen = rh__engine->has_unseen};
    rh__shared_forget();
    rh__engine->has_order = rh__engine->has_weak_atomics = false;
    rh__begin_comparing(test, options, result);
    search(test, options, result);
    if (result->found.count)
        qsort(result->found.items, result->found.count, sizeof *result->found.items,
              compare_findings);
    for (size_t i = 0; i < result->found.count; i++) {
        struct rh_threads_shown *shown = &result->found.items[i];
        struct rh_threads_shown wanted = *shown;
        shown->is_repeated =
            rh__repeat(test, options, shown) && rh__shows(&wanted, &shown->compared);
    }
    result->has_weak_atomics = rh__engine->has_weak_atomics;
}

void rh_threads_killed(const struct rh_threads_test *test, int number,
                       struct rh_threads_result *result)
{
    struct rh_engine *engine = rh__engine;
    *result = (struct rh_threads_result){.test = test->name,
                                         .executions = engine->executions + 1,
                                         .has_failed = true,
                                         .stopped_by = RH_STOP_FINDING,
                                         .earlier = engine->found,
                                         .killed_by = number};
    engine->finding = (struct rh_threads_finding){
        .kind = RH_FINDING_CRASH, .thread = engine->current, .other_thread = -1};
    snprintf(engine->finding.text, sizeof engine->finding.text, "the process was killed by SIG%s",
             sigabbrev_np(number));
    engine->outcome = RH_OUTCOME_FAILED;
    add_finding(result, &engine->finding, &nothing_compared);
}

size_t rh_threads_error_count(const struct rh_threads_result *result)
{
    size_t count = 0;
    for (size_t i = 0; i < result->found.count; i++) {
        enum rh_finding_kind kind = (enum rh_finding_kind)result->found.items[i].finding.kind;
        count += rh_finding_kind_severity(kind) == RH_SEVERITY_ERROR;
    }
    return count;
}

void rh_threads_result_fini(struct rh_threads_result *result)
{
    rh_vector_fini(&result->hashes);
    rh__forget_found(result);
}
