// SPDX-License-Identifier: MIT
#include "cover/generate.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

enum mark { IN = 1, DISTURBED = 2 };

// A schedule that is being made, of receives of the run. Algorithms 2 and 3 call each other on the whole list again and
// again; here what has its place is kept, and what is left is looked at when its turn comes.
struct generation {
    const struct rh_coverage *coverage;
    const struct rh_receives *run;
    const struct rh_happens_before *before;
    enum rh_criterion criterion;
    uint32_t *list; // those that have their place, in order
    uint32_t count;
    uint64_t *exhausted; // see rh_generator
    uint32_t start;      // pairs of receives before this one have been looked at
    uint32_t scheduled;  // how many of them are there for a goal
    uint32_t
        last; // for pr, the second of the newest pair, which comes next but may still move back; or RH_NOWHERE
    uint32_t partner;  // of that: those of its actor before this one have been looked at
    uint64_t *left;    // bits: what is left, in the order of the run
    uint64_t *in;      // bits: what has its place
    bool is_uncertain; // what comes next depends on who waits for whom
    // For each receive of the run.
    uint64_t *old_past; // what its actor had received with it, in the run
    uint32_t *answered; // the last reply that its handler got; RH_NOWHERE if none
    uint8_t *marks;
    // For each in the list, of its actor before it.
    uint64_t *saved_past;
    bool *saved_waits;
    // For each actor.
    uint64_t *past;  // what it has received in the list
    bool *waits;     // for a reply that is not in the list
    uint32_t *first; // its first receive in the run
};

static void generation_init(struct generation *generation, const struct rh_coverage *coverage,
                            const struct rh_receives *run, const struct rh_happens_before *before,
                            enum rh_criterion criterion)
{
    size_t receives = run->count + (size_t)1, actors = coverage->actor_count + (size_t)1;
    *generation = (struct generation){.coverage = coverage,
                                      .run = run,
                                      .before = before,
                                      .criterion = criterion,
                                      .last = RH_NOWHERE};
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
}

