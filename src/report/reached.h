// SPDX-License-Identifier: MIT
// What a search for a line has found, for people and for machines.
#ifndef REHEARSE_REPORT_REACHED_H
#define REHEARSE_REPORT_REACHED_H

#include "base/text.h"
#include "result/reached.h"

void rh_report_reached_text(struct rh_text *text, const struct rh_reached *reached);
void rh_report_reached_json(struct rh_text *text, const struct rh_reached *const *all, size_t count,
                            const char *program);

#endif
