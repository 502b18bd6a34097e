// SPDX-License-Identifier: MIT
#include "explore/run/find_unset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/process/confirm.h"
#include "world/unset.h"

// Where nothing has been found, so many decisions of an execution in sending order are made.
enum { DECISIONS_MOST = 1000 };

// The first error: what led to it may be something that was not set.
static const struct rh_lead *find_error(const struct rh_shared *shared)
{
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (shared->leads[i].finding.severity == RH_SEVERITY_ERROR)
            return &shared->leads[i];
    return NULL;
}

static struct rh_path copy_path(const struct rh_shared *shared, const struct rh_lead *lead)
{
    struct rh_path path = {.length = lead ? lead->length : 0};
    path.decisions = rh_alloc(sizeof *path.decisions * (path.length + DECISIONS_MOST));
    if (lead)
        memcpy(path.decisions, &shared->paths[lead->path], sizeof *path.decisions * path.length);
    path.keep = path.length;
    return path;
}

// What went wrong in an execution with other bytes, among the leads from `first` on; NULL if
// nothing did.
static const struct rh_lead *find_other(const struct rh_shared *shared, uint32_t first)
{
    for (uint32_t i = first; i < shared->lead_count; i++)
        if (shared->leads[i].finding.severity == RH_SEVERITY_ERROR &&
            shared->leads[i].finding.kind != RH_FINDING_UNSET)
            return &shared->leads[i];
    return NULL;
}

// Something goes wrong with other bytes: the fields that nobody has set are errors, and their
// executions go as far as that.
static void blame(struct rh_shared *shared, uint32_t first, const struct rh_lead *other)
{
    for (uint32_t i = first; i < shared->lead_count; i++) {
        struct rh_lead *lead = &shared->leads[i];
        char message[sizeof lead->finding.message] = "";
        snprintf(message, sizeof message, "%.250s; with other bytes there: %.250s",
                 lead->finding.message, other->finding.message);
        memcpy(lead->finding.message, message, sizeof message);
        lead->finding.severity = RH_SEVERITY_ERROR;
        if (other->length == 0)
            continue; // a worker that died has not left its path
        lead->path = other->path;
        lead->length = other->length;
        lead->deliveries = other->deliveries;
    }
}

// Makes the execution with this byte where nothing was set. Of what it finds, only fields that
// nobody has set are kept. `other` receives what else went wrong.
static enum rh_end look(const struct rh_job *search, const struct rh_path *path, uint8_t fill,
                        struct rh_lead *other)
{
    struct rh_shared *shared = search->shared;
    uint64_t counts[RH_LEADS_MOST];
    uint32_t count = rh_shared_keep_counts(shared, counts);
    for (uint32_t i = 0; i < count; i++)
        shared->leads[i].shown = false;
    struct rh_job job = *search;
    job.fill = fill;
    job.wanders = path->length > 0 ? 0 : DECISIONS_MOST;
    enum rh_end end = rh_confirm_follow(&job, path, search->options->hang_ms, NULL);
    const struct rh_lead *found = find_other(shared, count);
    if (found)
        *other = *found;
    else if (end == RH_END_CRASH || end == RH_END_EXIT || end == RH_END_HANG)
        rh_confirm_describe(search->options, shared, end, &other->finding);
    rh_shared_restore(shared, counts, count);
    shared->crash = (struct rh_crash){0};
    return end;
}

// Forgets leads from `first` on that the second byte has not shown again.
static void keep_shown(struct rh_shared *shared, uint32_t first, uint32_t end)
{
    uint32_t kept = first;
    for (uint32_t i = first; i < end; i++)
        if (shared->leads[i].shown)
            shared->leads[kept++] = shared->leads[i];
    shared->lead_count = kept;
}

struct rh_status rh_find_unset(const struct rh_job *search)
{
    struct rh_shared *shared = search->shared;
    const struct rh_lead *error = find_error(shared);
    if (!shared->owns_malloc || (error && error->finding.kind == RH_FINDING_HANG))
        return rh_ok();
    struct rh_path path = copy_path(shared, error);
    struct rh_lead other = {0};
    uint32_t before = shared->lead_count;
    enum rh_end end = look(search, &path, RH_UNSET_FIRST, &other);
    uint32_t found = shared->lead_count;
    if (found > before && end != RH_END_STATUS) {
        end = look(search, &path, RH_UNSET_SECOND, &other);
        keep_shown(shared, before, found);
        if (other.finding.message[0] != '\0')
            blame(shared, before, &other);
    }
    free(path.decisions);
    return end == RH_END_STATUS ? shared->status : rh_ok();
}
