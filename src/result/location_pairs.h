// SPDX-License-Identifier: MIT
// Pairs of accesses by different threads, as reports have them; threads/pairs.h says what they are.
#ifndef REHEARSE_RESULT_LOCATION_PAIRS_H
#define REHEARSE_RESULT_LOCATION_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

struct rh_pair_line {
    const char *operation; // NULL: outside of operations
    const char *file;      // without its directory; NULL: not known
    int line;
    bool writes;
};

enum rh_pair_state { RH_PAIR_OPEN, RH_PAIR_COVERED, RH_PAIR_RULED_OUT, RH_PAIR_STATE_COUNT };

struct rh_pair_row {
    struct rh_pair_line first, second;
    enum rh_pair_state state;
    int ways;             // pairs of the row
    int open;             // of these
    int hint;             // line of the hints that rules it out; 0: none
    uint32_t pair;        // one of them, a covered one if there is one
    const char *variable; // owned; that both touch, once
    const char *why;      // owned; of one that is ruled out: a sentence; NULL otherwise
};

struct rh_pair_rows {
    RH_VECTOR(struct rh_pair_row) rows;
    size_t counts[RH_PAIR_STATE_COUNT];
    uint64_t followed;  // executions that were made for pairs
    uint64_t last_news; // execution that was the last to cover a pair; 0: none
};

// Names are part of the contract and never change.
const char *rh_pair_state_name(enum rh_pair_state state);

#endif
