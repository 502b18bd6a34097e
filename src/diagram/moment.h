// SPDX-License-Identifier: MIT
// What tells the receipts of messages upon which a handler does something from those upon which it
// does not: a field of the message, how many have come, or what was chosen.
#ifndef REHEARSE_DIAGRAM_MOMENT_H
#define REHEARSE_DIAGRAM_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"

// A receipt.
struct rh_moment {
    const char *value; // "{amount = 5, by = teller#1}"; NULL if not known
    size_t number;     // how many of its type the actor has received by then
    uint32_t outcome;  // of the first rh_choose; RH_NONE: there was none
    bool is_one;       // the handler does it
};

struct rh_moments {
    struct rh_moment *items;
    size_t count, capacity;
};

// Adds "work", "the 3rd work", "work with n = 5", or "work (3 of 7 times)" if nothing tells them
// apart. At least one of the moments is one.
void rh_moments_add(const struct rh_moments *moments, const char *type, struct rh_text *text);

#endif
