// SPDX-License-Identifier: MIT
// Known findings of legacy code that are not to be reported. One a line, `#` comments:
//
//     shared-state log_counter        # a variable (the part before `+`); * matches any text
//     unhandled logger tick           # behaviour without its _behaviour, message type
#ifndef REHEARSE_TRACE_SUPPRESSION_H
#define REHEARSE_TRACE_SUPPRESSION_H

#include <stdbool.h>

#include "base/status.h"
#include "base/vector.h"

struct rh_suppression {
    char *kind;   // owned; "shared-state" or "unhandled"
    char *first;  // owned pattern
    char *second; // owned pattern; NULL if the kind has one pattern only
    int line;
};

struct rh_suppressions {
    RH_VECTOR(struct rh_suppression) items;
};

void rh_suppressions_fini(struct rh_suppressions *suppressions);
struct rh_status rh_suppressions_read(struct rh_suppressions *suppressions, const char *path);
bool rh_suppressions_match(const struct rh_suppressions *suppressions, const char *kind,
                           const char *first, const char *second);

#endif
