// SPDX-License-Identifier: MIT
#include "explore/reduce/revisit.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapping.h"
#include "base/vector.h"
#include "explore/reduce/reduction.h"
#include "explore/states/states.h"

static const size_t AWAITED_MOST = (size_t)1 << 28;
static const size_t WORDS_MOST = (size_t)1 << 36;

// What is remembered of a state, as words. Lists begin with their lengths.
struct memory {
    uint64_t sleep;  // list of names that were asleep whenever the search was here
    uint64_t future; // list of pairs: a name and what follows the message of this name
};

// Memory.

bool rh_visits_init(struct rh_visits *visits)
{
    *visits = (struct rh_visits){.awaited = rh_map_shared(sizeof *visits->awaited * AWAITED_MOST),
                                 .words = rh_map_shared(sizeof *visits->words * WORDS_MOST),
                                 .top = 2};
    return visits->awaited && visits->words;
}

void rh_visits_fini(struct rh_visits *visits)
{
    rh_unmap_shared(visits->awaited, sizeof *visits->awaited * AWAITED_MOST);
    rh_unmap_shared(visits->words, sizeof *visits->words * WORDS_MOST);
    *visits = (struct rh_visits){0};
}

void rh_visits_reset(struct rh_visits *visits)
{
    visits->top = 2;
}

static uint64_t take_words(struct rh_visits *visits, size_t count)
{
    count = (count + 1) & ~(size_t)1;
    if (visits->top + count > WORDS_MOST)
        rh_reduction_no_room("there is no room for what follows the states that were seen");
    uint64_t words = visits->top;
    visits->top += count;
    memset(&visits->words[words], 0, sizeof *visits->words * count);
    return words;
}

static struct memory *memory_at(struct rh_visits *visits, uint64_t place)
{
    return (struct memory *)&visits->words[place];
}

// Names.

static uint64_t name_of(const struct rh_world *world, const struct rh_message *message)
{
    uint64_t before = 0;
    if (message->channel != RH_NONE)
        for (uint32_t i = message->channel_previous; i != RH_NONE;
             i = world->messages[i].channel_previous)
            before++;
    return rh_hash64_pair((uint64_t)message->hash ^ (uint64_t)(message->hash >> 64), before);
}

static struct rh_awaited *awaited_of(const struct rh_reduction *reduction,
                                     const struct rh_point *point)
{
    return &reduction->visits.awaited[point->awaited];
}

static void await_pending(struct rh_reduction *reduction, const struct rh_choice_point *choice,
                          struct rh_point *point)
{
    const struct rh_world *world = choice->world;
    if (point->awaited + world->pending_count > AWAITED_MOST)
        rh_reduction_no_room("too many messages are pending along one execution");
    struct rh_awaited *to = awaited_of(reduction, point);
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *message = &world->messages[i];
        to[point->awaited_count++] =
            (struct rh_awaited){.name = name_of(world, message),
                                .touched = rh_footprints_of(choice->footprints, world, message),
                                .message = i};
    }
}

static struct rh_awaited *find_awaited(const struct rh_reduction *reduction,
                                       const struct rh_point *point, uint32_t message)
{
    struct rh_awaited *awaited = awaited_of(reduction, point);
    for (uint32_t i = 0; i < point->awaited_count; i++)
        if (awaited[i].message == message)
            return &awaited[i];
    return NULL;
}

// Sleep sets.

typedef RH_VECTOR(uint64_t) names;

static bool has_name(const names *set, uint64_t name)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == name)
            return true;
    return false;
}

static void name_sleepers(const struct rh_reduction *reduction,
                          const struct rh_choice_point *choice, const struct rh_point *point,
                          names *sleep)
{
    const struct rh_awaited *awaited = awaited_of(reduction, point);
    for (uint32_t i = 0; i < point->awaited_count; i++) {
        const struct rh_label label = {.identity =
                                           choice->world->messages[awaited[i].message].identity,
                                       .outcome = RH_ANY_OUTCOME};
        if (rh_is_asleep(&reduction->memory, &point->ways, &label))
            *rh_vector_push(sleep) = awaited[i].name;
    }
}

