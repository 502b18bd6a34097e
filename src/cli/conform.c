// SPDX-License-Identifier: MIT
// The verb `conform`.
#include <stdlib.h>
#include <string.h>

#include "cli/diagram.h"
#include "cli/output.h"
#include "cli/route.h"
#include "cli/subject.h"
#include "trace/schedule_saving.h"

struct rh_status rh_conform_read(struct rh_options *options, struct rh_diagram_file *file)
{
    if (!options->diagram && options->operands.count > 0)
        options->diagram = options->operands.items[--options->operands.count];
    if (!options->diagram)
        return rh_bad_input("which diagram? see %s conform --help", options->tool.name);
    return rh_diagram_read(file, options->diagram);
}

// --- Schedules. ---

// Writes the deliveries that lead to the difference as a schedule; gives its path, owned.
static struct rh_status save_schedule(const struct rh_subject *subject,
                                      const struct rh_automaton *automaton,
                                      const struct rh_judgement *judgement, char **path)
{
    struct rh_schedule schedule;
    rh_route_schedule(subject, automaton, judgement->path.items, judgement->path.count, &schedule);
    char *name = rh_subject_path(subject->options, subject->test, NULL);
    *path = rh_schedule_saving_path(name, &schedule, NULL, NULL, NULL);
    free(name);
    struct rh_status status = rh_schedule_write(&schedule, *path);
    rh_schedule_fini(&schedule);
    return status;
}

// --- What is said. ---

static int exit_of(const struct rh_subject *subject, enum rh_grade grade)
{
    if (subject->failure.length)
        return RH_EXIT_FOUND;
    if (grade == RH_GRADE_UNKNOWN)
        return RH_EXIT_INCONCLUSIVE;
    return grade >= subject->options->at_least ? RH_EXIT_NOTHING : RH_EXIT_FOUND;
}

static void add_verdict(const struct rh_subject *subject, const struct rh_judgement *judgement,
                        struct rh_text *text)
{
    int status = exit_of(subject, judgement->grade);
    rh_subject_add_name(subject->options, subject->test, text);
    for (const struct rh_binding *at = subject->bindings; at; at = at->outer)
        rh_text_addf(text, ", %s = %lld", at->variable, (long long)at->value);
    rh_text_addf(text, ": %s (%s",
                 status == RH_EXIT_INCONCLUSIVE ? "unknown"
                 : status == RH_EXIT_NOTHING    ? "conforms"
                                                : "does not conform",
                 rh_grade_name(judgement->grade));
    rh_subject_add_reasons(subject, judgement, text);
    rh_text_add(text, ")\n");
    if (judgement->difference.length)
        rh_text_addf(text, "  %s\n", rh_text_get(&judgement->difference));
}

static struct rh_status say(const struct rh_subject *subject, const struct rh_automaton *automaton,
                            const struct rh_judgement *judgement, struct rh_report_protocol *report)
{
    struct rh_text text = {0};
    struct rh_status status = rh_ok();
    char *path = NULL;
    add_verdict(subject, judgement, &text);
    if (judgement->grade == RH_GRADE_UNSOUND)
        status = save_schedule(subject, automaton, judgement, &path);
    if (path)
        rh_text_addf(&text, "  saved: %s\n", path);
    struct rh_report_grade grade = rh_subject_grade(subject, judgement);
    grade.schedule = path;
    if (report)
        rh_report_protocol_add(report, subject->test->name, judgement->grade, NULL, NULL, &grade,
                               1);
    else if (rh_is_ok(&status) && !rh_print(&text))
        status = rh_failed("standard output");
    rh_text_fini(&text);
    free(path);
    return status;
}

static int conform_at(const struct rh_options *options, const struct rh_diagram *diagram,
                      const struct rh_test *test, const struct rh_setting *settings, size_t count,
                      struct rh_report_protocol *report)
{
    struct rh_subject subject;
    struct rh_judgement judgement = {0};
    struct rh_status status = rh_subject_init(&subject, options, test, settings, count);
    if (rh_is_ok(&status))
        status = rh_subject_judge(&subject, diagram, &judgement);
    if (rh_is_ok(&status))
        status = say(&subject, rh_subject_automaton(&subject, diagram), &judgement, report);
    int result = rh_is_ok(&status) ? exit_of(&subject, judgement.grade) : rh_print_status(&status);
    rh_judgement_fini(&judgement);
    rh_subject_fini(&subject);
    return result;
}

// --- Parameters. ---

static bool is_set(const struct rh_options *options, const char *variable)
{
    size_t length = strlen(variable);
    for (size_t i = 0; i < options->sets.count; i++)
        if (!strncmp(options->sets.items[i], variable, length) &&
            options->sets.items[i][length] == '=')
            return true;
    return false;
}

// The values that the command line says, otherwise those for which the diagram was made.
static const struct rh_range *range_of(const struct rh_options *options, const struct rh_range *own)
{
    for (size_t i = 0; i < options->vary.count; i++)
        if (!strcmp(options->vary.items[i].variable, own->variable))
            return &options->vary.items[i];
    return is_set(options, own->variable) ? NULL : own;
}

