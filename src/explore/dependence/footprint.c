// SPDX-License-Identifier: MIT
#include "explore/dependence/footprint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mapping.h"
#include "base/status.h"

// Objects that are no actors have a hash for a number, of what they are and of what they are about.
// The chance that such a hash is an actor's identity, or another object's number, is left out of
// account everywhere.
static uint64_t judge_number(uint32_t judge)
{
    return rh_hash64_pair(RH_OBJECT_JUDGE, judge);
}

_Static_assert((RH_FOOTPRINTS_KEPT & (RH_FOOTPRINTS_KEPT - 1)) == 0, "a power of two");

struct rh_footprints *rh_footprints_new(void)
{
    struct rh_footprints *footprints = rh_map_shared(sizeof *footprints);
    if (!footprints || !rh_touched_init(&footprints->sets)) {
        rh_unmap_shared(footprints, sizeof *footprints);
        return NULL;
    }
    struct rh_touch everything = rh_touch_number(rh_hash64_pair(RH_OBJECT_EVERYTHING, 0), true);
    footprints->whole = rh_touched_set(&footprints->sets, &everything, 1);
    return footprints;
}

void rh_footprints_free(struct rh_footprints *footprints)
{
    rh_touched_fini(&footprints->sets);
    rh_unmap_shared(footprints, sizeof *footprints);
}

// Notes that more is known than before: sets that were asked for are forgotten.
static void grow(struct rh_footprints *footprints)
{
    footprints->has_grown = true;
    memset(footprints->known, 0, sizeof footprints->known);
}

void rh_footprints_add_everything(struct rh_footprints *footprints, const char *reason)
{
    if (footprints->everything)
        return;
    footprints->everything = true;
    grow(footprints);
    snprintf(footprints->reason, sizeof footprints->reason, "%s", reason);
}

// Sets.

// A crash has no type of its own.
uint64_t rh_footprint_type(const struct rh_message *message)
{
    return message->kind == RH_CRASH ? rh_hash64_pair(RH_CRASH, 0) : message->type->name_hash;
}

static bool has_done(const struct rh_deed *deed, uint64_t actor, uint64_t type)
{
    return deed->actor == actor &&
           (deed->type == RH_ANY_TYPE || type == RH_ANY_TYPE || deed->type == type);
}

// What a message declares.
struct declared {
    const uint64_t *objects;
    unsigned count;
};

static struct declared find_declared(const struct rh_world *world, const struct rh_message *message)
{
    struct declared declared = {0};
    if (world->options.adapter->touches)
        declared.count = world->options.adapter->touches(message, &declared.objects);
    return declared;
}

static const struct rh_touched *make_set(struct rh_footprints *footprints, uint64_t actor,
                                         uint64_t type, const struct declared *declared)
{
    struct rh_touch *touches =
        rh_alloc(sizeof *touches * (footprints->deed_count + declared->count + (size_t)1));
    uint32_t count = 0;
    touches[count++] = rh_touch_number(actor, true);
    for (unsigned i = 0; i < declared->count; i++)
        touches[count++] = rh_touch_number(declared->objects[i], true);
    for (uint32_t i = 0; i < footprints->deed_count; i++)
        if (has_done(&footprints->deeds[i], actor, type))
            touches[count++] = footprints->deeds[i].touch;
    const struct rh_touched *set = rh_touched_set(&footprints->sets, touches, count);
    free(touches);
    if (set)
        return set;
    // The search starts again before it relies on this set.
    rh_footprints_add_everything(footprints, "there is no room for what deliveries touch");
    return footprints->whole;
}

static const struct rh_touched *find_set(struct rh_footprints *footprints, uint64_t actor,
                                         uint64_t type, const struct declared *declared)
{
    if (footprints->everything)
        return footprints->whole;
    uint64_t hash =
        declared->count == 0
            ? 0
            : rh_hash64(declared->objects, sizeof *declared->objects * declared->count, 0);
    uint64_t place =
        (actor ^ hash ^ type * UINT64_C(0x9E3779B97F4A7C15)) & (RH_FOOTPRINTS_KEPT - 1);
    struct rh_known_set *known = &footprints->known[place];
    rh_verify(!known->touched || rh_touched_has(known->touched, known->actor, true));
    if (!known->touched || known->actor != actor || known->type != type || known->declared != hash)
        *known =
            (struct rh_known_set){actor, type, hash, make_set(footprints, actor, type, declared)};
    return known->touched;
}

const struct rh_touched *rh_footprints_of(struct rh_footprints *footprints,
                                          const struct rh_world *world,
                                          const struct rh_message *message)
{
    const struct declared declared = find_declared(world, message);
    // Where nothing is known, all deliveries to one actor touch the same.
    return find_set(footprints, world->actors[message->receiver].identity,
                    footprints->deed_count == 0 ? RH_ANY_TYPE : rh_footprint_type(message),
                    &declared);
}

const struct rh_touched *rh_footprints_of_type(struct rh_footprints *footprints, uint64_t actor,
                                               uint64_t type)
{
    return find_set(footprints, actor, type, &(struct declared){0});
}

