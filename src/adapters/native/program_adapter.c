// SPDX-License-Identifier: MIT
#include "adapters/native/native.h"
#include "entry/program.h"

const struct rh_adapter_ops *rh_program_adapter(void)
{
    return &rh_native_adapter;
}

struct rh_status rh_program_check_adapter(void)
{
    return rh_ok();
}
