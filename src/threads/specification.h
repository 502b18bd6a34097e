// SPDX-License-Identifier: MIT
// Specifications that are written down: RH_SPECIFICATION. Their functions run in an execution of
// their own, on the variables of the program as they are after its set-up, so that a function may
// call the component's own operation, too.
#ifndef REHEARSE_THREADS_SPECIFICATION_H
#define REHEARSE_THREADS_SPECIFICATION_H

#include "threads/commit_order.h"
#include "threads/engine.h"

bool rh__has_specifications(void);
void rh__specification_start(const struct rh_component *component);
// As rh__commit_order_check, by these functions. FAILED and REFUSED: what the engine says of it.
enum rh_outcome rh__specification_check(const struct rh_account *account,
                                        struct rh_commit_verdict *verdict);
// The view that the last of these checks has ended with.
const struct rh_view *rh__specification_view(void);

#endif
