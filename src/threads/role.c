// SPDX-License-Identifier: MIT
#include "threads/role.h"

bool rh__role_is_thread(struct rh__role *role, int line)
{
    (void)line;
    return ++role->seen == role->wanted;
}

bool rh__role_is_after(struct rh__role *role)
{
    return role->wanted < 0;
}
