// SPDX-License-Identifier: MIT
#include "explore/dependence/footprint.h"

#include <stdio.h>

// Identities are hashes: none of them is this small but by a chance that is left out of account everywhere.
#define OBJECT_EVERYTHING UINT64_C(1)
#define OBJECT_VIEWED UINT64_C(2)

static bool is_viewed(const struct rh_footprints *footprints, uint64_t actor)
{
    for (uint32_t i = 0; i < footprints->view_count; i++)
        if (footprints->views[i].actor == actor && footprints->views[i].is_shared)
            return true;
    return false;
}

rh_touched rh_footprints_of(const struct rh_footprints *footprints, const struct rh_world *world,
                            const struct rh_message *message)
{
    if (footprints->everything)
        return OBJECT_EVERYTHING;
    uint64_t actor = world->actors[message->receiver].identity;
    return is_viewed(footprints, actor) ? OBJECT_VIEWED : actor;
}

bool rh_footprint_is_unseen(const struct rh_footprints *footprints, const struct rh_world *world,
                            uint32_t slot)
{
    for (uint32_t i = 0; i < footprints->view_count; i++)
        if (footprints->views[i].actor == world->actors[slot].identity)
            return false;
    return !footprints->everything;
}

void rh_footprints_add_everything(struct rh_footprints *footprints, const char *reason)
{
    if (footprints->everything)
        return;
    footprints->everything = footprints->has_grown = true;
    snprintf(footprints->reason, sizeof footprints->reason, "%s", reason);
}

#define TIED UINT32_MAX // stands for a judge that sees all actors of all pairs

// Marks the judge's views as shared from the second one on.
static void share_views(struct rh_footprints *footprints, uint32_t judge)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < footprints->view_count; i++)
        count += footprints->views[i].judge == judge;
    for (uint32_t i = 0; count > 1 && i < footprints->view_count; i++) {
        struct rh_view *view = &footprints->views[i];
        if (view->judge != judge || view->is_shared)
            continue;
        view->is_shared = footprints->has_grown = true;
    }
}

void rh_footprints_add_view(struct rh_footprints *footprints, uint32_t judge, uint64_t actor)
{
    for (uint32_t i = 0; i < footprints->view_count; i++)
        if (footprints->views[i].judge == judge && footprints->views[i].actor == actor)
            return;
    if (footprints->view_count == RH_VIEWS_MOST) {
        rh_footprints_add_everything(footprints, "invariants look at very many actors");
        return;
    }
    footprints->views[footprints->view_count++] = (struct rh_view){.actor = actor, .judge = judge};
    share_views(footprints, judge);
}

// What has sent such messages before is not known: the search begins again.
void rh_footprints_add_pending(struct rh_footprints *footprints, uint32_t judge, uint64_t receiver,
                               uint64_t type)
{
    for (uint32_t i = 0; i < footprints->pending_view_count; i++) {
        const struct rh_pending_view *view = &footprints->pending_views[i];
        if (view->judge == judge && view->receiver == receiver && view->type == type)
            return;
    }
    if (footprints->pending_view_count == RH_PENDING_VIEWS_MOST) {
        rh_footprints_add_everything(footprints, "invariants look at very many pending messages");
        return;
    }
    footprints->pending_views[footprints->pending_view_count++] =
        (struct rh_pending_view){receiver, type, judge};
    footprints->has_grown = true;
    rh_footprints_add_view(footprints, judge, receiver);
}

static void note_message(struct rh_footprints *footprints, const struct rh_world *world,
                         const struct rh_message *message, uint64_t sender)
{
    for (uint32_t i = 0; i < footprints->pending_view_count; i++) {
        const struct rh_pending_view *view = &footprints->pending_views[i];
        if (view->type == message->type->name_hash &&
            view->receiver == world->actors[message->receiver].identity)
            rh_footprints_add_view(footprints, view->judge, sender);
    }
}

// Messages are numbered in the order in which they were sent.
void rh_footprints_note_sent(struct rh_footprints *footprints, const struct rh_world *world,
                             uint32_t slot)
{
    if (footprints->pending_view_count == 0)
        return;
    for (uint32_t i = world->message_count;
         i > 0 && world->messages[i - 1].sent_at == world->number; i--)
        note_message(footprints, world, &world->messages[i - 1], world->actors[slot].identity);
}

void rh_footprints_add_pair(struct rh_footprints *footprints, uint64_t first, uint64_t second)
{
    rh_footprints_add_view(footprints, TIED, first);
    rh_footprints_add_view(footprints, TIED, second);
}

void rh_footprints_add_guard(struct rh_footprints *footprints, const struct rh_world *world)
{
    const struct rh_message *message = &world->messages[world->guarded];
    const struct rh_actor_record *sender = &world->actors[message->sender];
    if (world->number == 0 || message->sent_at != world->number ||
        message->sender == message->receiver)
        return;
    if (sender->status == RH_ACTOR_OUTSIDE)
        rh_footprints_add_everything(footprints,
                                     "a guard has failed on a message in another's name");
    else
        rh_footprints_add_pair(footprints, sender->identity,
                               world->actors[message->receiver].identity);
}
