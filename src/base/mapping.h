// SPDX-License-Identifier: MIT
// Address space for what may become large. A page takes memory only once it is used. Processes that
// are forked later share the pages.
#ifndef REHEARSE_BASE_MAPPING_H
#define REHEARSE_BASE_MAPPING_H

#include <stddef.h>

// Gives zeroed memory; NULL if there is no address space for it.
void *rh_map_shared(size_t size);
// `memory` is from rh_map_shared with the same size, or NULL.
void rh_unmap_shared(void *memory, size_t size);

#endif
