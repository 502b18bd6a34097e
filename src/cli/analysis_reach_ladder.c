// SPDX-License-Identifier: MIT
// The steps that lead to a place, the cheapest first, each only for what the one before has not
// reached.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/analysis_reach.h"
#include "cli/schedules.h"
#include "symbolic/write.h"

enum { SAMPLES = 100 };

// --- Step 1: runs of the test as it is. ---

static void set_programs(const struct rh_reaching *reaching, struct rh_schedule *schedule)
{
    for (size_t i = 0; i < schedule->programs.count; i++)
        free(schedule->programs.items[i]);
    schedule->programs.count = 0;
    for (size_t i = 0; i < reaching->options->names.count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(reaching->options->names.items[i]);
}

// Takes the schedule that leads to the place out of those that were saved, and removes all files.
static bool take_schedule(struct rh_reaching *reaching)
{
    struct rh_schedules schedules = {0};
    struct rh_status status =
        rh_schedules_read(&schedules, rh_text_get(&reaching->folder), SIZE_MAX);
    bool is_found = false;
    for (size_t i = 0; i < schedules.count; i++) {
        struct rh_schedule *each = &schedules.items[i];
        unlink(each->path);
        if (!rh_is_ok(&status) || is_found ||
            !rh_reaching_is_wanted(reaching, each->finding_kind, each->finding_file,
                                   (uint32_t)each->finding_line))
            continue;
        is_found = true;
        rh_schedule_fini(&reaching->schedule);
        reaching->schedule = *each;
        *each = (struct rh_schedule){0};
        set_programs(reaching, &reaching->schedule);
    }
    rh_schedules_fini(&schedules);
    return is_found;
}

// Runs the test until it comes to the place, by `verb` with its options.
static void run_test(struct rh_reaching *reaching, const char *test, const char *verb,
                     const char *const *options, enum rh_reached_step step)
{
    struct rh_words words = {0};
    struct rh_text output = {0};
    rh_reaching_begin_words(reaching, &words, verb);
    rh_words_addf(&words, "--test=%s", test);
    for (; *options; options++)
        rh_words_add(&words, *options);
    rh_words_addf(&words, "--save=%s", rh_text_get(&reaching->folder));
    rh_words_addf(&words, "--delivery=%s", reaching->asked.keeps_order ? "fifo" : "any");
    rh_words_add(&words, "--keep-going");
    rh_words_add(&words, "--no-shrink");
    rh_reaching_add_until(reaching, &words);
    rh_analysis_run(&words, &output);
    if (take_schedule(reaching)) {
        reaching->reached.verdict = RH_REACHED_YES;
        reaching->reached.step = step;
        reaching->reached.test = test;
    }
    rh_text_fini(&output);
    rh_words_fini(&words);
}

static void sample(struct rh_reaching *reaching, const char *test)
{
    static const char *const options[] = {"--runs=100", "--seed=1", NULL};
    run_test(reaching, test, "sample", options, RH_STEP_SAMPLE);
    reaching->reached.runs += SAMPLES;
}

// A coverage file says that some run of the test has come there, and not how: as many orders are
// tried as it takes.
static void run_covered(struct rh_reaching *reaching, const struct rh_coverage_set *coverage,
                        const struct rh_reach_tests *tests)
{
    static const char *const options[] = {"--max-executions=20000", NULL};
    for (size_t t = 0; t < tests->count; t++)
        for (size_t i = 0; i < coverage->entries.count; i++) {
            const struct rh_coverage_entry *entry = coverage->entries.items[i];
            if (rh_reaching_is_reached(reaching) ||
                strcmp(entry->head.test, tests->items[t]) != 0 ||
                !rh_reaching_is_covered(&entry->reached, reaching->asked.file,
                                        reaching->asked.line))
                continue;
            run_test(reaching, tests->items[t], "explore", options, RH_STEP_COVERAGE);
        }
}

// --- Step 2: forward from the set-up. ---

// Whether a run goes the way; keeps it then.
static bool confirm(void *context, const struct rh_reach_result *result)
{
    struct rh_reaching *reaching = context;
    struct rh_schedule schedule;
    struct rh_text path = {0};
    bool is_said =
        rh_reach_schedule(&schedule, result, &reaching->asked, reaching->options->names.items,
                          reaching->options->names.count);
    rh_text_addf(&path, "%sfound.schedule", rh_text_get(&reaching->folder));
    struct rh_status status = rh_schedule_write(&schedule, rh_text_get(&path));
    bool is_there =
        is_said && rh_is_ok(&status) && rh_reaching_is_confirmed(reaching, rh_text_get(&path));
    rh_schedule_fini(is_there ? &reaching->schedule : &schedule);
    if (is_there)
        reaching->schedule = schedule;
    unlink(rh_text_get(&path));
    rh_text_fini(&path);
    return is_there;
}

// Why nothing leads to the place from this test.
static void add_reason(struct rh_reaching *reaching, const char *test)
{
    const struct rh_reach_result *result = &reaching->result;
    struct rh_text *reason = &reaching->reason;
    rh_text_add(reason, reason->length ? "; " : "");
    if (result->proof == RH_REACH_NO_WAY)
        rh_text_addf(reason, "in the message flow graph no way leads there from test %s: %s", test,
                     result->why);
    else if (result->proof == RH_REACH_NO_PAST)
        rh_text_addf(reason, "in test %s nothing that happens before brings about what it needs",
                     test);
    else
        rh_text_addf(reason, "all values and all orders of test %s were tried", test);
    enum rh_reached_proof proof = result->proof == RH_REACH_ALL_TRIED ? RH_PROOF_SEARCH
                                  : result->proof == RH_REACH_NO_PAST ? RH_PROOF_PAST
                                                                      : RH_PROOF_GRAPH;
    if (proof > reaching->reached.proof)
        reaching->reached.proof = proof;
}

// --- How near it has come. ---

static const char *keep_text(struct rh_reaching *reaching, const char *text)
{
    return text ? rh_arena_text(&reaching->kept, text, strlen(text)) : NULL;
}

// The line of the source, without what surrounds it.
static const char *source_of(struct rh_reaching *reaching, const char *file, uint32_t line)
{
    enum { SOURCE_MOST = 1 << 24 };
    struct rh_text text = {0};
    struct rh_status status = rh_text_read_file(&text, file, SOURCE_MOST);
    const char *at = rh_is_ok(&status) ? rh_text_get(&text) : NULL;
    for (uint32_t i = 1; i < line && at; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    at = at ? at + strspn(at, " \t") : NULL;
    const char *kept = at ? rh_arena_text(&reaching->kept, at, strcspn(at, "\r\n")) : NULL;
    rh_text_fini(&text);
    return kept;
}

// Keeps what the last search has come to, if no other has come nearer. Results do not stay.
static void keep_nearest(struct rh_reaching *reaching, const char *test)
{
    struct rh_reached_nearest *kept = &reaching->reached.nearest;
    const struct rh_reached_nearest *found = &reaching->result.nearest;
    bool has_any = kept->file || kept->missing;
    if ((has_any && kept->far <= found->far) || (!found->file && !found->missing))
        return;
    const char **seen = rh_arena_take(&reaching->kept, found->seen_count * sizeof *seen + 1);
    struct rh_reached_condition *against =
        rh_arena_take(&reaching->kept, found->against_count * sizeof *against + 1);
    for (uint32_t i = 0; i < found->seen_count; i++)
        seen[i] = keep_text(reaching, found->seen[i]);
    for (uint32_t i = 0; i < found->against_count; i++)
        against[i] = (struct rh_reached_condition){found->against[i].file, found->against[i].line,
                                                   keep_text(reaching, found->against[i].text)};
    *kept = *found;
    kept->missing = keep_text(reaching, found->missing);
    kept->test = test;
    kept->seen = seen;
    kept->against = against;
    kept->source = found->file ? source_of(reaching, found->file, found->line) : NULL;
}

// What the search says when it has not found a way. A place is unreachable if it is so from each
// test; with as many messages from outside as the user has said, or with any number.
static void keep_verdict(struct rh_reaching *reaching, const char *test)
{
    const struct rh_reach_result *result = &reaching->result;
    struct rh_reached *reached = &reaching->reached;
    if (result->verdict != RH_REACH_UNREACHABLE || result->proof != RH_REACH_NO_WAY)
        keep_nearest(reaching, test);
    if (result->verdict != RH_REACH_UNREACHABLE) {
        reaching->is_open = true;
        return;
    }
    reached->is_tried = reached->is_tried || result->is_bounded;
    add_reason(reaching, test);
}

static enum rh_reached_step step_of(enum rh_reach_search found_by)
{
    return found_by == RH_REACH_BACKWARD ? RH_STEP_BACKWARD
           : found_by == RH_REACH_RANDOM ? RH_STEP_RANDOM
                                         : RH_STEP_FORWARD;
}

static struct rh_status search(struct rh_reaching *reaching, const char *test)
{
    struct rh_reached *reached = &reaching->reached;
    rh_reach_result_fini(&reaching->result);
    reaching->asked.test = test;
    reaching->asked.confirm = confirm;
    reaching->asked.context = reaching;
    struct rh_status status = rh_reach(reaching->module, &reaching->asked, &reaching->result);
    if (!rh_is_ok(&status))
        return status;
    const struct rh_generate_result *found = &reaching->result.found;
    reached->situations += reaching->result.situations;
    reached->queries += found->queries;
    reached->refuted += reaching->result.refuted;
    reached->notes = found->notes.items;
    reached->note_count = found->notes.count;
    if (reaching->result.verdict == RH_REACH_REACHED) {
        reached->verdict = RH_REACHED_YES;
        reached->step = step_of(reaching->result.found_by);
        reached->test = test;
    } else {
        keep_verdict(reaching, test);
    }
    return rh_ok();
}

static struct rh_status search_all(struct rh_reaching *reaching, const struct rh_reach_tests *tests)
{
    struct rh_reached *reached = &reaching->reached;
    struct rh_status status = rh_ok();
    reached->proof = RH_PROOF_GRAPH;
    for (size_t i = 0; rh_is_ok(&status) && i < tests->count && !rh_reaching_is_reached(reaching);
         i++)
        status = search(reaching, tests->items[i]);
    if (!rh_is_ok(&status) || rh_reaching_is_reached(reaching))
        return status;
    reached->is_tried = reached->is_tried && !reaching->is_open;
    if (reaching->is_open || (reached->is_tried && !reaching->options->reach.messages_given))
        return status;
    reached->verdict = RH_REACHED_UNREACHABLE;
    reached->reason = rh_text_get(&reaching->reason);
    return status;
}

// --- The ladder. ---

struct rh_status rh_reaching_climb(struct rh_reaching *reaching, const struct rh_reach_tests *tests,
                                   const struct rh_coverage_set *coverage)
{
    struct rh_status status = rh_ok();
    bool has_messages =
        !reaching->asked.without_messages && reaching->asked.search == RH_REACH_EVERY;
    reaching->reached.messages = reaching->asked.messages_most;
    if (has_messages)
        run_covered(reaching, coverage, tests);
    for (size_t i = 0; has_messages && i < tests->count && !rh_reaching_is_reached(reaching); i++)
        sample(reaching, tests->items[i]);
    if (rh_reaching_is_reached(reaching))
        return status;
    if (reaching->asked.search != RH_REACH_EVERY)
        return search_all(reaching, tests);
    status = rh_reach_alone(reaching->module, &reaching->asked, &reaching->result);
    if (!rh_is_ok(&status))
        return status;
    if (reaching->result.verdict != RH_REACH_UNREACHABLE)
        return search_all(reaching, tests);
    reaching->reached.verdict = RH_REACHED_UNREACHABLE;
    reaching->reached.proof = RH_PROOF_STATE;
    reaching->reached.reason = "no state of its actor and no message make its handler come there";
    keep_nearest(reaching, NULL);
    return status;
}
