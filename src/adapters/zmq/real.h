// SPDX-License-Identifier: MIT
// libc's function behind one that this library defines: for calls before an execution begins, by
// the tool's own thread, and for what is not under control.
#ifndef REHEARSE_ADAPTERS_ZMQ_REAL_H
#define REHEARSE_ADAPTERS_ZMQ_REAL_H

#include "adapters/zmq/engine.h"
#include "libc/functions.h"

#define RH_ZMQ_REAL(name)                                                                          \
    (*__extension__({                                                                              \
        static __typeof__(&name) rh__real_##name;                                                  \
        _Static_assert(RH_LIBC(name) >= 0, "libc/functions.def has it");                           \
        if (!rh__real_##name)                                                                      \
            *(void **)&rh__real_##name = rh__zmq_real(#name);                                      \
        rh__real_##name;                                                                           \
    }))

#endif
