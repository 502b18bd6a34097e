// SPDX-License-Identifier: MIT
#include "cli/diagram.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/save.h"
#include "diagram/decompose.h"
#include "diagram/fold.h"
#include "diagram/judge.h"

// Bounds on what is searched for a diagram, unless options say otherwise.
enum { STATES_DELIVERIES = 2000000, CLASSES_MOST = 20000, ORDERS_MOST = 200 };

// A test, and what its program can do.
struct subject {
    const struct rh_options *options;
    const struct rh_test *test;
    struct rh_journal *states, *classes;
    struct rh_automaton automaton;
    bool is_whole; // all states were seen
    uint64_t state_count;
    struct rh_text failure; // the test's own first error, or empty
};

struct rh_status rh_conform_read(struct rh_options *options, struct rh_diagram_file *file)
{
    if (!options->diagram && options->operands.count > 0)
        options->diagram = options->operands.items[--options->operands.count];
    if (!options->diagram)
        return rh_bad_input("which diagram? see %s conform --help", options->tool.name);
    return rh_diagram_read(file, options->diagram);
}

// --- Searching. ---

static struct rh_run_options search_options(const struct subject *subject, bool by_states,
                                            struct rh_journal *journal)
{
    struct rh_run_options run = subject->options->run;
    run.strategy = "dfs";
    run.reduction = by_states ? "none" : "optimal";
    run.states = by_states ? RH_STATES_EXACT : RH_STATES_NONE;
    run.automatic = run.shrink = false;
    run.keep_going = true;
    run.journal = journal;
    run.max_executions = by_states ? 0 : CLASSES_MOST;
    if (by_states && run.max_deliveries == 0)
        run.max_deliveries = STATES_DELIVERIES;
    return run;
}

static void note_failure(struct subject *subject, const struct rh_result *result)
{
    if (rh_result_errors(result) == 0)
        return;
    const struct rh_finding *finding = &rh_result_main(result)->finding;
    rh_text_addf(&subject->failure, "the test fails: %s", rh_finding_kind_name(finding->kind));
}

static struct rh_status search(struct subject *subject, bool by_states, struct rh_journal **journal,
                               bool *is_whole)
{
    *journal = rh_journal_new();
    if (!*journal)
        return rh_failed("cannot reserve the address space for executions");
    struct rh_run_options run = search_options(subject, by_states, *journal);
    struct rh_result result = {0};
    struct rh_status status = rh_run_test(&run, subject->test, &result);
    if (rh_is_ok(&status)) {
        // What a handler does that fails is not known to its end.
        *is_whole = result.complete && !(*journal)->is_full && rh_result_errors(&result) == 0;
        if (by_states)
            note_failure(subject, &result);
    }
    rh_result_fini(&result);
    return status;
}

static void subject_fini(struct subject *subject)
{
    rh_automaton_fini(&subject->automaton);
    rh_journal_free(subject->states);
    rh_journal_free(subject->classes);
    rh_text_fini(&subject->failure);
}

static struct rh_status look_at(struct subject *subject)
{
    struct rh_status status = search(subject, true, &subject->states, &subject->is_whole);
    if (rh_is_ok(&status))
        rh_automaton_init(&subject->automaton, subject->states);
    subject->state_count = subject->automaton.states.count;
    return status;
}

// --- What is said. ---

static void add_program(const struct rh_options *options, struct rh_text *text)
{
    for (size_t i = 0; i < options->names.count; i++)
        rh_text_addf(text, "%s%s", i ? " " : "", options->names.items[i]);
}

static void add_reasons(const struct subject *subject, const struct rh_judgement *judgement,
                        struct rh_text *text)
{
    if (judgement->reason.length)
        rh_text_addf(text, ": %s", rh_text_get(&judgement->reason));
    if (subject->failure.length)
        rh_text_addf(text, "; %s", rh_text_get(&subject->failure));
}

// --- Schedules. ---

static char *save_path(const struct rh_options *options, const char *name, const char *extension)
{
    struct rh_text path = {0};
    if (options->save)
        rh_text_addf(&path, "%s/", options->save);
    rh_text_addf(&path, "%s.%s", name, extension);
    return rh_text_take(&path);
}

static void add_step(struct rh_schedule *schedule, const struct subject *subject,
                     const struct rh_edge *edge)
{
    const struct rh_journal *journal = subject->states;
    const struct rh_journal_message *message =
        &journal->messages[journal->steps[edge->step].received];
    *rh_vector_push(&schedule->steps) =
        (struct rh_step){.kind = RH_STEP_DELIVER,
                         .type = rh_strdup(journal->types[message->type]),
                         .receiver = rh_strdup(journal->actors[message->receiver].name),
                         .sender = rh_strdup(journal->actors[message->sender].name)};
}

