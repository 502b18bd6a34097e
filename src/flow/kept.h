// SPDX-License-Identifier: MIT
// Whose addresses a program keeps where: for a field of a state or of a message, the behaviours of
// the actors that the field ever names, in any test.
#ifndef REHEARSE_FLOW_KEPT_H
#define REHEARSE_FLOW_KEPT_H

#include "base/vector.h"
#include "bitcode/module.h"

struct rh_flow_kept {
    uint32_t behaviour; // function: the field is one of its state; RH_NONE: one of a message
    const char *type;   // of the message; borrowed
    uint64_t offset;    // of the field, in bytes
    // The answer.
    bool is_anything;               // what is kept there can't be told
    RH_VECTOR(uint32_t) behaviours; // functions, in ascending order; none: no test keeps an actor
};

// Answers all questions. A program without tests keeps nothing.
void rh_flow_kept_find(const struct rh_ir_module *module, struct rh_flow_kept *kept, size_t count);

#endif
