// SPDX-License-Identifier: MIT
// Executions between two of a search, of which the search knows nothing but what they have shown to
// be shared.
#ifndef REHEARSE_THREADS_KEPT_H
#define REHEARSE_THREADS_KEPT_H

// What the engine and the history say of the execution that was made last.
struct rh_kept;
struct rh_kept *rh__keep(void);
void rh__put_back(struct rh_kept *kept);

#endif
