// SPDX-License-Identifier: MIT
// libc's own function of a name that is defined here.
#ifndef REHEARSE_THREADS_REAL_H
#define REHEARSE_THREADS_REAL_H

#include <dlfcn.h>

#define RH_REAL(result, name, types)                                                               \
    (__extension__({                                                                               \
        static result(*real) types;                                                                \
        if (!real) {                                                                               \
            void *symbol = dlsym(RTLD_NEXT, #name);                                                \
            __builtin_memcpy(&real, &symbol, sizeof real);                                         \
        }                                                                                          \
        real;                                                                                      \
    }))

#endif
