// SPDX-License-Identifier: MIT
// What a delivery has really touched, compared with the set that reductions go by: in a build with
// VERIFY=1, after every delivery of a search that relies on these sets and has learned nothing new
// from the delivery. (Where it has, the search starts again, and has decided nothing by the old
// sets that stays.)
#ifndef REHEARSE_EXPLORE_DEPENDENCE_FOOTPRINT_VERIFY_H
#define REHEARSE_EXPLORE_DEPENDENCE_FOOTPRINT_VERIFY_H

#include "explore/dependence/footprint.h"

// Asserts that the newest delivery, of this message, has kept to its set.
void rh_footprints_verify(struct rh_footprints *footprints, const struct rh_world *world,
                          const struct rh_message *message);

#endif
