// SPDX-License-Identifier: MIT
// A growing array of any type: struct { T *items; size_t count, capacity; }.
#ifndef REHEARSE_BASE_VECTOR_H
#define REHEARSE_BASE_VECTOR_H

#include <stddef.h>
#include <stdlib.h>

#include "base/text.h"

#define RH_VECTOR(type)                                                                            \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

// Appends a zeroed element and gives its address.
#define rh_vector_push(vector)                                                                     \
    ((vector)->items = rh__vector_grow((vector)->items, sizeof *(vector)->items, (vector)->count,  \
                                       &(vector)->capacity),                                       \
     &(vector)->items[(vector)->count++])

#define rh_vector_fini(vector)                                                                     \
    (free((vector)->items), (vector)->items = NULL, (vector)->count = (vector)->capacity = 0)

void *rh__vector_grow(void *items, size_t size, size_t count, size_t *capacity);

#endif