static uint64_t word_pair(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

static void put_pair(uint32_t *words, uint64_t value)
{
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

static uint64_t keep_sleep(struct rh_visits *visits, const names *sleep)
{
    uint64_t place = take_words(visits, 1 + 2 * sleep->count);
    visits->words[place] = (uint32_t)sleep->count;
    for (size_t i = 0; i < sleep->count; i++)
        put_pair(&visits->words[place + 1 + 2 * i], sleep->items[i]);
    return place;
}

// Whether all names that were asleep are asleep now.
static bool is_covered(const struct rh_visits *visits, const struct memory *memory,
                       const names *sleep)
{
    const uint32_t *words = &visits->words[memory->sleep];
    for (uint32_t i = 0; i < words[0]; i++)
        if (!has_name(sleep, word_pair(&words[1 + 2 * i])))
            return false;
    return true;
}

// Keeps names that are asleep this time too: all others have been tried from here.
static void reduce_sleep(struct rh_visits *visits, const struct memory *memory, const names *sleep)
{
    uint32_t *words = &visits->words[memory->sleep], kept = 0;
    for (uint32_t i = 0; i < words[0]; i++) {
        uint64_t name = word_pair(&words[1 + 2 * i]);
        if (has_name(sleep, name))
            put_pair(&words[1 + 2 * kept++], name);
    }
    words[0] = kept;
}

// What follows.

enum { FUTURE_WORDS = 4 };

static const uint32_t *find_future(const struct rh_visits *visits, const struct memory *memory,
                                   uint64_t name)
{
    if (memory->future == 0)
        return NULL;
    const uint32_t *words = &visits->words[memory->future];
    for (uint32_t i = 0; i < words[0]; i++)
        if (word_pair(&words[1 + FUTURE_WORDS * i]) == name)
            return &words[1 + FUTURE_WORDS * i];
    return NULL;
}

static void unite(struct rh_visits *visits, const struct rh_touched **set,
                  const struct rh_touched *other)
{
    const struct rh_touched *both = rh_touched_union(visits->sets, *set, other);
    if (!both && (*set || other))
        rh_reduction_no_room("there is no room for what deliveries touch");
    *set = both;
}

// Adds what is remembered of the state to what is known of the point.
static void recall(struct rh_reduction *reduction, const struct memory *memory,
                   const struct rh_point *point)
{
    struct rh_visits *visits = &reduction->visits;
    struct rh_awaited *awaited = awaited_of(reduction, point);
    for (uint32_t i = 0; i < point->awaited_count; i++) {
        const uint32_t *future = find_future(visits, memory, awaited[i].name);
        if (future)
            unite(visits, &awaited[i].followers,
                  (const struct rh_touched *)(uintptr_t)word_pair(&future[2]));
    }
}

static void remember(struct rh_reduction *reduction, struct memory *memory,
                     const struct rh_point *point)
{
    struct rh_visits *visits = &reduction->visits;
    const struct rh_awaited *awaited = awaited_of(reduction, point);
    recall(reduction, memory, point);
    uint64_t place = take_words(visits, 1 + FUTURE_WORDS * (size_t)point->awaited_count);
    uint32_t *words = &visits->words[place], *to = words + 1;
    for (uint32_t i = 0; i < point->awaited_count; i++) {
        if (!awaited[i].followers)
            continue;
        put_pair(to, awaited[i].name);
        put_pair(&to[2], (uintptr_t)awaited[i].followers);
        to += FUTURE_WORDS;
        words[0]++;
    }
    memory->future = place;
}

// What follows a point follows the delivery that led to it, or was pending before that delivery.
static void pass_on(struct rh_reduction *reduction, const struct rh_point *point)
{
    if (point == reduction->points)
        return;
    struct rh_visits *visits = &reduction->visits;
    struct rh_point *before = &reduction->points[point - reduction->points - 1];
    const struct rh_awaited *awaited = awaited_of(reduction, point);
    struct rh_awaited *cause = find_awaited(reduction, before, before->message);
    for (uint32_t i = 0; i < point->awaited_count; i++) {
        struct rh_awaited *same = find_awaited(reduction, before, awaited[i].message);
        struct rh_awaited *root = same ? same : cause;
        unite(visits, &root->followers, awaited[i].followers);
        if (!same)
            unite(visits, &root->followers, awaited[i].touched);
    }
}

// Trying more.

static void add_branch(struct rh_reduction *reduction, struct rh_point *point,
                       const struct rh_label *label)
{
    if (!rh_ways_try_one(&reduction->memory, &point->ways, label))
        rh_reduction_no_room("there is no room for what is left to try");
}

// The delivery of a message that was pending at an earlier point.
static struct rh_label label_of(const struct rh_reduction *reduction,
                                const struct rh_choice_point *choice, const struct rh_point *point,
                                uint64_t identity)
{
    struct rh_label label = {.identity = identity, .outcome = RH_ANY_OUTCOME};
    const struct rh_awaited *awaited = awaited_of(reduction, point);
    for (uint32_t i = 0; i < point->awaited_count; i++)
        if (choice->world->messages[awaited[i].message].identity == identity)
            label.touched = awaited[i].touched;
    return label;
}

static bool is_pending(const struct rh_reduction *reduction, const struct rh_choice_point *choice,
                       uint64_t identity)
{
    const struct rh_point *last = &reduction->points[reduction->length - 1];
    const struct rh_awaited *awaited = awaited_of(reduction, last);
    for (uint32_t i = 0; i < last->awaited_count; i++)
        if (choice->world->messages[awaited[i].message].identity == identity)
            return true;
    return false;
}

// Everything that was deliverable at the point and still is pending is to be tried there.
static void try_pending(struct rh_reduction *reduction, const struct rh_choice_point *choice,
                        struct rh_point *point)
{
    for (uint32_t i = 0; i < point->identity_count; i++) {
        uint64_t identity = reduction->identities[point->identities + i];
        if (!is_pending(reduction, choice, identity))
            continue;
        struct rh_label label = label_of(reduction, choice, point, identity);
        add_branch(reduction, point, &label);
    }
}

// A delivery that follows the known state, and of which nothing more is known, could come before
// the delivery at this point. Then the first delivery that does not depend on this one comes first;
// if none was made yet, it is among those that are still pending.
static void try_before(struct rh_reduction *reduction, const struct rh_choice_point *choice,
                       uint32_t at)
{
    rh_sequence sequence = {0};
    for (uint32_t i = at + 1; i < reduction->length; i++) {
        const struct rh_point *later = &reduction->points[i];
        if (later->is_taken && !later->failed && !rh_depends_on(reduction, i, at))
            *rh_vector_push(&sequence) = rh_made_label(reduction, choice->path, i);
    }
    if (sequence.count > 0)
        rh_try_sequence(reduction, at, &sequence);
    else
        try_pending(reduction, choice, &reduction->points[at]);
    rh_vector_fini(&sequence);
}

// Marks the points whose deliveries depend on one that touches this set, unless what comes of
// `root` must come later in any case.
static void mark_races(const struct rh_reduction *reduction, const struct rh_point *root,
                       const struct rh_touched *touched, bool *marks)
{
    for (uint32_t at = reduction->length; at-- > 0;) {
        const struct rh_point *point = &reduction->points[at];
        if (point->is_taken && rh_depends(point->label.touched, touched) &&
            !rh_comes_of(reduction, root->sent_by, at) &&
            !rh_comes_of(reduction, root->also_by, at) &&
            !rh_comes_of(reduction, root->previous, at))
            marks[at] = true;
    }
}

// What follows the last point races with what came before it.
static void analyse_future(struct rh_reduction *reduction, const struct rh_choice_point *choice)
{
    const struct rh_point *last = &reduction->points[reduction->length - 1];
    const struct rh_awaited *awaited = awaited_of(reduction, last);
    bool *marks = rh_alloc(reduction->length);
    for (uint32_t i = 0; i < last->awaited_count; i++) {
        const struct rh_message *message = &choice->world->messages[awaited[i].message];
        struct rh_point root = rh_describe(reduction, choice, message, reduction->length);
        root.is_left = !rh_was_deliverable(reduction, last, message->identity);
        rh_reverse_races(reduction, &(struct rh_hindsight){.path = choice->path}, &root,
                         reduction->length);
        mark_races(reduction, &root, awaited[i].followers, marks);
    }
    for (uint32_t at = 0; at < reduction->length; at++)
        if (marks[at])
            try_before(reduction, choice, at);
    free(marks);
}

// States.

static struct memory *find_memory(struct rh_reduction *reduction,
                                  const struct rh_choice_point *choice, struct rh_point *point)
{
    rh_hash128 fingerprint = rh_states_fingerprint(choice->states, choice->world);
    uint64_t *place = rh_states_remember(choice->states, fingerprint, choice->heartbeat);
    if (!place)
        rh_reduction_no_room("there is no room for more states");
    if (*place == 0)
        *place = take_words(&reduction->visits, sizeof(struct memory) / sizeof(uint32_t));
    point->memory = *place;
    return memory_at(&reduction->visits, *place);
}

// The state is known: what follows need not be tried again, only races with it are looked for.
static void skip(struct rh_reduction *reduction, const struct rh_choice_point *choice,
                 const struct memory *memory, const struct rh_point *point)
{
    recall(reduction, memory, point);
    analyse_future(reduction, choice);
    pass_on(reduction, point);
}

bool rh_revisit(struct rh_reduction *reduction, const struct rh_choice_point *choice)
{
    struct rh_point *point = &reduction->points[reduction->length - 1];
    reduction->visits.sets = &choice->footprints->sets;
    if (point != reduction->points)
        point->awaited = point[-1].awaited + point[-1].awaited_count;
    await_pending(reduction, choice, point);
    // Files and the like are part of the state then, but of no fingerprint.
    if (choice->world->cannot_undo)
        return false;
    struct memory *memory = find_memory(reduction, choice, point);
    names sleep = {0};
    name_sleepers(reduction, choice, point, &sleep);
    bool is_known = memory->sleep != 0;
    bool is_done = is_known && is_covered(&reduction->visits, memory, &sleep);
    if (is_done)
        skip(reduction, choice, memory, point);
    else if (is_known)
        reduce_sleep(&reduction->visits, memory, &sleep);
    else
        memory->sleep = keep_sleep(&reduction->visits, &sleep);
    rh_vector_fini(&sleep);
    return is_done;
}

void rh_visit_end(struct rh_reduction *reduction)
{
    const struct rh_point *point = &reduction->points[reduction->length - 1];
    if (point->memory != 0)
        remember(reduction, memory_at(&reduction->visits, point->memory), point);
    pass_on(reduction, point);
}
