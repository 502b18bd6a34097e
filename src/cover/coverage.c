// SPDX-License-Identifier: MIT
#include "cover/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

enum { ATTEMPTS_MOST = 3 };

static const char *const criterion_names[] = {"pr", "pbr", "pcr"};

const char *rh_criterion_name(enum rh_criterion criterion)
{
    return criterion_names[criterion];
}

bool rh_criterion_parse(const char *text, enum rh_criterion *criterion)
{
    for (int i = 0; i < RH_CRITERION_COUNT; i++)
        if (strcmp(text, criterion_names[i]) == 0) {
            *criterion = (enum rh_criterion)i;
            return true;
        }
    return false;
}

bool rh_coverage_open(struct rh_coverage *coverage, size_t size)
{
    *coverage = (struct rh_coverage){0};
    if (!rh_store_open(&coverage->store, size) || !rh_touched_init(&coverage->sets))
        return false;
    coverage->across = rh_store_take(&coverage->store, sizeof *coverage->across);
    *coverage->across = (struct rh_cover_actor){.is_across = true};
    return true;
}

void rh_coverage_close(struct rh_coverage *coverage)
{
    rh_store_close(&coverage->store);
    rh_touched_fini(&coverage->sets);
    *coverage = (struct rh_coverage){0};
}

// Actors and events.

// Identities are hashes.
static uint32_t find_actor(const struct rh_coverage *coverage, uint64_t identity)
{
    struct rh_probe probe = rh_table_probe(&coverage->actor_table, identity);
    while (rh_probe_next(&probe))
        if (coverage->actors[probe.number].identity == identity)
            return probe.number;
    return RH_NONE;
}

uint32_t rh_coverage_add_actor(struct rh_coverage *coverage, uint64_t identity, const char *name)
{
    uint32_t number = find_actor(coverage, identity);
    if (number != RH_NONE)
        return number;
    number = coverage->actor_count;
    struct rh_cover_actor *actors = rh_store_grow(
        &coverage->store, coverage->actors, sizeof *actors, number, &coverage->actor_capacity);
    const char *copy = rh_store_copy_text(&coverage->store, name);
    if (!actors || !copy ||
        !rh_table_add(&coverage->actor_table, &coverage->store, identity, number))
        return RH_NONE;
    coverage->actors = actors;
    actors[number] = (struct rh_cover_actor){.identity = identity, .name = copy};
    coverage->actor_count++;
    return number;
}

// Makes tables of twice the size, with the old ones in their upper left corners.
static bool grow_bits(struct rh_store *store, struct rh_cover_actor *actor)
{
    uint32_t words = actor->words > 0 ? actor->words * 2 : 1;
    size_t rows = words * (size_t)64;
    int kinds = actor->is_across ? RH_BITS_COUNT : RH_BITS_DEPENDS;
    for (int kind = 0; kind < kinds; kind++) {
        uint64_t *bits = rh_store_take(store, sizeof *bits * rows * words);
        if (!bits)
            return false;
        for (size_t row = 0; row < actor->words * (size_t)64; row++)
            memcpy(bits + row * words, actor->bits[kind] + row * actor->words,
                   sizeof *bits * actor->words);
        actor->bits[kind] = bits;
    }
    actor->words = words;
    return true;
}

static bool add_local(struct rh_coverage *coverage, struct rh_cover_actor *actor, uint32_t event)
{
    uint32_t *events = rh_store_grow(&coverage->store, actor->events, sizeof *events,
                                     actor->event_count, &actor->event_capacity);
    struct rh_cover_row *rows = rh_store_grow(&coverage->store, actor->rows, sizeof *rows,
                                              actor->event_count, &actor->row_capacity);
    if (!events || !rows)
        return false;
    actor->events = events;
    actor->rows = rows;
    rows[actor->event_count] = (struct rh_cover_row){.is_counted = false};
    if (actor->event_count == actor->words * 64 && !grow_bits(&coverage->store, actor))
        return false;
    actor->events[actor->event_count++] = event;
    return true;
}

