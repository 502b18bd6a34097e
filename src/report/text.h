// SPDX-License-Identifier: MIT
// Results as text for people.
#ifndef REHEARSE_REPORT_TEXT_H
#define REHEARSE_REPORT_TEXT_H

#include <stdbool.h>

#include <rehearse/test.h>

#include "base/text.h"
#include "debug/debug.h"
#include "report/run.h"
#include "result/result.h"

struct rh_report_style {
    bool color;
    bool times;                 // say how long a test took
    bool quiet;                 // one line for each failed test
    bool full;                  // show every event of the trace, not only deliveries
    bool is_foreign;            // the program is not written with actor.h
    bool is_repeat;             // the schedule that is replayed or shrunk comes from a failure
    const char *replay_command; // borrowed; "rehearse replay"
    // Borrowed; what follows the schedule's name in the command that replays it: " -- 7"; may be
    // NULL.
    const char *replay_arguments;
    struct rh_debug *debug; // borrowed; gives fields and values their names
};

// Adds the place of a call that a sentence names: "bank.c:41"; nothing if the place is not known.
void rh_report_add_place(struct rh_text *text, const char *file, int line);

// Adds one result: its verdict in a line, then its findings, each with its trace. A replay has one
// trace, which comes before the findings.
void rh_report_text(struct rh_text *text, const struct rh_result *result,
                    const struct rh_report_style *style);

// Adds the trace of one execution as a table of deliveries. The delivery in which `finding` showed
// is marked; `finding` may be NULL.
void rh_report_trace(struct rh_text *text, const struct rh_execution *execution,
                     const struct rh_finding *finding, const struct rh_report_style *style);

// Adds one line of what to do about a finding, without a newline.
void rh_report_advice(struct rh_text *text, const struct rh_shown *shown,
                      const struct rh_report_style *style);

// What tests that passed were not tried under, in one line; nothing if there is nothing.
void rh_report_untried(struct rh_text *text, const char *const *conditions, size_t count);

// Adds the closing line about several tests: "3 passed, 1 failed, 2 not run".
void rh_report_summary(struct rh_text *text, const struct rh_report_run *run,
                       const struct rh_report_style *style);

// Adds a line for each test: "overdraw  bank.c:58".
void rh_report_list(struct rh_text *text, const struct rh_test *tests, size_t count);

#endif
