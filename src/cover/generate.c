// SPDX-License-Identifier: MIT
#include "cover/generate.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/vector.h"

// Marks of a receive: it is in the list; it has another past there than in the execution.
enum mark { IN = 1, DISTURBED = 2 };

// A schedule that is being made from receives of the execution. The paper's algorithms 2 and 3 call
// each other on the whole list again and again; here the beginning of the list is kept, and a
// receive that is left is looked at when its turn comes.
struct generation {
    const struct rh_coverage *coverage;
    const struct rh_receives *execution;
    const struct rh_happens_before *before;
    enum rh_criterion criterion;
    uint32_t *list; // places of the receives in the schedule so far, in order
    uint32_t count;
    uint64_t *exhausted; // as in rh_generator
    uint32_t start;      // receives before this place have been looked at as first of a pair
    uint32_t scheduled;  // length of the list's beginning that ends with the newest pair
    // For pr, the place of the second of the newest pair: it comes next in the list, but may still
    // be moved back. RH_NONE if there is none.
    uint32_t last;
    uint32_t partner;  // receives before this place have been looked at as partners of `last`
    uint64_t *left;    // bits by place: the receive may still be put into the list
    uint64_t *in;      // bits by place: the receive is in the list
    bool is_uncertain; // what comes next depends on who waits for whom
    // For each receive of the execution:
    uint64_t *old_past; // hash of what its actor had received in the execution, itself included
    uint32_t *answered; // place of the last reply that its handler got; RH_NONE if none
    uint8_t *marks;
    // For each receive in the list, of its actor, to take the receive back:
    uint64_t *saved_past; // `past` before the receive
    bool *saved_waits;    // `waits` before the receive
    // For each object that a receive in the list carries to later ones: `carried` before it.
    RH_VECTOR(uint64_t) saved_carried;
    // For each actor:
    uint64_t *past;  // hash of what the actor has received in the list
    bool *waits;     // the actor waits for a reply that is not in the list
    uint32_t *first; // place of the actor's first receive in the execution
    // For each object that receives of several actors touch and that carries: hash of what the
    // newest of them in the list had received.
    uint64_t *carried;
};

static void generation_init(struct generation *generation, const struct rh_coverage *coverage,
                            const struct rh_receives *execution,
                            const struct rh_happens_before *before, enum rh_criterion criterion)
{
    size_t receives = execution->count + (size_t)1, actors = coverage->actor_count + (size_t)1;
    *generation = (struct generation){.coverage = coverage,
                                      .execution = execution,
                                      .before = before,
                                      .criterion = criterion,
                                      .last = RH_NONE};
    generation->list = rh_alloc(sizeof *generation->list * receives);
    generation->left = rh_alloc(sizeof *generation->left * (before->words + 1));
    generation->in = rh_alloc(sizeof *generation->in * (before->words + 1));
    generation->old_past = rh_alloc(sizeof *generation->old_past * receives);
    generation->answered = rh_alloc(sizeof *generation->answered * receives);
    generation->marks = rh_alloc(sizeof *generation->marks * receives);
    generation->saved_past = rh_alloc(sizeof *generation->saved_past * receives);
    generation->saved_waits = rh_alloc(sizeof *generation->saved_waits * receives);
    generation->past = rh_alloc(sizeof *generation->past * actors);
    generation->waits = rh_alloc(sizeof *generation->waits * actors);
    generation->first = rh_alloc(sizeof *generation->first * actors);
    generation->carried =
        rh_alloc(sizeof *generation->carried * (coverage->object_count + (size_t)1));
}

static void generation_fini(struct generation *generation)
{
    free(generation->list);
    free(generation->left);
    free(generation->in);
    free(generation->old_past);
    free(generation->answered);
    free(generation->marks);
    free(generation->saved_past);
    free(generation->saved_waits);
    free(generation->past);
    free(generation->waits);
    free(generation->first);
    free(generation->carried);
    rh_vector_fini(&generation->saved_carried);
}

