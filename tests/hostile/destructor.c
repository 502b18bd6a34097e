// SPDX-License-Identifier: MIT
// Does harm after main.
#include <stdlib.h>

#include "beside.h"

__attribute__((destructor)) static void end(void)
{
    abort();
}

static void harm(struct victim *victim, const rh_message *message)
{
    (void)victim;
    (void)message;
}
