// SPDX-License-Identifier: MIT
// Frees what malloc has not given: an array, a literal, the payload of its message, an address where nothing is.
#include <stdint.h>
#include <stdlib.h>

#include "beside.h"

static void release(void *block)
{
#ifdef REALLOC
    block = realloc(block, 100);
#endif
    free(block);
}

static void harm(struct victim *victim, const rh_message *message)
{
    _Alignas(16) int array[8] = {victim->count};
    static _Alignas(16) const char literal[] = "literal";
    const void *volatile block = array;
#if defined LITERAL
    block = literal;
#elif defined PAYLOAD
    block = rh_as(message, set);
#elif defined NOTHING
    block = (void *)UINT64_C(0x123450);
#endif
    (void)literal;
    (void)message;
    release((void *)(uintptr_t)block);
}
