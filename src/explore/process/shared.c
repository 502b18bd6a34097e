// SPDX-License-Identifier: MIT
// The state of a search, in memory that outlives its workers.
#include "explore/process/shared.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/valgrind.h"

static const uint64_t PATH_MOST = UINT64_C(1) << 25; // decisions in one execution
enum { EXECUTIONS_KEPT = 8 }; // longest executions that the findings have room for

// Valgrind keeps books about every page that could be touched, which takes long for this many.
static uint64_t path_most(void)
{
    return rh_valgrind_is_running() ? PATH_MOST / 256 : PATH_MOST;
}

enum { GUARD = 64 << 10 };

static size_t guarded_size(size_t size)
{
    return ((size + 4095) & ~(size_t)4095) + 2 * (size_t)GUARD;
}

// A program that runs off the end of something of its own must not run into shared memory.
static void *map_shared(size_t size)
{
    size_t whole = guarded_size(size);
    char *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    mprotect(memory, GUARD, PROT_NONE);
    mprotect(memory + whole - GUARD, GUARD, PROT_NONE);
    return memory + GUARD;
}

// The decisions of the present execution and of those that were kept follow the struct.
static size_t whole_size(uint64_t most)
{
    return sizeof(struct rh_shared) + sizeof(struct rh_decision) * most * (1 + EXECUTIONS_KEPT);
}

void rh_shared_free(struct rh_shared *shared)
{
    rh_states_fini(&shared->states);
    rh_trail_fini(&shared->trail);
    rh_graph_fini(&shared->graph);
    rh_census_fini(&shared->census);
    rh_commute_fini(&shared->commute);
    munmap((char *)shared - GUARD, guarded_size(whole_size(shared->path_most)));
}

struct rh_shared *rh_shared_new(void)
{
    uint64_t most = path_most();
    struct rh_shared *shared = map_shared(whole_size(most));
    if (!shared)
        return NULL;
    shared->path_most = most;
    shared->path.decisions = (struct rh_decision *)(shared + 1);
    shared->paths = shared->path.decisions + most;
    shared->shortest = UINT32_MAX;
    return shared;
}

enum rh_severity rh_shared_severity(const struct rh_run_options *options,
                                    const struct rh_finding *finding)
{
    if (options->fail_on >> finding->kind & 1)
        return RH_SEVERITY_ERROR;
    if (options->warn_on >> finding->kind & 1)
        return RH_SEVERITY_WARNING;
    return finding->lap.unfair ? RH_SEVERITY_WARNING : rh_finding_kind_severity(finding->kind);
}

uint64_t rh_shared_key(const struct rh_finding *finding)
{
    uint64_t key = rh_hash64_pair((uint64_t)finding->kind, (uint64_t)finding->line);
    key = rh_hash64_text(finding->file, key);
    key = rh_hash64_text(finding->behaviour, key);
    if (finding->lap.length > 0)
        key = rh_hash64_pair(key, finding->lap.variety + finding->lap.unfair);
    return rh_hash64_text(finding->message_type, key);
}

static struct rh_lead *find_lead(struct rh_shared *shared, uint64_t key)
{
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (shared->leads[i].key == key)
            return &shared->leads[i];
    return NULL;
}

// false if there is no room.
static bool keep_path(struct rh_shared *shared, struct rh_lead *lead, const struct rh_path *path,
                      uint32_t length, uint32_t deliveries)
{
    if (shared->path_top + length > shared->path_most * EXECUTIONS_KEPT)
        return false;
    lead->path = shared->path_top;
    lead->length = length;
    lead->deliveries = deliveries;
    memcpy(&shared->paths[shared->path_top], path->decisions, sizeof *path->decisions * length);
    shared->path_top += length;
    return true;
}

// Replaces the finding of a lead, but for its count.
static void replace_finding(struct rh_lead *lead, const struct rh_finding *finding)
{
    uint64_t count = lead->finding.count;
    lead->finding = *finding;
    lead->finding.count = count;
}

struct rh_lead *rh_shared_add(struct rh_shared *shared, const struct rh_finding *finding,
                              const struct rh_path *path, uint32_t length,
                              const struct rh_needs *needs)
{
    static const struct rh_needs everything = {.all = true};
    uint64_t key = rh_shared_key(finding);
    struct rh_lead *lead = find_lead(shared, key);
    bool is_old = lead && lead->finding.count == 0; // from before the search started again
    if (lead) {
        lead->finding.count++;
        lead->shown = true;
        if (!needs && !is_old)
            return lead;
    }
    uint32_t deliveries = rh_shortest_mark(path->decisions, length, needs ? needs : &everything);
    if (lead) {
        if ((is_old || deliveries < lead->deliveries) &&
            keep_path(shared, lead, path, length, deliveries)) {
            replace_finding(lead, finding);
            lead->is_whole = needs && needs->is_unknown;
        }
        return lead;
    }
    lead = &shared->leads[shared->lead_count];
    if (shared->lead_count == RH_LEADS_MOST) {
        shared->leads_lost++;
        return NULL;
    }
    *lead =
        (struct rh_lead){.finding = *finding, .key = key, .is_whole = needs && needs->is_unknown};
    lead->finding.count = 1;
    if (!keep_path(shared, lead, path, length, deliveries)) {
        shared->leads_lost++;
        return NULL;
    }
    shared->lead_count++;
    shared->has_news = true;
    return lead;
}