uint32_t rh_coverage_find_event(const struct rh_coverage *coverage, uint64_t identity)
{
    struct rh_probe probe = rh_table_probe(&coverage->event_table, identity);
    while (rh_probe_next(&probe))
        if (coverage->events[probe.number].identity == identity)
            return probe.number;
    return RH_NONE;
}

uint32_t rh_coverage_add_event(struct rh_coverage *coverage, const struct rh_cover_event *event)
{
    uint32_t number = rh_coverage_find_event(coverage, event->identity);
    if (number != RH_NONE)
        return number;
    number = coverage->event_count;
    struct rh_store *store = &coverage->store;
    struct rh_cover_actor *actor = &coverage->actors[event->actor];
    struct rh_cover_event copy = *event;
    if (actor->event_count == RH_COVER_EVENTS_MOST)
        return RH_NONE;
    copy.local = actor->event_count;
    copy.shared = RH_NONE;
    copy.touched = copy.learned = NULL;
    copy.type = rh_store_copy_text(store, event->type);
    copy.sender = rh_store_copy_text(store, event->sender);
    copy.file = rh_store_copy_text(store, event->file);
    struct rh_cover_event *events =
        rh_store_grow(store, coverage->events, sizeof *events, number, &coverage->event_capacity);
    if (events)
        coverage->events = events;
    if (store->is_full || !add_local(coverage, actor, number) ||
        !rh_table_add(&coverage->event_table, store, event->identity, number))
        return RH_NONE;
    coverage->events[number] = copy;
    coverage->event_count++;
    return number;
}

// Bits.

static uint64_t *row_of(const struct rh_cover_actor *actor, enum rh_bits kind, uint32_t local)
{
    return actor->bits[kind] + local * (size_t)actor->words;
}

static bool get_bit(const uint64_t *row, uint32_t local)
{
    return row[local / 64] >> local % 64 & 1;
}

// Gives whether the bit was not set before.
static bool set_bit(uint64_t *row, uint32_t local)
{
    bool is_new = !get_bit(row, local);
    row[local / 64] |= UINT64_C(1) << local % 64;
    return is_new;
}

// Sets the bits of both orders of a pair. Gives whether they were not set before.
static bool set_both(const struct rh_cover_actor *actor, enum rh_bits bits, uint32_t one,
                     uint32_t other)
{
    bool is_new = set_bit(row_of(actor, bits, one), other);
    set_bit(row_of(actor, bits, other), one);
    return is_new;
}

// Where the bits of two events are.
struct cell {
    struct rh_cover_actor *actor;
    uint32_t row, column; // RH_NONE: the actor has not got both events
};

static struct cell find_cell(const struct rh_coverage *coverage, uint32_t first, uint32_t second)
{
    const struct rh_cover_event *one = &coverage->events[first];
    const struct rh_cover_event *other = &coverage->events[second];
    if (one->actor == other->actor)
        return (struct cell){&coverage->actors[one->actor], one->local, other->local};
    return (struct cell){coverage->across, one->shared, other->shared};
}

bool rh_coverage_has(const struct rh_coverage *coverage, enum rh_bits bits, uint32_t first,
                     uint32_t second)
{
    struct cell cell = find_cell(coverage, first, second);
    return cell.row != RH_NONE && cell.column != RH_NONE &&
           get_bit(row_of(cell.actor, bits, cell.row), cell.column);
}

void rh_coverage_set(struct rh_coverage *coverage, enum rh_bits bits, uint32_t first,
                     uint32_t second)
{
    struct cell cell = find_cell(coverage, first, second);
    uint32_t one = cell.row, other = cell.column;
    struct rh_cover_actor *actor = cell.actor;
    rh_assert(one != RH_NONE && other != RH_NONE);
    actor->is_uncounted = true;
    actor->rows[one].is_counted = actor->rows[other].is_counted = false;
    set_bit(row_of(actor, bits, one), other);
    if (bits == RH_BITS_PR && get_bit(row_of(actor, bits, other), one))
        set_both(actor, RH_BITS_BOTH, one, other);
}

// Dependence.

