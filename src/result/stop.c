// SPDX-License-Identifier: MIT
#include "result/stop.h"

const char *rh_stop_name(enum rh_stop stop)
{
    static const char *const names[] = {
#define X(name, text) text,
        RH_STOPS(X)
#undef X
    };
    return names[stop];
}