// Hash of what the receive, appended now, has in its past, itself included: what its actor has
// received, and those who have written something before that it touches.
static uint64_t past_with(const struct generation *generation, const struct rh_receive *receive)
{
    uint64_t past = generation->past[receive->actor];
    uint32_t at = 0, object;
    while ((object = rh_coverage_next_carrier(generation->coverage, receive->event, &at)) !=
           RH_NONE)
        past = rh_hash64_pair(past, generation->carried[object]);
    return rh_hash64_pair(past, receive->event);
}

static void set_past(struct generation *generation, const struct rh_receive *receive, uint64_t past)
{
    uint32_t at = 0, object;
    while ((object = rh_coverage_next_carrier(generation->coverage, receive->event, &at)) !=
           RH_NONE)
        generation->carried[object] = past;
    generation->past[receive->actor] = past;
}

// Begins with all receives left and an empty list, and notes what actors received in the execution.
static void take_execution(struct generation *generation)
{
    const struct rh_receives *execution = generation->execution;
    uint32_t actors = generation->coverage->actor_count;
    uint32_t *asked = rh_alloc(sizeof *asked * (actors + (size_t)1));
    for (uint32_t i = 0; i < actors; i++)
        generation->first[i] = RH_NONE;
    for (uint32_t i = 0; i < execution->count; i++) {
        const struct rh_receive *receive = &execution->items[i];
        if (generation->first[receive->actor] == RH_NONE)
            generation->first[receive->actor] = i;
        generation->left[i / 64] |= UINT64_C(1) << i % 64;
        generation->old_past[i] = past_with(generation, receive);
        set_past(generation, receive, generation->old_past[i]);
        generation->answered[i] = RH_NONE;
        if (rh_receive_is(receive, RH_RECEIVE_SYNCHRONOUS))
            generation->answered[asked[receive->actor]] = i;
        else
            asked[receive->actor] = i;
    }
    memset(generation->past, 0, sizeof *generation->past * actors);
    memset(generation->carried, 0,
           sizeof *generation->carried * generation->coverage->object_count);
    free(asked);
}

static bool is_left(const struct generation *generation, uint32_t place)
{
    return generation->left[place / 64] >> place % 64 & 1;
}

static void drop(struct generation *generation, uint32_t place)
{
    generation->left[place / 64] &= ~(UINT64_C(1) << place % 64);
}

// The first place from `from` on whose receive is left and, unless `later` is RH_NONE, must come
// before `later`; RH_NONE if there is none.
static uint32_t next_left(const struct generation *generation, uint32_t from, uint32_t later)
{
    const uint64_t *row =
        later == RH_NONE ? NULL : rh_happens_before_row(generation->before, later);
    size_t word = from / 64;
    uint64_t mask = UINT64_MAX << from % 64;
    for (; word < generation->before->words; word++, mask = UINT64_MAX) {
        uint64_t bits = generation->left[word] & mask & (row ? row[word] : UINT64_MAX);
        if (bits != 0)
            return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
    }
    return RH_NONE;
}

// Whether the receive, appended now, would have another past than in the execution.
static bool is_changed_by(const struct generation *generation, uint32_t place)
{
    return past_with(generation, &generation->execution->items[place]) !=
           generation->old_past[place];
}

static void save_carried(struct generation *generation, const struct rh_receive *receive)
{
    uint32_t at = 0, object;
    while ((object = rh_coverage_next_carrier(generation->coverage, receive->event, &at)) !=
           RH_NONE)
        *rh_vector_push(&generation->saved_carried) = generation->carried[object];
}

static void restore_carried(struct generation *generation, const struct rh_receive *receive)
{
    uint32_t at = 0, object, count = 0;
    while (rh_coverage_next_carrier(generation->coverage, receive->event, &at) != RH_NONE)
        count++;
    generation->saved_carried.count -= count;
    const uint64_t *saved = generation->saved_carried.items + generation->saved_carried.count;
    at = 0;
    while ((object = rh_coverage_next_carrier(generation->coverage, receive->event, &at)) !=
           RH_NONE)
        generation->carried[object] = *saved++;
}

