// SPDX-License-Identifier: MIT
// Single executions, for whoever makes them on purpose: replays, shrinking.
#ifndef REHEARSE_THREADS_FOLLOW_H
#define REHEARSE_THREADS_FOLLOW_H

#include "threads/run.h"

// One execution, as the engine's mode says.
enum rh_outcome rh__run_once(const struct rh_threads_test *test);
// What executions of the test are compared with.
void rh__begin_comparing(const struct rh_threads_test *test,
                         const struct rh_threads_options *options,
                         struct rh_threads_result *result);
// Runs whole operations in every order.
void rh__run_serial(const struct rh_threads_test *test, struct rh_threads_result *result);
// Makes the execution once more, and writes down what happens. false: it could not be followed.
bool rh__repeat(const struct rh_threads_test *test, const struct rh_threads_options *options,
                struct rh_threads_shown *shown);
// Adds the present execution's turns and choices.
void rh__find_turns(struct rh_threads_shown *shown);
// The same, as if its events had been made in the order of these numbers of the path; NULL: in
// theirs.
void rh__find_turns_in(struct rh_threads_shown *shown, const uint32_t *order);
// Whether the present execution, compared so, shows the finding.
bool rh__shows(const struct rh_threads_shown *wanted, const struct rh_compared *compared);
// The finding that what comparing has shown is.
struct rh_threads_finding rh__make_refinement(const struct rh_compared *compared);
// Whether the present execution, which is complete, has left the variables as no order does.
bool rh__make_unserial(struct rh_threads_finding *finding);
void rh__forget_found(struct rh_threads_result *result);
// What the execution that is over has shown.
void rh__take_execution(const struct rh_threads_test *test,
                        const struct rh_threads_options *options, enum rh_outcome outcome,
                        struct rh_threads_result *result);
// Why the search that began at `start` seconds ends here.
enum rh_stop rh__find_stop(const struct rh_threads_options *options,
                           const struct rh_threads_result *result, double start);
// The search itself, which adds to the result. false: it has to begin anew, since more accesses are
// events than it knew.
bool rh__search_round(const struct rh_threads_test *test, const struct rh_threads_options *options,
                      double start, struct rh_threads_result *result);
// Makes the executions that should show what none has shown so far. Where the search has not come
// to its end, samples may show more.
void rh__look_for_pairs(const struct rh_threads_test *test,
                        const struct rh_threads_options *options, double start,
                        struct rh_threads_result *result);
// Instead of a search: samples, and after each of them the executions that should show pairs which
// it has brought near, until many samples have brought nothing.
void rh__steer_to_pairs(const struct rh_threads_test *test,
                        const struct rh_threads_options *options, double start,
                        struct rh_threads_result *result);

#endif