uint32_t rh_coverage_find_object(const struct rh_coverage *coverage, uint64_t number)
{
    struct rh_probe probe = rh_table_probe(&coverage->object_table, number);
    while (rh_probe_next(&probe))
        if (coverage->objects[probe.number].number == number)
            return probe.number;
    return RH_NONE;
}

static uint32_t add_object(struct rh_coverage *coverage, uint64_t number)
{
    uint32_t index = rh_coverage_find_object(coverage, number);
    if (index != RH_NONE)
        return index;
    index = coverage->object_count;
    struct rh_cover_object *objects = rh_store_grow(
        &coverage->store, coverage->objects, sizeof *objects, index, &coverage->object_capacity);
    if (!objects || !rh_table_add(&coverage->object_table, &coverage->store, number, index))
        return RH_NONE;
    coverage->objects = objects;
    objects[coverage->object_count++] = (struct rh_cover_object){.number = number};
    return index;
}

void rh_coverage_name_object(struct rh_coverage *coverage, uint64_t number, const char *name,
                             bool carries)
{
    uint32_t index = add_object(coverage, number);
    if (index == RH_NONE || coverage->objects[index].name)
        return;
    coverage->objects[index].name = rh_store_copy_text(&coverage->store, name);
    coverage->objects[index].carries = carries;
}

void rh_coverage_name_rest(struct rh_coverage *coverage)
{
    for (uint32_t i = 0; i < coverage->object_count; i++) {
        struct rh_text name = {0};
        rh_text_addf(&name, "something @%04x", (unsigned)(coverage->objects[i].number >> 48));
        rh_coverage_name_object(coverage, coverage->objects[i].number, rh_text_get(&name), false);
        rh_text_fini(&name);
    }
}

uint32_t rh_coverage_next_carrier(const struct rh_coverage *coverage, uint32_t event, uint32_t *at)
{
    const struct rh_touched *touched =
        coverage->object_count == 0 ? NULL : coverage->events[event].touched;
    while (touched && *at < touched->count) {
        uint32_t object = rh_coverage_find_object(coverage, touched->touches[(*at)++].object.first);
        if (object != RH_NONE && coverage->objects[object].carries)
            return object;
    }
    return RH_NONE;
}

// Finds out which events of other actors depend on this one.
static void relate(struct rh_coverage *coverage, uint32_t number)
{
    struct rh_cover_event *event = &coverage->events[number];
    struct rh_cover_actor *across = coverage->across;
    if (event->shared == RH_NONE && !add_local(coverage, across, number))
        return;
    if (event->shared == RH_NONE)
        event->shared = across->event_count - 1;
    for (uint32_t i = 0; i < across->event_count; i++) {
        const struct rh_cover_event *other = &coverage->events[across->events[i]];
        if (other->actor != event->actor && rh_depends(event->touched, other->touched))
            set_both(across, RH_BITS_DEPENDS, event->shared, i);
    }
}

// Gives a copy of the set in the coverage's own sets, which outlive the search.
static const struct rh_touched *copy_set(struct rh_coverage *coverage,
                                         const struct rh_touched *touched)
{
    struct rh_touch *touches = rh_alloc(sizeof *touches * touched->count);
    memcpy(touches, touched->touches, sizeof *touches * touched->count);
    const struct rh_touched *copy = rh_touched_set(&coverage->sets, touches, touched->count);
    free(touches);
    return copy;
}

void rh_coverage_add_touched(struct rh_coverage *coverage, uint32_t number,
                             const struct rh_touched *touched)
{
    struct rh_cover_event *event = &coverage->events[number];
    if (touched == event->learned)
        return;
    event->learned = touched;
    if (touched->count < 2)
        return;
    const struct rh_touched *all =
        rh_touched_union(&coverage->sets, event->touched, copy_set(coverage, touched));
    if (!all || all == event->touched)
        return;
    event->touched = all;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->touches[i].object.first != coverage->actors[event->actor].identity)
            add_object(coverage, all->touches[i].object.first);
    relate(coverage, number);
}

bool rh_coverage_depends(const struct rh_coverage *coverage, uint32_t one, uint32_t other)
{
    return coverage->events[one].actor == coverage->events[other].actor ||
           rh_coverage_has(coverage, RH_BITS_DEPENDS, one, other);
}

