// SPDX-License-Identifier: MIT
// A test with given values of its parameters, and all that its program can do with them: what the
// verbs `diagram` and `conform` look at.
#ifndef REHEARSE_CLI_SUBJECT_H
#define REHEARSE_CLI_SUBJECT_H

#include <rehearse/test.h>

#include "cli/options.h"
#include "diagram/judge.h"
#include "report/diagram.h"

struct rh_subject {
    const struct rh_options *options; // borrowed
    const struct rh_test *test;       // borrowed
    struct rh_schedule inputs;        // values of parameters
    struct rh_journal *states;        // all states
    struct rh_journal *classes;       // an execution of each class; NULL until asked for
    struct rh_automaton automaton;    // of `states`
    struct rh_automaton by_class;     // the same for sketches; zeros until asked for
    bool is_whole;                    // all states were seen
    struct rh_text failure;           // the test's own first error, or empty
    struct rh_binding *bindings;      // owned; parameters with their values; NULL: there are none
};

// A point of a grid of parameters.
struct rh_setting {
    const char *variable; // borrowed
    int64_t value;
};

// Looks at all states of the test with these values.
struct rh_status rh_subject_init(struct rh_subject *subject, const struct rh_options *options,
                                 const struct rh_test *test, const struct rh_setting *settings,
                                 size_t count);
void rh_subject_fini(struct rh_subject *subject);
// Runs an execution of each class.
struct rh_status rh_subject_run_classes(struct rh_subject *subject);

// What the diagram is compared with.
struct rh_automaton *rh_subject_automaton(struct rh_subject *subject,
                                          const struct rh_diagram *diagram);
struct rh_status rh_subject_judge(struct rh_subject *subject, const struct rh_diagram *diagram,
                                  struct rh_judgement *judgement);

// The parameters of a journal with their values, which the caller frees; NULL: there are none.
struct rh_binding *rh_subject_bindings(const struct rh_journal *journal);

// Adds "bank.c: test overdraw".
void rh_subject_add_name(const struct rh_options *options, const struct rh_test *test,
                         struct rh_text *text);
// Adds why a grade is not better, if that is known.
void rh_subject_add_reasons(const struct rh_subject *subject, const struct rh_judgement *judgement,
                            struct rh_text *text);
// The same for --json. Borrows.
struct rh_report_grade rh_subject_grade(const struct rh_subject *subject,
                                        const struct rh_judgement *judgement);
// Prints and frees it; false if that is not possible.
bool rh_subject_print_report(struct rh_report_protocol *report);
// The path of a file of this test, without a dot if `extension` is NULL. The caller frees it.
char *rh_subject_path(const struct rh_options *options, const struct rh_test *test,
                      const char *extension);

// The next point of a grid, the last variable first; false after the last point.
bool rh_grid_next(struct rh_setting *settings, const struct rh_range *ranges, size_t count);

// Of two exit statuses the one that says more: what is wrong counts more than what is not known.
int rh_exit_worse(int one, int other);

#endif
