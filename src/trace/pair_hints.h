// SPDX-License-Identifier: MIT
// A file of location pairs that its author says can't come about: a pair on each line, as
// `insert:18 insert_pair:17  # why`, first what is made first. Each place is an operation or a file
// with a line in it.
#ifndef REHEARSE_TRACE_PAIR_HINTS_H
#define REHEARSE_TRACE_PAIR_HINTS_H

#include <stdbool.h>

#include "base/status.h"
#include "base/vector.h"

struct rh_hint_place {
    char *name; // of an operation or a file; owned
    int line;
};

struct rh_pair_hint {
    struct rh_hint_place first, second;
    int line;     // of the file
    bool is_used; // some pair is this one
};

struct rh_pair_hints {
    RH_VECTOR(struct rh_pair_hint) items;
};

struct rh_status rh_pair_hints_read(struct rh_pair_hints *hints, const char *path);
void rh_pair_hints_fini(struct rh_pair_hints *hints);

#endif
