// SPDX-License-Identifier: MIT
// What a call that runs several tests came to.
#ifndef REHEARSE_REPORT_RUN_H
#define REHEARSE_REPORT_RUN_H

#include <stddef.h>

#include <rehearse/test.h>

#include "trace/finding.h"

// All of it is borrowed.
struct rh_report_run {
    const struct rh_result *results;
    size_t count;
    const struct rh_test *not_run; // not begun, since an interrupt or a failure ended the run
    size_t not_run_count;
};

#endif
