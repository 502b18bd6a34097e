// SPDX-License-Identifier: MIT
// The verb `diagram`.
#include "cli/diagram.h"

#include <stdlib.h>

#include "base/none.h"
#include "cli/diff.h"
#include "cli/drawing.h"
#include "cli/output.h"
#include "cli/patterns.h"
#include "cli/why.h"
#include "report/machine.h"
#include "report/sequence.h"

// --- What is said. ---

static void add_values(const struct rh_drawing_point *point, struct rh_text *text)
{
    bool is_first = true;
    for (const struct rh_binding *at = point->subject.bindings; at; at = at->outer) {
        rh_text_addf(text, "%s%s = %lld", is_first ? "" : ", ", at->variable, (long long)at->value);
        is_first = false;
    }
}

// A line for each stretch of configurations of one grade.
static void add_grades(const struct rh_drawing *drawing, struct rh_text *text)
{
    for (size_t i = 0; i < drawing->points.count; i++) {
        const struct rh_drawing_point *point = &drawing->points.items[i];
        rh_text_addf(text, "#   %s for ", rh_grade_name(point->judgement.grade));
        add_values(point, text);
        rh_text_add(text, point->is_held_out ? " (held out)" : "");
        rh_subject_add_reasons(&point->subject, &point->judgement, text);
        rh_text_add(text, "\n");
    }
}

// The first point whose grade is that of the whole, and what is not as it should be there.
static const struct rh_drawing_point *worst(const struct rh_drawing *drawing)
{
    for (size_t i = 0; i < drawing->points.count; i++)
        if (drawing->points.items[i].judgement.grade == drawing->grade)
            return &drawing->points.items[i];
    return &drawing->points.items[0];
}

static void add_comment(const struct rh_drawing *drawing, struct rh_text *text)
{
    const struct rh_drawing_point *point = worst(drawing);
    rh_text_add(text, "# ");
    rh_subject_add_name(drawing->options, drawing->test, text);
    rh_text_addf(text, ": %s", rh_grade_name(drawing->grade));
    if (drawing->options->vary.count == 0) {
        rh_subject_add_reasons(&point->subject, &point->judgement, text);
        rh_text_addf(text, " (%zu states)\n", point->subject.automaton.states.count);
    } else {
        rh_text_add(text, "\n");
        add_grades(drawing, text);
    }
    if (point->judgement.difference.length)
        rh_text_addf(text, "# %s\n", rh_text_get(&point->judgement.difference));
}

static void add_picture(const struct rh_drawing *drawing, struct rh_text *text)
{
    const struct rh_options *options = drawing->options;
    struct rh_arena arena = {0};
    struct rh_sequence sequence;
    struct rh_text title = {0};
    rh_subject_add_name(options, drawing->test, &title);
    rh_text_addf(&title, ": %s", rh_grade_name(drawing->grade));
    rh_sequence_init(&sequence, &arena, &drawing->diagram, options->svg ? RH_PICTURE_ROWS : 0);
    if (options->svg)
        rh_report_svg(text, &sequence, rh_text_get(&title));
    else if (options->mermaid)
        rh_report_mermaid(text, &sequence, rh_text_get(&title));
    else
        rh_report_plantuml(text, &sequence, rh_text_get(&title));
    rh_sequence_fini(&sequence);
    rh_arena_fini(&arena);
    rh_text_fini(&title);
}

static void add_report(const struct rh_drawing *drawing, struct rh_report_protocol *report)
{
    size_t count = drawing->points.count;
    struct rh_report_grade *grades = rh_alloc((count + 1) * sizeof *grades);
    for (size_t i = 0; i < count; i++)
        grades[i] = rh_subject_grade(&drawing->points.items[i].subject,
                                     &drawing->points.items[i].judgement);
    for (size_t i = 0; i < count; i++)
        grades[i].is_held_out = drawing->points.items[i].is_held_out;
    rh_report_protocol_add(report, drawing->test->name, drawing->grade, &drawing->diagram,
                           &drawing->notes, grades, count);
    free(grades);
}

static struct rh_status write_file(const struct rh_drawing *drawing, const struct rh_text *text,
                                   const char *extension)
{
    char *path = rh_subject_path(drawing->options, drawing->test, extension);
    struct rh_status status = rh_text_write_file(text, path);
    free(path);
    return status;
}

static struct rh_status say(const struct rh_drawing *drawing, struct rh_report_protocol *report)
{
    const struct rh_options *options = drawing->options;
    bool is_picture = options->svg || options->mermaid || options->plantuml;
    struct rh_text text = {0}, picture = {0};
    struct rh_status status = rh_ok();
    add_comment(drawing, &text);
    rh_diagram_print(&drawing->diagram, &text);
    if (options->where)
        rh_notes_print(&drawing->notes, &text);
    if (is_picture)
        add_picture(drawing, &picture);
    if (report)
        add_report(drawing, report);
    if (options->save)
        status = write_file(drawing, &text, "diagram");
    if (options->save && is_picture && rh_is_ok(&status))
        status = write_file(drawing, &picture,
                            options->svg       ? "svg"
                            : options->mermaid ? "mmd"
                                               : "puml");
    if (!options->save && !report && !rh_print(is_picture ? &picture : &text))
        status = rh_failed("standard output");
    rh_text_fini(&text);
    rh_text_fini(&picture);
    return status;
}

