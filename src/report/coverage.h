// SPDX-License-Identifier: MIT
// What coverage files say, as text for people and as JSON for machines.
#ifndef REHEARSE_REPORT_COVERAGE_H
#define REHEARSE_REPORT_COVERAGE_H

#include "base/text.h"
#include "result/coverage.h"

// `demanded` is the percentage of --fail-under; negative without.
void rh_report_coverage(struct rh_text *text, const struct rh_coverage_review *review,
                        double demanded);
// Adds one object and a newline. Is in json.c, since only it knows Jansson.
void rh_report_coverage_json(struct rh_text *text, const struct rh_coverage_review *review,
                             double demanded);

#endif
