// SPDX-License-Identifier: MIT
#include "explore/dependence/footprint_verify.h"

#include "base/hash.h"
#include "world/verify.h"

static void check_actors(const struct rh_touched *set, const struct rh_world *world)
{
    for (uint32_t slot = 1; slot < world->verified.actors.count; slot++)
        if (rh_verify_has_changed(world, slot))
            rh_assert(rh_touched_has(set, world->actors[slot].identity, true));
}

// Messages that were pending for another actor stay as they are.
static void check_taken(const struct rh_touched *set, const struct rh_world *world)
{
    for (uint32_t i = 0; i < world->verified.pending.count; i++)
        if (rh_verify_has_taken(world, i))
            rh_assert(
                rh_touched_has(set, world->actors[world->messages[i].receiver].identity, true));
}

// A message that the delivery to `slot` has sent.
static void check_sent(const struct rh_touched *set, const struct rh_world *world, uint32_t slot,
                       const struct rh_message *sent)
{
    const struct rh_actor_record *receiver = &world->actors[sent->receiver];
    if (sent->kind == RH_TIMER && sent->receiver != sent->sender)
        rh_assert(rh_touched_has(set, rh_hash64_pair(RH_OBJECT_TIMERS, receiver->identity), false));
    if (sent->sender != slot && sent->channel != RH_NONE)
        rh_assert(rh_touched_has(
            set, rh_hash64_pair(RH_OBJECT_NAME, world->actors[sent->sender].identity), true));
}

static bool is_shared(const struct rh_footprints *footprints, uint32_t judge)
{
    for (uint32_t i = 0; i < footprints->view_count; i++)
        if (footprints->views[i].judge == judge && footprints->views[i].is_shared)
            return true;
    return false;
}

// An invariant that looks at several actors can tell what the delivery has done.
static void check_judge(const struct rh_footprints *footprints, const struct rh_touched *set,
                        uint32_t judge)
{
    rh_assert(!is_shared(footprints, judge) ||
              rh_touched_has(set, rh_hash64_pair(RH_OBJECT_JUDGE, judge), true));
}

// The delivery to `slot` has changed what invariants look at.
static void check_views(const struct rh_footprints *footprints, const struct rh_touched *set,
                        const struct rh_world *world, uint32_t slot)
{
    bool has_changed = world->actors[slot].hash != world->verified.actors.items[slot].hash;
    for (uint32_t i = 0; i < footprints->view_count && has_changed; i++)
        if (footprints->views[i].actor == world->actors[slot].identity)
            check_judge(footprints, set, footprints->views[i].judge);
}

// The delivery has sent or taken a message that invariants look at while it is pending.
static void check_pending(const struct rh_footprints *footprints, const struct rh_touched *set,
                          const struct rh_world *world, const struct rh_message *message)
{
    for (uint32_t i = 0; i < footprints->pending_view_count; i++) {
        const struct rh_pending_view *view = &footprints->pending_views[i];
        if (view->receiver == world->actors[message->receiver].identity &&
            view->type == rh_footprint_type(message))
            check_judge(footprints, set, view->judge);
    }
}

// The delivery has created an actor that invariants look for.
static void check_created(const struct rh_footprints *footprints, const struct rh_touched *set,
                          const struct rh_world *world, uint32_t slot)
{
    for (uint32_t i = 0; i < footprints->named_view_count; i++)
        if (footprints->named_views[i].name == rh_world_hash_name(world, slot))
            check_judge(footprints, set, footprints->named_views[i].judge);
}

void rh_footprints_verify(struct rh_footprints *footprints, const struct rh_world *world,
                          const struct rh_message *message)
{
    if (!rh_verify_is_on(world) || footprints->everything)
        return;
    const struct rh_touched *set = rh_footprints_of(footprints, world, message);
    check_actors(set, world);
    check_taken(set, world);
    check_views(footprints, set, world, message->receiver);
    check_pending(footprints, set, world, message);
    for (uint32_t i = (uint32_t)world->verified.pending.count; i < world->message_count; i++) {
        check_sent(set, world, message->receiver, &world->messages[i]);
        check_pending(footprints, set, world, &world->messages[i]);
    }
    for (uint32_t slot = (uint32_t)world->verified.actors.count; slot < world->actor_count; slot++)
        check_created(footprints, set, world, slot);
    // Variables that a suppression allows to be shared are taken not to matter.
    if (!world->options.suppressions)
        rh_assert(!rh_verify_has_written(world));
}
