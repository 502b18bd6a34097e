// SPDX-License-Identifier: MIT
// The adapter for programs written against actor.h.
#ifndef REHEARSE_ADAPTERS_NATIVE_NATIVE_H
#define REHEARSE_ADAPTERS_NATIVE_NATIVE_H

#include <rehearse/adapter.h>

extern const struct rh_adapter_ops rh_native_adapter;

#endif
