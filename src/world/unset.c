// SPDX-License-Identifier: MIT
#include "world/unset.h"

static bool find(const struct rh_world *world, const struct rh_type_info *type, const void *bytes,
                 size_t size, struct rh_text *names)
{
    return type && type->debug && bytes &&
           rh_debug_find_filled(type->debug, bytes, size, world->options.fill, names);
}

void rh_unset_check_message(struct rh_world *world, const struct rh_message *message)
{
    struct rh_text names = {0};
    if (find(world, message->type, message->payload, message->size, &names))
        rh_world_report(world, RH_FINDING_UNSET, message->file, message->line,
                        "%s was sent, and nobody had set its %s", message->type->name,
                        rh_text_get(&names));
    rh_text_fini(&names);
}

void rh_unset_check_state(struct rh_world *world, uint32_t slot, const char *file, int line)
{
    const struct rh_actor_record *record = &world->actors[slot];
    struct rh_text names = {0}, actor = {0};
    const void *state = record->is_unplaced ? record->unplaced : record->state;
    if (find(world, record->state_type, state, record->state_size, &names)) {
        rh_world_add_name(world, &actor, slot);
        rh_world_report(world, RH_FINDING_UNSET, file, line,
                        "%s has a state of which nobody has set %s", rh_text_get(&actor),
                        rh_text_get(&names));
    }
    rh_text_fini(&names);
    rh_text_fini(&actor);
}
