// SPDX-License-Identifier: MIT
// How near a search has come to a place that it did not reach: the condition that stood in the way
// and could not be met, with what excludes it. Of several, the one after which the fewest others
// are left on the way.
#ifndef REHEARSE_SYMBOLIC_NEAREST_H
#define REHEARSE_SYMBOLIC_NEAREST_H

#include "result/reached.h"
#include "symbolic/internal.h"
#include "symbolic/target.h"

struct rh__sym_nearest {
    const struct rh__sym_target *target;
    uint32_t **steps; // by function and block: conditions until the place; RH_NONE: no way
    bool is_check;    // the check there is to fail
    bool has_begun;   // a handler that may come to the place has run
    // The condition that was not met; `jump` is NULL if there is none yet.
    const struct rh_ir_instruction *jump;
    uint32_t far;
    rh_term needed;
    const struct rh__sym_condition *conditions; // that excluded it
    uint32_t deliveries;                        // before it
    RH_VECTOR(const char *) seen;               // what was compared, in the arena
    bool has_more;                              // not all of it is in `seen`
    bool is_closed;                             // nothing is noted any more
};

void rh__sym_nearest_init(struct rh__sym *sym, struct rh__sym_nearest *nearest,
                          const struct rh__sym_target *target, bool is_check);
void rh__sym_nearest_fini(struct rh__sym_nearest *nearest);
// What the search has come to. Asks the solver what excludes the condition.
struct rh_reached_nearest rh__sym_nearest_keep(struct rh__sym *sym,
                                               struct rh__sym_nearest *nearest);

#endif
