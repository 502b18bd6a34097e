// SPDX-License-Identifier: MIT
#include "base/identity.h"

#include <string.h>

void rh_identity_add_behaviour(struct rh_text *text, const char *behaviour)
{
    static const char suffix[] = "_behaviour";
    size_t length = strlen(behaviour), tail = sizeof suffix - 1;
    if (length > tail && strcmp(behaviour + length - tail, suffix) == 0)
        length -= tail;
    rh_text_add_bytes(text, behaviour, length);
}

void rh_identity_add_mark(struct rh_text *text, uint64_t delivery)
{
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    for (int i = 0; i < 4; i++)
        rh_text_add_bytes(text, &digits[(delivery >> (i * 5)) & 31], 1);
    rh_text_add(text, ".");
}
