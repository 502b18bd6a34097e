// SPDX-License-Identifier: MIT
// Results as text for people.
#ifndef REHEARSE_REPORT_TEXT_H
#define REHEARSE_REPORT_TEXT_H

#include <stdbool.h>

#include <rehearse/test.h>

#include "base/text.h"
#include "debug/debug.h"
#include "report/run.h"
#include "trace/finding.h"

struct rh_report_style {
    bool color;
    bool times;                 // say how long it took
    bool quiet;                 // one line a failed test
    bool full;                  // every event of the trace, not only deliveries
    bool is_foreign;            // the program is not written with actor.h
    bool is_repeat;             // what is replayed or shrunk is there because it failed
    const char *replay_command; // borrowed; "rehearse replay"
    const char
        *replay_arguments;  // borrowed; what follows the schedule's name: " -- 7"; may be NULL
    struct rh_debug *debug; // borrowed; names fields and values
};

// Where a call that a sentence names stands: "bank.c:41", or nothing if it is not known.
void rh_report_add_place(struct rh_text *text, const char *file, int line);

// Adds one result: its verdict in a line, then its findings, each with its trace; a replay shows its one
// trace, then the findings.
void rh_report_text(struct rh_text *text, const struct rh_result *result,
                    const struct rh_report_style *style);

// Adds the trace of one execution as a table of deliveries. `finding` marks the delivery in which it
// showed; it may be NULL.
void rh_report_trace(struct rh_text *text, const struct rh_trace *trace,
                     const struct rh_finding *finding, const struct rh_report_style *style);

// Adds one line of what to do about a finding, without a newline.
void rh_report_advice(struct rh_text *text, const struct rh_finding *finding,
                      const struct rh_report_style *style);

// Adds the closing line about several tests: "3 passed, 1 failed, 2 not run".
void rh_report_summary(struct rh_text *text, const struct rh_report_run *run,
                       const struct rh_report_style *style);

// Adds a line for each test: "overdraw  bank.c:58".
void rh_report_list(struct rh_text *text, const struct rh_test *tests, size_t count);

// What a result says about the test: unknown unless an error was found or every order was tried.
enum rh_verdict rh_report_verdict(const struct rh_result *result);

// The delivery of this trace in which the finding showed; 0 if it belongs to none.
unsigned rh_report_failing_delivery(const struct rh_finding *finding, const struct rh_trace *trace);

#endif