bool rh_coverage_are_pair(const struct rh_coverage *coverage, const struct rh_receives *execution,
                          uint32_t one, uint32_t other)
{
    const struct rh_receive *first = &execution->items[one], *second = &execution->items[other];
    if (first->actor == second->actor)
        return !((first->flags | second->flags) & RH_RECEIVE_SYNCHRONOUS) &&
               !(first->flags & second->flags & RH_RECEIVE_LOST);
    return !((first->flags | second->flags) & RH_RECEIVE_LOST) &&
           rh_coverage_has(coverage, RH_BITS_DEPENDS, first->event, second->event);
}

uint32_t rh_coverage_next_partner(const struct rh_coverage *coverage,
                                  const struct rh_receives *execution, uint32_t place,
                                  uint32_t after)
{
    const struct rh_receive *items = execution->items;
    if (coverage->events[items[place].event].shared == RH_NONE)
        return items[after].next;
    for (uint32_t i = after + 1; i < execution->count; i++)
        if (i != place && rh_coverage_depends(coverage, items[place].event, items[i].event))
            return i;
    return RH_NONE;
}

// Attempts.

static uint64_t goal_key(enum rh_criterion criterion, uint32_t first, uint32_t second)
{
    return rh_hash64_pair((uint64_t)first << 32 | second, (uint64_t)criterion);
}

static struct rh_cover_attempt *find_attempt(const struct rh_coverage *coverage, uint64_t goal)
{
    struct rh_probe probe = rh_table_probe(&coverage->attempt_table, goal);
    while (rh_probe_next(&probe))
        if (coverage->attempts[probe.number].goal == goal)
            return &coverage->attempts[probe.number];
    return NULL;
}

bool rh_coverage_wants(const struct rh_coverage *coverage, enum rh_criterion criterion,
                       uint32_t first, uint32_t second)
{
    if (rh_coverage_has(coverage, (enum rh_bits)criterion, first, second))
        return false;
    const struct rh_cover_attempt *attempt =
        find_attempt(coverage, goal_key(criterion, first, second));
    return !attempt || attempt->count < ATTEMPTS_MOST;
}

void rh_coverage_note_attempt(struct rh_coverage *coverage, enum rh_criterion criterion,
                              uint32_t first, uint32_t second)
{
    uint64_t goal = goal_key(criterion, first, second);
    struct rh_cover_attempt *known = find_attempt(coverage, goal);
    if (known) {
        known->count++;
        return;
    }
    uint32_t number = coverage->attempt_count;
    struct rh_cover_attempt *attempts =
        rh_store_grow(&coverage->store, coverage->attempts, sizeof *attempts, number,
                      &coverage->attempt_capacity);
    if (!attempts || !rh_table_add(&coverage->attempt_table, &coverage->store, goal, number))
        return;
    coverage->attempts = attempts;
    attempts[number] = (struct rh_cover_attempt){goal, 1};
    coverage->attempt_count++;
}

// The orders of an execution.

// The places of all receives that count, actor by actor, for each in the order of the execution.
struct by_actor {
    uint32_t *places;
    uint32_t *starts; // by actor: where its part of `places` starts; the next one's start ends it
};

static bool counts(const struct rh_receive *receive)
{
    return !rh_receive_is(receive, RH_RECEIVE_SYNCHRONOUS);
}

static struct by_actor sort_by_actor(const struct rh_coverage *coverage,
                                     const struct rh_receives *execution)
{
    struct by_actor sorted;
    sorted.places = rh_alloc(sizeof *sorted.places * (execution->count + (size_t)1));
    sorted.starts = rh_alloc(sizeof *sorted.starts * (coverage->actor_count + (size_t)2));
    for (uint32_t i = 0; i < execution->count; i++)
        sorted.starts[execution->items[i].actor + 2] += counts(&execution->items[i]);
    for (uint32_t i = 2; i < coverage->actor_count + 2; i++)
        sorted.starts[i] += sorted.starts[i - 1];
    for (uint32_t i = 0; i < execution->count; i++)
        if (counts(&execution->items[i]))
            sorted.places[sorted.starts[execution->items[i].actor + 1]++] = i;
    return sorted;
}

