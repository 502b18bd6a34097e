// SPDX-License-Identifier: MIT
#include "result/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rh_finding_set(char *field, size_t size, const char *text)
{
    snprintf(field, size, "%s", text ? text : "");
}

bool rh_finding_is_same(const struct rh_finding *one, const struct rh_finding *other)
{
    return one->kind == other->kind && one->line == other->line &&
           one->lap.unfair == other->lap.unfair && strcmp(one->file, other->file) == 0 &&
           strcmp(one->behaviour, other->behaviour) == 0 &&
           strcmp(one->message_type, other->message_type) == 0;
}

// A crash, a hang or an exit leaves no event behind: it happened in the last delivery.
static bool ends_in_handler(enum rh_finding_kind kind)
{
    return kind == RH_FINDING_CRASH || kind == RH_FINDING_HANG || kind == RH_FINDING_EXIT;
}

uint32_t rh_finding_find_delivery(const struct rh_finding *finding,
                                  const struct rh_execution *execution)
{
    uint32_t last = 0;
    for (size_t i = 0; i < execution->events.count; i++) {
        const struct rh_event *event = &execution->events.items[i];
        if (event->kind == RH_EVENT_FINDING && event->number == (int64_t)finding->kind)
            return event->delivery;
        if (rh_event_is_step(event->kind))
            last = event->delivery;
    }
    return ends_in_handler(finding->kind) ? last : 0;
}

void rh_finding_head(const struct rh_finding *finding, struct rh_schedule *schedule)
{
    schedule->finding_kind = rh_strdup(rh_finding_kind_name(finding->kind));
    schedule->finding_file = finding->file[0] != '\0' ? rh_strdup(finding->file) : NULL;
    schedule->finding_line = finding->line;
    schedule->note = rh_strdup(finding->message);
}

bool rh_finding_is_of(const struct rh_finding *finding, const struct rh_schedule *schedule)
{
    return schedule->finding_kind &&
           strcmp(rh_finding_kind_name(finding->kind), schedule->finding_kind) == 0 &&
           strcmp(finding->file, schedule->finding_file ? schedule->finding_file : "") == 0;
}
