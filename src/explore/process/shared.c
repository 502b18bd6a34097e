// SPDX-License-Identifier: MIT
// The state of a search, in memory that outlives its workers.
#include "explore/process/shared.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/valgrind.h"

static const uint64_t PATH_MOST = UINT64_C(1) << 25; // decisions in one execution
enum { EXECUTIONS_KEPT = 8 };                        // longest ones that the findings have room for

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

// A program that runs off the end of something of its own must not run into this.
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

// The decisions of the present execution and of those that were kept follow the rest.
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
    shared->sweep = RH_SWEEP_LEAST;
    shared->shortest = UINT32_MAX;
    return shared;
}

enum rh_severity rh_shared_severity(const struct rh_run_options *options,
                                    const struct rh_shared_finding *finding)
{
    if (options->fail_on >> finding->kind & 1)
        return RH_SEVERITY_ERROR;
    if (options->warn_on >> finding->kind & 1)
        return RH_SEVERITY_WARNING;
    return finding->unfair ? RH_SEVERITY_WARNING : rh_finding_kind_severity(finding->kind);
}

uint64_t rh_shared_key(const struct rh_shared_finding *finding)
{
    uint64_t key = rh_hash64_pair((uint64_t)finding->kind, (uint64_t)finding->line);
    key = rh_hash64_text(finding->file, key);
    key = rh_hash64_text(finding->behaviour, key);
    if (finding->lap_length > 0)
        key = rh_hash64_pair(key, finding->variety + finding->unfair);
    return rh_hash64_text(finding->type, key);
}

static struct rh_shared_finding *find_finding(struct rh_shared *shared, uint64_t key)
{
    for (uint32_t i = 0; i < shared->finding_count; i++)
        if (shared->findings[i].key == key)
            return &shared->findings[i];
    return NULL;
}

// false if there is no room.
static bool keep_path(struct rh_shared *shared, struct rh_shared_finding *entry,
                      const struct rh_path *path, uint32_t length, uint32_t deliveries)
{
    if (shared->path_top + length > shared->path_most * EXECUTIONS_KEPT)
        return false;
    entry->path = shared->path_top;
    entry->length = length;
    entry->deliveries = deliveries;
    memcpy(&shared->paths[shared->path_top], path->decisions, sizeof *path->decisions * length);
    shared->path_top += length;
    return true;
}

struct rh_shared_finding *rh_shared_add(struct rh_shared *shared,
                                        const struct rh_shared_finding *finding,
                                        const struct rh_path *path, uint32_t length,
                                        const struct rh_needs *needs)
{
    static const struct rh_needs everything = {.all = true};
    uint64_t key = rh_shared_key(finding);
    struct rh_shared_finding *entry = find_finding(shared, key);
    bool is_old = entry && entry->count == 0; // from before the search started again
    if (entry) {
        entry->count++;
        entry->shown = true;
        if (!needs && !is_old)
            return entry;
    }
    uint32_t deliveries = rh_shortest_mark(path->decisions, length, needs ? needs : &everything);
    if (entry) {
        if ((is_old || deliveries < entry->deliveries) &&
            keep_path(shared, entry, path, length, deliveries)) {
            memcpy(entry->text, finding->text, sizeof entry->text);
            entry->lap_start = finding->lap_start;
            entry->lap_length = finding->lap_length;
            entry->is_whole = needs && needs->is_unknown;
        }
        return entry;
    }
    entry = &shared->findings[shared->finding_count];
    if (shared->finding_count == RH_FINDINGS_MOST) {
        shared->findings_lost++;
        return NULL;
    }
    *entry = *finding;
    entry->key = key;
    entry->count = 1;
    entry->is_whole = needs && needs->is_unknown;
    if (!keep_path(shared, entry, path, length, deliveries)) {
        shared->findings_lost++;
        return NULL;
    }
    shared->finding_count++;
    return entry;
}

static bool is_error(const struct rh_run_options *options, const struct rh_shared_finding *finding)
{
    return rh_shared_severity(options, finding) == RH_SEVERITY_ERROR;
}