static void free_sorted(struct by_actor *sorted)
{
    free(sorted->places);
    free(sorted->starts);
}

// The receives of one actor in an execution; or those of all actors that touch more than their
// actor, of which only pairs that depend on each other count.
struct part {
    struct rh_coverage *coverage;
    struct rh_cover_actor *actor;
    const struct rh_receives *execution;
    const uint32_t *places;
    uint32_t count;
    uint32_t received; // how many came before the actor stopped; the others came after
    bool grows;        // something was added that was not known before
};

static const struct rh_receive *receive_at(const struct part *part, uint32_t index)
{
    return &part->execution->items[part->places[index]];
}

static uint32_t local_at(const struct part *part, uint32_t index)
{
    const struct rh_cover_event *event = &part->coverage->events[receive_at(part, index)->event];
    return part->actor->is_across ? event->shared : event->local;
}

// Notes for pr that the events of `after` have come after `local`, some of them perhaps for the
// first time.
static void add_after(struct part *part, uint32_t local, const uint64_t *after)
{
    uint64_t *row = row_of(part->actor, RH_BITS_PR, local);
    const uint64_t *depends =
        part->actor->is_across ? row_of(part->actor, RH_BITS_DEPENDS, local) : NULL;
    for (uint32_t word = 0; word < part->actor->words; word++) {
        uint64_t new_bits = after[word] & ~row[word] & (depends ? depends[word] : UINT64_MAX);
        row[word] |= new_bits;
        part->grows |= new_bits != 0;
        for (; new_bits != 0; new_bits &= new_bits - 1) {
            uint32_t other = word * 64 + (uint32_t)__builtin_ctzll(new_bits);
            if (get_bit(row_of(part->actor, RH_BITS_PR, other), local))
                set_both(part->actor, RH_BITS_BOTH, local, other);
        }
    }
}

// pr: goes from the last receive back, with the set of all that come after. Two receives after the
// actor has stopped have no order.
static void add_pairs(struct part *part)
{
    uint64_t *after = rh_alloc(sizeof *after * (part->actor->words + (size_t)1));
    for (uint32_t i = part->count; i-- > 0;) {
        uint32_t local = local_at(part, i);
        if (i < part->received)
            add_after(part, local, after);
        set_bit(after, local);
    }
    free(after);
}

// pcr: a receive and the next one. All receives after the actor has stopped count as next to the
// last one before.
static void add_neighbours(struct part *part)
{
    for (uint32_t i = 1; i < part->count; i++) {
        uint32_t last = i <= part->received ? i : part->received;
        if (last > 0)
            part->grows |= set_bit(row_of(part->actor, RH_BITS_PCR, local_at(part, last - 1)),
                                   local_at(part, i));
    }
}

static bool depend(const struct part *part, uint32_t one, uint32_t other)
{
    return rh_coverage_depends(part->coverage, receive_at(part, one)->event,
                               receive_at(part, other)->event);
}

// Whether one of the first `count` of `between` depends on the receive at `later`.
static bool has_between(const struct part *part, const uint32_t *between, uint32_t count,
                        uint32_t later)
{
    for (uint32_t i = 0; i < count; i++)
        if (depend(part, between[i], later))
            return true;
    return false;
}

// pcr of different actors: a receive and each later one that depends on it, until one comes that
// depends on both.
static void add_neighbours_across(struct part *part)
{
    uint32_t *between = rh_alloc(sizeof *between * (part->count + (size_t)1));
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t count = 0;
        for (uint32_t k = i + 1; k < part->count; k++) {
            if (!depend(part, i, k))
                continue;
            if (receive_at(part, i)->actor != receive_at(part, k)->actor &&
                !has_between(part, between, count, k))
                part->grows |=
                    set_bit(row_of(part->actor, RH_BITS_PCR, local_at(part, i)), local_at(part, k));
            between[count++] = k;
        }
    }
    free(between);
}

static bool changes_at(const struct part *part, uint32_t index)
{
    return rh_receive_is(receive_at(part, index), RH_RECEIVE_CHANGES);
}

