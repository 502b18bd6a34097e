// SPDX-License-Identifier: MIT
// A library with data of its own: a counter, and a block that it allocates once.
#include <stdlib.h>

int counter_next(void);

int counter_next(void)
{
    static int *count;
    if (!count)
        count = calloc(1, sizeof *count);
    return count ? ++*count : 0;
}
