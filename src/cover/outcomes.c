// SPDX-License-Identifier: MIT
#include "cover/outcomes.h"

#include "base/hash.h"
#include "base/mapping.h"
#include "memory/memory.h"

enum { WAYS_MOST = 64, TRIES_MOST = 2 };

bool rh_outcomes_open(struct rh_outcomes *outcomes)
{
    *outcomes = (struct rh_outcomes){.target = RH_NONE};
    outcomes->received = rh_map_shared(sizeof *outcomes->received * RH_SLOT_MOST);
    return outcomes->received != NULL;
}

void rh_outcomes_close(struct rh_outcomes *outcomes)
{
    rh_unmap_shared(outcomes->received, sizeof *outcomes->received * RH_SLOT_MOST);
}

// Points.

static uint32_t find(const struct rh_outcomes *outcomes, uint64_t identity)
{
    struct rh_probe probe = rh_table_probe(&outcomes->table, identity);
    while (rh_probe_next(&probe))
        if (outcomes->points[probe.number].identity == identity)
            return probe.number;
    return RH_NONE;
}

// The number of the point; RH_NONE if there is no room for it.
static uint32_t add(struct rh_outcomes *outcomes, struct rh_store *store, uint64_t identity,
                    uint32_t count, bool is_fault)
{
    uint32_t number = find(outcomes, identity);
    if (number != RH_NONE)
        return number;
    number = outcomes->count;
    struct rh_outcome_point *points =
        rh_store_grow(store, outcomes->points, sizeof *points, number, &outcomes->capacity);
    if (!points || !rh_table_add(&outcomes->table, store, identity, number))
        return RH_NONE;
    outcomes->points = points;
    count = count < WAYS_MOST ? count : WAYS_MOST;
    points[number] =
        (struct rh_outcome_point){.identity = identity, .count = count, .is_fault = is_fault};
    points[number].covered = is_fault; // that nothing happens is no goal
    outcomes->totals[is_fault].known += is_fault ? count - 1 : count;
    outcomes->count++;
    return number;
}

static void note(struct rh_outcomes *outcomes, uint32_t number, uint32_t way)
{
    struct rh_outcome_point *point = &outcomes->points[number];
    if (way >= point->count || point->covered >> way & 1)
        return;
    point->covered |= UINT64_C(1) << way;
    outcomes->totals[point->is_fault].covered++;
}

// A way of the point that no execution has gone; RH_NONE if there is none.
static uint32_t open_way(const struct rh_outcome_point *point)
{
    for (uint32_t way = 0; way < point->count; way++)
        if (!(point->covered >> way & 1))
            return way;
    return RH_NONE;
}

// Executions.

void rh_outcomes_rest(struct rh_outcomes *outcomes)
{
    outcomes->target = RH_NONE;
    outcomes->is_opportune = outcomes->has_struck = false;
}

bool rh_outcomes_start(struct rh_outcomes *outcomes, bool is_opportune, struct rh_rng *rng)
{
    rh_outcomes_rest(outcomes);
    while (outcomes->first < outcomes->count) {
        struct rh_outcome_point *point = &outcomes->points[outcomes->first];
        uint32_t way = open_way(point);
        if (way == RH_NONE || point->tries >= TRIES_MOST) {
            outcomes->first++;
            continue;
        }
        outcomes->is_opportune = is_opportune;
        outcomes->target = is_opportune ? RH_NONE : outcomes->first;
        outcomes->way = way;
        outcomes->passes = 0;
        while (is_opportune && outcomes->passes < outcomes->count && rh_rng_below(rng, 4) > 0)
            outcomes->passes++;
        return true;
    }
    return false;
}

void rh_outcomes_end(struct rh_outcomes *outcomes)
{
    if (outcomes->target != RH_NONE && !outcomes->has_struck)
        outcomes->points[outcomes->target].tries++;
    rh_outcomes_rest(outcomes);
}

// Whether the execution is to take a way of this point that is not the usual one, and which.
static bool is_wanted(struct rh_outcomes *outcomes, uint32_t number, uint32_t *way)
{
    if (outcomes->has_struck)
        return false;
    *way = outcomes->way;
    if (number == outcomes->target)
        return true;
    if (!outcomes->is_opportune)
        return false;
    *way = open_way(&outcomes->points[number]);
    return *way != RH_NONE && outcomes->passes-- == 0;
}

uint32_t rh_outcomes_choose(struct rh_outcomes *outcomes, struct rh_store *store, uint64_t identity,
                            uint32_t count, uint32_t usual, bool is_fault)
{
    uint32_t number = count > 1 ? add(outcomes, store, identity, count, is_fault) : RH_NONE;
    uint32_t way = usual;
    if (number == RH_NONE)
        return usual;
    if (is_wanted(outcomes, number, &way) && way < count)
        outcomes->has_struck = true;
    else
        way = usual;
    note(outcomes, number, way);
    return way;
}

// Crashes.

void rh_outcomes_receive(struct rh_outcomes *outcomes, uint32_t execution, uint32_t slot)
{
    struct rh_record_place *received = &outcomes->received[slot];
    if (received->execution != execution)
        *received = (struct rh_record_place){.execution = execution};
    received->place++;
}

static uint32_t count_received(const struct rh_outcomes *outcomes, uint32_t execution,
                               uint32_t slot)
{
    const struct rh_record_place *received = &outcomes->received[slot];
    return received->execution == execution ? received->place : 0;
}

uint32_t rh_outcomes_crash(struct rh_outcomes *outcomes, struct rh_store *store, uint32_t execution,
                           const struct rh_choice_point *point, uint32_t first)
{
    for (uint32_t i = first; i < point->count; i++) {
        const struct rh_message *crash = &point->world->messages[point->world->deliverable[i]];
        uint32_t received = count_received(outcomes, execution, crash->receiver);
        uint64_t identity = rh_hash64_pair(crash->identity, received);
        if (rh_outcomes_choose(outcomes, store, identity, 2, 0, true) == 1)
            return i;
    }
    return RH_NONE;
}