const struct rh_touched *rh_footprints_of_actor(struct rh_footprints *footprints,
                                                const struct rh_world *world, uint32_t slot)
{
    return find_set(footprints, world->actors[slot].identity, RH_ANY_TYPE, &(struct declared){0});
}

bool rh_footprint_is_unseen(const struct rh_footprints *footprints, const struct rh_world *world,
                            uint32_t slot)
{
    uint64_t actor = world->actors[slot].identity;
    for (uint32_t i = 0; i < footprints->view_count; i++)
        if (footprints->views[i].actor == actor)
            return false;
    for (uint32_t i = 0; i < footprints->deed_count; i++)
        if (footprints->deeds[i].actor == actor)
            return false;
    return !footprints->everything;
}

// Deeds.

static bool is_deed(const struct rh_deed *deed, uint64_t actor, uint64_t type,
                    const struct rh_touch *touch)
{
    return deed->actor == actor && (deed->type == RH_ANY_TYPE || deed->type == type) &&
           deed->touch.object.kind == touch->object.kind &&
           deed->touch.object.first == touch->object.first &&
           deed->touch.object.last == touch->object.last && deed->touch.writes >= touch->writes;
}

void rh_footprints_add_deed(struct rh_footprints *footprints, uint64_t actor, uint64_t type,
                            struct rh_touch touch)
{
    for (uint32_t i = 0; i < footprints->deed_count; i++)
        if (is_deed(&footprints->deeds[i], actor, type, &touch))
            return;
    if (footprints->deed_count == RH_DEEDS_MOST) {
        rh_footprints_add_everything(footprints, "very many deliveries touch more than an actor");
        return;
    }
    footprints->deeds[footprints->deed_count++] = (struct rh_deed){actor, type, touch};
    grow(footprints);
}

void rh_footprints_add_declared(struct rh_footprints *footprints, const struct rh_world *world,
                                const struct rh_message *message)
{
    const struct declared declared = find_declared(world, message);
    for (unsigned i = 0; i < declared.count; i++)
        rh_footprints_add_deed(footprints, world->actors[message->receiver].identity, RH_ANY_TYPE,
                               rh_touch_number(declared.objects[i], true));
}

// Invariants.

static bool is_shared(const struct rh_footprints *footprints, uint32_t judge)
{
    for (uint32_t i = 0; i < footprints->view_count; i++)
        if (footprints->views[i].judge == judge)
            return footprints->views[i].is_shared;
    return false;
}

// Marks the judge's views as shared from the second one on. Deliveries so far may have changed what
// the judge looks at, and nobody noted them: the search begins again.
static void share_views(struct rh_footprints *footprints, uint32_t judge)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < footprints->view_count; i++)
        count += footprints->views[i].judge == judge;
    for (uint32_t i = 0; count > 1 && i < footprints->view_count; i++) {
        struct rh_view *view = &footprints->views[i];
        if (view->judge != judge || view->is_shared)
            continue;
        view->is_shared = true;
        grow(footprints);
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

// Messages of this type may have been sent before, and nobody noted who sent them: the search
// begins again.
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
    grow(footprints);
    rh_footprints_add_view(footprints, judge, receiver);
}

// The actor may have been created before, and nobody noted by whom: the search begins again.
void rh_footprints_add_named(struct rh_footprints *footprints, uint32_t judge, uint64_t name)
{
    for (uint32_t i = 0; i < footprints->named_view_count; i++)
        if (footprints->named_views[i].judge == judge && footprints->named_views[i].name == name)
            return;
    if (footprints->named_view_count == RH_NAMED_VIEWS_MOST) {
        rh_footprints_add_everything(footprints, "invariants look for very many names");
        return;
    }
    footprints->named_views[footprints->named_view_count++] = (struct rh_named_view){name, judge};
    grow(footprints);
}

static void count_change(struct rh_footprints *footprints, const struct rh_world *world,
                         uint32_t judge)
{
    if (!footprints->is_counted || judge >= RH_JUDGED_MOST ||
        footprints->judged[judge].latest == footprints->delivered)
        return;
    struct rh_judged *judged = &footprints->judged[judge];
    judged->latest = footprints->delivered;
    if (judged->changes++ == 0)
        snprintf(judged->name, sizeof judged->name, "%s", world->judges.items[judge].name);
}

// A judge that looks at one actor only can't tell the order of deliveries to others.
static void write_judge(struct rh_footprints *footprints, const struct rh_world *world,
                        uint32_t judge, const struct rh_message *message)
{
    if (!is_shared(footprints, judge))
        return;
    rh_footprints_add_deed(footprints, world->actors[message->receiver].identity,
                           rh_footprint_type(message), rh_touch_number(judge_number(judge), true));
    count_change(footprints, world, judge);
}

