// SPDX-License-Identifier: MIT
// Tests that give the order of their deliveries (RH_TEST_ORDER): one execution says all about them.
#ifndef REHEARSE_EXPLORE_RUN_ORDER_H
#define REHEARSE_EXPLORE_RUN_ORDER_H

#include "explore/run.h"

// The order that the test gives; NULL if it gives none.
const struct rh_test_order *rh_order_find(const struct rh_test *test);

// Refuses orders that can't be read, and a second one for a test.
struct rh_status rh_order_check_all(void);

// The test that a generated schedule is: its body does nothing.
struct rh_test rh_order_generated(const struct rh_schedule *schedule);

// Reads the test's order, which rh_order_check_all has accepted. The caller frees the schedule.
void rh_order_read(const struct rh_test_order *order, struct rh_schedule *schedule);

// Has the run follow the test's order, whatever else was asked for. Borrows the schedule.
void rh_order_set_options(struct rh_run_options *options, const struct rh_schedule *schedule);

#endif