static void append(struct generation *generation, uint32_t place)
{
    const struct rh_receive *receive = &generation->execution->items[place];
    bool is_disturbed = is_changed_by(generation, place);
    bool waits = rh_receive_is(receive, RH_RECEIVE_WAITS);
    generation->saved_past[generation->count] = generation->past[receive->actor];
    save_carried(generation, receive);
    generation->saved_waits[generation->count] = generation->waits[receive->actor];
    set_past(generation, receive, past_with(generation, receive));
    generation->marks[place] = IN | (is_disturbed ? DISTURBED : 0);
    generation->waits[receive->actor] = waits;
    generation->is_uncertain |= waits && is_disturbed;
    generation->list[generation->count++] = place;
    generation->in[place / 64] |= UINT64_C(1) << place % 64;
    drop(generation, place);
}

// Takes the newest receives out of the list, down to `count`.
static void take_back(struct generation *generation, uint32_t count)
{
    while (generation->count > count) {
        uint32_t place = generation->list[--generation->count];
        uint32_t actor = generation->execution->items[place].actor;
        restore_carried(generation, &generation->execution->items[place]);
        generation->past[actor] = generation->saved_past[generation->count];
        generation->waits[actor] = generation->saved_waits[generation->count];
        generation->marks[place] = 0;
        generation->in[place / 64] &= ~(UINT64_C(1) << place % 64);
        generation->left[place / 64] |= UINT64_C(1) << place % 64;
    }
}

static bool is_in(const struct generation *generation, uint32_t place)
{
    return (generation->marks[place] & IN) != 0;
}

// Whether the receive at this place does what it did in the execution.
static bool is_as_before(const struct generation *generation, uint32_t place)
{
    return place == RH_NONE || generation->marks[place] == IN;
}

// Whether a guard refuses the receive's message until some other receive has let it in.
static bool needs_enabler(const struct generation *generation, const struct rh_receive *receive)
{
    return receive->enabled_at != RH_NONE &&
           (receive->disabled_at == RH_NONE || is_in(generation, receive->disabled_at));
}

// Whether all that must come before this receive is in the list.
static bool has_all_before(const struct generation *generation, uint32_t place)
{
    const uint64_t *row = rh_happens_before_row(generation->before, place);
    for (uint32_t word = 0; word <= place / 64; word++)
        if (row[word] & ~generation->in[word])
            return false;
    return true;
}

// Whether this receive is certain to happen next.
static bool is_certain(const struct generation *generation, uint32_t place)
{
    const struct rh_receive *receive = &generation->execution->items[place];
    if (!is_as_before(generation, receive->sent_at) ||
        !is_as_before(generation, receive->also_sent_at) ||
        !is_as_before(generation, receive->created_at) ||
        (needs_enabler(generation, receive) && !is_as_before(generation, receive->enabled_at)) ||
        (receive->behind != RH_NONE && !is_in(generation, receive->behind)))
        return false;
    if (rh_receive_is(receive, RH_RECEIVE_TIMER) && !has_all_before(generation, place))
        return false;
    if (!rh_receive_is(receive, RH_RECEIVE_SYNCHRONOUS))
        return !generation->waits[receive->actor];
    return !is_changed_by(generation, place);
}

// Algorithm 2.

// Appends what is left before `place` and certain, in the order of the execution. The receive at
// `place` is left, or is `last`.
static void append_before(struct generation *generation, uint32_t place)
{
    if (place == generation->last)
        return;
    if (generation->last != RH_NONE)
        append(generation, generation->last);
    generation->last = RH_NONE;
    for (uint32_t i = next_left(generation, 0, RH_NONE); i < place;
         i = next_left(generation, i + 1, RH_NONE)) {
        if (is_certain(generation, i))
            append(generation, i);
        else
            drop(generation, i);
    }
}

