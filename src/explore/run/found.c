// SPDX-License-Identifier: MIT
// Findings are confirmed when their execution is over, before the next one begins, and handed on at
// once: what is saved then is not lost with the keeper.
#include "explore/run/found.h"

#include <stdlib.h>
#include <string.h>

#include "explore/run/shrink_results.h"

// What followers must not change while the search goes on.
struct kept {
    struct rh_lead *leads; // owned
    uint32_t count;
    uint64_t lost, path_top;
};

static void keep(const struct rh_shared *shared, struct kept *kept)
{
    *kept = (struct kept){.leads = rh_alloc(sizeof *kept->leads * (shared->lead_count + 1)),
                          .count = shared->lead_count,
                          .lost = shared->leads_lost,
                          .path_top = shared->path_top};
    memcpy(kept->leads, shared->leads, sizeof *kept->leads * kept->count);
}

static void put_back(struct rh_shared *shared, const struct kept *kept)
{
    memcpy(shared->leads, kept->leads, sizeof *kept->leads * kept->count);
    shared->lead_count = kept->count;
    shared->leads_lost = kept->lost;
    shared->path_top = kept->path_top;
    shared->crash = (struct rh_crash){0};
    shared->has_news = false;
}

// The lead with the path that it has now, if it was confirmed already.
static struct rh_found *find_found(const struct rh_run *run, const struct rh_lead *lead)
{
    for (size_t i = 0; i < run->found.count; i++) {
        struct rh_found *found = &run->found.items[i];
        if (found->key == lead->key && found->path == lead->path)
            return found;
    }
    return NULL;
}

static struct rh_found *confirm(struct rh_run *run, const struct rh_lead *lead)
{
    struct rh_found *found = rh_vector_push(&run->found);
    *found = (struct rh_found){.key = lead->key, .path = lead->path};
    struct rh_status status = rh_confirm_lead(&run->job, lead, &found->shown);
    // What we can't follow again stays a finding.
    *(status.code == RH_FAILED ? &run->unconfirmed : &run->status) = status;
    if (rh_is_ok(&run->status) && run->options->found)
        run->options->found(run->options->found_context, &found->shown);
    return found;
}

// An execution that was cut off says nothing about the program, and a search that compares states
// forgets it.
static bool is_worth_saving(const struct rh_lead *lead)
{
    return lead->finding.kind != RH_FINDING_BOUND;
}

void rh_run_take_news(struct rh_run *run)
{
    struct kept kept;
    bool is_told = run->shared->has_news && run->options->found && !run->job.strategy->replays;
    run->shared->has_news = false;
    if (!is_told)
        return;
    keep(run->shared, &kept);
    for (uint32_t i = 0; i < kept.count && rh_is_ok(&run->status); i++)
        if (is_worth_saving(&kept.leads[i]) && !find_found(run, &kept.leads[i]))
            confirm(run, &kept.leads[i]);
    put_back(run->shared, &kept);
    free(kept.leads);
}

// A finding from before the search started again, and not found since, counts once.
static uint64_t count_of(const struct rh_lead *lead)
{
    return lead->finding.count > 0 ? lead->finding.count : 1;
}

static void take_finding(struct rh_run *run, const struct rh_lead *lead, struct rh_result *result)
{
    struct rh_found *found = find_found(run, lead);
    if (!found)
        found = confirm(run, lead);
    struct rh_shown *shown = rh_vector_push(&result->findings);
    *shown = found->shown;
    found->shown = (struct rh_shown){0};
    shown->finding.count = count_of(lead);
    result->complete &= shown->finding.kind != RH_FINDING_NONDETERMINISM;
}

static void note_unconfirmed(const struct rh_run *run, struct rh_result *result)
{
    struct rh_text text = {0};
    if (rh_is_ok(&run->unconfirmed))
        return;
    rh_text_addf(&text, "what was found could not be repeated, and is not confirmed: %s",
                 run->unconfirmed.text);
    *rh_vector_push(&result->notes) = rh_text_take(&text);
}

void rh_run_take_findings(struct rh_run *run, struct rh_result *result)
{
    struct kept kept;
    keep(run->shared, &kept);
    for (uint32_t i = 0; i < kept.count && rh_is_ok(&run->status); i++) {
        take_finding(run, &kept.leads[i], result);
        run->shared->lead_count = kept.count;
    }
    note_unconfirmed(run, result);
    if (run->options->shrink && rh_is_ok(&run->status))
        rh_shrink_errors(&run->job, run->started, result);
    rh_run_note_shortest(run, result, kept.leads);
    free(kept.leads);
}

void rh_run_forget_found(struct rh_run *run)
{
    for (size_t i = 0; i < run->found.count; i++)
        rh_shown_fini(&run->found.items[i].shown);
    rh_vector_fini(&run->found);
}
