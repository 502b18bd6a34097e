// SPDX-License-Identifier: MIT
// Which part of a test of RH_THREADS a call of its body runs. The body passes all of its parts.
#ifndef REHEARSE_THREADS_ROLE_H
#define REHEARSE_THREADS_ROLE_H

#include <rehearse/component.h>

struct rh__role {
    int wanted; // block that is run, from 1; 0: they are counted; -1: what comes after
    int seen;   // blocks passed so far
};

#endif