// The delivery of `delivered` has taken or sent the message. A judge that looks at pending messages
// of this type looks at their senders too.
static void note_pending(struct rh_footprints *footprints, const struct rh_world *world,
                         const struct rh_message *message, const struct rh_message *delivered)
{
    for (uint32_t i = 0; i < footprints->pending_view_count; i++) {
        const struct rh_pending_view *view = &footprints->pending_views[i];
        if (view->type != rh_footprint_type(message) ||
            view->receiver != world->actors[message->receiver].identity)
            continue;
        rh_footprints_add_view(footprints, view->judge,
                               world->actors[delivered->receiver].identity);
        write_judge(footprints, world, view->judge, delivered);
    }
}

// The delivery has created the actor in this slot. A judge that looks for its name looks at its
// creator too.
static void note_created(struct rh_footprints *footprints, const struct rh_world *world,
                         uint32_t slot, const struct rh_message *delivered)
{
    uint64_t name = rh_world_hash_name(world, slot);
    for (uint32_t i = 0; i < footprints->named_view_count; i++) {
        const struct rh_named_view *view = &footprints->named_views[i];
        if (view->name != name)
            continue;
        rh_footprints_add_view(footprints, view->judge,
                               world->actors[delivered->receiver].identity);
        write_judge(footprints, world, view->judge, delivered);
    }
}

// Messages and actors are numbered in the order in which they appeared.
void rh_footprints_note(struct rh_footprints *footprints, const struct rh_world *world,
                        const struct rh_message *message, bool has_changed, bool is_new)
{
    footprints->is_counted = is_new;
    footprints->delivered += is_new;
    if (footprints->everything)
        return;
    for (uint32_t slot = world->actor_count;
         footprints->named_view_count > 0 && world->actors[slot - 1].creating == world->delivery;
         slot--)
        note_created(footprints, world, slot - 1, message);
    if (footprints->view_count == 0)
        return;
    uint64_t actor = world->actors[message->receiver].identity;
    for (uint32_t i = 0; i < footprints->view_count && has_changed; i++)
        if (footprints->views[i].actor == actor)
            write_judge(footprints, world, footprints->views[i].judge, message);
    if (footprints->pending_view_count == 0)
        return;
    note_pending(footprints, world, message, message);
    for (uint32_t i = world->message_count;
         i > 0 && world->messages[i - 1].sent_at == world->number; i--)
        note_pending(footprints, world, &world->messages[i - 1], message);
}

// What a note says about dependence.

void rh_footprints_restart(struct rh_footprints *footprints)
{
    footprints->has_grown = false;
    footprints->delivered = 0;
    memset(footprints->judged, 0, sizeof footprints->judged);
}

static uint32_t count_views(const struct rh_footprints *footprints, uint32_t judge)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < footprints->view_count; i++)
        count += footprints->views[i].judge == judge;
    return count;
}

static bool is_nearly_all(const struct rh_footprints *footprints, uint64_t count)
{
    return count > 0 && count >= footprints->delivered - footprints->delivered / 10;
}

void rh_footprints_explain(const struct rh_footprints *footprints, struct rh_text *text)
{
    if (footprints->everything) {
        rh_text_addf(text, "every delivery was taken to depend on every other: %s",
                     footprints->reason);
        return;
    }
    for (uint32_t i = 0; i < RH_JUDGED_MOST; i++) {
        const struct rh_judged *judged = &footprints->judged[i];
        if (!is_nearly_all(footprints, judged->changes))
            continue;
        rh_text_addf(text,
                     "%llu of %llu deliveries changed one of the %u actors that the invariant %s "
                     "looks at, and were taken to depend on each other",
                     (unsigned long long)judged->changes, (unsigned long long)footprints->delivered,
                     count_views(footprints, i), judged->name);
        return;
    }
}

// What an object is.

static void add_actor_name(const struct rh_world *world, struct rh_text *text, const char *what,
                           uint32_t slot)
{
    rh_text_add(text, what);
    rh_world_add_name(world, text, slot);
}

// Adds what the object is, if it is about the actor in this slot.
static void describe_by_actor(const struct rh_world *world, uint64_t number, struct rh_text *text,
                              uint32_t slot)
{
    uint64_t identity = world->actors[slot].identity;
    if (number == identity)
        add_actor_name(world, text, "", slot);
    else if (number == rh_hash64_pair(RH_OBJECT_TIMERS, identity))
        add_actor_name(world, text, "the timers of ", slot);
    else if (number == rh_hash64_pair(RH_OBJECT_NAME, identity))
        add_actor_name(world, text, "the name ", slot);
}

bool rh_footprint_describe(const struct rh_world *world, uint64_t number, struct rh_text *text)
{
    for (uint32_t i = 0; i < world->judges.count; i++)
        if (number == judge_number(i)) {
            rh_text_addf(text, "the invariant %s", world->judges.items[i].name);
            return false;
        }
    for (uint32_t i = 0; i < world->actor_count; i++) {
        describe_by_actor(world, number, text, i);
        if (text->length > 0)
            return number == rh_hash64_pair(RH_OBJECT_NAME, world->actors[i].identity);
    }
    rh_text_addf(text, "what threads share @%04x", (unsigned)(number >> 48));
    return true;
}

// Guards.

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
        rh_footprints_add_deed(footprints, sender->identity, RH_ANY_TYPE,
                               rh_touch_number(world->actors[message->receiver].identity, false));
}