// Appends what is left of the receives that must come before `place`. With `checks`: false if one
// of them is not certain.
static bool append_needed(struct generation *generation, uint32_t place, bool checks)
{
    for (uint32_t i = next_left(generation, 0, place); i != RH_NONE;
         i = next_left(generation, i + 1, place)) {
        if (checks && !is_certain(generation, i))
            return false;
        append(generation, i);
    }
    return true;
}

// Appends `target` and the receives that lead to it, as far as they are certain; without those that
// must come after `second`, or after `first` if that is not in the list.
static void append_certain(struct generation *generation, uint32_t target, uint32_t first,
                           uint32_t second)
{
    for (uint32_t i = next_left(generation, 0, RH_NONE); i <= target && i != RH_NONE;
         i = next_left(generation, i + 1, RH_NONE))
        if ((i == target || rh_must_precede(generation->before, i, target)) && i != first &&
            i != second && !rh_must_precede(generation->before, second, i) &&
            (is_in(generation, first) || !rh_must_precede(generation->before, first, i)) &&
            is_certain(generation, i))
            append(generation, i);
}

// If receives in the list make a guard refuse the second of the pair, appends what lets it in.
static void append_enabler(struct generation *generation, uint32_t first, uint32_t second)
{
    const struct rh_receive *receive = &generation->execution->items[second];
    if (needs_enabler(generation, receive) && !is_in(generation, receive->enabled_at))
        append_certain(generation, receive->enabled_at, first, second);
}

static bool are_of_one_actor(const struct generation *generation, uint32_t one, uint32_t other)
{
    const struct rh_receive *items = generation->execution->items;
    return items[one].actor == items[other].actor;
}

// Appends what comes between two receives of different actors, so that the second has its past when
// it comes before the first; without what must come after the first, and without the first's actor.
static void append_between(struct generation *generation, uint32_t first, uint32_t second)
{
    for (uint32_t i = next_left(generation, first + 1, RH_NONE); i < second;
         i = next_left(generation, i + 1, RH_NONE))
        if (!are_of_one_actor(generation, first, i) &&
            !rh_must_precede(generation->before, first, i) && is_certain(generation, i))
            append(generation, i);
}

// Appends the replies that the handler of the first waits for: its actor does not take the second
// before.
static void append_answers(struct generation *generation, uint32_t first, uint32_t second)
{
    uint32_t answer = generation->answered[first];
    if (are_of_one_actor(generation, first, second) && answer != RH_NONE &&
        generation->marks[first] == IN && !is_in(generation, answer))
        append_certain(generation, answer, first, second);
}

// Puts the later receive of a pair. For pr it may still move back; for the other criteria the two
// stay together.
static void end_with(struct generation *generation, uint32_t place)
{
    const struct rh_receive *receive = &generation->execution->items[place];
    if (generation->criterion != RH_CRITERION_PR) {
        append(generation, place);
        generation->scheduled = generation->count;
        return;
    }
    drop(generation, place);
    if (generation->last != place)
        generation->partner = generation->first[receive->actor];
    generation->last = place;
    generation->scheduled = generation->count + 1;
    generation->is_uncertain |=
        rh_receive_is(receive, RH_RECEIVE_WAITS) && is_changed_by(generation, place);
}

