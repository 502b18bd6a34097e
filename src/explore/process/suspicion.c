// SPDX-License-Identifier: MIT
#include "explore/process/suspicion.h"

#include "explore/process/place.h"

void rh_suspicion_tell(const struct rh_run_options *options, const struct rh_shared *shared,
                       double seconds, double more)
{
    const struct rh_crash *crash = &shared->crash;
    struct rh_text function = {0};
    if (!options->suspects || !crash->valid || crash->in_tool)
        return;
    struct rh_place place =
        rh_place_find(options->debug, crash->frames, crash->frame_count, &function);
    const struct rh_suspicion suspicion = {.seconds = seconds,
                                           .more = more,
                                           .actor = crash->actor,
                                           .message_type = crash->message_type,
                                           .file = place.file,
                                           .line = place.line,
                                           .function = rh_text_get(&function)};
    options->suspects(options->suspects_context, &suspicion);
    rh_text_fini(&function);
}
