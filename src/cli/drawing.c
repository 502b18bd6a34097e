// SPDX-License-Identifier: MIT
#include "cli/drawing.h"

#include <stdlib.h>

#include "diagram/general.h"
#include "diagram/infer.h"
#include "diagram/part.h"
#include "diagram/rules.h"

// A part that is written once has at least so many arrows.
enum { POINTS_MOST = 100, PART_LEAST = 3 };

// --- The grid. ---

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

static struct rh_status add_point(struct rh_drawing *drawing, const struct rh_setting *settings,
                                  size_t count, bool is_held_out)
{
    struct rh_drawing_point *point = rh_vector_push(&drawing->points);
    point->is_held_out = is_held_out;
    struct rh_status status =
        rh_subject_init(&point->subject, drawing->options, drawing->test, settings, count);
    if (is_held_out || !rh_is_ok(&status))
        return status;
    drawing->trained++;
    return rh_subject_run_classes(&point->subject);
}

// The two values beyond the range of each parameter, with the least of the others.
static struct rh_status hold_out(struct rh_drawing *drawing, struct rh_setting *settings)
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

static struct rh_status add_points(struct rh_drawing *drawing)
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

static void note_values(struct rh_drawing *drawing)
{
    const struct rh_options *options = drawing->options;
    size_t count = options->vary.count;
    const char **variables = rh_arena_take(&drawing->arena, (count + 1) * sizeof *variables);
    drawing->values = (struct rh_points){
        .variables = variables, .variable_count = count, .count = drawing->trained};
    drawing->values.values = rh_alloc((drawing->trained * count + 1) * sizeof(int64_t));
    for (size_t k = 0; k < count; k++)
        variables[k] = options->vary.items[k].variable;
    for (size_t i = 0; i < drawing->trained; i++)
        for (size_t k = 0; k < count; k++)
            drawing->values.values[i * count + k] =
                rh_binding_find(drawing->points.items[i].subject.bindings, variables[k])->value;
}

// --- Ways to a diagram. ---

// Diagrams are inferred of orders that executions have in common, where messages are told apart by
// their senders and types; of what handlers do; of orders again, where messages are told apart by
// their causes too; and of what handlers do any number of times. For several points also of orders
// where rounds are not within each other; and where there are many ways, with choices of their own.
enum manner { BY_ORDERS, BY_FLAT_ORDERS, BY_CHOICES, BY_RULES, BY_CAUSES, BY_LOOSE_RULES, MANNERS };

// The diagram of each point alone, with expressions for the numbers in which they differ.
static const struct rh_node *infer_orders(struct rh_drawing *drawing, enum manner manner)
{
    const struct rh_node **bodies = rh_alloc((drawing->trained + 1) * sizeof *bodies);
    bool is_one = true;
    for (size_t i = 0; i < drawing->trained && is_one; i++) {
        struct rh_subject *subject = &drawing->points.items[i].subject;
        bodies[i] =
            rh_infer(&drawing->arena, subject->classes, &subject->automaton, manner == BY_CAUSES,
                     manner == BY_FLAT_ORDERS ? RH_INFER_FLAT
                     : manner == BY_CHOICES   ? RH_INFER_CHOICES
                                              : RH_INFER_PLAIN);
        is_one = bodies[i] != NULL;
    }
    const struct rh_node *body =
        is_one ? rh_generalize(&drawing->arena, &drawing->values, bodies) : NULL;
    free(bodies);
    return body;
}

static const struct rh_node *infer_rules(struct rh_drawing *drawing, bool is_loose)
{
    struct rh_rules_view *views = rh_alloc((drawing->trained + 1) * sizeof *views);
    for (size_t i = 0; i < drawing->trained; i++) {
        struct rh_subject *subject = &drawing->points.items[i].subject;
        views[i] = (struct rh_rules_view){subject->classes, &subject->automaton};
    }
    const struct rh_node *body = rh_infer_rules(&drawing->arena, views, &drawing->values, is_loose);
    free(views);
    return body;
}

static const struct rh_node *infer(struct rh_drawing *drawing, enum manner manner)
{
    bool is_by_rules = manner == BY_RULES || manner == BY_LOOSE_RULES;
    bool is_for_many = manner == BY_LOOSE_RULES || manner == BY_FLAT_ORDERS;
    if (is_for_many && drawing->trained == 1)
        return NULL;
    return is_by_rules ? infer_rules(drawing, manner == BY_LOOSE_RULES)
                       : infer_orders(drawing, manner);
}

// --- Which diagram is the best. ---

// A diagram that was inferred, and what it is worth: the least of the points that it was inferred
// of, and whether it is unsound at one that was held out.
struct draft {
    const struct rh_node *body; // NULL: there is none
    enum rh_grade grade;
    bool is_refuted;
};

// What nobody reads, where there is one that is much shorter and order-exact.
enum { SIZE_READ = 80, TIMES_SHORTER = 4 };

static bool is_long(const struct draft *draft, size_t shortest)
{
    size_t size = rh_node_size(draft->body);
    return size > SIZE_READ && size >= TIMES_SHORTER * shortest;
}

