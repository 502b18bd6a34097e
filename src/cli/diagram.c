// SPDX-License-Identifier: MIT
// The verb `diagram`.
#include "cli/diagram.h"

#include <stdlib.h>

#include "base/none.h"
#include "cli/diff.h"
#include "cli/output.h"
#include "cli/patterns.h"
#include "cli/subject.h"
#include "cli/why.h"
#include "diagram/general.h"
#include "diagram/infer.h"
#include "diagram/part.h"
#include "diagram/rules.h"
#include "report/machine.h"
#include "report/sequence.h"

// A part that is written once has at least so many arrows.
enum { POINTS_MOST = 100, PART_LEAST = 3 };

// A diagram that was inferred, and what it is worth.
struct draft {
    const struct rh_node *body; // NULL: there is none
    struct rh_judgement judgement;
};

// One point of the grid of parameters, or one beyond it that is held out.
struct point {
    struct rh_subject subject;
    struct draft draft;            // for this point alone
    struct rh_judgement judgement; // of the diagram for all of them
    bool is_held_out;
};

struct drawing {
    const struct rh_options *options;
    const struct rh_test *test;
    struct rh_arena arena;
    RH_VECTOR(struct point) points;
    size_t trained; // how many points are not held out; they come first
    RH_VECTOR(const char *) variables;
    struct rh_diagram diagram;
    enum rh_grade grade;               // the least of all points
    struct rh_notes notes;             // of the diagram's arrows; none if nobody asks
    struct rh_report_protocol *report; // borrowed; NULL without --json
};

// --- One configuration. ---

// What nobody reads, where there is one that is much shorter and order-exact.
enum { SIZE_READ = 80, TIMES_SHORTER = 4 };

static bool is_long(const struct draft *draft, size_t shortest)
{
    size_t size = rh_node_size(draft->body);
    return size > SIZE_READ && size >= TIMES_SHORTER * shortest;
}

static bool is_better(const struct rh_subject *subject, const struct draft *one,
                      const struct draft *other)
{
    if (!one->body || !other->body)
        return one->body != NULL;
    size_t size = rh_node_size(one->body), other_size = rh_node_size(other->body);
    enum rh_grade wanted = subject->options->at_least > RH_GRADE_ORDER_EXACT
                               ? subject->options->at_least
                               : RH_GRADE_ORDER_EXACT;
    bool are_good = one->judgement.grade >= wanted && other->judgement.grade >= wanted;
    if (are_good && (is_long(one, other_size) || is_long(other, size)))
        return is_long(other, size);
    if (one->judgement.grade != other->judgement.grade)
        return one->judgement.grade > other->judgement.grade;
    return size < other_size;
}

// How diagrams are inferred: of orders that executions have in common, where messages are told
// apart by their senders and types; of what handlers do; and again of orders, where messages are
// told apart by their causes too.
enum manner { BY_ORDERS, BY_RULES, BY_CAUSES, MANNERS };

static const struct rh_node *infer(struct rh_subject *subject, struct rh_arena *arena,
                                   enum manner manner)
{
    return manner == BY_RULES
               ? rh_infer_rules(arena, subject->classes, &subject->automaton)
               : rh_infer(arena, subject->classes, &subject->automaton, manner == BY_CAUSES);
}

// Whether nobody would read the draft however good it is.
static bool is_hopeless(const struct rh_subject *subject, const struct draft *draft,
                        const struct draft *best)
{
    return best->body && best->judgement.grade >= RH_GRADE_ORDER_EXACT &&
           best->judgement.grade >= subject->options->at_least &&
           is_long(draft, rh_node_size(best->body));
}

static struct rh_status find_draft(struct rh_subject *subject, struct rh_arena *arena,
                                   struct draft *best)
{
    struct rh_status status = rh_ok();
    for (int manner = 0; manner < MANNERS && rh_is_ok(&status); manner++) {
        if (best->body && best->judgement.grade == RH_GRADE_EXACT &&
            rh_node_size(best->body) <= SIZE_READ)
            break;
        struct draft draft = {.body = infer(subject, arena, (enum manner)manner)};
        struct rh_diagram diagram = {.name = subject->test->name, .body = draft.body};
        if (!draft.body || is_hopeless(subject, &draft, best))
            continue;
        status = rh_subject_judge(subject, &diagram, &draft.judgement);
        bool is_first = is_better(subject, &draft, best);
        rh_judgement_fini(is_first ? &best->judgement : &draft.judgement);
        if (is_first)
            *best = draft;
    }
    return status;
}