// pbr: a receive that changes the behaviour comes after the last one before it that did, and after
// all receives since then; any other receive comes after the last one that did.
static void add_changes(struct part *part)
{
    uint32_t since = RH_NONE; // index of the last receive that has changed the behaviour
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t local = local_at(part, i);
        bool changes = changes_at(part, i);
        uint32_t end = i < part->received ? i : part->received;
        uint32_t first = since == RH_NONE ? 0 : since;
        if (!changes && since != RH_NONE && end > since + 1)
            end = since + 1;
        for (uint32_t k = first; k < end && (changes || since != RH_NONE); k++)
            part->grows |= set_bit(row_of(part->actor, RH_BITS_PBR, local_at(part, k)), local);
        struct rh_cover_event *event = &part->coverage->events[receive_at(part, i)->event];
        part->grows |= changes && !event->changes;
        event->changes |= changes;
        if (changes)
            since = i;
    }
}

static void add_part(struct part *part)
{
    add_pairs(part);
    if (part->actor->is_across) {
        add_neighbours_across(part);
    } else {
        add_neighbours(part);
        add_changes(part);
    }
}

static bool is_free(const struct part *part, const struct rh_happens_before *before, uint32_t one,
                    uint32_t other)
{
    const struct rh_receives *execution = part->execution;
    bool is_here = !part->actor->is_across || execution->items[part->places[one]].actor !=
                                                  execution->items[part->places[other]].actor;
    return is_here &&
           rh_coverage_are_pair(part->coverage, execution, part->places[one],
                                part->places[other]) &&
           !rh_must_precede(before, part->places[one], part->places[other]);
}

static void add_free_part(struct part *part, const struct rh_happens_before *before)
{
    for (uint32_t k = 1; k < part->count; k++) {
        const uint64_t *row = row_of(part->actor, RH_BITS_FREE, local_at(part, k));
        for (uint32_t i = 0; i < k; i++)
            if (!get_bit(row, local_at(part, i)) && is_free(part, before, i, k))
                part->grows |=
                    set_both(part->actor, RH_BITS_FREE, local_at(part, i), local_at(part, k));
    }
}

static void add_first_part(struct part *part, const struct rh_happens_before *certain)
{
    for (uint32_t k = 1; k < part->count; k++)
        for (uint32_t i = 0; i < k; i++)
            if (rh_must_precede(certain, part->places[i], part->places[k]))
                set_bit(row_of(part->actor, RH_BITS_FIRST, local_at(part, i)), local_at(part, k));
}

// All that an execution can change is in the rows of the execution's events.
static void count_again(struct part *part)
{
    part->actor->is_uncounted = true;
    for (uint32_t i = 0; i < part->count; i++)
        part->actor->rows[local_at(part, i)].is_counted = false;
}

// Gives whether anything was added that was not known before.
static bool take_part(struct part *part, const struct rh_happens_before *before)
{
    while (part->received < part->count &&
           !rh_receive_is(receive_at(part, part->received), RH_RECEIVE_LOST))
        part->received++;
    if (before && before->is_certain)
        add_first_part(part, before);
    else if (before)
        add_free_part(part, before);
    else
        add_part(part);
    if (part->grows)
        count_again(part);
    return part->grows;
}

static bool take_across(struct rh_coverage *coverage, const struct rh_receives *execution,
                        const struct rh_happens_before *before)
{
    if (coverage->across->event_count == 0)
        return false;
    uint32_t *places = rh_alloc(sizeof *places * (execution->count + (size_t)1));
    struct part part = {
        .coverage = coverage, .actor = coverage->across, .execution = execution, .places = places};
    for (uint32_t i = 0; i < execution->count; i++)
        if (coverage->events[execution->items[i].event].shared != RH_NONE &&
            !rh_receive_is(&execution->items[i], RH_RECEIVE_LOST))
            places[part.count++] = i;
    bool grows = take_part(&part, before);
    free(places);
    return grows;
}

