// SPDX-License-Identifier: MIT
// The time that passes, for bounds in seconds and for what people see; nothing else in a search
// depends on it.
#ifndef REHEARSE_BASE_CLOCK_H
#define REHEARSE_BASE_CLOCK_H

// Seconds since some moment that is the same for all processes.
double rh_clock_seconds(void);

#endif
