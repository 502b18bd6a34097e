// SPDX-License-Identifier: MIT
// Results as JSON for machines. Only json.c and diagram_json.c include Jansson.
#ifndef REHEARSE_REPORT_JSON_H
#define REHEARSE_REPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <rehearse/test.h>

#include "base/text.h"
#include "report/run.h"

// Adds one object and a newline: with `is_flat` the only result itself, otherwise an object that
// has the results as its `tests`, and the names of the tests that were not run.
void rh_report_json(struct rh_text *text, const struct rh_report_run *run, bool is_flat,
                    bool times);

// Adds a string with its quotes.
void rh_report_json_string(struct rh_text *text, const char *string);

// Adds {"program", "verb": "list", "tests": [{"test", "file", "line"}]}.
void rh_report_json_list(struct rh_text *text, const char *program, const struct rh_test *tests,
                         size_t count);

#endif
