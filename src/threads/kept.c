// SPDX-License-Identifier: MIT
#include "threads/kept.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "threads/engine.h"
#include "threads/history.h"

struct rh_kept {
    struct rh_history history;
    char engine[offsetof(struct rh_engine, path)];
};

struct rh_kept *rh__keep(void)
{
    struct rh_kept *kept = rh_alloc(sizeof *kept);
    kept->history = *rh__history;
    memcpy(kept->engine, rh__engine, sizeof kept->engine);
    return kept;
}

void rh__put_back(struct rh_kept *kept)
{
    uint32_t granules = rh__engine->granule_count;
    uint64_t growths = rh__engine->growths;
    bool has_grown = rh__engine->has_grown, is_interrupted = rh__engine->is_interrupted;
    memcpy(rh__engine, kept->engine, sizeof kept->engine);
    *rh__history = kept->history;
    rh__engine->granule_count = granules;
    rh__engine->has_grown = has_grown;
    rh__engine->growths = growths;
    rh__engine->is_interrupted = is_interrupted;
    free(kept);
}
