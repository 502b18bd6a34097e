// SPDX-License-Identifier: MIT
// No library, but what compilers add to a program so as to watch it: counters are no state.
#include "library.h"

static void use(struct user *user, int number)
{
    for (int i = 0; i < number; i++)
        rh_check(user->sum >= number && user->count > 0);
}
