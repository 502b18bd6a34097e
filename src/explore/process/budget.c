// SPDX-License-Identifier: MIT
#include "explore/process/budget.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "explore/process/worker.h"

enum { LOOK_AT_MEMORY = 1024 }; // after so many deliveries

bool rh_budget_stop(struct rh_shared *shared, enum rh_stop reason)
{
    shared->stopped_by = reason;
    return true;
}

struct use {
    uint64_t own;    // bytes of the process's own memory that are really there
    uint64_t shared; // bytes of shared memory that this process has used
};

// false if the system does not say.
static bool read_use(struct use *use)
{
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    unsigned long long all, resident, shared;
    if (sscanf(text, "%llu %llu %llu", &all, &resident, &shared) != 3 || shared > resident)
        return false;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    *use = (struct use){.own = (resident - shared) * page, .shared = shared * page};
    return true;
}

static bool is_beyond_memory(struct rh_shared *shared, uint64_t most)
{
    struct use use;
    if (!read_use(&use))
        rh_worker_bad_input(rh_failed("--max-memory: /proc/self/statm does not say how much there "
                                      "is"));
    uint64_t tables = rh_states_bytes(&shared->states) + rh_states_bytes(&shared->census.finals) +
                      rh_states_bytes(&shared->census.classes);
    if (!rh_states_belong_to_strategy(&shared->states))
        shared->states.bytes_most = most > use.own ? most - use.own : 0;
    return use.own + (use.shared > tables ? use.shared : tables) > most;
}

bool rh__budget_is_reached(struct rh_shared *shared, const struct rh_run_options *options)
{
    uint64_t made = shared->deliveries;
    if (options->max_deliveries > 0 && made >= options->max_deliveries)
        return rh_budget_stop(shared, RH_STOP_DELIVERIES);
    if (options->max_memory > 0 && made % LOOK_AT_MEMORY == 0 &&
        is_beyond_memory(shared, options->max_memory << 20))
        return rh_budget_stop(shared, RH_STOP_MEMORY);
    return false;
}
