// SPDX-License-Identifier: MIT
#include "explore/census.h"

#include <stdlib.h>

#include "explore/strategy.h"

bool rh_census_init(struct rh_census *census)
{
    *census = (struct rh_census){.on = true};
    return rh_states_init(&census->finals) && rh_states_init(&census->classes);
}

void rh_census_fini(struct rh_census *census)
{
    rh_states_fini(&census->finals);
    rh_states_fini(&census->classes);
}

void rh_census_reset(struct rh_census *census)
{
    if (!census->on)
        return;
    rh_states_clear(&census->finals);
    rh_states_clear(&census->classes);
    census->digest = 0;
}

// The last delivery before this one that touched the same object; its identity, or 0.
static uint64_t find_previous(const uint64_t *identities, const uint64_t *objects, uint32_t at)
{
    for (uint32_t i = at; i-- > 0;)
        if (objects[i] == objects[at])
            return identities[i];
    return 0;
}

// A class is known by its deliveries, what their choices gave, and which came before which at each object. The sum
// does not depend on the order among objects.
static rh_hash128 class_of(const struct rh_path *path, const uint64_t *objects, uint32_t count)
{
    uint64_t *identities = rh_alloc(sizeof *identities * (count + 1));
    uint64_t *outcomes = rh_alloc(sizeof *outcomes * (count + 1));
    uint32_t made = 0;
    uint64_t setup = 0;
    for (uint32_t i = 0; i < path->length; i++) {
        const struct rh_decision *decision = &path->decisions[i];
        uint64_t *outcome = made > 0 ? &outcomes[made - 1] : &setup;
        if (!rh_decision_is_outcome(decision) && decision->identity != RH_FAULT_CRASH)
            identities[made++] = decision->identity;
        else if (rh_decision_is_outcome(decision))
            *outcome = rh_hash64_pair(*outcome, decision->index + UINT64_C(1));
    }
    rh_hash128 sum = setup;
    for (uint32_t i = 0; i < made; i++) {
        uint64_t key[3] = {identities[i], outcomes[i], find_previous(identities, objects, i)};
        sum += rh_hash128_of(key, sizeof key, 0);
    }
    free(identities);
    free(outcomes);
    return sum;
}

void rh_census_add(struct rh_census *census, struct rh_world *world, const struct rh_path *path,
                   const uint64_t *objects, _Atomic uint64_t *beat)
{
    // What lies on the stacks of waiting handlers may differ in bytes that nobody reads.
    rh_hash128 final = rh_world_digest(world, false);
    if (rh_states_add(&census->finals, final, beat) == RH_STATES_NEW)
        census->digest += rh_hash128_of(&final, sizeof final, 0);
    rh_states_add(&census->classes, class_of(path, objects, world->number), beat);
}
