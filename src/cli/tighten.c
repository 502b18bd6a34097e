// SPDX-License-Identifier: MIT
// `diagram --from`: a sketch, without what no execution does.
#include <stdlib.h>
#include <string.h>

#include "cli/diagram.h"
#include "cli/output.h"
#include "cli/subject.h"
#include "diagram/tighten.h"

struct tight {
    const struct rh_options *options;
    const struct rh_test *test;
    struct rh_subject subject;
    struct rh_arena arena;
    struct rh_diagram diagram;
    struct rh_tightening tightening;
    struct rh_judgement judgement;
};

// The diagram of the test's name; a test that is named may have the only one, whatever its name.
static struct rh_status find_diagram(struct tight *tight, const struct rh_diagram_file *file)
{
    for (size_t i = 0; i < file->diagrams.count; i++) {
        tight->diagram = file->diagrams.items[i];
        if (!strcmp(tight->diagram.name, tight->test->name) ||
            (tight->options->test && file->diagrams.count == 1)) {
            tight->diagram.name = tight->test->name;
            return rh_ok();
        }
    }
    return rh_bad_input("%s has no diagram of test %s", tight->options->from, tight->test->name);
}

// A sketch without classes of several actors may be a diagram: then it has a better grade.
static void make_whole(struct tight *tight)
{
    struct rh_diagram diagram = tight->diagram;
    struct rh_judgement judgement = {0};
    const struct rh_names *names = &rh_subject_automaton(&tight->subject, &diagram)->names;
    for (size_t i = 0; i < names->actors.count; i++)
        if (rh_names_is_class(names, (uint32_t)i))
            return;
    diagram.is_sketch = false;
    struct rh_status status = rh_subject_judge(&tight->subject, &diagram, &judgement);
    bool is_better = rh_is_ok(&status) && judgement.grade >= RH_GRADE_SOUND;
    rh_judgement_fini(is_better ? &tight->judgement : &judgement);
    if (is_better) {
        tight->diagram = diagram;
        tight->judgement = judgement;
    }
}

static struct rh_status tighten(struct tight *tight)
{
    struct rh_subject *subject = &tight->subject;
    bool was_sketch = tight->diagram.is_sketch;
    bool is_fifo = tight->options->run.order_rule == RH_ORDER_FIFO;
    struct rh_status status = rh_diagram_tighten(
        rh_subject_automaton(subject, &tight->diagram), &tight->diagram, subject->bindings, is_fifo,
        subject->is_whole, &tight->arena, &tight->tightening, &tight->judgement);
    if (rh_is_ok(&status) && was_sketch && tight->judgement.grade == RH_GRADE_SOUND)
        make_whole(tight);
    return status;
}

static void add_comment(const struct tight *tight, struct rh_text *text)
{
    rh_text_add(text, "# ");
    rh_subject_add_name(tight->options, tight->test, text);
    rh_text_addf(text, ": %s", rh_grade_name(tight->judgement.grade));
    rh_subject_add_reasons(&tight->subject, &tight->judgement, text);
    rh_text_addf(text, " (%zu states); from %s, with %zu of %zu changes that were tried%s\n",
                 tight->subject.automaton.states.count, tight->options->from,
                 tight->tightening.kept, tight->tightening.tried,
                 tight->tightening.is_cut ? ", and more were not" : "");
    if (tight->judgement.difference.length)
        rh_text_addf(text, "# %s\n", rh_text_get(&tight->judgement.difference));
}

static struct rh_status say(const struct tight *tight)
{
    struct rh_text text = {0};
    struct rh_status status = rh_ok();
    add_comment(tight, &text);
    rh_diagram_print(&tight->diagram, &text);
    if (tight->options->save) {
        char *path = rh_subject_path(tight->options, tight->test,
                                     tight->diagram.is_sketch ? "sketch" : "diagram");
        status = rh_text_write_file(&text, path);
        free(path);
    } else if (!rh_print(&text)) {
        status = rh_failed("standard output");
    }
    rh_text_fini(&text);
    return status;
}

static int tighten_test(const struct rh_options *options, const struct rh_diagram_file *file,
                        const struct rh_test *test)
{
    struct tight tight = {.options = options, .test = test};
    struct rh_status status = find_diagram(&tight, file);
    if (rh_is_ok(&status))
        status = rh_subject_init(&tight.subject, options, test, NULL, 0);
    if (rh_is_ok(&status))
        status = tighten(&tight);
    if (rh_is_ok(&status))
        status = say(&tight);
    enum rh_grade grade = tight.judgement.grade;
    bool fails = tight.subject.failure.length > 0;
    rh_judgement_fini(&tight.judgement);
    rh_subject_fini(&tight.subject);
    rh_arena_fini(&tight.arena);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    if (fails || grade == RH_GRADE_UNSOUND)
        return RH_EXIT_FOUND;
    return grade >= RH_GRADE_SOUND ? RH_EXIT_NOTHING : RH_EXIT_INCONCLUSIVE;
}

int rh_tighten_run(const struct rh_options *options, const struct rh_test *tests, size_t count)
{
    int result = RH_EXIT_NOTHING;
    struct rh_diagram_file file = {0};
    struct rh_status status = rh_diagram_read(&file, options->from);
    if (!rh_is_ok(&status))
        result = rh_print_status(&status);
    for (size_t i = 0; i < count && rh_is_ok(&status) && !*options->run.interrupted; i++)
        result = rh_exit_worse(tighten_test(options, &file, &tests[i]), result);
    rh_diagram_file_fini(&file);
    return *options->run.interrupted ? rh_exit_worse(RH_EXIT_INCONCLUSIVE, result) : result;
}