// Writes the deliveries that lead to the difference as a schedule; gives its path, owned.
static struct rh_status save_schedule(const struct subject *subject,
                                      const struct rh_judgement *judgement, char **path)
{
    const struct rh_options *options = subject->options;
    struct rh_schedule schedule = {.test = rh_strdup(subject->test->name),
                                   .order_rule = options->run.order_rule,
                                   .time = options->run.time,
                                   .environment = options->run.environment};
    for (size_t i = 0; i < options->names.count; i++)
        *rh_vector_push(&schedule.programs) = rh_strdup(options->names.items[i]);
    for (size_t i = 1; i < judgement->path.count; i++)
        add_step(&schedule, subject, &subject->automaton.edges.items[judgement->path.items[i]]);
    *path = save_path(options, subject->test->name, "schedule");
    struct rh_status status = rh_schedule_write(&schedule, *path);
    rh_schedule_fini(&schedule);
    return status;
}

// --- conform. ---

static int exit_of(const struct rh_options *options, enum rh_grade grade)
{
    if (grade == RH_GRADE_UNKNOWN)
        return RH_EXIT_INCONCLUSIVE;
    return grade >= options->at_least ? RH_EXIT_NOTHING : RH_EXIT_FOUND;
}

static struct rh_status say_conformance(const struct subject *subject,
                                        const struct rh_judgement *judgement)
{
    struct rh_text text = {0};
    struct rh_status status = rh_ok();
    bool conforms = exit_of(subject->options, judgement->grade) == RH_EXIT_NOTHING;
    add_program(subject->options, &text);
    rh_text_addf(&text, ": test %s: %s (%s", subject->test->name,
                 judgement->grade == RH_GRADE_UNKNOWN ? "unknown"
                 : conforms                           ? "conforms"
                                                      : "does not conform",
                 rh_grade_name(judgement->grade));
    add_reasons(subject, judgement, &text);
    rh_text_add(&text, ")\n");
    if (judgement->difference.length)
        rh_text_addf(&text, "  %s\n", rh_text_get(&judgement->difference));
    if (judgement->grade == RH_GRADE_UNSOUND) {
        char *path;
        status = save_schedule(subject, judgement, &path);
        if (rh_is_ok(&status))
            rh_text_addf(&text, "  saved: %s\n", path);
        free(path);
    }
    if (rh_is_ok(&status) && !rh_print(&text))
        status = rh_failed("standard output");
    rh_text_fini(&text);
    return status;
}

static int worse(int one, int other)
{
    // What is wrong counts more than what is not known.
    static const int ranks[] = {[RH_EXIT_NOTHING] = 0,
                                [RH_EXIT_FOUND] = 2,
                                [RH_EXIT_BAD_INPUT] = 3,
                                [RH_EXIT_FAILED] = 4,
                                [RH_EXIT_INCONCLUSIVE] = 1};
    return ranks[one] >= ranks[other] ? one : other;
}

static int conform(const struct rh_options *options, const struct rh_diagram *diagram,
                   const struct rh_test *test)
{
    struct subject subject = {.options = options, .test = test};
    struct rh_judgement judgement = {0};
    struct rh_status status = look_at(&subject);
    if (rh_is_ok(&status))
        status = rh_diagram_judge(&subject.automaton, diagram, NULL,
                                  options->run.order_rule == RH_ORDER_FIFO, subject.is_whole,
                                  &judgement);
    if (rh_is_ok(&status))
        status = say_conformance(&subject, &judgement);
    int result = rh_is_ok(&status) ? exit_of(options, judgement.grade) : rh_print_status(&status);
    rh_judgement_fini(&judgement);
    subject_fini(&subject);
    return result;
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
        result = worse(test ? conform(options, diagram, test) : rh_print_status(&status), result);
    }
    return result;
}

// --- diagram. ---

// The diagram that the executions of all classes have in common; NULL if there are too many sets of
// messages.
static const struct rh_node *infer(struct subject *subject, bool by_causes, struct rh_arena *arena)
{
    struct rh_orders orders;
    struct rh_nodes ways = {0};
    rh_orders_init(&orders, subject->classes, &subject->automaton, by_causes, ORDERS_MOST);
    for (size_t i = 0; i < orders.items.count && !orders.is_full; i++)
        *rh_vector_push(&ways) =
            rh_decompose(arena, &subject->automaton.names, &orders.items.items[i]);
    const struct rh_node *node =
        ways.count ? rh_fold(arena, rh_fold_choice(arena, ways.items, ways.count)) : NULL;
    rh_vector_fini(&ways);
    rh_orders_fini(&orders);
    return node;
}