static bool is_better(const struct rh_options *options, const struct draft *one,
                      const struct draft *other)
{
    if (!other->body || one->is_refuted != other->is_refuted)
        return !one->is_refuted || !other->body;
    size_t size = rh_node_size(one->body), other_size = rh_node_size(other->body);
    enum rh_grade wanted =
        options->at_least > RH_GRADE_ORDER_EXACT ? options->at_least : RH_GRADE_ORDER_EXACT;
    bool are_good = one->grade >= wanted && other->grade >= wanted;
    if (are_good && (is_long(one, other_size) || is_long(other, size)))
        return is_long(other, size);
    if (one->grade != other->grade)
        return one->grade > other->grade;
    return size < other_size;
}

// Whether nobody would read the draft however good it is.
static bool is_hopeless(const struct rh_options *options, const struct draft *draft,
                        const struct draft *best)
{
    return best->body && !best->is_refuted && best->grade >= RH_GRADE_ORDER_EXACT &&
           best->grade >= options->at_least && is_long(draft, rh_node_size(best->body));
}

static bool is_good_enough(const struct draft *draft)
{
    return draft->body && draft->grade == RH_GRADE_EXACT && !draft->is_refuted &&
           rh_node_size(draft->body) <= SIZE_READ;
}

// Judges the diagram at all points.
static struct rh_status judge(struct rh_drawing *drawing, struct draft *draft)
{
    struct rh_status status = rh_ok();
    drawing->diagram.body = draft->body;
    drawing->grade = draft->grade = RH_GRADE_EXACT;
    draft->is_refuted = false;
    for (size_t i = 0; i < drawing->points.count && rh_is_ok(&status); i++) {
        struct rh_drawing_point *point = &drawing->points.items[i];
        rh_judgement_fini(&point->judgement);
        point->judgement = (struct rh_judgement){0};
        status = rh_subject_judge(&point->subject, &drawing->diagram, &point->judgement);
        enum rh_grade grade = point->judgement.grade;
        drawing->grade = grade < drawing->grade ? grade : drawing->grade;
        if (point->is_held_out)
            draft->is_refuted = draft->is_refuted || grade == RH_GRADE_UNSOUND;
        else
            draft->grade = grade < draft->grade ? grade : draft->grade;
    }
    return status;
}

static struct rh_status no_draft(const struct rh_drawing *drawing)
{
    const char *name = drawing->test->name;
    for (size_t i = 0; i < drawing->trained; i++) {
        const struct rh_subject *subject = &drawing->points.items[i].subject;
        if (subject->failure.length)
            return rh_failed("test %s: no diagram was found: %s, and no execution comes to its end",
                             name, rh_text_get(&subject->failure));
    }
    if (drawing->trained > 1)
        return rh_failed(
            "test %s: no diagram was found that holds for all of these values: see each "
            "of them with --set",
            name);
    return rh_failed("test %s: no diagram was found: its executions send more than %d different "
                     "sets of messages; --abstract makes a sketch of the sources",
                     name, RH_INFER_ORDERS);
}

static struct rh_status find_draft(struct rh_drawing *drawing)
{
    struct rh_status status = rh_ok();
    struct draft best = {0};
    for (int manner = 0; manner < MANNERS && rh_is_ok(&status) && !is_good_enough(&best);
         manner++) {
        struct draft draft = {.body = infer(drawing, (enum manner)manner)};
        if (!draft.body || is_hopeless(drawing->options, &draft, &best))
            continue;
        status = judge(drawing, &draft);
        // Of another size it may name an actor that is one of several there, or none.
        if (status.code == RH_BAD_INPUT)
            status = rh_ok();
        else if (is_better(drawing->options, &draft, &best))
            best = draft;
    }
    if (rh_is_ok(&status) && !best.body)
        status = no_draft(drawing);
    if (!rh_is_ok(&status))
        return status;
    best.body = rh_share(&drawing->arena, best.body, PART_LEAST);
    return judge(drawing, &best);
}

// Where and when arrows are sent is said of the largest configuration that was not held out.
static void add_notes(struct rh_drawing *drawing)
{
    struct rh_drawing_point *point = &drawing->points.items[drawing->trained - 1];
    if (drawing->options->where || drawing->options->json)
        rh_notes_add(&drawing->notes, &drawing->arena, &point->subject.automaton,
                     point->subject.classes, point->subject.bindings, drawing->diagram.body);
}

struct rh_status rh_drawing_init(struct rh_drawing *drawing, const struct rh_options *options,
                                 const struct rh_test *test)
{
    *drawing = (struct rh_drawing){.options = options, .test = test};
    drawing->diagram = (struct rh_diagram){
        .name = test->name, .ranges = options->vary.items, .range_count = options->vary.count};
    struct rh_status status = add_points(drawing);
    if (rh_is_ok(&status)) {
        note_values(drawing);
        status = find_draft(drawing);
    }
    if (rh_is_ok(&status))
        add_notes(drawing);
    return status;
}

void rh_drawing_fini(struct rh_drawing *drawing)
{
    for (size_t i = 0; i < drawing->points.count; i++) {
        rh_subject_fini(&drawing->points.items[i].subject);
        rh_judgement_fini(&drawing->points.items[i].judgement);
    }
    rh_vector_fini(&drawing->points);
    rh_vector_fini(&drawing->notes);
    free(drawing->values.values);
    rh_arena_fini(&drawing->arena);
}
