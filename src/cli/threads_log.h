// SPDX-License-Identifier: MIT
// `refine --log`: what a program has written down while it ran as it is.
#ifndef REHEARSE_CLI_THREADS_LOG_H
#define REHEARSE_CLI_THREADS_LOG_H

#include "base/status.h"
#include "base/text.h"

// Compares the log with the specification of this program, and adds what there is to say. The
// engine is started.
struct rh_status rh_threads_report_log(const char *path, struct rh_text *text, bool *has_failed);

#endif