static struct rh_status no_draft(const struct point *point, const struct rh_test *test)
{
    if (point->subject.failure.length)
        return rh_failed("test %s: no diagram was found: %s, and no execution comes to its end",
                         test->name, rh_text_get(&point->subject.failure));
    return rh_failed("test %s: no diagram was found: its executions send more than %d different "
                     "sets of messages; --abstract makes a sketch of the sources",
                     test->name, RH_INFER_ORDERS);
}

static struct rh_status add_point(struct drawing *drawing, const struct rh_setting *settings,
                                  size_t count, bool is_held_out)
{
    struct point *point = rh_vector_push(&drawing->points);
    point->is_held_out = is_held_out;
    struct rh_status status =
        rh_subject_init(&point->subject, drawing->options, drawing->test, settings, count);
    if (is_held_out || !rh_is_ok(&status))
        return status;
    drawing->trained++;
    status = rh_subject_run_classes(&point->subject);
    if (rh_is_ok(&status))
        status = find_draft(&point->subject, &drawing->arena, &point->draft);
    return rh_is_ok(&status) && !point->draft.body ? no_draft(point, drawing->test) : status;
}

// --- All configurations. ---

static size_t count_points(const struct rh_options *options)
{
    size_t count = 1;
    for (size_t i = 0; i < options->vary.count && count <= POINTS_MOST; i++)
        count *= (size_t)(options->vary.items[i].last - options->vary.items[i].first) + 1;
    return count;
}

static void begin_grid(const struct rh_options *options, struct rh_setting *settings)
{
    for (size_t i = 0; i < options->vary.count; i++)
        settings[i] =
            (struct rh_setting){options->vary.items[i].variable, options->vary.items[i].first};
}

// The two values beyond the range of each parameter, with the least of the others.
static struct rh_status hold_out(struct drawing *drawing, struct rh_setting *settings)
{
    const struct rh_options *options = drawing->options;
    struct rh_status status = rh_ok();
    for (size_t i = 0; i < options->vary.count; i++)
        for (int more = 1; more <= 2 && rh_is_ok(&status); more++) {
            begin_grid(options, settings);
            settings[i].value = options->vary.items[i].last + more;
            status = add_point(drawing, settings, options->vary.count, true);
        }
    return status;
}

static struct rh_status add_points(struct drawing *drawing)
{
    const struct rh_options *options = drawing->options;
    size_t count = options->vary.count;
    if (count_points(options) > POINTS_MOST)
        return rh_bad_input("--vary: there are more than %d combinations of values", POINTS_MOST);
    struct rh_setting *settings = rh_alloc((count + 1) * sizeof *settings);
    struct rh_status status;
    begin_grid(options, settings);
    do
        status = add_point(drawing, settings, count, false);
    while (rh_is_ok(&status) && rh_grid_next(settings, options->vary.items, count));
    if (rh_is_ok(&status))
        status = hold_out(drawing, settings);
    free(settings);
    return status;
}

static const struct rh_node *generalize(struct drawing *drawing)
{
    size_t variables = drawing->options->vary.count;
    if (variables == 0)
        return drawing->points.items[0].draft.body;
    struct rh_points points = {.variables = drawing->variables.items,
                               .variable_count = variables,
                               .count = drawing->trained};
    points.values = rh_alloc(drawing->trained * variables * sizeof *points.values);
    const struct rh_node **bodies = rh_alloc(drawing->trained * sizeof *bodies);
    for (size_t i = 0; i < drawing->trained; i++) {
        const struct point *point = &drawing->points.items[i];
        bodies[i] = point->draft.body;
        for (size_t k = 0; k < variables; k++)
            points.values[i * variables + k] =
                rh_binding_find(point->subject.bindings, points.variables[k])->value;
    }
    const struct rh_node *body = rh_generalize(&drawing->arena, &points, bodies);
    free(points.values);
    free(bodies);
    return body;
}

static struct rh_status judge_all(struct drawing *drawing)
{
    struct rh_status status = rh_ok();
    drawing->grade = RH_GRADE_EXACT;
    for (size_t i = 0; i < drawing->points.count && rh_is_ok(&status); i++) {
        struct point *point = &drawing->points.items[i];
        status = rh_subject_judge(&point->subject, &drawing->diagram, &point->judgement);
        if (point->judgement.grade < drawing->grade)
            drawing->grade = point->judgement.grade;
    }
    return status;
}

// Where and when arrows are sent is said of the largest configuration that was not held out.
static void add_notes(struct drawing *drawing)
{
    struct point *point = &drawing->points.items[drawing->trained - 1];
    if (drawing->options->where || drawing->options->json)
        rh_notes_add(&drawing->notes, &drawing->arena, &point->subject.automaton,
                     point->subject.classes, point->subject.bindings, drawing->diagram.body);
}

// --- What is said. ---

