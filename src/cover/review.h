// SPDX-License-Identifier: MIT
// Says for people what coverage files hold: which pairs of receives were seen in both orders, which
// in one order only and how the other could be reached, which can't have another order and why, and
// of which that is not known.
#ifndef REHEARSE_COVER_REVIEW_H
#define REHEARSE_COVER_REVIEW_H

#include "cover/coverage_file.h"
#include "result/coverage.h"

// Lists the first `most` pairs of each kind for each actor; 0: all pairs. Notes in the coverages of
// the set which orders are impossible.
struct rh_status rh_coverage_review(struct rh_coverage_set *set, uint64_t most,
                                    struct rh_coverage_review *review);

#endif
