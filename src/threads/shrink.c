// SPDX-License-Identifier: MIT
// The execution with the fewest turns of threads that shows a finding. First turns are left out of
// the schedule as long as it shows; then all executions with one turn, with two and so on are made,
// until one shows it or there are as many turns as it has. What that does not come to the end of is
// not proved least.
#include <stdlib.h>
#include <string.h>

#include "threads/follow.h"
#include "threads/run.h"
#include "threads/show.h"
#include "trace/finding_kind.h"

struct job {
    const struct rh_threads_test *test;
    const struct rh_threads_options *options;
    struct rh_threads_shown *best;
    uint64_t executions;
};

static void take(struct job *job, struct rh_threads_shown *found)
{
    rh_vector_fini(&job->best->turns);
    rh_vector_fini(&job->best->choices);
    job->best->turns.items = found->turns.items;
    job->best->turns.count = found->turns.count;
    job->best->turns.capacity = found->turns.capacity;
    job->best->choices.items = found->choices.items;
    job->best->choices.count = found->choices.count;
    job->best->choices.capacity = found->choices.capacity;
}

// Whether the execution that is over shows the finding.
static bool shows(struct job *job, enum rh_outcome outcome)
{
    struct rh_compared compared = {.order = -1};
    job->executions++;
    rh__look_back();
    if (outcome == RH_OUTCOME_ASLEEP || outcome == RH_OUTCOME_STRAYED)
        return false;
    if (job->options->compares)
        rh__compare(outcome, &compared);
    return rh__shows(job->best, &compared);
}

static bool follow(struct job *job, const struct rh_turn *turns, size_t count)
{
    struct rh_engine *engine = rh__engine;
    rh__search_begin(RH_MODE_FOLLOW, 0);
    engine->turns = turns;
    engine->turn_count = count;
    engine->choices = job->best->choices.items;
    engine->choice_count = job->best->choices.count;
    return shows(job, rh__run_once(job->test));
}

// Takes the present execution if it has fewer turns.
static bool take_if_less(struct job *job)
{
    struct rh_threads_shown found = {0};
    rh__find_turns(&found);
    bool is_less = found.turns.count < job->best->turns.count;
    if (is_less) {
        take(job, &found);
    } else {
        rh_vector_fini(&found.turns);
        rh_vector_fini(&found.choices);
    }
    return is_less;
}

static bool leave_out_one(struct job *job)
{
    size_t count = job->best->turns.count;
    struct rh_turn *turns = rh_alloc((count + 1) * sizeof *turns);
    bool is_less = false;
    for (size_t i = 0; i < count && !is_less; i++) {
        size_t kept = 0;
        for (size_t k = 0; k < count; k++)
            if (k != i)
                turns[kept++] = job->best->turns.items[k];
        is_less = follow(job, turns, kept) && take_if_less(job);
    }
    free(turns);
    return is_less;
}

enum search_end { FOUND, NONE, GIVEN_UP };

// Makes all executions with at most so many turns, until one shows the finding.
static enum search_end search(struct job *job, uint32_t turns_most)
{
    struct rh_engine *engine = rh__engine;
    do {
        engine->has_grown = false;
        rh__search_begin(RH_MODE_NONE, 0);
        engine->turns_most = turns_most;
        do {
            bool is_shown = shows(job, rh__run_once(job->test));
            if (is_shown && take_if_less(job))
                return FOUND;
            bool is_over =
                job->options->max_executions && job->executions >= job->options->max_executions;
            if (is_over || engine->is_interrupted || engine->outcome == RH_OUTCOME_STRAYED ||
                engine->outcome == RH_OUTCOME_CUT)
                return GIVEN_UP;
        } while (!engine->has_grown && rh__search_next());
    } while (engine->has_grown);
    return NONE;
}

static void find_least(struct job *job)
{
    enum search_end end = NONE;
    for (uint32_t most = 1; end == NONE && most < job->best->turns.count; most++)
        end = search(job, most);
    rh__engine->turns_most = 0;
    job->best->shrunk.is_least = end != GIVEN_UP;
}

// --- The cause. ---

