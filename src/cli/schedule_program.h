// SPDX-License-Identifier: MIT
// Which program a schedule belongs to.
#ifndef REHEARSE_CLI_SCHEDULE_PROGRAM_H
#define REHEARSE_CLI_SCHEDULE_PROGRAM_H

#include "base/status.h"
#include "trace/schedule.h"

// Refuses a schedule of another program. A program is known by the base names of its files without
// their extension, so bank.c and the executable bank that was made of it are the same.
struct rh_status rh_schedule_check_program(const struct rh_schedule *schedule,
                                           const char *const *names, size_t count);

#endif
