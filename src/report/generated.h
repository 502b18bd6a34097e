// SPDX-License-Identifier: MIT
// Generated tests for people and for machines.
#ifndef REHEARSE_REPORT_GENERATED_H
#define REHEARSE_REPORT_GENERATED_H

#include "base/text.h"
#include "result/generated.h"

// A table of the tests, what was cut and what could not be followed. `program`: what it is called.
void rh_report_generated_text(struct rh_text *text, const struct rh_generate_result *result,
                              const char *program);
// One line about a pair of many, below a head.
void rh_report_generated_head(struct rh_text *text, const char *program);
void rh_report_generated_row(struct rh_text *text, const struct rh_generate_result *result);
// One object that has the pairs.
void rh_report_generated_json(struct rh_text *text, const struct rh_generate_result *results,
                              size_t count, const char *program);

#endif