// What was inferred for a test that fails is a diagram all the same, and the failure is found.
static bool does_fail(const struct rh_drawing *drawing)
{
    for (size_t i = 0; i < drawing->points.count; i++)
        if (drawing->points.items[i].subject.failure.length)
            return true;
    return false;
}

static int draw(const struct rh_options *options, const struct rh_test *test,
                struct rh_report_protocol *report)
{
    struct rh_drawing drawing;
    struct rh_status status = rh_drawing_init(&drawing, options, test);
    if (rh_is_ok(&status))
        status = say(&drawing, report);
    enum rh_grade grade = drawing.grade;
    bool fails = does_fail(&drawing);
    rh_drawing_fini(&drawing);
    int failure = rh_is_ok(&status) ? RH_EXIT_NOTHING : rh_print_status(&status);
    if (fails || failure != RH_EXIT_NOTHING)
        return fails ? RH_EXIT_FOUND : failure;
    return grade >= RH_GRADE_SOUND ? RH_EXIT_NOTHING : RH_EXIT_INCONCLUSIVE;
}

// --- One actor. ---

static struct rh_status say_machine(const struct rh_subject *subject)
{
    const char *name = subject->options->actor;
    uint32_t actor = rh_machine_find_actor(&subject->automaton, name);
    struct rh_text text = {0};
    struct rh_machine machine;
    if (actor == RH_NONE)
        return rh_bad_input("test %s has no actor %s; if there are several of its behaviour, say "
                            "which, as %s[1]",
                            subject->test->name, name, name);
    bool is_whole = rh_machine_init(&machine, &subject->automaton, actor);
    struct rh_status status = rh_ok();
    if (!is_whole)
        status = rh_failed("test %s: %s has too many states", subject->test->name, name);
    else
        rh_report_machine_dot(&text, &machine, name);
    if (is_whole && !rh_print(&text))
        status = rh_failed("standard output");
    rh_machine_fini(&machine);
    rh_text_fini(&text);
    return status;
}

// The machine of an actor says what all executions do that were tried.
static int draw_actor(const struct rh_options *options, const struct rh_test *test)
{
    struct rh_subject subject;
    struct rh_status status = rh_subject_init(&subject, options, test, NULL, 0);
    if (rh_is_ok(&status))
        status = say_machine(&subject);
    bool fails = subject.failure.length > 0, is_whole = subject.is_whole;
    rh_subject_fini(&subject);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    return fails ? RH_EXIT_FOUND : is_whole ? RH_EXIT_NOTHING : RH_EXIT_INCONCLUSIVE;
}

static struct rh_status check_options(const struct rh_options *options)
{
    int outputs = options->json + options->svg + options->mermaid + options->plantuml +
                  (options->actor != NULL) + (options->old_diagram != NULL) +
                  (options->why != NULL) + options->patterns + (options->from != NULL);
    if (options->abstract)
        return rh_bad_input("--abstract looks at sources: rehearse diagram --abstract prog.c");
    if (options->dot)
        return rh_bad_input("--dot goes with --abstract; what --actor prints is for Graphviz too");
    if (outputs > 1)
        return rh_bad_input("--json, --svg, --mermaid, --plantuml, --actor, --diff, --why, "
                            "--patterns and --from exclude each other");
    const char *single = options->actor         ? "actor"
                         : options->why         ? "why"
                         : options->patterns    ? "patterns"
                         : options->from        ? "from"
                         : options->old_diagram ? "diff"
                                                : NULL;
    if (single && options->vary.count)
        return rh_bad_input("--%s looks at one configuration: --set says which, not --vary",
                            single);
    return rh_ok();
}

int rh_diagram_run(const struct rh_options *options, const struct rh_test *tests, size_t count)
{
    int result = RH_EXIT_NOTHING;
    struct rh_status status = check_options(options);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    if (options->old_diagram)
        return rh_diff_run(options, tests, count);
    if (options->why)
        return rh_why_run(options, tests, count);
    if (options->patterns)
        return rh_patterns_run(options, tests, count);
    if (options->from)
        return rh_tighten_run(options, tests, count);
    struct rh_report_protocol *report =
        options->json ? rh_report_protocol_new(options->run.program, "diagram") : NULL;
    for (size_t i = 0; i < count && !*options->run.interrupted; i++)
        result = rh_exit_worse(options->actor ? draw_actor(options, &tests[i])
                                              : draw(options, &tests[i], report),
                               result);
    if (report && !rh_subject_print_report(report))
        result = RH_EXIT_FAILED;
    return *options->run.interrupted ? rh_exit_worse(RH_EXIT_INCONCLUSIVE, result) : result;
}
