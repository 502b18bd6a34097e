// SPDX-License-Identifier: MIT
// A number for each function of functions.def. Code that names a function of libc by RH_LIBC(name)
// does not compile if the list lacks the function.
#ifndef REHEARSE_LIBC_FUNCTIONS_H
#define REHEARSE_LIBC_FUNCTIONS_H

#include <features.h>

enum rh_libc_function {
#define FUNCTION(where, how, name, ...) RH_LIBC_##name,
#include "libc/functions.def"
};

#define RH_LIBC(name) RH_LIBC_##name

#endif
