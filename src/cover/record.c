// SPDX-License-Identifier: MIT
#include "cover/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapping.h"

bool rh_record_open(struct rh_record *record)
{
    *record = (struct rh_record){.has_guards = rh_world_has_guards()};
    record->execution.items = rh_map_shared(sizeof *record->execution.items * RH_RECEIVES_MOST);
    record->marks = rh_map_shared(sizeof *record->marks * RH_RECEIVES_MOST);
    record->places = rh_map_shared(sizeof *record->places * RH_EVENTS_MOST);
    record->refusals = rh_map_shared(sizeof *record->refusals * RH_MESSAGES_MOST);
    return record->execution.items && record->marks && record->places && record->refusals;
}

void rh_record_close(struct rh_record *record)
{
    rh_unmap_shared(record->execution.items, sizeof *record->execution.items * RH_RECEIVES_MOST);
    rh_unmap_shared(record->marks, sizeof *record->marks * RH_RECEIVES_MOST);
    rh_unmap_shared(record->places, sizeof *record->places * RH_EVENTS_MOST);
    rh_unmap_shared(record->refusals, sizeof *record->refusals * RH_MESSAGES_MOST);
}

void rh_record_start(struct rh_record *record)
{
    record->execution.count = 0;
    record->number++;
    record->has_overflowed = record->is_unsettled = false;
}

// Guards.

// Whether the world knows the present answer of the receiver's guard about the message.
static bool is_answered(const struct rh_world *world, const struct rh_message *message)
{
    const struct rh_actor_record *receiver = &world->actors[message->receiver];
    return !receiver->guard || message->answered_in == receiver->changed_in;
}

static bool is_refused(const struct rh_world *world, const struct rh_message *message)
{
    return world->actors[message->receiver].guard && message->was_refused;
}

// If the guard's answer has changed, the newest receive has changed it.
static void note_answer(struct rh_record *record, struct rh_record_refusal *refusal, bool refused)
{
    if (refusal->execution != record->number)
        *refusal = (struct rh_record_refusal){.execution = record->number, .disabled_at = RH_NONE};
    if (refused && !refusal->is_refused)
        refusal->disabled_at = refusal->was_accepted ? record->execution.count - 1 : RH_NONE;
    refusal->is_refused = refused;
    refusal->was_refused |= refused;
    refusal->was_accepted |= !refused;
    if (refused)
        refusal->receives = record->execution.count;
}

static void note_answers(struct rh_record *record, const struct rh_world *world)
{
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *message = &world->messages[i];
        if (i < RH_MESSAGES_MOST && message->kind != RH_REPLY && is_answered(world, message))
            note_answer(record, &record->refusals[i], is_refused(world, message));
    }
}

// Finds the actor's first receive since the message was last refused, and the one after which
// refusing began.
static void find_enabler(const struct rh_record *record, uint32_t message,
                         struct rh_receive *receive)
{
    const struct rh_record_refusal *refusal = &record->refusals[message];
    if (!record->has_guards || message >= RH_MESSAGES_MOST ||
        refusal->execution != record->number || !refusal->was_refused)
        return;
    for (uint32_t place = refusal->receives; place < record->execution.count; place++)
        if (record->execution.items[place].actor == receive->actor) {
            receive->enabled_at = place;
            receive->disabled_at = refusal->disabled_at;
            return;
        }
}

// What receives touch.

// Where every delivery is taken to touch everything nothing is learned: all pairs of deliveries
// would be goals, and say nothing.
static bool learns(struct rh_record *record)
{
    const struct rh_footprints *footprints = record->footprints;
    if (footprints && footprints->everything)
        memcpy(record->learns_no_more, footprints->reason, sizeof record->learns_no_more);
    return footprints && !footprints->everything;
}

static void name_object(struct rh_coverage *coverage, const struct rh_world *world, uint64_t number)
{
    struct rh_text name = {0};
    uint32_t object = rh_coverage_find_object(coverage, number);
    if (object != RH_NONE && coverage->objects[object].name)
        return;
    bool carries = rh_footprint_describe(world, number, &name);
    rh_coverage_name_object(coverage, number, rh_text_get(&name), carries);
    rh_text_fini(&name);
}

