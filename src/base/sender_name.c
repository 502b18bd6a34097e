// SPDX-License-Identifier: MIT
#include "base/sender_name.h"

#include <stddef.h>
#include <string.h>

const char *rh_sender_name_fault(const char *name)
{
    if (!name || !*name)
        return " without a name";
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f || strchr("\"'#", *at))
            return " with a name that has a control character, a quote or # in it";
    return strcmp(name, "outside") == 0 ? "(\"outside\"): that is the test itself" : NULL;
}
