// SPDX-License-Identifier: MIT
// In this library libc's functions are not the world's: there is nothing to look up for them.
#include "libc/real.h"

#include <time.h>

#include "adapters/zmq/real.h"

void rh__resolve_input(void)
{
}

void rh__resolve_outside(void)
{
}

void rh__resolve_descriptor(void)
{
}

void rh__resolve_buffer(void)
{
}

void rh__resolve_process(void)
{
}

void rh__resolve_database(void)
{
}

void rh__resolve_specific(void)
{
}

void rh__reserve_keys(void)
{
}

int rh_real_clock_gettime(clockid_t clock, struct timespec *time)
{
    return RH_ZMQ_REAL(clock_gettime)(clock, time);
}