static int conform(const struct rh_options *options, const struct rh_diagram *diagram,
                   const struct rh_test *test, struct rh_report_protocol *report)
{
    RH_VECTOR(struct rh_range) ranges = {0};
    RH_VECTOR(struct rh_setting) settings = {0};
    for (size_t i = 0; i < diagram->range_count; i++) {
        const struct rh_range *range = range_of(options, &diagram->ranges[i]);
        if (!range)
            continue;
        *rh_vector_push(&ranges) = *range;
        *rh_vector_push(&settings) = (struct rh_setting){range->variable, range->first};
    }
    int result = RH_EXIT_NOTHING;
    do
        result = rh_exit_worse(
            conform_at(options, diagram, test, settings.items, settings.count, report), result);
    while (result != RH_EXIT_BAD_INPUT && result != RH_EXIT_FAILED && !*options->run.interrupted &&
           rh_grid_next(settings.items, ranges.items, ranges.count));
    rh_vector_fini(&ranges);
    rh_vector_fini(&settings);
    return *options->run.interrupted ? rh_exit_worse(RH_EXIT_INCONCLUSIVE, result) : result;
}

static const struct rh_test *find_test(const struct rh_test *tests, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(tests[i].name, name))
            return &tests[i];
    return NULL;
}

int rh_conform_run(const struct rh_options *options, const struct rh_diagram_file *file,
                   const struct rh_test *tests, size_t count)
{
    int result = RH_EXIT_NOTHING;
    struct rh_report_protocol *report =
        options->json ? rh_report_protocol_new(options->run.program, "conform") : NULL;
    for (size_t i = 0; i < file->diagrams.count; i++) {
        const struct rh_diagram *diagram = &file->diagrams.items[i];
        // A test that is named is compared with the only diagram, whatever its name.
        bool is_named = options->test && file->diagrams.count == 1;
        if (options->test && !is_named && strcmp(options->test, diagram->name) != 0)
            continue;
        const struct rh_test *test = is_named ? &tests[0] : find_test(tests, count, diagram->name);
        struct rh_status status = rh_bad_input("%s has a diagram %s, and there is no such test; "
                                               "--test NAME says which is meant",
                                               options->diagram, diagram->name);
        result = rh_exit_worse(
            test ? conform(options, diagram, test, report) : rh_print_status(&status), result);
    }
    if (report && !rh_subject_print_report(report))
        result = RH_EXIT_FAILED;
    return result;
}

// --- One run. ---

// The only diagram, or that of the name which recordings have for their test.
static const struct rh_diagram *diagram_of_run(const struct rh_diagram_file *file)
{
    for (size_t i = 0; i < file->diagrams.count; i++)
        if (file->diagrams.count == 1 || !strcmp(file->diagrams.items[i].name, "main"))
            return &file->diagrams.items[i];
    return NULL;
}

static void add_run(const struct rh_options *options, const struct rh_diagram *diagram,
                    const struct rh_journal *journal, const struct rh_judgement *judgement,
                    size_t steps, struct rh_text *text)
{
    rh_text_addf(text, "%s: a run of %zu deliveries: ", options->schedule, steps ? steps - 1 : 0);
    if (judgement->grade == RH_GRADE_SOUND)
        rh_text_addf(text, "conforms to %s\n", diagram->name);
    else if (judgement->grade == RH_GRADE_UNSOUND)
        rh_text_addf(text, "does not conform to %s\n  %s\n", diagram->name,
                     rh_text_get(&judgement->difference));
    else
        rh_text_addf(text, "unknown: %s\n",
                     journal->is_full ? "it is too long" : rh_text_get(&judgement->reason));
}

static void add_run_report(const struct rh_options *options, const struct rh_binding *bindings,
                           const struct rh_diagram *diagram, const struct rh_judgement *judgement,
                           size_t steps, struct rh_report_protocol *report)
{
    struct rh_report_grade grade = {.values = bindings,
                                    .grade = judgement->grade,
                                    .states = steps,
                                    .difference = rh_text_get(&judgement->difference),
                                    .reason = rh_text_get(&judgement->reason),
                                    .schedule = options->schedule};
    rh_report_protocol_add(report, diagram->name, judgement->grade, NULL, NULL, &grade, 1);
}

static bool say_run(const struct rh_options *options, const struct rh_diagram *diagram,
                    const struct rh_automaton *automaton, const struct rh_binding *bindings,
                    const struct rh_judgement *judgement)
{
    struct rh_text text = {0};
    size_t steps = automaton->edges.count;
    if (options->json) {
        struct rh_report_protocol *report = rh_report_protocol_new(options->run.program, "conform");
        add_run_report(options, bindings, diagram, judgement, steps, report);
        return rh_subject_print_report(report);
    }
    add_run(options, diagram, automaton->journal, judgement, steps, &text);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed;
}

int rh_conform_follow(const struct rh_options *options, const struct rh_diagram_file *file,
                      const struct rh_journal *journal)
{
    const struct rh_diagram *diagram = diagram_of_run(file);
    struct rh_automaton automaton;
    struct rh_judgement judgement = {0};
    struct rh_status status;
    rh_automaton_init_run(&automaton, journal, diagram && diagram->is_sketch);
    struct rh_binding *bindings = rh_subject_bindings(journal);
    if (diagram)
        status = rh_diagram_follow(&automaton, diagram, bindings, true, &judgement);
    else
        status = rh_bad_input("%s has several diagrams, and none is called main: put the one that "
                              "is meant into a file of its own",
                              options->diagram);
    if (journal->is_full)
        judgement.grade = RH_GRADE_UNKNOWN;
    if (diagram && rh_is_ok(&status) &&
        !say_run(options, diagram, &automaton, bindings, &judgement))
        status = rh_failed("standard output");
    int result = !rh_is_ok(&status)                    ? rh_print_status(&status)
                 : judgement.grade == RH_GRADE_SOUND   ? RH_EXIT_NOTHING
                 : judgement.grade == RH_GRADE_UNSOUND ? RH_EXIT_FOUND
                                                       : RH_EXIT_INCONCLUSIVE;
    rh_judgement_fini(&judgement);
    rh_automaton_fini(&automaton);
    free(bindings);
    return result;
}