static uint32_t find_shortest(const struct rh_shared *shared, const struct rh_run_options *options)
{
    uint32_t shortest = UINT32_MAX;
    for (uint32_t i = 0; i < shared->finding_count; i++)
        if (is_error(options, &shared->findings[i]) && shared->findings[i].deliveries < shortest)
            shortest = shared->findings[i].deliveries;
    return shortest;
}

void rh_shared_keep_shortest(struct rh_shared *shared, const struct rh_run_options *options)
{
    uint32_t kept = 0, shortest = find_shortest(shared, options);
    bool has_one = false;
    for (uint32_t i = 0; i < shared->finding_count; i++) {
        const struct rh_shared_finding *finding = &shared->findings[i];
        bool is_kept = !is_error(options, finding) || (!has_one && finding->deliveries == shortest);
        has_one |= is_kept && is_error(options, finding);
        if (is_kept)
            shared->findings[kept++] = *finding;
    }
    shared->finding_count = kept;
}

bool rh_shared_has_error(const struct rh_shared *shared, const struct rh_run_options *options)
{
    for (uint32_t i = 0; i < shared->finding_count; i++)
        if (is_error(options, &shared->findings[i]))
            return true;
    return false;
}

uint32_t rh_shared_keep_counts(const struct rh_shared *shared, uint64_t *counts)
{
    for (uint32_t i = 0; i < shared->finding_count; i++)
        counts[i] = shared->findings[i].count;
    return shared->finding_count;
}

void rh_shared_restore(struct rh_shared *shared, const uint64_t *counts, uint32_t count)
{
    uint32_t kept = count;
    for (uint32_t i = 0; i < count; i++)
        shared->findings[i].count = counts[i];
    for (uint32_t i = count; i < shared->finding_count; i++)
        if (shared->findings[i].kind == RH_FINDING_LIVELOCK ||
            shared->findings[i].kind == RH_FINDING_NONDETERMINISM)
            shared->findings[kept++] = shared->findings[i];
    shared->finding_count = kept;
}

static bool stop_by(struct rh_shared *shared, const char *reason)
{
    snprintf(shared->stopped_by, sizeof shared->stopped_by, "%s", reason);
    return false;
}

bool rh_shared_can_compare(const struct rh_shared *shared)
{
    return rh__process.owns_malloc && shared->cannot_undo[0] == '\0';
}

bool rh_shared_advance(struct rh_shared *shared, const struct rh_run_options *options,
                       const struct rh_strategy_ops *strategy)
{
    if (shared->stopped_by[0] != '\0')
        return false;
    // An execution that met a known state has not come to an end of its own. Where it has made no delivery of its own,
    // the search has only looked again at a point that it had been to.
    shared->executions += !shared->pruned;
    shared->pruned_count += shared->pruned && shared->begun > 0;
    shared->pruned = shared->unvisited = false;
    shared->begun = 0;
    bool goes_on = strategy->next(shared->strategy, &shared->path, shared->executions);
    shared->path.cut = false;
    shared->shortest = options->shortest ? find_shortest(shared, options) : UINT32_MAX;
    if (!goes_on) {
        shared->done = true;
        return false;
    }
    if (!options->keep_going && !options->shortest && rh_shared_has_error(shared, options))
        return stop_by(shared, "finding");
    bool may_change = options->automatic && rh_shared_can_compare(shared);
    if (may_change && shared->deliveries >= RH_DELIVERIES_FIRST)
        return stop_by(shared, RH_STOPPED_FOR_STATES);
    if (options->max_executions > 0 && shared->executions >= options->max_executions)
        return stop_by(shared, may_change ? RH_STOPPED_FOR_STATES : "executions");
    return true;
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
    shared->executions = shared->deliveries = shared->pruned_count = 0;
    for (uint32_t i = 0; i < shared->finding_count; i++)
        shared->findings[i].count = 0;
    shared->shortest = UINT32_MAX;
    shared->path.length = shared->path.keep = shared->begun = 0;
    shared->path.cut = shared->pruned = shared->unvisited = shared->footprints.has_grown = false;
}