// Puts a pair, of which `first` comes first in the execution, into the list: in that order, or with
// `swap` in the other one. With `checks` it gives false if something that the order needs is not
// certain; the list then has only what comes before the pair in addition, and the receive that is
// the reason is not left any more.
static bool schedule(struct generation *generation, uint32_t first, uint32_t second, bool swap,
                     bool checks)
{
    append_before(generation, first);
    uint32_t count = generation->count;
    bool was_uncertain = generation->is_uncertain;
    bool is_last = generation->last == first;
    if (checks && !is_last && !is_certain(generation, first)) {
        drop(generation, first);
        return false;
    }
    if (swap && first < second && !are_of_one_actor(generation, first, second))
        append_between(generation, first, second);
    bool holds = append_needed(generation, second, checks);
    if (holds)
        append_enabler(generation, first, second);
    if (!holds || (checks && !is_certain(generation, second))) {
        take_back(generation, count);
        generation->is_uncertain = was_uncertain;
        drop(generation, second);
        return false;
    }
    if (!swap || !is_last)
        generation->last = RH_NONE;
    append(generation, swap ? second : first);
    if (!swap)
        append_answers(generation, first, second);
    end_with(generation, swap ? first : second);
    return true;
}

// Whether the order of this pair counts for the criterion, and neither receive must come first.
static bool is_related(const struct rh_coverage *coverage, const struct rh_receives *execution,
                       const struct rh_happens_before *before, enum rh_criterion criterion,
                       uint32_t first, uint32_t second)
{
    const struct rh_receive *one = &execution->items[first], *other = &execution->items[second];
    bool changes = one->actor == other->actor && (one->flags | other->flags) & RH_RECEIVE_CHANGES;
    return rh_coverage_are_pair(coverage, execution, first, second) &&
           (criterion != RH_CRITERION_PBR || changes) && !rh_must_precede(before, first, second);
}

// Algorithm 3.

static uint32_t next_partner(const struct generation *generation, uint32_t place, uint32_t after)
{
    return rh_coverage_next_partner(generation->coverage, generation->execution, place, after);
}

// Whether an order of this pair is wanted; `swap` says if it is the other one than in the
// execution.
static bool is_wanted(const struct generation *generation, uint32_t first, uint32_t second,
                      bool *swap)
{
    const struct rh_receive *items = generation->execution->items;
    uint32_t one = items[first].event, other = items[second].event;
    enum rh_criterion criterion = generation->criterion;
    if (!is_related(generation->coverage, generation->execution, generation->before, criterion,
                    first, second))
        return false;
    *swap = !rh_coverage_wants(generation->coverage, criterion, one, other);
    return !*swap || rh_coverage_wants(generation->coverage, criterion, other, one);
}

// Looks for a receive that is wanted with the second of the newest pair, and puts the two in the
// wanted order. No partner is looked at twice: a receive that is not left never is
// again.
static bool schedule_last(struct generation *generation)
{
    uint32_t last = generation->last;
    bool swap;
    while (last != RH_NONE && generation->partner != RH_NONE) {
        uint32_t second = generation->partner;
        generation->partner = next_partner(generation, last, second);
        if (is_left(generation, second) && is_wanted(generation, last, second, &swap) &&
            schedule(generation, last, second, swap, true))
            return true;
    }
    return false;
}

// Looks for a later receive that is wanted with `first`, a receive that is left, and puts the two
// in the wanted order.
static bool schedule_with(struct generation *generation, uint32_t first)
{
    bool swap, is_exhausted = true;
    for (uint32_t second = next_partner(generation, first, first); second != RH_NONE;
         second = next_partner(generation, first, second)) {
        if (!is_wanted(generation, first, second, &swap))
            continue;
        is_exhausted = false;
        if (!is_left(generation, second))
            continue;
        if (schedule(generation, first, second, swap, true))
            return true;
        if (!is_left(generation, first))
            return false;
    }
    if (is_exhausted)
        generation->exhausted[first / 64] |= UINT64_C(1) << first % 64;
    return false;
}

// Receives before `start` were looked at and are not again: a receive that is not left never is
// again.
static bool schedule_next(struct generation *generation)
{
    if (schedule_last(generation))
        return true;
    for (uint32_t i = next_left(generation, generation->start, RH_NONE); i != RH_NONE;
         i = next_left(generation, i + 1, RH_NONE)) {
        generation->start = i;
        if (!(generation->exhausted[i / 64] >> i % 64 & 1) && schedule_with(generation, i))
            return true;
    }
    return false;
}

