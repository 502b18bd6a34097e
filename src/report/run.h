// SPDX-License-Identifier: MIT
// What a call of the command that runs several tests has led to.
#ifndef REHEARSE_REPORT_RUN_H
#define REHEARSE_REPORT_RUN_H

#include <stddef.h>

#include <rehearse/test.h>

#include "result/result.h"

// All pointers are borrowed.
struct rh_report_run {
    const struct rh_result *results;
    size_t count;
    const struct rh_test *not_run; // tests that an interrupt or a failure kept from beginning
    size_t not_run_count;
};

#endif
