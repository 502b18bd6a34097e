// SPDX-License-Identifier: MIT
// Compares entry/operations.def with the declarations of actor.h and test.h.
#include "entry/operations.h"

typedef void NOTHING;

#define WORD(word, size, type)                                                                     \
    typedef type word;                                                                             \
    _Static_assert(sizeof(word) == size, "operations.def has the size of " #word);
#include "entry/operations.def"

#define OPERATION(name, result, meaning, ...)                                                      \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), result(__VA_ARGS__)),            \
                   "operations.def has the types of " #name);
#include "entry/operations.def"