static bool is_error(const struct rh_lead *lead)
{
    return lead->finding.severity == RH_SEVERITY_ERROR;
}

static uint32_t find_shortest(const struct rh_shared *shared)
{
    uint32_t shortest = UINT32_MAX;
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (is_error(&shared->leads[i]) && shared->leads[i].deliveries < shortest)
            shortest = shared->leads[i].deliveries;
    return shortest;
}

void rh_shared_keep_shortest(struct rh_shared *shared)
{
    uint32_t kept = 0, shortest = find_shortest(shared);
    bool has_one = false;
    for (uint32_t i = 0; i < shared->lead_count; i++) {
        const struct rh_lead *lead = &shared->leads[i];
        bool is_kept = !is_error(lead) || (!has_one && lead->deliveries == shortest);
        has_one |= is_kept && is_error(lead);
        if (is_kept)
            shared->leads[kept++] = *lead;
    }
    shared->lead_count = kept;
}

bool rh_shared_has_error(const struct rh_shared *shared)
{
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (is_error(&shared->leads[i]))
            return true;
    return false;
}

uint32_t rh_shared_keep_counts(const struct rh_shared *shared, uint64_t *counts)
{
    for (uint32_t i = 0; i < shared->lead_count; i++)
        counts[i] = shared->leads[i].finding.count;
    return shared->lead_count;
}

void rh_shared_restore(struct rh_shared *shared, const uint64_t *counts, uint32_t count)
{
    uint32_t kept = count;
    for (uint32_t i = 0; i < count; i++)
        shared->leads[i].finding.count = counts[i];
    for (uint32_t i = count; i < shared->lead_count; i++)
        if (shared->leads[i].finding.kind == RH_FINDING_LIVELOCK ||
            shared->leads[i].finding.kind == RH_FINDING_UNSET ||
            shared->leads[i].finding.kind == RH_FINDING_NONDETERMINISM)
            shared->leads[kept++] = shared->leads[i];
    shared->lead_count = kept;
}

static bool stop_by(struct rh_shared *shared, enum rh_stop reason)
{
    shared->stopped_by = reason;
    return false;
}

bool rh_shared_can_compare(const struct rh_shared *shared)
{
    return shared->owns_malloc && shared->cannot_undo[0] == '\0';
}

// Whether the end of the search is further away than the options want it.
static bool is_far(const struct rh_shared *shared, const struct rh_run_options *options,
                   const struct rh_strategy_ops *strategy)
{
    uint64_t asked = options->looks_ahead;
    while (asked > 0 && asked < shared->executions)
        asked *= 2;
    return asked > 0 && asked == shared->executions && strategy->estimate &&
           strategy->estimate(shared->strategy, &shared->path, shared->executions) > options->far;
}

bool rh_shared_advance(struct rh_shared *shared, const struct rh_run_options *options,
                       const struct rh_strategy_ops *strategy)
{
    if (shared->stopped_by != RH_STOP_NOTHING)
        return false;
    // An execution that met a known state has not come to an end of its own. Where it has made no
    // delivery of its own, the search has only looked again at a point that it had been to.
    shared->executions += !shared->pruned;
    shared->pruned_count += shared->pruned && shared->begun > 0;
    shared->pruned = shared->unvisited = false;
    shared->begun = 0;
    bool goes_on = strategy->next(shared->strategy, &shared->path, shared->executions);
    rh_assert(shared->path.keep <= shared->path.length && shared->path.length <= shared->path_most);
    shared->path.cut = false;
    shared->shortest = options->shortest ? find_shortest(shared) : UINT32_MAX;
    if (!goes_on) {
        shared->done = true;
        return false;
    }
    if (!options->keep_going && !options->shortest && rh_shared_has_error(shared))
        return stop_by(shared, RH_STOP_FINDING);
    bool may_change = options->automatic && !options->begins && rh_shared_can_compare(shared);
    if (may_change && shared->deliveries >= RH_DELIVERIES_FIRST)
        return stop_by(shared, RH_STOP_FOR_STATES);
    if (is_far(shared, options, strategy))
        return stop_by(shared, RH_STOP_EXECUTIONS);
    if (options->max_executions > 0 && shared->executions >= options->max_executions)
        return stop_by(shared, may_change ? RH_STOP_FOR_STATES : RH_STOP_EXECUTIONS);
    return true;
}

void rh_shared_retry(struct rh_shared *shared)
{
    if (shared->path.keep < shared->begun)
        shared->path.keep = shared->begun;
}

void rh_shared_start_again(struct rh_shared *shared, const struct rh_strategy_ops *strategy)
{
    if (strategy->reset)
        strategy->reset(shared->strategy);
    rh_census_reset(&shared->census);
    if (shared->states.entries)
        rh_states_clear(&shared->states);
    shared->states.has_looked = false;
    rh_trail_clear(&shared->trail);
    rh_graph_clear(&shared->graph);
    shared->spent.executions += shared->executions;
    shared->spent.deliveries += shared->deliveries;
    shared->starts_again++;
    shared->executions = shared->deliveries = shared->pruned_count = 0;
    for (uint32_t i = 0; i < shared->lead_count; i++)
        shared->leads[i].finding.count = 0;
    shared->shortest = UINT32_MAX;
    shared->path.length = shared->path.keep = shared->begun = 0;
    shared->path.cut = shared->pruned = shared->unvisited = false;
    rh_footprints_restart(shared->footprints);
}