// Everything is left; and what each actor had received in the run.
static void take_run(struct generation *generation)
{
    const struct rh_receives *run = generation->run;
    uint32_t actors = generation->coverage->actor_count;
    uint32_t *asked = rh_alloc(sizeof *asked * (actors + (size_t)1));
    for (uint32_t i = 0; i < actors; i++)
        generation->first[i] = RH_NOWHERE;
    for (uint32_t i = 0; i < run->count; i++) {
        const struct rh_receive *receive = &run->items[i];
        uint64_t *past = &generation->past[receive->actor];
        if (generation->first[receive->actor] == RH_NOWHERE)
            generation->first[receive->actor] = i;
        generation->left[i / 64] |= UINT64_C(1) << i % 64;
        generation->old_past[i] = *past = rh_hash64_pair(*past, receive->event);
        generation->answered[i] = RH_NOWHERE;
        if (rh_receive_is(receive, RH_RECEIVE_SYNCHRONOUS))
            generation->answered[asked[receive->actor]] = i;
        else
            asked[receive->actor] = i;
    }
    memset(generation->past, 0, sizeof *generation->past * actors);
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

// The first that is left, from `from` on, of those that must come before `later`, if that is somewhere; RH_NOWHERE if
// there is none.
static uint32_t next_left(const struct generation *generation, uint32_t from, uint32_t later)
{
    const uint64_t *row =
        later == RH_NOWHERE ? NULL : rh_happens_before_row(generation->before, later);
    size_t word = from / 64;
    uint64_t mask = UINT64_MAX << from % 64;
    for (; word < generation->before->words; word++, mask = UINT64_MAX) {
        uint64_t bits = generation->left[word] & mask & (row ? row[word] : UINT64_MAX);
        if (bits != 0)
            return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
    }
    return RH_NOWHERE;
}

static bool is_changed_by(const struct generation *generation, uint32_t place)
{
    const struct rh_receive *receive = &generation->run->items[place];
    return rh_hash64_pair(generation->past[receive->actor], receive->event) !=
           generation->old_past[place];
}

static void append(struct generation *generation, uint32_t place)
{
    const struct rh_receive *receive = &generation->run->items[place];
    bool is_disturbed = is_changed_by(generation, place);
    bool waits = rh_receive_is(receive, RH_RECEIVE_WAITS);
    uint64_t *past = &generation->past[receive->actor];
    generation->saved_past[generation->count] = *past;
    generation->saved_waits[generation->count] = generation->waits[receive->actor];
    *past = rh_hash64_pair(*past, receive->event);
    generation->marks[place] = IN | (is_disturbed ? DISTURBED : 0);
    generation->waits[receive->actor] = waits;
    generation->is_uncertain |= waits && is_disturbed;
    generation->list[generation->count++] = place;
    generation->in[place / 64] |= UINT64_C(1) << place % 64;
    drop(generation, place);
}

// Takes those back that were appended last.
static void take_back(struct generation *generation, uint32_t count)
{
    while (generation->count > count) {
        uint32_t place = generation->list[--generation->count];
        uint32_t actor = generation->run->items[place].actor;
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

// Whether the receive at this place does what it did in the run.
static bool is_as_before(const struct generation *generation, uint32_t place)
{
    return place == RH_NOWHERE || generation->marks[place] == IN;
}

// Whether a guard refuses the receive's message until something has let it in.
static bool needs_enabler(const struct generation *generation, const struct rh_receive *receive)
{
    return receive->enabled_at != RH_NOWHERE &&
           (receive->disabled_at == RH_NOWHERE || is_in(generation, receive->disabled_at));
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
    const struct rh_receive *receive = &generation->run->items[place];
    if (!is_as_before(generation, receive->sent_at) ||
        !is_as_before(generation, receive->created_at) ||
        (needs_enabler(generation, receive) && !is_as_before(generation, receive->enabled_at)) ||
        (receive->behind != RH_NOWHERE && !is_in(generation, receive->behind)))
        return false;
    if (rh_receive_is(receive, RH_RECEIVE_TIMER) && !has_all_before(generation, place))
        return false;
    if (!rh_receive_is(receive, RH_RECEIVE_SYNCHRONOUS))
        return !generation->waits[receive->actor];
    return !is_changed_by(generation, place);
}

// Algorithm 2.

// What comes before `place`, which is left or the last of the newest pair, in the order as it is.
static void append_before(struct generation *generation, uint32_t place)
{
    if (place == generation->last)
        return;
    if (generation->last != RH_NOWHERE)
        append(generation, generation->last);
    generation->last = RH_NOWHERE;
    for (uint32_t i = next_left(generation, 0, RH_NOWHERE); i < place;
         i = next_left(generation, i + 1, RH_NOWHERE)) {
        if (is_certain(generation, i))
            append(generation, i);
        else
            drop(generation, i);
    }
}

// What must come before `place`, and is left. With `checks`: false if something of it is not certain.
static bool append_needed(struct generation *generation, uint32_t place, bool checks)
{
    for (uint32_t i = next_left(generation, 0, place); i != RH_NOWHERE;
         i = next_left(generation, i + 1, place)) {
        if (checks && !is_certain(generation, i))
            return false;
        append(generation, i);
    }
    return true;
}

// What is certain of what leads to `target`, and of that itself, but for what must come after `first` or `second`.
static void append_certain(struct generation *generation, uint32_t target, uint32_t first,
                           uint32_t second)
{
    for (uint32_t i = next_left(generation, 0, RH_NOWHERE); i <= target && i != RH_NOWHERE;
         i = next_left(generation, i + 1, RH_NOWHERE))
        if ((i == target || rh_must_precede(generation->before, i, target)) && i != first &&
            i != second && !rh_must_precede(generation->before, second, i) &&
            (is_in(generation, first) || !rh_must_precede(generation->before, first, i)) &&
            is_certain(generation, i))
            append(generation, i);
}

// What lets the second of a pair in, if something in the list has a guard refuse it.
static void append_enabler(struct generation *generation, uint32_t first, uint32_t second)
{
    const struct rh_receive *receive = &generation->run->items[second];
    if (needs_enabler(generation, receive) && !is_in(generation, receive->enabled_at))
        append_certain(generation, receive->enabled_at, first, second);
}

// What the handler of the first waits for comes before its actor takes the second.
static void append_answers(struct generation *generation, uint32_t first, uint32_t second)
{
    uint32_t answer = generation->answered[first];
    if (answer != RH_NOWHERE && generation->marks[first] == IN && !is_in(generation, answer))
        append_certain(generation, answer, first, second);
}

// For pr the second of a pair may still move back; for the others both stay together.
static void end_with(struct generation *generation, uint32_t place)
{
    const struct rh_receive *receive = &generation->run->items[place];
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

// Puts a pair in this order or the other, where `first` comes first now. With `checks` it gives false, and leaves all as
// it was but for what comes before both, if what is needed for that is not certain.
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
        generation->last = RH_NOWHERE;
    append(generation, swap ? second : first);
    if (!swap)
        append_answers(generation, first, second);
    end_with(generation, swap ? first : second);
    return true;
}

// Whether the order of this pair counts for the criterion, and is not fixed.
static bool is_related(const struct rh_receives *run, const struct rh_happens_before *before,
                       enum rh_criterion criterion, uint32_t first, uint32_t second)
{
    uint32_t flags = run->items[first].flags | run->items[second].flags;
    return rh_receives_are_pair(run, first, second) &&
           (criterion != RH_CRITERION_PBR || flags & RH_RECEIVE_CHANGES) &&
           !rh_must_precede(before, first, second);
}

// Algorithm 3.

// Whether the order of this pair is wanted, as it is or the other way round, which is said in `swap`.
static bool is_wanted(const struct generation *generation, uint32_t first, uint32_t second,
                      bool *swap)
{
    const struct rh_receive *items = generation->run->items;
    uint32_t one = items[first].event, other = items[second].event;
    enum rh_criterion criterion = generation->criterion;
    if (!is_related(generation->run, generation->before, criterion, first, second))
        return false;
    *swap = !rh_coverage_wants(generation->coverage, criterion, one, other);
    return !*swap || rh_coverage_wants(generation->coverage, criterion, other, one);
}

// Looks for a receive of the same actor that is wanted with the newest pair's second, and puts them in that order. Who
// was looked at is not looked at again: what is not left stays so.
static bool schedule_last(struct generation *generation)
{
    const struct rh_receive *items = generation->run->items;
    uint32_t last = generation->last;
    bool swap;
    while (last != RH_NOWHERE && generation->partner != RH_NOWHERE) {
        uint32_t second = generation->partner;
        generation->partner = items[second].next;
        if (is_left(generation, second) && is_wanted(generation, last, second, &swap) &&
            schedule(generation, last, second, swap, true))
            return true;
    }
    return false;
}

// Likewise for a receive that is left, with later ones.
static bool schedule_with(struct generation *generation, uint32_t first)
{
    const struct rh_receive *items = generation->run->items;
    bool swap, is_exhausted = true;
    for (uint32_t second = items[first].next; second != RH_NOWHERE; second = items[second].next) {
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

// Those that nothing was found for are not looked at again, for the same reason.
static bool schedule_next(struct generation *generation)
{
    if (schedule_last(generation))
        return true;
    for (uint32_t i = next_left(generation, generation->start, RH_NOWHERE); i != RH_NOWHERE;
         i = next_left(generation, i + 1, RH_NOWHERE)) {
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
    // Those behind the newest pair that were put in their order for nothing are left open.
    if (generation->last != RH_NOWHERE)
        append(generation, generation->last);
}

// Algorithm 1.

static void make_plan(struct generation *generation, uint32_t first, uint32_t second, bool swap,
                      struct rh_plan *plan)
{
    const struct rh_receive *items = generation->run->items;
    take_run(generation);
    schedule(generation, first, second, swap, false);
    schedule_tail(generation);
    plan->count = generation->scheduled;
    memcpy(plan->places, generation->list, sizeof *plan->places * plan->count);
    plan->first = items[swap ? second : first].event;
    plan->second = items[swap ? first : second].event;
}

// Whether the order of the pair that is looked at is wanted, and which.
static bool wants_pair(struct rh_generator *generator, const struct rh_coverage *coverage,
                       const struct rh_receives *run, const struct rh_happens_before *before,
                       bool *swap)
{
    uint32_t one = run->items[generator->first].event, other = run->items[generator->second].event;
    enum rh_criterion criterion = generator->criterion;
    if (!is_related(run, before, criterion, generator->first, generator->second))
        return false;
    *swap = generator->is_half_done || !rh_coverage_wants(coverage, criterion, one, other);
    generator->is_half_done = true;
    return !*swap || rh_coverage_wants(coverage, criterion, other, one);
}

// Goes to the next pair of receives of one actor.
static void step(struct rh_generator *generator, const struct rh_receives *run)
{
    generator->is_half_done = false;
    generator->second = run->items[generator->second].next;
    while (generator->second == RH_NOWHERE && ++generator->first < run->count)
        generator->second = run->items[generator->first].next;
}

static bool find_next(struct rh_generator *generator, const struct rh_coverage *coverage,
                      const struct rh_receives *run, const struct rh_happens_before *before,
                      bool *swap)
{
    if (generator->first == 0 && generator->second == 0 && run->count > 0)
        step(generator, run);
    for (; generator->first < run->count; step(generator, run))
        if (wants_pair(generator, coverage, run, before, swap))
            return true;
    return false;
}

bool rh_generate(struct rh_generator *generator, const struct rh_coverage *coverage,
                 const struct rh_receives *run, const struct rh_happens_before *before,
                 struct rh_plan *plan)
{
    bool swap;
    if (!find_next(generator, coverage, run, before, &swap))
        return false;
    struct generation generation;
    generation_init(&generation, coverage, run, before, generator->criterion);
    generation.start = generator->first;
    generation.exhausted = generator->exhausted;
    make_plan(&generation, generator->first, generator->second, swap, plan);
    generation_fini(&generation);
    if (swap)
        step(generator, run);
    return true;
}

void rh_generate_swapped(const struct rh_coverage *coverage, const struct rh_receives *run,
                         const struct rh_happens_before *before, uint32_t first, uint32_t second,
                         struct rh_plan *plan)
{
    struct generation generation;
    generation_init(&generation, coverage, run, before, RH_CRITERION_PR);
    take_run(&generation);
    schedule(&generation, first, second, true, false);
    append(&generation, generation.last);
    plan->count = generation.scheduled;
    memcpy(plan->places, generation.list, sizeof *plan->places * plan->count);
    plan->first = run->items[second].event;
    plan->second = run->items[first].event;
    generation_fini(&generation);
}