static void schedule_tail(struct generation *generation)
{
    while (!generation->is_uncertain && schedule_next(generation))
        continue;
    // Receives behind the newest pair serve no goal; plan->count leaves them out.
    if (generation->last != RH_NONE)
        append(generation, generation->last);
}

// Algorithm 1.

static void make_plan(struct generation *generation, uint32_t first, uint32_t second, bool swap,
                      struct rh_plan *plan)
{
    const struct rh_receive *items = generation->execution->items;
    take_execution(generation);
    schedule(generation, first, second, swap, false);
    schedule_tail(generation);
    plan->count = generation->scheduled;
    memcpy(plan->places, generation->list, sizeof *plan->places * plan->count);
    plan->first = items[swap ? second : first].event;
    plan->second = items[swap ? first : second].event;
}

// Whether an order of the pair that is looked at is wanted; `swap` says if it is the other one than
// in the execution.
static bool wants_pair(struct rh_generator *generator, const struct rh_coverage *coverage,
                       const struct rh_receives *execution, const struct rh_happens_before *before,
                       bool *swap)
{
    uint32_t one = execution->items[generator->first].event,
             other = execution->items[generator->second].event;
    enum rh_criterion criterion = generator->criterion;
    if (!is_related(coverage, execution, before, criterion, generator->first, generator->second))
        return false;
    *swap = generator->is_half_done || !rh_coverage_wants(coverage, criterion, one, other);
    generator->is_half_done = true;
    return !*swap || rh_coverage_wants(coverage, criterion, other, one);
}

// Goes to the next pair of receives that depend on each other.
static void step(struct rh_generator *generator, const struct rh_coverage *coverage,
                 const struct rh_receives *execution)
{
    generator->is_half_done = false;
    generator->second =
        rh_coverage_next_partner(coverage, execution, generator->first, generator->second);
    while (generator->second == RH_NONE && ++generator->first < execution->count)
        generator->second =
            rh_coverage_next_partner(coverage, execution, generator->first, generator->first);
}

static bool find_next(struct rh_generator *generator, const struct rh_coverage *coverage,
                      const struct rh_receives *execution, const struct rh_happens_before *before,
                      bool *swap)
{
    if (generator->first == 0 && generator->second == 0 && execution->count > 0)
        step(generator, coverage, execution);
    for (; generator->first < execution->count; step(generator, coverage, execution))
        if (wants_pair(generator, coverage, execution, before, swap))
            return true;
    return false;
}

bool rh_generate(struct rh_generator *generator, const struct rh_coverage *coverage,
                 const struct rh_receives *execution, const struct rh_happens_before *before,
                 struct rh_plan *plan)
{
    bool swap;
    if (!find_next(generator, coverage, execution, before, &swap))
        return false;
    struct generation generation;
    generation_init(&generation, coverage, execution, before, generator->criterion);
    generation.start = generator->first;
    generation.exhausted = generator->exhausted;
    make_plan(&generation, generator->first, generator->second, swap, plan);
    generation_fini(&generation);
    if (swap)
        step(generator, coverage, execution);
    return true;
}

void rh_generate_swapped(const struct rh_coverage *coverage, const struct rh_receives *execution,
                         const struct rh_happens_before *before, uint32_t first, uint32_t second,
                         struct rh_plan *plan)
{
    struct generation generation;
    generation_init(&generation, coverage, execution, before, RH_CRITERION_PR);
    take_execution(&generation);
    schedule(&generation, first, second, true, false);
    append(&generation, generation.last);
    plan->count = generation.scheduled;
    memcpy(plan->places, generation.list, sizeof *plan->places * plan->count);
    plan->first = execution->items[second].event;
    plan->second = execution->items[first].event;
    generation_fini(&generation);
}
