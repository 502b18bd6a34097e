// SPDX-License-Identifier: MIT
#include "result/event.h"

#include <stdlib.h>

#include "base/status.h"

const char *rh_event_kind_name(enum rh_event_kind kind)
{
    static const char *const names[] = {
#define X(kind, name) name,
        RH_EVENT_KINDS(X)
#undef X
    };
    rh_assert((unsigned)kind < RH_EVENT_COUNT);
    return names[kind];
}

void rh_event_fini(struct rh_event *event)
{
    free(event->actor);
    free(event->peer);
    free(event->type);
    free(event->file);
    free(event->text);
    free(event->payload);
}