// Follows the execution that was written down, but makes the event `early` only after `late`.
static bool is_cause(struct job *job, uint32_t early, uint32_t late)
{
    const struct rh_threads_shown *best = job->best;
    int held = best->log[early].event.thread;
    struct rh_turn *turns = rh_alloc(2 * (size_t)(late + 2) * sizeof *turns);
    size_t count = 0;
    for (uint32_t i = 0; i <= late; i++) {
        const struct rh_act *event = &best->log[i].event;
        if (i >= early && event->thread == held)
            continue;
        if (count == 0 || turns[count - 1].thread != event->thread)
            turns[count++].thread = event->thread;
        // The call after this event: known for all but the thread's last.
        turns[count - 1].until = event->call + 1;
    }
    // The held one stops before its event, wherever it was.
    for (size_t i = 0; i < count; i++)
        if (turns[i].thread == held)
            turns[i].until = turns[i].until > best->log[early].event.call
                                 ? best->log[early].event.call
                                 : turns[i].until;
    bool is_shown = follow(job, turns, count);
    bool has_run = rh__engine->outcome != RH_OUTCOME_STRAYED;
    free(turns);
    return has_run && !is_shown;
}

static void add_deed(const struct rh_threads_shown *shown, uint32_t entry, struct rh_debug *debug,
                     struct rh_text *text)
{
    struct rh_text deed = {0};
    rh__thread_print(shown->log[entry].event.thread, text);
    rh_threads_show_deed(shown, &shown->log[entry], debug, &deed);
    // It is written for a table.
    for (const char *at = rh_text_get(&deed); *at; at++)
        if (at[0] != ' ' || at[1] != ' ')
            rh_text_add_bytes(text, at, 1);
    rh_text_fini(&deed);
    rh_text_add(text, " at ");
    rh_threads_show_place(shown->log[entry].event.code, debug, text);
}

// Whether these may be the cause: accesses say more than locks, which come second.
static bool is_candidate(const struct rh_act *one, const struct rh_act *other, bool is_second)
{
    bool is_access = one->kind == RH_ACT_READ || one->kind == RH_ACT_WRITE;
    bool is_object = one->kind >= RH_ACT_LOCK && one->kind <= RH_ACT_SYNC;
    return one->thread != other->thread && (is_second ? is_object : is_access) &&
           rh__depends(one, other);
}

static void say_cause(struct job *job, uint32_t early, uint32_t late, struct rh_debug *debug)
{
    struct rh_text text = {0};
    add_deed(job->best, early, debug, &text);
    rh_text_add(&text, " before ");
    add_deed(job->best, late, debug, &text);
    job->best->shrunk.cause = rh_text_take(&text);
}

// The last two events of different threads that depend on each other and that, the other way round,
// make the finding vanish.
static void find_cause(struct job *job, struct rh_debug *debug)
{
    enum { TRIALS_MOST = 500 };
    const struct rh_log_entry *log = job->best->log;
    uint64_t last = job->executions + TRIALS_MOST;
    for (int is_second = 0; is_second < 2; is_second++)
        for (uint32_t late = job->best->log_count; late-- > 0;)
            for (uint32_t early = late; early-- > 0 && job->executions < last;) {
                if (!is_candidate(&log[early].event, &log[late].event, is_second) ||
                    !is_cause(job, early, late))
                    continue;
                say_cause(job, early, late, debug);
                return;
            }
}

struct rh_status rh_threads_shrink(const struct rh_threads_test *test,
                                   const struct rh_threads_options *options,
                                   const struct rh_schedule *schedule, struct rh_debug *debug,
                                   struct rh_threads_result *result)
{
    struct rh_status status = rh_threads_replay(test, options, schedule, result);
    if (!rh_is_ok(&status) || !result->found.count)
        return status;
    struct rh_threads_shown *shown = &result->found.items[0];
    struct job job = {.test = test, .options = options, .best = shown};
    // Each trial of a hang takes as long as the hang.
    if (shown->finding.kind == RH_FINDING_HANG)
        return status;
    shown->turns.count = shown->choices.count = 0;
    rh__find_turns(shown);
    shown->shrunk.from = shown->turns.count;
    while (leave_out_one(&job))
        continue;
    find_least(&job);
    struct rh_threads_shown wanted = *shown;
    free(shown->log);
    shown->log = NULL;
    shown->is_repeated = rh__repeat(test, options, shown) && rh__shows(&wanted, &shown->compared);
    find_cause(&job, debug);
    shown->shrunk.executions = job.executions;
    return status;
}