static void add_comment(const struct subject *subject, const struct rh_judgement *judgement,
                        struct rh_text *text)
{
    rh_text_add(text, "# ");
    add_program(subject->options, text);
    rh_text_addf(text, ": test %s: %s", subject->test->name, rh_grade_name(judgement->grade));
    add_reasons(subject, judgement, text);
    rh_text_addf(text, " (%llu states)\n", (unsigned long long)subject->state_count);
    if (judgement->difference.length)
        rh_text_addf(text, "# %s\n", rh_text_get(&judgement->difference));
}

static struct rh_status save_or_print(const struct subject *subject, const struct rh_text *text)
{
    if (!subject->options->save)
        return rh_print(text) ? rh_ok() : rh_failed("standard output");
    char *path = save_path(subject->options, subject->test->name, "diagram");
    struct rh_status status = rh_text_write_file(text, path);
    free(path);
    return status;
}

// A diagram that was inferred, and what it is worth.
struct draft {
    const struct rh_node *body; // NULL: there is none
    struct rh_judgement judgement;
};

static struct rh_status judge(struct subject *subject, struct draft *draft)
{
    struct rh_diagram diagram = {.name = subject->test->name, .body = draft->body};
    return rh_diagram_judge(&subject->automaton, &diagram, NULL,
                            subject->options->run.order_rule == RH_ORDER_FIFO, subject->is_whole,
                            &draft->judgement);
}

static bool is_better(const struct draft *one, const struct draft *other)
{
    if (!one->body || !other->body)
        return one->body != NULL;
    if (one->judgement.grade != other->judgement.grade)
        return one->judgement.grade > other->judgement.grade;
    return rh_node_size(one->body) < rh_node_size(other->body);
}

// The better of the diagrams that come of telling messages apart by their senders and types, and by
// their causes too.
static struct rh_status find_draft(struct subject *subject, struct rh_arena *arena,
                                   struct draft *best)
{
    struct rh_status status = rh_ok();
    for (int by_causes = 0; by_causes < 2 && rh_is_ok(&status); by_causes++) {
        struct draft draft = {.body = infer(subject, by_causes, arena)};
        if (!draft.body)
            continue;
        status = judge(subject, &draft);
        if (is_better(&draft, best)) {
            rh_judgement_fini(&best->judgement);
            *best = draft;
        } else {
            rh_judgement_fini(&draft.judgement);
        }
        if (best->judgement.grade == RH_GRADE_EXACT)
            break;
    }
    return status;
}

static struct rh_status say_diagram(struct subject *subject, const struct draft *draft)
{
    struct rh_diagram diagram = {.name = subject->test->name, .body = draft->body};
    struct rh_text text = {0};
    add_comment(subject, &draft->judgement, &text);
    rh_diagram_print(&diagram, &text);
    struct rh_status status = save_or_print(subject, &text);
    rh_text_fini(&text);
    return status;
}

static int draw(const struct rh_options *options, const struct rh_test *test)
{
    struct subject subject = {.options = options, .test = test};
    struct rh_arena arena = {0};
    struct draft best = {0};
    bool has_all_classes;
    struct rh_status status = look_at(&subject);
    if (rh_is_ok(&status))
        status = search(&subject, false, &subject.classes, &has_all_classes);
    if (rh_is_ok(&status))
        status = find_draft(&subject, &arena, &best);
    if (rh_is_ok(&status) && best.body)
        status = say_diagram(&subject, &best);
    else if (rh_is_ok(&status))
        status = rh_failed("test %s: no diagram was found: its executions send more than %d "
                           "different sets of messages, or none comes to its end",
                           test->name, ORDERS_MOST);
    enum rh_grade grade = best.judgement.grade;
    rh_judgement_fini(&best.judgement);
    rh_arena_fini(&arena);
    subject_fini(&subject);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    return grade >= RH_GRADE_SOUND ? RH_EXIT_NOTHING : RH_EXIT_INCONCLUSIVE;
}

int rh_diagram_run(const struct rh_options *options, const struct rh_test *tests, size_t count)
{
    int result = RH_EXIT_NOTHING;
    for (size_t i = 0; i < count; i++)
        result = worse(draw(options, &tests[i]), result);
    return result;
}
