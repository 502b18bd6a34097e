// SPDX-License-Identifier: MIT
// Forbids system calls, which would forbid those of the search as well.
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "beside.h"

static void harm(struct victim *victim, const rh_message *message)
{
    (void)victim;
    (void)message;
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}
