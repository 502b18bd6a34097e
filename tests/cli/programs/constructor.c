// SPDX-License-Identifier: MIT
// Ends before its tests can run.
#include <stdlib.h>
#include <unistd.h>

#include <rehearse/test.h>

RH_TEST(never)
{
}

__attribute__((constructor)) static void end_early(void)
{
    if (getenv("END_BY_EXIT"))
        _exit(7);
    abort();
}