static bool for_each_part(struct rh_coverage *coverage, const struct rh_receives *execution,
                          const struct rh_happens_before *before)
{
    struct by_actor sorted = sort_by_actor(coverage, execution);
    bool grows = take_across(coverage, execution, before);
    for (uint32_t i = 0; i < coverage->actor_count; i++) {
        struct part part = {.coverage = coverage,
                            .actor = &coverage->actors[i],
                            .execution = execution,
                            .places = sorted.places + sorted.starts[i],
                            .count = sorted.starts[i + 1] - sorted.starts[i]};
        grows |= take_part(&part, before);
    }
    free_sorted(&sorted);
    return grows;
}

bool rh_coverage_add_orders(struct rh_coverage *coverage, const struct rh_receives *execution)
{
    return for_each_part(coverage, execution, NULL);
}

bool rh_coverage_add_free(struct rh_coverage *coverage, const struct rh_receives *execution,
                          const struct rh_happens_before *before)
{
    return for_each_part(coverage, execution, before);
}

void rh_coverage_add_first(struct rh_coverage *coverage, const struct rh_receives *execution,
                           const struct rh_happens_before *certain)
{
    for_each_part(coverage, execution, certain);
}

// Counting.

// Sets the bits of the events that have changed the behaviour. Gives their number.
static uint32_t mark_changes(const struct rh_cover_actor *actor, const struct rh_coverage *coverage,
                             uint64_t *columns)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < actor->event_count && !actor->is_across; i++)
        if (coverage->events[actor->events[i]].changes) {
            set_bit(columns, i);
            count++;
        }
    return count;
}

static uint32_t count_bits(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

static struct rh_cover_row count_row(const struct rh_cover_actor *actor, uint32_t row,
                                     const uint64_t *changes)
{
    struct rh_cover_row count = {.is_counted = true};
    const uint64_t *free_bits = row_of(actor, RH_BITS_FREE, row);
    const uint64_t *both = row_of(actor, RH_BITS_BOTH, row);
    bool all_change = get_bit(changes, row);
    for (uint32_t word = 0; word < actor->words; word++)
        for (int i = 0; i < RH_CRITERION_COUNT && (free_bits[word] | both[word]) != 0; i++) {
            bool needs_change = i == RH_CRITERION_PBR && !all_change;
            uint64_t wanted = needs_change ? changes[word] : UINT64_MAX;
            uint64_t seen = row_of(actor, (enum rh_bits)i, row)[word];
            uint64_t goals = (free_bits[word] | (both[word] & seen)) & wanted;
            count.known[i] += count_bits(goals);
            count.covered[i] += count_bits(goals & seen);
        }
    return count;
}

// Counts only rows that have changed, since an execution changes few of them; but all rows if there
// are more events that change the behaviour than before.
static void count_goals(struct rh_cover_actor *actor, const struct rh_coverage *coverage)
{
    uint64_t *changes = rh_alloc(sizeof *changes * (actor->words + (size_t)1));
    uint32_t change_count = mark_changes(actor, coverage, changes);
    bool counts_all = change_count != actor->changes;
    actor->changes = change_count;
    for (uint32_t i = 0; i < actor->event_count; i++) {
        struct rh_cover_row *row = &actor->rows[i], before = *row;
        if (row->is_counted && !counts_all)
            continue;
        *row = count_row(actor, i, changes);
        for (int k = 0; k < RH_CRITERION_COUNT; k++) {
            actor->covered[k] += (uint64_t)row->covered[k] - before.covered[k];
            actor->known[k] += (uint64_t)row->known[k] - before.known[k];
        }
    }
    free(changes);
}

static void add_count(struct rh_coverage *coverage, struct rh_cover_actor *actor,
                      enum rh_criterion criterion, struct rh_goal_count *total)
{
    if (actor->is_uncounted)
        count_goals(actor, coverage);
    actor->is_uncounted = false;
    total->covered += actor->covered[criterion];
    total->known += actor->known[criterion];
}

struct rh_goal_count rh_coverage_total(struct rh_coverage *coverage, enum rh_criterion criterion)
{
    struct rh_goal_count total = {0};
    for (uint32_t i = 0; i < coverage->actor_count; i++)
        add_count(coverage, &coverage->actors[i], criterion, &total);
    add_count(coverage, coverage->across, criterion, &total);
    return total;
}
