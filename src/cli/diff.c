// SPDX-License-Identifier: MIT
#include "cli/diff.h"

#include <string.h>

#include "cli/output.h"
#include "cli/subject.h"
#include "diagram/part.h"

// A message by classes: who sends what to whom.
struct message {
    const char *from, *to, *type;
    enum rh_journal_kind kind;
};

struct messages {
    struct message *items;
    size_t count, capacity;
};

static bool has(const struct messages *messages, const struct message *message)
{
    for (size_t i = 0; i < messages->count; i++) {
        const struct message *one = &messages->items[i];
        if (!strcmp(one->from, message->from) && !strcmp(one->to, message->to) &&
            !strcmp(one->type, message->type) && one->kind == message->kind)
            return true;
    }
    return false;
}

static void add(struct messages *messages, const struct message *message)
{
    if (!has(messages, message))
        *rh_vector_push(messages) = *message;
}

static void add_program(struct messages *messages, const struct rh_automaton *automaton)
{
    const struct rh_names *names = &automaton->names;
    for (size_t i = 0; i < automaton->edges.count; i++)
        for (size_t k = 0; k < automaton->edges.items[i].sends.count; k++) {
            const struct rh_label *sent = &automaton->edges.items[i].sends.items[k];
            add(messages, &(struct message){names->actors.items[sent->from].class,
                                            names->actors.items[sent->to].class,
                                            names->types.items[sent->type], sent->kind});
        }
}

// A variable that `some` binds stands for the class.
struct scope {
    const char *variable, *class;
    const struct scope *outer;
};

static const char *class_of(const struct rh_party *party, const struct scope *scope)
{
    for (; scope && !party->index; scope = scope->outer)
        if (!strcmp(scope->variable, party->class))
            return scope->class;
    return party->class;
}

static void add_diagram(struct messages *messages, const struct rh_node *node,
                        const struct scope *scope)
{
    struct scope inner = {node->variable, node->class, scope};
    if (node->kind == RH_NODE_SOME)
        scope = &inner;
    if (node->kind == RH_NODE_ARROW)
        add(messages, &(struct message){class_of(&node->from, scope), class_of(&node->to, scope),
                                        node->type, node->sending});
    for (size_t i = 0; i < node->count; i++)
        add_diagram(messages, node->parts[i], scope);
}

static void add_those_without(struct rh_text *text, const char *word, const struct messages *these,
                              const struct messages *without)
{
    for (size_t i = 0; i < these->count; i++) {
        const struct message *one = &these->items[i];
        if (!has(without, one))
            rh_text_addf(text, "  %s: %s %s %s: %s\n", word, one->from, rh_sending_word(one->kind),
                         one->to, one->type);
    }
}

static void add_messages(struct rh_text *text, const struct rh_subject *subject,
                         const struct rh_diagram *old)
{
    struct messages before = {0}, now = {0};
    struct rh_definitions definitions = {0};
    rh_definitions_add(&definitions, old->body);
    add_diagram(&before, old->body, NULL);
    for (size_t i = 0; i < definitions.count; i++)
        add_diagram(&before, definitions.items[i]->body, NULL);
    rh_vector_fini(&definitions);
    add_program(&now, &subject->automaton);
    add_those_without(text, "new message", &now, &before);
    add_those_without(text, "no longer sent", &before, &now);
    rh_vector_fini(&before);
    rh_vector_fini(&now);
}

// Sound without a difference: whether the earlier diagram allows more was not decided.
static bool is_known(const struct rh_judgement *judgement)
{
    return judgement->grade == RH_GRADE_EXACT || judgement->difference.length > 0;
}

// What the judge says of the earlier diagram, as news.
static void add_news(struct rh_text *text, const struct rh_subject *subject,
                     const struct rh_diagram *old, const struct rh_judgement *judgement)
{
    rh_subject_add_name(subject->options, subject->test, text);
    if (judgement->grade == RH_GRADE_EXACT) {
        rh_text_addf(text, ": as in %s\n", old->path);
        return;
    }
    if (!is_known(judgement)) {
        rh_text_addf(text, ": whether it is as in %s is unknown", old->path);
        rh_subject_add_reasons(subject, judgement, text);
        rh_text_add(text, "\n");
        return;
    }
    rh_text_addf(text, ": not as in %s\n", old->path);
    add_messages(text, subject, old);
    rh_text_addf(text, "  %s: %s\n", judgement->grade == RH_GRADE_UNSOUND ? "new" : "no longer",
                 rh_text_get(&judgement->difference));
}

static struct rh_status compare(const struct rh_options *options, const struct rh_test *test,
                                const struct rh_diagram *old, enum rh_grade *grade)
{
    struct rh_subject subject;
    struct rh_judgement judgement = {0};
    struct rh_text text = {0};
    struct rh_status status = rh_subject_init(&subject, options, test, NULL, 0);
    if (rh_is_ok(&status))
        status = rh_subject_judge(&subject, old, &judgement);
    if (rh_is_ok(&status)) {
        *grade = is_known(&judgement) ? judgement.grade : RH_GRADE_UNKNOWN;
        add_news(&text, &subject, old, &judgement);
        if (!rh_print(&text))
            status = rh_failed("standard output");
    }
    rh_text_fini(&text);
    rh_judgement_fini(&judgement);
    rh_subject_fini(&subject);
    return status;
}

static int compare_test(const struct rh_options *options, const struct rh_diagram_file *file,
                        const struct rh_test *test)
{
    const struct rh_diagram *old = NULL;
    for (size_t i = 0; i < file->diagrams.count && !old; i++)
        if (!strcmp(file->diagrams.items[i].name, test->name))
            old = &file->diagrams.items[i];
    enum rh_grade grade = RH_GRADE_UNKNOWN;
    struct rh_status status =
        old ? compare(options, test, old, &grade)
            : rh_bad_input("%s has no diagram of test %s", options->old_diagram, test->name);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    return grade == RH_GRADE_EXACT     ? RH_EXIT_NOTHING
           : grade == RH_GRADE_UNKNOWN ? RH_EXIT_INCONCLUSIVE
                                       : RH_EXIT_FOUND;
}

int rh_diff_run(const struct rh_options *options, const struct rh_test *tests, size_t count)
{
    struct rh_diagram_file file = {0};
    int result = RH_EXIT_NOTHING;
    struct rh_status status = rh_diagram_read(&file, options->old_diagram);
    if (!rh_is_ok(&status))
        result = rh_print_status(&status);
    for (size_t i = 0; i < count && rh_is_ok(&status) && !*options->run.interrupted; i++)
        result = rh_exit_worse(compare_test(options, &file, &tests[i]), result);
    rh_diagram_file_fini(&file);
    return result;
}
