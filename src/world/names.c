// SPDX-License-Identifier: MIT
// Names for people. An actor is named by how it was created, so it has the same name in every
// execution: `account#2` is the second account that the test creates, `fib#1.2` the second fib that
// fib#1 creates, `master#1/worker#3` the third worker that master#1 creates. A creation while
// handling any but the first message from the creator's own creator is marked with the delivery of
// that message: `master#1/worker#k3fq.1`.
#include <string.h>

#include "world/world.h"

void rh_world_add_name(const struct rh_world *world, struct rh_text *text, uint32_t slot)
{
    const struct rh_actor_record *record = &world->actors[slot];
    if (record->status == RH_ACTOR_OUTSIDE) {
        rh_text_add(text, record->spawned_name);
        return;
    }
    const struct rh_actor_record *creator = &world->actors[record->creator];
    if (creator->status == RH_ACTOR_OUTSIDE) {
        rh_identity_add_behaviour(text, record->spawned_name);
        rh_text_add(text, "#");
    } else if (strcmp(creator->spawned_name, record->spawned_name) == 0) {
        rh_world_add_name(world, text, record->creator);
        rh_text_add(text, ".");
    } else {
        rh_world_add_name(world, text, record->creator);
        rh_text_add(text, "/");
        rh_identity_add_behaviour(text, record->spawned_name);
        rh_text_add(text, "#");
    }
    if (record->tag != 0)
        rh_identity_add_mark(text, record->tag);
    rh_text_addf(text, "%u", record->index);
}

uint64_t rh_world_hash_name(const struct rh_world *world, uint32_t slot)
{
    struct rh_text text = {0};
    rh_world_add_name(world, &text, slot);
    uint64_t hash = rh_hash64_text(rh_text_get(&text), 0);
    rh_text_fini(&text);
    return hash;
}

// Two deliveries may have the same mark: of several actors the one with the least identity is
// meant, in whatever order they were created.
uint32_t rh_world_find_name(const struct rh_world *world, const char *name)
{
    uint64_t hash = rh_hash64_text(name, 0);
    uint32_t found = RH_NONE;
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (world->actors[slot].status != RH_ACTOR_OUTSIDE &&
            rh_world_hash_name(world, slot) == hash &&
            (found == RH_NONE || world->actors[slot].identity < world->actors[found].identity))
            found = slot;
    return found;
}
