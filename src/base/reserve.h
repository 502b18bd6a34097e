// SPDX-License-Identifier: MIT
// Address space for what may become large. Only pages that are used are really there, and they are shared with the
// processes that are forked from this one.
#ifndef REHEARSE_BASE_RESERVE_H
#define REHEARSE_BASE_RESERVE_H

#include <stddef.h>

// Zeroed. NULL if it is not to be had.
void *rh_reserve(size_t size);
// Memory of that size, or NULL.
void rh_release(void *memory, size_t size);

#endif
