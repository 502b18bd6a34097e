// SPDX-License-Identifier: MIT
// `replay --gdb`: a debugger on this very program that stops in the handler of one delivery.
#ifndef REHEARSE_CLI_GDB_H
#define REHEARSE_CLI_GDB_H

#include "base/status.h"
#include "cli/options.h"

// Becomes the debugger, with the executable of this process as its program. `delivery` 0 is the
// test's own set-up. Returns only on failure.
struct rh_status rh_gdb_exec(const struct rh_options *options, const struct rh_schedule *schedule,
                             unsigned delivery);

#endif
