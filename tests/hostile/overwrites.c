// SPDX-License-Identifier: MIT
// Writes beyond what is its own: over the records of messages, from its payload on over those of others, or with a wild
// pointer over all payloads.
#include <stdint.h>
#include <string.h>

#include "beside.h"

static void harm(struct victim *victim, const rh_message *message)
{
    (void)victim;
#if defined RECORDS
    memset((void *)(uintptr_t)message, 'A', 4096);
#elif defined BEHIND
    memset((void *)(uintptr_t)rh_as(message, set), 'A', 4096);
#else
    (void)message;
    memset((void *)UINT64_C(0x1d0000014000), 0xff, 65536);
#endif
}