static void name_deeds(struct rh_record *record, struct rh_coverage *coverage,
                       const struct rh_world *world)
{
    const struct rh_footprints *footprints = record->footprints;
    for (; footprints && record->named < footprints->deed_count; record->named++)
        name_object(coverage, world, footprints->deeds[record->named].touch.object.first);
}

// A message declares what its receive touches, besides what is learned.
static void note_declared(struct rh_record *record, struct rh_coverage *coverage,
                          const struct rh_world *world, const struct rh_message *message,
                          uint32_t event)
{
    if (!learns(record) || !world->options.adapter->touches)
        return;
    const struct rh_touched *touched = rh_footprints_of(record->footprints, world, message);
    rh_coverage_add_touched(coverage, event, touched);
    for (uint32_t i = 0; i < touched->count && touched->count > 1; i++)
        if (touched->touches[i].object.first != world->actors[message->receiver].identity)
            name_object(coverage, world, touched->touches[i].object.first);
}

static void note_learned(struct rh_record *record, struct rh_coverage *coverage)
{
    if (!learns(record) || record->footprints->deed_count == 0)
        return;
    for (uint32_t i = 0; i < record->execution.count; i++) {
        uint32_t number = record->execution.items[i].event;
        const struct rh_cover_event *event = &coverage->events[number];
        rh_coverage_add_touched(coverage, number,
                                rh_footprints_of_type(record->footprints,
                                                      coverage->actors[event->actor].identity,
                                                      event->footprint_type));
    }
}

// Receives.

void rh_record_settle(struct rh_record *record, struct rh_coverage *coverage,
                      const struct rh_world *world)
{
    name_deeds(record, coverage, world);
    if (record->is_unsettled) {
        const struct rh_actor_record *receiver = &world->actors[record->receiver];
        struct rh_receive *newest = &record->execution.items[record->execution.count - 1];
        newest->flags |= receiver->status == RH_ACTOR_WAITING ? RH_RECEIVE_WAITS : 0;
        newest->flags |= receiver->behaviour != record->behaviour ? RH_RECEIVE_CHANGES : 0;
        record->is_unsettled = false;
    }
    if (record->has_guards)
        note_answers(record, world);
}

static uint32_t add_event(struct rh_coverage *coverage, const struct rh_world *world,
                          const struct rh_message *message)
{
    struct rh_text sender = {0}, receiver = {0};
    rh_world_add_name(world, &sender, message->sender);
    rh_world_add_name(world, &receiver, message->receiver);
    uint64_t identity = world->actors[message->receiver].identity;
    struct rh_cover_event event = {.identity = message->identity,
                                   .line = message->line,
                                   .is_synchronous = message->kind == RH_REPLY,
                                   .type = message->type->name,
                                   .footprint_type = rh_footprint_type(message),
                                   .sender = rh_text_get(&sender),
                                   .file = message->file ? message->file : ""};
    event.actor = rh_coverage_add_actor(coverage, identity, rh_text_get(&receiver));
    uint32_t number = event.actor == RH_NONE ? RH_NONE : rh_coverage_add_event(coverage, &event);
    rh_text_fini(&sender);
    rh_text_fini(&receiver);
    return number;
}

// The world keeps messages in order that have the same sender (or the same rh_may_come) and
// receiver.
static uint64_t channel_of(const struct rh_world *world, const struct rh_message *message)
{
    if (message->channel == RH_NONE)
        return 0;
    uint64_t sender =
        message->coming != 0 ? message->coming : world->actors[message->sender].identity;
    return rh_hash64_pair(sender, world->actors[message->receiver].identity);
}

static uint32_t place_of(const struct rh_record *record, const struct rh_coverage *coverage,
                         uint64_t identity)
{
    uint32_t event = rh_coverage_find_event(coverage, identity);
    return event != RH_NONE && record->places[event].execution == record->number
               ? record->places[event].place
               : RH_NONE;
}

static uint32_t flags_of(const struct rh_message *message)
{
    return (message->kind == RH_REPLY   ? (uint32_t)RH_RECEIVE_SYNCHRONOUS
            : message->kind == RH_TIMER ? (uint32_t)RH_RECEIVE_TIMER
                                        : 0);
}