static void add_values(const struct point *point, struct rh_text *text)
{
    bool is_first = true;
    for (const struct rh_binding *at = point->subject.bindings; at; at = at->outer) {
        rh_text_addf(text, "%s%s = %lld", is_first ? "" : ", ", at->variable, (long long)at->value);
        is_first = false;
    }
}

// A line for each stretch of configurations of one grade.
static void add_grades(const struct drawing *drawing, struct rh_text *text)
{
    for (size_t i = 0; i < drawing->points.count; i++) {
        const struct point *point = &drawing->points.items[i];
        rh_text_addf(text, "#   %s for ", rh_grade_name(point->judgement.grade));
        add_values(point, text);
        rh_text_add(text, point->is_held_out ? " (held out)" : "");
        rh_subject_add_reasons(&point->subject, &point->judgement, text);
        rh_text_add(text, "\n");
    }
}

// The first point whose grade is that of the whole, and what is not as it should be there.
static const struct point *worst(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->points.count; i++)
        if (drawing->points.items[i].judgement.grade == drawing->grade)
            return &drawing->points.items[i];
    return &drawing->points.items[0];
}

static void add_comment(const struct drawing *drawing, struct rh_text *text)
{
    const struct point *point = worst(drawing);
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

static void add_picture(const struct drawing *drawing, struct rh_text *text)
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

static void add_report(const struct drawing *drawing)
{
    size_t count = drawing->points.count;
    struct rh_report_grade *grades = rh_alloc((count + 1) * sizeof *grades);
    for (size_t i = 0; i < count; i++)
        grades[i] = rh_subject_grade(&drawing->points.items[i].subject,
                                     &drawing->points.items[i].judgement);
    for (size_t i = 0; i < count; i++)
        grades[i].is_held_out = drawing->points.items[i].is_held_out;
    rh_report_protocol_add(drawing->report, drawing->test->name, drawing->grade, &drawing->diagram,
                           &drawing->notes, grades, count);
    free(grades);
}

static struct rh_status write_file(const struct drawing *drawing, const struct rh_text *text,
                                   const char *extension)
{
    char *path = rh_subject_path(drawing->options, drawing->test, extension);
    struct rh_status status = rh_text_write_file(text, path);
    free(path);
    return status;
}

static struct rh_status say(const struct drawing *drawing)
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
    if (drawing->report)
        add_report(drawing);
    if (options->save)
        status = write_file(drawing, &text, "diagram");
    if (options->save && is_picture && rh_is_ok(&status))
        status = write_file(drawing, &picture,
                            options->svg       ? "svg"
                            : options->mermaid ? "mmd"
                                               : "puml");
    if (!options->save && !drawing->report && !rh_print(is_picture ? &picture : &text))
        status = rh_failed("standard output");
    rh_text_fini(&text);
    rh_text_fini(&picture);
    return status;
}

// What was inferred for a test that fails is a diagram all the same, and the failure is found.
static bool does_fail(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->points.count; i++)
        if (drawing->points.items[i].subject.failure.length)
            return true;
    return false;
}

static void drawing_fini(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->points.count; i++) {
        rh_subject_fini(&drawing->points.items[i].subject);
        rh_judgement_fini(&drawing->points.items[i].draft.judgement);
        rh_judgement_fini(&drawing->points.items[i].judgement);
    }
    rh_vector_fini(&drawing->points);
    rh_vector_fini(&drawing->variables);
    rh_vector_fini(&drawing->notes);
    rh_arena_fini(&drawing->arena);
}

static int draw(const struct rh_options *options, const struct rh_test *test,
                struct rh_report_protocol *report)
{
    struct drawing drawing = {.options = options, .test = test, .report = report};
    drawing.diagram = (struct rh_diagram){
        .name = test->name, .ranges = options->vary.items, .range_count = options->vary.count};
    for (size_t i = 0; i < options->vary.count; i++)
        *rh_vector_push(&drawing.variables) = options->vary.items[i].variable;
    struct rh_status status = add_points(&drawing);
    if (rh_is_ok(&status)) {
        drawing.diagram.body = generalize(&drawing);
        if (!drawing.diagram.body)
            status = rh_failed("test %s: the diagrams for these values differ in more than numbers "
                               "that depend on the parameters: see each of them with --set",
                               test->name);
    }
    if (rh_is_ok(&status)) {
        drawing.diagram.body = rh_share(&drawing.arena, drawing.diagram.body, PART_LEAST);
        status = judge_all(&drawing);
    }
    if (rh_is_ok(&status))
        add_notes(&drawing);
    if (rh_is_ok(&status))
        status = say(&drawing);
    enum rh_grade grade = drawing.grade;
    bool fails = does_fail(&drawing);
    drawing_fini(&drawing);
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
