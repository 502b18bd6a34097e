// SPDX-License-Identifier: MIT
#include "result/location_pairs.h"

const char *rh_pair_state_name(enum rh_pair_state state)
{
    static const char *const names[] = {"open", "covered", "ruled out"};
    return names[state];
}
