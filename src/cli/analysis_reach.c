// SPDX-License-Identifier: MIT
// The verb `reach`: looks for a way to a line, the cheapest method first, and believes none of them
// before a run has come there.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "cli/analysis.h"
#include "cli/coverage.h"
#include "cli/output.h"
#include "cli/schedules.h"
#include "report/reached.h"
#include "symbolic/reach.h"
#include "symbolic/write.h"

enum { SAMPLES = 100, QUERIES_MOST = 10000 };

struct reaching {
    const struct rh_options *options;
    const struct rh_ir_module *module;
    struct rh_reach_options asked;
    struct rh_reached reached;
    struct rh_text folder;         // of the program; ends in a slash
    struct rh_schedule schedule;   // the way, once there is one
    struct rh_reach_result result; // of the search that was the last
    struct rh_text saved, told;
    bool has_check; // an rh_check is on the line
};

// --- Running the program. ---

static void begin_words(const struct reaching *reaching, struct rh_words *words, const char *verb)
{
    rh_words_add(words, reaching->options->generate.command);
    rh_words_add(words, verb);
    rh_words_add(words, reaching->options->generate.binary);
}

// The kind of finding that is to be seen.
static const char *wanted_kind(const struct reaching *reaching)
{
    static const char *const kinds[] = {
        [RH_REACH_LINE] = "reached", [RH_REACH_CHECK] = "check", [RH_REACH_DEREFERENCE] = "crash"};
    return kinds[reaching->asked.goal];
}

static void add_until(const struct reaching *reaching, struct rh_words *words)
{
    if (reaching->asked.goal == RH_REACH_LINE)
        rh_words_addf(words, "--until=%s:%u", reaching->asked.file, (unsigned)reaching->asked.line);
}

// Whether the finding of a schedule, or of a line "KIND FILE:LINE", is the one that is looked for.
static bool is_wanted(const struct reaching *reaching, const char *kind, const char *file,
                      uint32_t line)
{
    if (!kind || !file || line != reaching->asked.line || !rh_is_named(file, reaching->asked.file))
        return false;
    // A message to NULL is refused before anything goes through the pointer.
    bool is_refused = reaching->asked.goal == RH_REACH_DEREFERENCE && !reaching->has_check &&
                      !strcmp(kind, "check");
    return is_refused || !strcmp(kind, wanted_kind(reaching));
}

// A line of --outcomes: NAME KIND FILE:LINE.
static bool shows_wanted(const struct reaching *reaching, char *line)
{
    char *rest = NULL;
    strtok_r(line, " \n", &rest);
    const char *kind = strtok_r(NULL, " \n", &rest);
    char *file = strtok_r(NULL, "\n", &rest);
    char *colon = file ? strrchr(file, ':') : NULL;
    if (!colon)
        return false;
    *colon = '\0';
    return is_wanted(reaching, kind, file, (uint32_t)strtoul(colon + 1, NULL, 10));
}

// Whether the run that the schedule says comes to the place.
static bool is_confirmed(const struct reaching *reaching, const char *path)
{
    enum { OUTCOMES_MOST = 1 << 16 };
    struct rh_words words = {0};
    struct rh_text outcomes = {0}, text = {0};
    rh_text_addf(&outcomes, "%soutcomes", rh_text_get(&reaching->folder));
    begin_words(reaching, &words, "replay");
    rh_words_add(&words, path);
    rh_words_addf(&words, "--outcomes=%s", rh_text_get(&outcomes));
    add_until(reaching, &words);
    rh_analysis_run(&words, &text);
    rh_text_clear(&text);
    struct rh_status status = rh_text_read_file(&text, rh_text_get(&outcomes), OUTCOMES_MOST);
    bool is_there = rh_is_ok(&status) && text.length && shows_wanted(reaching, text.bytes);
    unlink(rh_text_get(&outcomes));
    rh_text_fini(&outcomes);
    rh_text_fini(&text);
    rh_words_fini(&words);
    return is_there;
}

// --- Step 1: runs of the test as it is. ---

