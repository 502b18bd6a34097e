// SPDX-License-Identifier: MIT
#include "explore/measure/census.h"

#include <stdlib.h>

#include "explore/strategy/strategy.h"
#include "world/state/canonical.h"

bool rh_census_init(struct rh_census *census, bool has_forms)
{
    *census = (struct rh_census){.on = true, .has_forms = has_forms};
    return rh_states_init(&census->finals) && rh_states_init(&census->forms) &&
           rh_states_init(&census->classes);
}

void rh_census_fini(struct rh_census *census)
{
    rh_states_fini(&census->finals);
    rh_states_fini(&census->forms);
    rh_states_fini(&census->classes);
}

void rh_census_reset(struct rh_census *census)
{
    if (!census->on)
        return;
    rh_states_clear(&census->finals);
    rh_states_clear(&census->forms);
    rh_states_clear(&census->classes);
    census->digest = census->forms_digest = 0;
}

// A sum over the deliveries before this one that it depends on, in whatever order.
static uint64_t sum_past(const uint64_t *identities, const struct rh_touched *const *touched,
                         uint32_t at)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < at; i++)
        if (rh_depends(touched[i], touched[at]))
            sum += rh_hash64_pair(identities[i], 0);
    return sum;
}

// A class is known by its deliveries, what their choices gave, and the order of deliveries that
// depend on each other. The sum does not depend on the order of independent ones.
static rh_hash128 class_of(const struct rh_path *path, const struct rh_touched *const *touched,
                           uint32_t count)
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
        uint64_t key[3] = {identities[i], outcomes[i], sum_past(identities, touched, i)};
        sum += rh_hash128_of(key, sizeof key, 0);
    }
    free(identities);
    free(outcomes);
    return sum;
}

// Adds an item to a set and to its digest, which does not depend on the order.
static void add_to(struct rh_states *set, rh_hash128 *digest, rh_hash128 item,
                   _Atomic uint64_t *beat)
{
    if (rh_states_add(set, item, beat) == RH_STATES_NEW)
        *digest += rh_hash128_of(&item, sizeof item, 0);
}

void rh_census_add(struct rh_census *census, struct rh_world *world, const struct rh_path *path,
                   const struct rh_touched *const *touched, _Atomic uint64_t *beat)
{
    // The stacks of waiting handlers may differ in bytes that nobody reads.
    add_to(&census->finals, &census->digest, rh_world_digest(world, false), beat);
    if (census->has_forms && world->options.fingerprints) {
        struct rh_form_bytes form = rh_world_form(world, RH_FORM_ACTORS, 0);
        add_to(&census->forms, &census->forms_digest, rh_hash128_of(form.bytes, form.size, 0),
               beat);
    }
    rh_states_add(&census->classes, class_of(path, touched, world->number), beat);
}
