// SPDX-License-Identifier: MIT
// The time that passes, for bounds and for what people see; no decision of a search rests on it otherwise.
#ifndef REHEARSE_BASE_CLOCK_H
#define REHEARSE_BASE_CLOCK_H

// Seconds since some moment that is the same for all processes.
double rh_clock_seconds(void);

#endif