// Appends a receive to the execution. false if there is no room for it.
static bool write_down(struct rh_record *record, struct rh_coverage *coverage,
                       const struct rh_world *world, const struct rh_message *message)
{
    uint32_t place = record->execution.count;
    uint32_t event = rh_coverage_find_event(coverage, message->identity);
    if (event == RH_NONE)
        event = add_event(coverage, world, message);
    record->has_overflowed |= place >= RH_RECEIVES_MOST || event >= RH_EVENTS_MOST;
    if (record->has_overflowed)
        return false;
    uint32_t number = (uint32_t)(message - world->messages);
    uint32_t actor = coverage->events[event].actor;
    note_declared(record, coverage, world, message, event);
    record->places[event] = (struct rh_record_place){record->number, place};
    record->marks[place] = (struct rh_record_mark){channel_of(world, message), number};
    record->execution.items[place] = (struct rh_receive){
        .event = event,
        .actor = actor,
        .sent_at = message->sent_at > 0 ? message->sent_at - 1 : RH_NONE,
        .also_sent_at = message->also_sent_at > 0 ? message->also_sent_at - 1 : RH_NONE,
        .created_at = place_of(record, coverage, world->actors[message->receiver].creating),
        .behind = RH_NONE,
        .enabled_at = RH_NONE,
        .disabled_at = RH_NONE,
        .next = RH_NONE,
        .due = message->kind == RH_TIMER ? message->due : 0,
        .flags = flags_of(message)};
    find_enabler(record, number, &record->execution.items[place]);
    record->execution.count++;
    return true;
}

bool rh_record_receive(struct rh_record *record, struct rh_coverage *coverage,
                       const struct rh_world *world, const struct rh_message *message)
{
    if (!write_down(record, coverage, world, message))
        return false;
    record->is_unsettled = true;
    record->receiver = message->receiver;
    record->behaviour = world->actors[message->receiver].behaviour;
    return true;
}

void rh_record_end(struct rh_record *record, struct rh_coverage *coverage,
                   const struct rh_world *world)
{
    rh_record_settle(record, coverage, world);
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *message = &world->messages[i];
        if (world->actors[message->receiver].status != RH_ACTOR_STOPPED ||
            message->kind == RH_REPLY)
            continue;
        if (!write_down(record, coverage, world, message))
            return;
        record->execution.items[record->execution.count - 1].flags |= RH_RECEIVE_LOST;
    }
}

// Relations that are known only when the execution is over.

// The newest receive before `place` in the same channel whose message was sent earlier than that of
// `place`: with guards, messages that were sent later may have been received before.
static uint32_t find_behind(const struct rh_record *record, const uint32_t *previous,
                            uint32_t place)
{
    uint32_t at = previous[place];
    while (at != RH_NONE && record->marks[at].message > record->marks[place].message)
        at = previous[at];
    return at;
}

static int compare_channels(const void *one, const void *other)
{
    const struct rh_record_mark *const *first = one, *const *second = other;
    if ((*first)->channel != (*second)->channel)
        return (*first)->channel < (*second)->channel ? -1 : 1;
    return *first < *second ? -1 : *first > *second;
}

static void relate_channels(struct rh_record *record)
{
    uint32_t count = record->execution.count;
    const struct rh_record_mark **sorted = rh_alloc(sizeof *sorted * (count + (size_t)1));
    uint32_t *previous = rh_alloc(sizeof *previous * (count + (size_t)1));
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &record->marks[i];
    qsort(sorted, count, sizeof *sorted, compare_channels);
    for (uint32_t i = 0; i < count; i++) {
        bool follows =
            i > 0 && sorted[i]->channel != 0 && sorted[i]->channel == sorted[i - 1]->channel;
        previous[sorted[i] - record->marks] =
            follows ? (uint32_t)(sorted[i - 1] - record->marks) : RH_NONE;
    }
    for (uint32_t i = 0; i < count; i++)
        record->execution.items[i].behind = find_behind(record, previous, i);
    free(sorted);
    free(previous);
}

void rh_record_finish(struct rh_record *record, struct rh_coverage *coverage)
{
    note_learned(record, coverage);
    relate_channels(record);
    rh_receives_link(&record->execution, coverage->actor_count);
}
