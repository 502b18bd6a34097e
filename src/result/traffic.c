// SPDX-License-Identifier: MIT
#include "result/traffic.h"

#include <stdlib.h>
#include <string.h>

void rh_traffic_fini(struct rh_traffic *traffic)
{
    for (size_t i = 0; i < traffic->behaviours.count; i++) {
        free(traffic->behaviours.items[i].function);
        free(traffic->behaviours.items[i].file);
    }
    for (size_t i = 0; i < traffic->passages.count; i++) {
        struct rh_passage *passage = &traffic->passages.items[i];
        free(passage->type);
        free(passage->file);
        rh_vector_fini(&passage->earlier);
    }
    rh_vector_fini(&traffic->behaviours);
    rh_vector_fini(&traffic->passages);
}

uint32_t rh_traffic_add_behaviour(struct rh_traffic *traffic, const char *function,
                                  const char *file)
{
    for (size_t i = 0; i < traffic->behaviours.count; i++) {
        const struct rh_traffic_behaviour *known = &traffic->behaviours.items[i];
        if (strcmp(known->function, function) == 0 && strcmp(known->file, file) == 0)
            return (uint32_t)i + 1;
    }
    *rh_vector_push(&traffic->behaviours) =
        (struct rh_traffic_behaviour){rh_strdup(function), rh_strdup(file)};
    return (uint32_t)traffic->behaviours.count;
}

static bool is_same(const struct rh_passage *one, const struct rh_passage *other)
{
    return one->kind == other->kind && one->from == other->from && one->to == other->to &&
           one->line == other->line && one->is_reply == other->is_reply &&
           strcmp(one->type, other->type) == 0 && strcmp(one->file, other->file) == 0;
}

uint32_t rh_traffic_add_passage(struct rh_traffic *traffic, const struct rh_passage *passage)
{
    rh_assert(passage->from <= traffic->behaviours.count &&
              passage->to <= traffic->behaviours.count);
    for (size_t i = 0; i < traffic->passages.count; i++)
        if (is_same(&traffic->passages.items[i], passage))
            return (uint32_t)i;
    struct rh_passage *added = rh_vector_push(&traffic->passages);
    *added = (struct rh_passage){.kind = passage->kind,
                                 .from = passage->from,
                                 .to = passage->to,
                                 .type = rh_strdup(passage->type),
                                 .file = rh_strdup(passage->file),
                                 .line = passage->line,
                                 .is_reply = passage->is_reply};
    return (uint32_t)traffic->passages.count - 1;
}

void rh_traffic_set_before(struct rh_traffic *traffic, uint32_t first, uint32_t second)
{
    rh_assert(first < traffic->passages.count && second < traffic->passages.count);
    struct rh_passage *passage = &traffic->passages.items[first];
    while (passage->earlier.count <= second / 64)
        rh_vector_push(&passage->earlier);
    passage->earlier.items[second / 64] |= UINT64_C(1) << second % 64;
}

bool rh_traffic_has_before(const struct rh_traffic *traffic, uint32_t first, uint32_t second)
{
    const struct rh_passage *passage = &traffic->passages.items[first];
    return second / 64 < passage->earlier.count &&
           (passage->earlier.items[second / 64] >> second % 64 & 1);
}
