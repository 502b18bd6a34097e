// SPDX-License-Identifier: MIT
// What deliveries turn out to touch and look at, for searches that rely on it; and the behaviours
// that they create actors with or take on.
#include <string.h>

#include "explore/process/worker.h"

// An invariant looks at an actor, or at what is pending for the actor.
void rh_worker_on_view(void *context, uint32_t judge, uint32_t slot,
                       const struct rh_type_info *type)
{
    struct rh_worker *worker = context;
    if (!worker->notes_footprints)
        return;
    struct rh_footprints *footprints = worker->shared->footprints;
    uint64_t actor = worker->world->actors[slot].identity;
    if (type)
        rh_footprints_add_pending(footprints, judge, actor, type->name_hash);
    else
        rh_footprints_add_view(footprints, judge, actor);
}

void rh_worker_on_look_for(void *context, uint32_t judge, uint64_t name)
{
    struct rh_worker *worker = context;
    if (worker->notes_footprints)
        rh_footprints_add_named(worker->shared->footprints, judge, name);
}

void rh_worker_on_touches(void *context, const struct rh_touching *touching)
{
    struct rh_worker *worker = context;
    const struct rh_world *world = worker->world;
    if (!worker->notes_footprints)
        return;
    uint64_t type =
        touching->is_every ? RH_ANY_TYPE : rh_footprint_type(&world->messages[world->delivering]);
    rh_footprints_add_deed(worker->shared->footprints, world->actors[touching->slot].identity, type,
                           rh_touch_number(touching->object, touching->writes));
}

// The program looks at something that states were compared without.
void rh_worker_on_look(void *context, enum rh_look look)
{
    struct rh_worker *worker = context;
    struct rh_states *states = &worker->shared->states;
    // The test's body and judges always see the same time and the same random numbers.
    bool is_same = worker->world->current == 0 && look != RH_LOOK_NAMES;
    worker->rounds.lap.looks |= look;
    if (states->mode != RH_STATES_ACTORS || states->looks & look || is_same ||
        rh_worker_follows(worker))
        return;
    states->looks |= look;
    states->has_looked = true;
}

// What a delivery does that is only tried is not part of any execution.
void rh_worker_on_turn(void *context, const struct rh_turn *turn)
{
    struct rh_worker *worker = context;
    if (!rh_worker_is_trying(worker))
        rh_traffic_turn(&worker->traffic, worker->world, turn);
}

_Noreturn static void start_again(struct rh_worker *worker)
{
    rh_shared_start_again(worker->shared, worker->job.strategy);
    rh_worker_end(RH_EXIT_RESTART);
}

// The text that strtok goes on with may have been left by a delivery that was undone, and is in no
// fingerprint. From now on no call of strtok can be undone; where the search has relied on undo or
// states before, it begins anew.
void rh_worker_on_shared_tokens(void *context)
{
    struct rh_worker *worker = context;
    if (rh_worker_follows(worker) || rh_worker_tries(worker) || worker->failed ||
        rh_strategy_runs_once(worker->job.strategy) || worker->shared->tokens_shared)
        return;
    worker->shared->tokens_shared = true;
    if (worker->relies_on_footprints || worker->shared->states.entries)
        start_again(worker);
    worker->path->keep = worker->path->length;
    rh_worker_end(RH_EXIT_RESTART);
}

static void look_at_footprints(struct rh_worker *worker)
{
    struct rh_footprints *footprints = worker->shared->footprints;
    if (worker->world->wrote_library)
        rh_footprints_add_everything(footprints, "a handler has written data of a library");
    if (worker->world->has_foreign_memory)
        rh_footprints_add_everything(footprints, "handlers may share memory from before the first "
                                                 "delivery, which a sanitizer has allocated");
    if (worker->world->wrote_body)
        rh_footprints_add_everything(footprints,
                                     "a handler has written memory from before the first delivery");
    if (worker->world->cannot_undo)
        rh_footprints_add_everything(footprints, worker->world->has_stream
                                                     ? "handlers may share a stream"
                                                     : "a handler has called the system");
    if (worker->world->suppressed[0] != '\0')
        memcpy(worker->shared->suppressed, worker->world->suppressed,
               sizeof worker->shared->suppressed);
    if (footprints->has_grown && !worker->job.learns)
        start_again(worker);
}

void rh__worker_check_footprints(struct rh_worker *worker)
{
    if (worker->shared->states.has_looked && !rh_worker_follows(worker))
        start_again(worker);
    if (worker->relies_on_footprints)
        look_at_footprints(worker);
}
