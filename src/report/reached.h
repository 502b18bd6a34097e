// SPDX-License-Identifier: MIT
// What a search for a line has found, for people and for machines.
#ifndef REHEARSE_REPORT_REACHED_H
#define REHEARSE_REPORT_REACHED_H

#include "base/text.h"
#include "result/reached.h"

void rh_report_reached_text(struct rh_text *text, const struct rh_reached *reached);
// One line about a place of many.
void rh_report_reached_row(struct rh_text *text, const struct rh_reached *reached);
// How many there were of each verdict; and how many lines no handler comes to.
void rh_report_reached_sum(struct rh_text *text, const uint64_t *counts, uint64_t left_out);
void rh_report_reached_json(struct rh_text *text, const struct rh_reached *const *all, size_t count,
                            const char *program);

#endif
