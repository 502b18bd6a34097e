// SPDX-License-Identifier: MIT
#include "cli/subject.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/output.h"

// Bounds on what is searched for a diagram, unless options say otherwise.
enum { STATES_DELIVERIES = 2000000, CLASSES_MOST = 20000 };

static struct rh_run_options search_options(const struct rh_subject *subject, bool by_states,
                                            struct rh_journal *journal)
{
    struct rh_run_options run = subject->options->run;
    run.strategy = "dfs";
    run.reduction = by_states ? "none" : "optimal";
    run.states = by_states ? RH_STATES_EXACT : RH_STATES_NONE;
    run.automatic = run.shrink = false;
    run.keep_going = true;
    run.journal = journal;
    run.schedule = &subject->inputs;
    bool is_less = run.max_executions > 0 && run.max_executions < CLASSES_MOST;
    uint64_t most = is_less ? run.max_executions : CLASSES_MOST;
    run.max_executions = by_states ? 0 : most;
    if (by_states && run.max_deliveries == 0)
        run.max_deliveries = STATES_DELIVERIES;
    return run;
}

static void note_failure(struct rh_subject *subject, const struct rh_result *result)
{
    if (rh_result_errors(result) == 0)
        return;
    const struct rh_finding *finding = &rh_result_main(result)->finding;
    rh_text_addf(&subject->failure, "the test fails: %s", rh_finding_kind_name(finding->kind));
}

static struct rh_status search(struct rh_subject *subject, bool by_states,
                               struct rh_journal **journal)
{
    *journal = rh_journal_new();
    if (!*journal)
        return rh_failed("cannot reserve the address space for executions");
    const struct rh_options *options = subject->options;
    (*journal)->wants_values = !by_states && (options->why || options->where || options->json);
    struct rh_run_options run = search_options(subject, by_states, *journal);
    struct rh_result result = {0};
    struct rh_status status = rh_run_test(&run, subject->test, &result);
    if (rh_is_ok(&status) && by_states) {
        // What a handler does that fails is not known to its end.
        subject->is_whole =
            result.complete && !(*journal)->is_full && rh_result_errors(&result) == 0;
        note_failure(subject, &result);
    }
    rh_result_fini(&result);
    // What was seen by then is not judged as if it were all.
    return rh_is_ok(&status) && *options->run.interrupted
               ? rh_status_make(RH_INTERRUPTED, "interrupted: nothing is said of test %s",
                                subject->test->name)
               : status;
}

struct rh_binding *rh_subject_bindings(const struct rh_journal *journal)
{
    size_t count = journal->parameter_count;
    if (count == 0)
        return NULL;
    struct rh_binding *bindings = rh_alloc(count * sizeof *bindings);
    for (size_t i = 0; i < count; i++)
        bindings[i] = (struct rh_binding){.variable = journal->parameters[i].name,
                                          .value = journal->parameters[i].value,
                                          .outer = i + 1 < count ? &bindings[i + 1] : NULL};
    return bindings;
}

struct rh_status rh_subject_init(struct rh_subject *subject, const struct rh_options *options,
                                 const struct rh_test *test, const struct rh_setting *settings,
                                 size_t count)
{
    *subject = (struct rh_subject){.options = options, .test = test};
    if (options->run.schedule)
        rh_schedule_copy_inputs(&subject->inputs, options->run.schedule);
    for (size_t i = 0; i < count; i++) {
        char value[32];
        snprintf(value, sizeof value, "%lld", (long long)settings[i].value);
        rh_schedule_set_input(&subject->inputs, settings[i].variable, value);
    }
    struct rh_status status = search(subject, true, &subject->states);
    if (!rh_is_ok(&status))
        return status;
    rh_automaton_init(&subject->automaton, subject->states);
    subject->bindings = rh_subject_bindings(subject->states);
    return status;
}

void rh_subject_fini(struct rh_subject *subject)
{
    rh_automaton_fini(&subject->automaton);
    rh_automaton_fini(&subject->by_class);
    rh_journal_free(subject->states);
    rh_journal_free(subject->classes);
    rh_schedule_fini(&subject->inputs);
    rh_text_fini(&subject->failure);
    free(subject->bindings);
}

struct rh_status rh_subject_run_classes(struct rh_subject *subject)
{
    return search(subject, false, &subject->classes);
}

struct rh_automaton *rh_subject_automaton(struct rh_subject *subject,
                                          const struct rh_diagram *diagram)
{
    if (!diagram->is_sketch)
        return &subject->automaton;
    if (!subject->by_class.journal)
        rh_automaton_init_classes(&subject->by_class, subject->states);
    return &subject->by_class;
}

struct rh_status rh_subject_judge(struct rh_subject *subject, const struct rh_diagram *diagram,
                                  struct rh_judgement *judgement)
{
    bool is_fifo = subject->options->run.order_rule == RH_ORDER_FIFO;
    return rh_diagram_judge(rh_subject_automaton(subject, diagram), diagram, subject->bindings,
                            is_fifo, subject->is_whole, judgement);
}

void rh_subject_add_name(const struct rh_options *options, const struct rh_test *test,
                         struct rh_text *text)
{
    for (size_t i = 0; i < options->names.count; i++)
        rh_text_addf(text, "%s%s", i ? " " : "", options->names.items[i]);
    rh_text_addf(text, ": test %s", test->name);
}

void rh_subject_add_reasons(const struct rh_subject *subject, const struct rh_judgement *judgement,
                            struct rh_text *text)
{
    if (judgement->reason.length)
        rh_text_addf(text, ": %s", rh_text_get(&judgement->reason));
    if (subject->failure.length)
        rh_text_addf(text, "; %s", rh_text_get(&subject->failure));
}

struct rh_report_grade rh_subject_grade(const struct rh_subject *subject,
                                        const struct rh_judgement *judgement)
{
    return (struct rh_report_grade){.values = subject->bindings,
                                    .grade = judgement->grade,
                                    .states = subject->automaton.states.count,
                                    .difference = rh_text_get(&judgement->difference),
                                    .reason = rh_text_get(&judgement->reason),
                                    .failure = rh_text_get(&subject->failure)};
}

bool rh_subject_print_report(struct rh_report_protocol *report)
{
    struct rh_text text = {0};
    rh_report_protocol_print(&text, report);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    rh_report_protocol_free(report);
    return is_printed;
}

char *rh_subject_path(const struct rh_options *options, const struct rh_test *test,
                      const char *extension)
{
    struct rh_text path = {0};
    if (options->save)
        rh_text_addf(&path, "%s/", options->save);
    rh_text_addf(&path, "%s%s%s", test->name, extension ? "." : "", extension ? extension : "");
    return rh_text_take(&path);
}

bool rh_grid_next(struct rh_setting *settings, const struct rh_range *ranges, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        if (settings[i].value < ranges[i].last) {
            settings[i].value++;
            return true;
        }
        settings[i].value = ranges[i].first;
    }
    return false;
}

int rh_exit_worse(int one, int other)
{
    static const int ranks[] = {[RH_EXIT_NOTHING] = 0,
                                [RH_EXIT_FOUND] = 2,
                                [RH_EXIT_BAD_INPUT] = 3,
                                [RH_EXIT_FAILED] = 4,
                                [RH_EXIT_INCONCLUSIVE] = 1};
    return ranks[one] >= ranks[other] ? one : other;
}