static void set_programs(const struct reaching *reaching, struct rh_schedule *schedule)
{
    for (size_t i = 0; i < schedule->programs.count; i++)
        free(schedule->programs.items[i]);
    schedule->programs.count = 0;
    for (size_t i = 0; i < reaching->options->names.count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(reaching->options->names.items[i]);
}

// Takes the schedule that leads to the place out of those that were saved, and removes all files.
static bool take_schedule(struct reaching *reaching)
{
    struct rh_schedules schedules = {0};
    struct rh_status status =
        rh_schedules_read(&schedules, rh_text_get(&reaching->folder), SIZE_MAX);
    bool is_found = false;
    for (size_t i = 0; i < schedules.count; i++) {
        struct rh_schedule *each = &schedules.items[i];
        unlink(each->path);
        if (!rh_is_ok(&status) || is_found ||
            !is_wanted(reaching, each->finding_kind, each->finding_file,
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

static void sample(struct reaching *reaching, const char *test)
{
    struct rh_words words = {0};
    struct rh_text output = {0};
    begin_words(reaching, &words, "sample");
    rh_words_addf(&words, "--test=%s", test);
    rh_words_addf(&words, "--runs=%d", SAMPLES);
    rh_words_addf(&words, "--save=%s", rh_text_get(&reaching->folder));
    rh_words_addf(&words, "--delivery=%s", reaching->asked.keeps_order ? "fifo" : "any");
    rh_words_add(&words, "--seed=1");
    rh_words_add(&words, "--keep-going");
    rh_words_add(&words, "--no-shrink");
    add_until(reaching, &words);
    rh_analysis_run(&words, &output);
    reaching->reached.runs += SAMPLES;
    if (take_schedule(reaching)) {
        reaching->reached.verdict = RH_REACHED_YES;
        reaching->reached.step = RH_STEP_SAMPLE;
        reaching->reached.test = test;
    }
    rh_text_fini(&output);
    rh_words_fini(&words);
}

// --- Step 2: forward from the set-up. ---

// Whether a run goes the way; keeps it then.
static bool confirm(void *context, const struct rh_reach_result *result)
{
    struct reaching *reaching = context;
    struct rh_schedule schedule;
    struct rh_text path = {0};
    bool is_said =
        rh_reach_schedule(&schedule, result, &reaching->asked, reaching->options->names.items,
                          reaching->options->names.count);
    rh_text_addf(&path, "%sfound.schedule", rh_text_get(&reaching->folder));
    struct rh_status status = rh_schedule_write(&schedule, rh_text_get(&path));
    bool is_there = is_said && rh_is_ok(&status) && is_confirmed(reaching, rh_text_get(&path));
    rh_schedule_fini(is_there ? &reaching->schedule : &schedule);
    if (is_there)
        reaching->schedule = schedule;
    unlink(rh_text_get(&path));
    rh_text_fini(&path);
    return is_there;
}

static struct rh_status search(struct reaching *reaching, const char *test)
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
        reached->step = RH_STEP_FORWARD;
        reached->test = test;
    }
    return rh_ok();
}

// --- What is found. ---

// The name of the file: reach_shop_132.schedule.
static void name_file(const struct reaching *reaching, struct rh_text *path)
{
    const char *base = rh_base_name(reaching->asked.file), *dot = strrchr(base, '.');
    const char *directory = reaching->options->save;
    if (directory)
        rh_text_addf(path, "%s/", directory);
    rh_text_addf(path, "reach_%.*s_%u.schedule", (int)(dot ? dot - base : (ptrdiff_t)strlen(base)),
                 base, (unsigned)reaching->asked.line);
}

// Between the first line and the blank line that ends the run.
static void keep_run(struct reaching *reaching, const char *replayed)
{
    const char *begin = strchr(replayed, '\n');
    const char *end = begin ? strstr(begin, "\n\n") : NULL;
    if (begin)
        rh_text_add_bytes(&reaching->told, begin + 1,
                          end ? (size_t)(end - begin) : strlen(begin + 1));
    reaching->reached.told = rh_text_get(&reaching->told);
}

// Saves the schedule, and has it replayed once more to tell of it.
static struct rh_status tell(struct reaching *reaching)
{
    struct rh_words words = {0};
    struct rh_text output = {0};
    name_file(reaching, &reaching->saved);
    struct rh_status status = rh_schedule_write(&reaching->schedule, rh_text_get(&reaching->saved));
    begin_words(reaching, &words, "replay");
    rh_words_add(&words, rh_text_get(&reaching->saved));
    rh_words_add(&words, "--no-times");
    rh_words_add(&words, "--color=never");
    add_until(reaching, &words);
    if (rh_is_ok(&status) && rh_analysis_run(&words, &output) != RH_EXIT_FOUND)
        status = rh_failed("%s was replayed once more and went elsewhere",
                           rh_text_get(&reaching->saved));
    if (rh_is_ok(&status))
        keep_run(reaching, rh_text_get(&output));
    reaching->reached.saved = rh_text_get(&reaching->saved);
    reaching->reached.schedule = &reaching->schedule;
    rh_text_fini(&output);
    rh_words_fini(&words);
    return status;
}

static struct rh_status print(const struct reaching *reaching, bool is_next)
{
    struct rh_text text = {0};
    rh_text_add(&text, is_next ? "\n" : "");
    if (reaching->options->coverage.count > 0)
        rh_report_reached_row(&text, &reaching->reached);
    else
        rh_report_reached_text(&text, &reaching->reached);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed ? rh_ok() : rh_failed("the result could not be printed");
}

// --- The ladder. ---

static bool is_reached(const struct reaching *reaching)
{
    return reaching->reached.verdict == RH_REACHED_YES;
}

static struct rh_status climb(struct reaching *reaching, const struct rh_reach_tests *tests)
{
    struct rh_status status = rh_ok();
    bool has_messages = !reaching->asked.without_messages;
    for (size_t i = 0; has_messages && i < tests->count && !is_reached(reaching); i++)
        sample(reaching, tests->items[i]);
    bool is_dead = false;
    if (!is_reached(reaching))
        status = rh_reach_is_dead(reaching->module, &reaching->asked, &is_dead);
    if (is_dead) {
        reaching->reached.verdict = RH_REACHED_UNREACHABLE;
        reaching->reached.reason =
            "no state of its actor and no message make its handler come there";
        return status;
    }
    for (size_t i = 0; rh_is_ok(&status) && i < tests->count && !is_reached(reaching); i++)
        status = search(reaching, tests->items[i]);
    return status;
}

// Leaves the tests that are asked for.
static struct rh_status choose_tests(const struct rh_options *options, struct rh_reach_tests *tests)
{
    struct rh_text names = {0};
    size_t kept = 0;
    for (size_t i = 0; i < tests->count; i++) {
        rh_text_addf(&names, "%s%s", i ? ", " : "", tests->items[i]);
        if (!options->test || !strcmp(options->test, tests->items[i]))
            tests->items[kept++] = tests->items[i];
    }
    struct rh_status status = rh_ok();
    if (tests->count == 0)
        status = rh_bad_input("%s has no tests: reach begins with what a test sets up",
                              rh_analysis_name(options, 0));
    else if (kept == 0)
        status = rh_bad_input("there is no test '%s'; there are: %s", options->test,
                              rh_text_get(&names));
    tests->count = kept;
    rh_text_fini(&names);
    return status;
}

static enum rh_reach_goal goal_of(const struct rh_reach_flags *flags)
{
    return flags->check || flags->all_checks ? RH_REACH_CHECK
           : flags->dereference              ? RH_REACH_DEREFERENCE
                                             : RH_REACH_LINE;
}

static struct rh_reach_options asked_of(const struct rh_options *options)
{
    uint64_t queries = options->generate.queries_most;
    return (struct rh_reach_options){
        .goal = goal_of(&options->reach),
        .without_messages = options->reach.without_messages,
        .keeps_order = options->run.order_rule != RH_ORDER_ANY,
        .messages_most = (uint32_t)options->reach.messages_most,
        .queries_most = queries ? queries : QUERIES_MOST,
        .solver_limit = options->generate.solver_limit,
    };
}

static struct rh_status check_flags(const struct rh_options *options)
{
    const struct rh_reach_flags *flags = &options->reach;
    if (flags->check + flags->dereference + flags->all_checks > 1)
        return rh_bad_input("--check, --all-checks and --dereference are different things to look "
                            "for: choose one");
    if (options->coverage.count > 0 && flags->check + flags->dereference + flags->all_checks > 0)
        return rh_bad_input("--uncovered is about lines, not about checks and pointers");
    return options->generate.binary
               ? rh_ok()
               : rh_bad_input("reach runs what it finds: it needs the sources, not bitcode alone");
}

static void note_address(void *context, uintptr_t address)
{
    (void)address;
    *(bool *)context = true;
}

struct code {
    struct rh_debug *debug;
    const char *file;
};

static bool has_code(void *context, uint32_t line)
{
    const struct code *code = context;
    bool has_any = false;
    rh_debug_visit_line(code->debug, code->file, (int)line, note_address, &has_any);
    return has_any;
}

static struct rh_status check_place(struct reaching *reaching)
{
    struct rh_status status;
    struct code code = {rh_debug_open_file(reaching->options->generate.binary, &status),
                        reaching->asked.file};
    if (!code.debug)
        return status;
    reaching->asked.has_code = has_code;
    reaching->asked.context = &code;
    status = rh_reach_check(reaching->module, &reaching->asked);
    reaching->asked.has_code = NULL;
    rh_debug_free(code.debug);
    return status;
}

// --- All places. ---

static void begin_place(struct reaching *reaching, const struct rh_options *options,
                        const struct rh_ir_module *module, const char *file, uint32_t line)
{
    const char *binary = options->generate.binary;
    *reaching = (struct reaching){.options = options, .module = module, .asked = asked_of(options)};
    reaching->asked.file = file;
    reaching->asked.line = line;
    reaching->reached = (struct rh_reached){.program = rh_analysis_name(options, 0),
                                            .file = file,
                                            .line = line,
                                            .goal = (enum rh_reached_goal)reaching->asked.goal};
    rh_text_add_bytes(&reaching->folder, binary, (size_t)(rh_base_name(binary) - binary));
    struct rh_reach_checks checks = {0};
    rh_reach_checks_find(module, &checks);
    for (size_t i = 0; i < checks.count; i++)
        reaching->has_check |=
            checks.items[i].line == line && rh_is_named(checks.items[i].file, file);
    rh_vector_fini(&checks);
}

static void end_place(struct reaching *reaching)
{
    rh_schedule_fini(&reaching->schedule);
    rh_reach_result_fini(&reaching->result);
    rh_text_fini(&reaching->folder);
    rh_text_fini(&reaching->saved);
    rh_text_fini(&reaching->told);
}

static int status_of(const struct reaching *reaching)
{
    if (reaching->reached.verdict == RH_REACHED_NOT)
        return RH_EXIT_INCONCLUSIVE;
    bool is_bad = is_reached(reaching) && reaching->asked.goal != RH_REACH_LINE;
    return is_bad ? RH_EXIT_FOUND : RH_EXIT_NOTHING;
}

// The first of these that any place has.
static int worse(int one, int other)
{
    static const int worst_first[] = {RH_EXIT_FOUND, RH_EXIT_INCONCLUSIVE, RH_EXIT_NOTHING};
    for (size_t i = 0; i < sizeof worst_first / sizeof *worst_first; i++)
        if (one == worst_first[i] || other == worst_first[i])
            return worst_first[i];
    return one;
}

struct places {
    RH_VECTOR(struct reaching) items;
    struct rh_reach_tests tests;
    struct rh_coverage_set coverage; // of --uncovered; has the names of the files
    uint64_t left_out;               // lines that no handler comes to
    bool are_found;                  // and not named by the user
};

// Goes to one place, and tells of it.
static struct rh_status go(struct places *places, size_t index)
{
    struct reaching *reaching = &places->items.items[index];
    struct rh_status status = climb(reaching, &places->tests);
    if (rh_is_ok(&status) && is_reached(reaching))
        status = tell(reaching);
    return rh_is_ok(&status) && !reaching->options->json
               ? print(reaching, index > 0 && !reaching->options->coverage.count)
               : status;
}

// All places are looked at before the first is gone to.
static struct rh_status check_places(struct places *places)
{
    struct rh_status status = rh_ok();
    size_t kept = 0;
    for (size_t i = 0; i < places->items.count; i++) {
        struct rh_status here = check_place(&places->items.items[i]);
        if (!rh_is_ok(&here) && !places->are_found && rh_is_ok(&status))
            status = here;
        if (rh_is_ok(&here)) {
            places->items.items[kept++] = places->items.items[i];
        } else {
            places->left_out++;
            end_place(&places->items.items[i]);
        }
    }
    places->items.count = kept;
    return status;
}

static bool is_reached_anywhere(const struct rh_coverage_set *set, const char *file, uint32_t line)
{
    for (size_t i = 0; i < set->entries.count; i++) {
        const struct rh_line_coverage *reached = &set->entries.items[i]->reached;
        for (size_t s = 0; s < reached->sources.count; s++) {
            const struct rh_covered_source *source = &reached->sources.items[s];
            for (size_t k = 0; k < source->lines.count && !strcmp(source->file, file); k++)
                if (source->lines.items[k].number == line && source->lines.items[k].is_reached)
                    return true;
        }
    }
    return false;
}

static bool is_noted(const struct places *places, const char *file, uint32_t line)
{
    for (size_t i = 0; i < places->items.count; i++)
        if (places->items.items[i].asked.line == line &&
            !strcmp(places->items.items[i].asked.file, file))
            return true;
    return false;
}

static void add_source(struct places *places, const struct rh_options *options,
                       const struct rh_ir_module *module, const struct rh_covered_source *source)
{
    for (size_t i = 0; i < source->lines.count; i++) {
        uint32_t line = source->lines.items[i].number;
        if (!is_reached_anywhere(&places->coverage, source->file, line) &&
            !is_noted(places, source->file, line))
            begin_place(rh_vector_push(&places->items), options, module, source->file, line);
    }
}

// The lines that none of the coverage files has.
static struct rh_status find_uncovered(struct places *places, const struct rh_options *options,
                                       const struct rh_ir_module *module)
{
    struct rh_coverage_set *set = &places->coverage;
    size_t sources = 0;
    struct rh_status status =
        rh_coverage_read_all(set, options->coverage.items, options->coverage.count);
    for (size_t i = 0; rh_is_ok(&status) && i < set->entries.count; i++) {
        const struct rh_line_coverage *reached = &set->entries.items[i]->reached;
        sources += reached->sources.count;
        for (size_t s = 0; s < reached->sources.count; s++)
            add_source(places, options, module, &reached->sources.items[s]);
    }
    if (rh_is_ok(&status) && sources == 0)
        status = rh_bad_input("%s has no lines: --save-coverage writes them with --lines",
                              options->coverage.items[0]);
    return status;
}

static struct rh_status find_places(struct places *places, const struct rh_options *options,
                                    const struct rh_ir_module *module)
{
    struct rh_reach_checks checks = {0};
    const struct rh_reach_flags *flags = &options->reach;
    struct rh_status status = rh_ok();
    places->are_found = flags->all_checks || options->coverage.count > 0;
    if (flags->all_checks)
        rh_reach_checks_find(module, &checks);
    if (options->coverage.count > 0)
        status = find_uncovered(places, options, module);
    for (size_t i = 0; i < checks.count; i++)
        begin_place(rh_vector_push(&places->items), options, module, checks.items[i].file,
                    checks.items[i].line);
    for (size_t i = 0; i < flags->places.count; i++)
        begin_place(rh_vector_push(&places->items), options, module, flags->places.items[i].file,
                    flags->places.items[i].line);
    rh_vector_fini(&checks);
    if (rh_is_ok(&status))
        status = check_places(places);
    if (rh_is_ok(&status) && flags->all_checks && places->items.count == 0)
        status = rh_bad_input("no handler of %s has an rh_check", rh_analysis_name(options, 0));
    return status;
}

static struct rh_status print_json(const struct places *places, const struct rh_options *options)
{
    struct rh_text text = {0};
    RH_VECTOR(const struct rh_reached *) all = {0};
    for (size_t i = 0; i < places->items.count; i++)
        *rh_vector_push(&all) = &places->items.items[i].reached;
    rh_report_reached_json(&text, all.items, all.count, rh_analysis_name(options, 0));
    bool is_printed = rh_print(&text);
    rh_vector_fini(&all);
    rh_text_fini(&text);
    return is_printed ? rh_ok() : rh_failed("the result could not be printed");
}

static struct rh_status print_sum(const struct places *places)
{
    uint64_t counts[RH_REACHED_UNREACHABLE + 1] = {0};
    struct rh_text text = {0};
    for (size_t i = 0; i < places->items.count; i++)
        counts[places->items.items[i].reached.verdict]++;
    rh_report_reached_sum(&text, counts, places->left_out);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed ? rh_ok() : rh_failed("the result could not be printed");
}

struct rh_status rh_analysis_reach(const struct rh_options *options,
                                   const struct rh_ir_module *module, int *exit_status)
{
    struct places places = {0};
    struct rh_status status = check_flags(options);
    if (rh_is_ok(&status))
        status = find_places(&places, options, module);
    rh_reach_tests_find(module, &places.tests);
    if (rh_is_ok(&status))
        status = choose_tests(options, &places.tests);
    if (rh_is_ok(&status))
        status = rh_schedules_make(options->save);
    *exit_status = RH_EXIT_NOTHING;
    for (size_t i = 0; rh_is_ok(&status) && i < places.items.count; i++) {
        status = go(&places, i);
        *exit_status = worse(*exit_status, status_of(&places.items.items[i]));
    }
    if (rh_is_ok(&status) && options->json)
        status = print_json(&places, options);
    else if (rh_is_ok(&status) && options->coverage.count > 0)
        status = print_sum(&places);
    for (size_t i = 0; i < places.items.count; i++)
        end_place(&places.items.items[i]);
    rh_vector_fini(&places.items);
    rh_vector_fini(&places.tests);
    rh_coverage_set_fini(&places.coverage);
    return status;
}
