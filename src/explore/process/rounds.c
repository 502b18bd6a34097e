// SPDX-License-Identifier: MIT
#include "explore/process/rounds.h"

#include "explore/strategy/replay.h"

static bool is_search(const struct rh_rounds *rounds)
{
    return rounds->job->mode == RH_WORKER_SEARCH;
}

void rh_rounds_init(struct rh_rounds *rounds, const struct rh_job *job, struct rh_world *world)
{
    rounds->job = job;
    rounds->world = world;
    rounds->livelock.on =
        world->options.fingerprints && job->trace_output >= 0 && job->lap == RH_NONE;
    rounds->on = rounds->livelock.on || job->lap != RH_NONE || job->shared->graph.on ||
                 job->strategy->has_schedule;
}

// The graph of states.

static void record(struct rh_rounds *rounds, uint32_t count, const struct rh_decision *choices,
                   uint32_t choice_count)
{
    struct rh_shared *shared = rounds->job->shared;
    if (shared->graph.on && is_search(rounds))
        rh_graph_record_state(&rounds->record, &shared->graph, &shared->states, rounds->world,
                              count, choices, choice_count);
}

// A guard that fails ends an execution before its state gets into the graph; there is no need to
// let the guard fail again.
void rh_rounds_note_known(struct rh_rounds *rounds, const struct rh_decision *choices,
                          uint32_t choice_count)
{
    const struct rh_shared *shared = rounds->job->shared;
    if (shared->graph.on && rh_graph_find(&shared->graph, shared->states.latest) != RH_NONE)
        record(rounds, rh_world_deliverable(rounds->world), choices, choice_count);
}

// A search that has gone round begins anew, and this time writes the graph. (A table of bits is for
// programs with too many states to write a graph of.)
bool rh_rounds_note_trail(struct rh_rounds *rounds, rh_hash128 fingerprint, bool is_known)
{
    struct rh_shared *shared = rounds->job->shared;
    uint32_t number = rounds->world->number;
    if (shared->graph.on || shared->trail.closed)
        return false;
    if (!is_known || !rh_trail_has(&shared->trail, number, fingerprint)) {
        rh_trail_add(&shared->trail, number, fingerprint);
        return false;
    }
    shared->trail.closed = true;
    if (shared->states.mode == RH_STATES_BITSTATE || rh_faults_any(&rounds->job->options->faults))
        return false;
    shared->graph.on = true;
    rh_shared_start_again(shared, rounds->job->strategy);
    return true;
}

void rh_rounds_note_repeated(struct rh_rounds *rounds)
{
    struct rh_shared *shared = rounds->job->shared;
    if (shared->states.entries && shared->trail.count <= rounds->world->number)
        rh_rounds_note_trail(rounds, rh_states_fingerprint(&shared->states, rounds->world), false);
}

// Laps.

static bool lap_begins(const struct rh_rounds *rounds)
{
    if (rounds->job->strategy->has_schedule && is_search(rounds))
        return rh_replay_takes_lap(rounds->job->shared->strategy);
    return rounds->job->lap == rounds->world->number;
}

static void watch_lap(struct rh_rounds *rounds, uint32_t count)
{
    if (rounds->lap.on)
        rh_lap_note(&rounds->lap, rounds->world, count);
    else if (lap_begins(rounds) && rounds->world->options.fingerprints)
        rh_lap_begin(&rounds->lap, rounds->world, count);
}

void rh_rounds_note(struct rh_rounds *rounds, uint32_t count, const struct rh_decision *choices,
                    uint32_t choice_count)
{
    record(rounds, count, choices, choice_count);
    watch_lap(rounds, count);
    if (rounds->livelock.on)
        rh_livelock_note(&rounds->livelock, rounds->world, count);
}

bool rh_rounds_makes_lap(const struct rh_rounds *rounds)
{
    return rounds->lap.on || rounds->job->lap != RH_NONE;
}

void rh_rounds_finish_lap(struct rh_rounds *rounds)
{
    struct rh_world *world = rounds->world;
    const struct rh_lasso *lasso = rounds->job->lasso;
    enum rh_lap_end end = RH_LAP_NONE;
    if (rounds->lap.on && !(lasso && lasso->lost))
        end = rh_lap_finish(&rounds->lap, world);
    if (end != RH_LAP_NONE) {
        rounds->claim = rh_lap_claim(&rounds->lap, world, end);
        rh_lap_report(&rounds->claim, world);
    } else if (lasso) {
        rh_world_report(world, RH_FINDING_NONDETERMINISM, NULL, 0,
                        "the program came back to a state when it was explored, and went elsewhere "
                        "when the same deliveries were repeated: after delivery %u",
                        world->number);
    }
}

// Executions that were cut off.

struct rh_livelock_round rh_rounds_found(const struct rh_rounds *rounds)
{
    const struct rh_livelock *livelock = &rounds->livelock;
    return livelock->fair.to == 0 && rounds->job->options->unfair ? livelock->unfair
                                                                  : livelock->fair;
}

void rh_rounds_report(struct rh_rounds *rounds, struct rh_livelock_round round)
{
    rounds->claim = (struct rh_lap_claim){
        .start = round.from, .length = round.to - round.from, .never = round.never};
    rh_lap_report(&rounds->claim, rounds->world);
}
