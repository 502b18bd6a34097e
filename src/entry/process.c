// SPDX-License-Identifier: MIT
#include "entry/process.h"

struct rh_process rh__process RH__OWN;
_Thread_local struct rh_local rh__local;
