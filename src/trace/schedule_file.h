// SPDX-License-Identifier: MIT
// What the writer and the reader of schedule files agree on.
#ifndef REHEARSE_TRACE_SCHEDULE_FILE_H
#define REHEARSE_TRACE_SCHEDULE_FILE_H

#include <stddef.h>

#define RH__SCHEDULE_VERSION 1

// About a million deliveries. A larger file is not a schedule.
#define RH__SCHEDULE_FILE_LIMIT ((size_t)128 << 20)

#endif
