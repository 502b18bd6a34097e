// SPDX-License-Identifier: MIT
// A library that allocates memory when it is loaded.
#include <stdlib.h>

int *early_library_number(void);

static int *number;

__attribute__((constructor)) static void make(void)
{
    number = calloc(8, sizeof *number);
}

int *early_library_number(void)
{
    return number;
}
