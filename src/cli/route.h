// SPDX-License-Identifier: MIT
// Routes through what a test can do, as schedules.
#ifndef REHEARSE_CLI_ROUTE_H
#define REHEARSE_CLI_ROUTE_H

#include "cli/subject.h"

// The schedule of the deliveries on these edges of an automaton of the subject, the test's body
// first.
void rh_route_schedule(const struct rh_subject *subject, const struct rh_automaton *automaton,
                       const uint32_t *edges, size_t count, struct rh_schedule *schedule);

#endif
