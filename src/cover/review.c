// SPDX-License-Identifier: MIT
#include "cover/review.h"

#include <stdlib.h>
#include <string.h>

#include "cover/generate.h"

enum { CHAIN_MOST = 8 };

struct reviewing {
    const struct rh_coverage_entry *entry;
    const struct rh_coverage *coverage;
    uint64_t most;
    struct rh_happens_before before, certain; // of the present execution
    // Owned; by event: 1 + its place in the present execution, 0: not received there.
    uint32_t *places;
};

// Names.

static bool is_alike(const struct rh_cover_event *one, const struct rh_cover_event *other)
{
    return strcmp(one->type, other->type) == 0 && strcmp(one->sender, other->sender) == 0;
}

// Adds "write from action#1", and a part of the event's identity if the actor receives others of
// the same type and sender. `with_actor` adds the actor too.
static void add_event_name(struct rh_text *text, const struct rh_coverage *coverage,
                           uint32_t number, bool with_actor)
{
    const struct rh_cover_event *event = &coverage->events[number];
    const struct rh_cover_actor *actor = &coverage->actors[event->actor];
    uint32_t alike = 0;
    for (uint32_t i = 0; i < actor->event_count; i++)
        alike += is_alike(event, &coverage->events[actor->events[i]]);
    rh_text_addf(text, "%s from %s", event->type, event->sender);
    if (alike > 1)
        rh_text_addf(text, " @%04x", (unsigned)(event->identity >> 48));
    if (with_actor)
        rh_text_addf(text, " at %s", actor->name);
}

static char *event_name(const struct rh_coverage *coverage, uint32_t number, bool with_actor)
{
    struct rh_text text = {0};
    add_event_name(&text, coverage, number, with_actor);
    return rh_text_take(&text);
}

// Reasons.

static const struct rh_cover_event *event_at(const struct reviewing *reviewing,
                                             const struct rh_receives *execution, uint32_t place)
{
    return &reviewing->coverage->events[execution->items[place].event];
}

static const char *actor_at(const struct reviewing *reviewing, const struct rh_receives *execution,
                            uint32_t place)
{
    return reviewing->coverage->actors[execution->items[place].actor].name;
}

// Why one of two messages of one sender was sent first, if they were sent in two deliveries.
static void add_sendings(struct rh_text *text, const struct reviewing *reviewing,
                         const struct rh_receives *execution, uint32_t first, uint32_t second)
{
    uint32_t one = execution->items[first].sent_at, other = execution->items[second].sent_at;
    if (one != other && one != RH_NONE && other != RH_NONE)
        rh_text_addf(text, ", and %s, which led to %s, came before %s",
                     event_at(reviewing, execution, one)->type,
                     event_at(reviewing, execution, first)->type,
                     event_at(reviewing, execution, other)->type);
}

static void add_reason(struct rh_text *text, const struct reviewing *reviewing,
                       const struct rh_receives *execution, uint32_t earlier,
                       const struct rh_because *because)
{
    const struct rh_cover_event *from = event_at(reviewing, execution, earlier);
    const struct rh_cover_event *to = event_at(reviewing, execution, because->place);
    const struct rh_cover_event *via = event_at(reviewing, execution, because->via);
    const char *doer = actor_at(reviewing, execution, because->via);
    const char *receiver = actor_at(reviewing, execution, because->place);
    bool is_own = execution->items[earlier].actor == execution->items[because->via].actor;
    const char *led = is_own ? "it" : actor_at(reviewing, execution, earlier);
    switch (because->reason) {
    case RH_REASON_SENT:
        rh_text_addf(text, "%s sends %s when it gets %s", doer, to->type, via->type);
        break;
    case RH_REASON_CREATED:
        rh_text_addf(text, "%s creates %s when it gets %s", doer, receiver, via->type);
        break;
    case RH_REASON_LED_TO_SEND:
        rh_text_addf(text, "%s sends %s when it gets %s, perhaps because %s had got %s from %s",
                     doer, to->type, via->type, led, from->type, from->sender);
        break;
    case RH_REASON_LED_TO_CREATE:
        rh_text_addf(text, "%s creates %s when it gets %s, perhaps because %s had got %s from %s",
                     doer, receiver, via->type, led, from->type, from->sender);
        break;
    case RH_REASON_ORDER:
        rh_text_addf(text, "messages from %s to %s keep their order", to->sender, receiver);
        add_sendings(text, reviewing, execution, earlier, because->place);
        break;
    case RH_REASON_ENABLED:
        rh_text_addf(text, "a guard of %s lets %s in once it has got %s", receiver, to->type,
                     via->type);
        break;
    case RH_REASON_ASK:
        rh_text_addf(text, "%s waits for %s before it takes %s", receiver, from->type, to->type);
        break;
    case RH_REASON_TIMER:
        rh_text_addf(text, "%s is a timer that comes later", to->type);
        break;
    }
}

static void explain(struct reviewing *reviewing, const struct rh_happens_before *before,
                    const struct rh_receives *execution, struct rh_pair_review *pair,
                    uint32_t first, uint32_t second)
{
    struct rh_because chain[CHAIN_MOST];
    struct rh_text text = {0};
    bool is_strict = reviewing->entry->head.time == RH_TIME_STRICT;
    uint32_t length = rh_happens_before_explain(before, reviewing->coverage, execution, first,
                                                second, is_strict, chain, CHAIN_MOST);
    if (length == 0)
        return;
    for (uint32_t i = 0, at = first; i < length; at = chain[i++].place) {
        rh_text_add(&text, i == 0 ? "" : "; ");
        add_reason(&text, reviewing, execution, at, &chain[i]);
    }
    pair->reason = rh_text_take(&text);
}

// Schedules.

static struct rh_step make_step(const struct rh_coverage *coverage, uint32_t number)
{
    const struct rh_cover_event *event = &coverage->events[number];
    struct rh_text comment = {0};
    if (*event->file)
        rh_text_addf(&comment, "sent at %s:%d", event->file, event->line);
    return (struct rh_step){.kind = RH_STEP_DELIVER,
                            .type = rh_strdup(event->type),
                            .receiver = rh_strdup(coverage->actors[event->actor].name),
                            .sender = rh_strdup(event->sender),
                            .has_identity = true,
                            .identity = event->identity,
                            .comment = *event->file ? rh_text_take(&comment) : NULL};
}

static void make_schedule(const struct reviewing *reviewing, const struct rh_receives *execution,
                          const struct rh_plan *plan, struct rh_pair_review *pair)
{
    const struct rh_coverage_head *head = &reviewing->entry->head;
    struct rh_schedule *schedule = &pair->schedule;
    *schedule = (struct rh_schedule){.test = rh_strdup(head->test),
                                     .order_rule = head->order_rule,
                                     .time = head->time,
                                     .environment = head->environment};
    for (size_t i = 0; i < head->programs.count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(head->programs.items[i]);
    struct rh_text note = {0};
    rh_text_addf(&note, "an order that has not been seen: %s before %s", pair->second, pair->first);
    schedule->note = rh_text_take(&note);
    for (uint32_t i = 0; i < plan->count; i++)
        *rh_vector_push(&schedule->steps) =
            make_step(reviewing->coverage, execution->items[plan->places[i]].event);
    pair->has_schedule = true;
}

static void plan_missing(struct reviewing *reviewing, const struct rh_receives *execution,
                         struct rh_pair_review *pair, uint32_t first, uint32_t second)
{
    struct rh_plan plan = {.places =
                               rh_alloc(sizeof *plan.places * (execution->count + (size_t)1))};
    if (!rh_must_precede(&reviewing->before, first, second)) {
        rh_generate_swapped(reviewing->coverage, execution, &reviewing->before, first, second,
                            &plan);
        make_schedule(reviewing, execution, &plan, pair);
    }
    free(plan.places);
}

// Notes what one execution says about a pair that is listed.
static void look_at_pair(struct reviewing *reviewing, const struct rh_receives *execution,
                         struct rh_pair_review *pair, enum rh_pair_kind kind)
{
    uint32_t first = reviewing->places[pair->first_event];
    uint32_t second = reviewing->places[pair->second_event];
    if (pair->has_schedule || pair->reason || first == 0 || second <= first ||
        !rh_coverage_are_pair(reviewing->coverage, execution, first - 1, second - 1))
        return;
    if (kind == RH_PAIR_MISSING)
        plan_missing(reviewing, execution, pair, first - 1, second - 1);
    else
        explain(reviewing, kind == RH_PAIR_FIRST ? &reviewing->certain : &reviewing->before,
                execution, pair, first - 1, second - 1);
}

static void look_at_execution(struct reviewing *reviewing, const struct rh_receives *execution,
                              struct rh_test_review *test)
{
    const struct rh_coverage *coverage = reviewing->coverage;
    memset(reviewing->places, 0, sizeof *reviewing->places * coverage->event_count);
    for (uint32_t i = 0; i < execution->count; i++)
        reviewing->places[execution->items[i].event] = i + 1;
    rh_happens_before_of(&reviewing->before, coverage, execution,
                         reviewing->entry->head.time == RH_TIME_STRICT);
    rh_happens_before_certain(&reviewing->certain, coverage, execution);
    for (size_t i = 0; i < test->actors.count; i++)
        for (int kind = 0; kind < RH_PAIR_KINDS; kind++) {
            struct rh_pair_list *list = &test->actors.items[i].pairs[kind];
            for (size_t k = 0; k < list->listed.count; k++)
                look_at_pair(reviewing, execution, &list->listed.items[k], (enum rh_pair_kind)kind);
        }
}

// Pairs.

static void add_pair(const struct rh_coverage *coverage, struct rh_actor_review *actor,
                     uint32_t first, uint32_t second, enum rh_pair_kind kind)
{
    *rh_vector_push(&actor->pairs[kind].listed) =
        (struct rh_pair_review){.first = event_name(coverage, first, actor->is_object),
                                .second = event_name(coverage, second, actor->is_object),
                                .first_event = first,
                                .second_event = second};
}

// What is to be said of a pair that was seen in one order only.
static enum rh_pair_kind kind_of(const struct rh_coverage *coverage, uint32_t first,
                                 uint32_t second)
{
    if (rh_coverage_has(coverage, RH_BITS_FREE, first, second))
        return RH_PAIR_MISSING;
    return rh_coverage_has(coverage, RH_BITS_FIRST, first, second) ? RH_PAIR_FIRST
                                                                   : RH_PAIR_UNKNOWN;
}

static void sort_pair(const struct reviewing *reviewing, struct rh_actor_review *actor,
                      uint32_t one, uint32_t other)
{
    const struct rh_coverage *coverage = reviewing->coverage;
    bool there = rh_coverage_has(coverage, RH_BITS_PR, one, other);
    bool back = rh_coverage_has(coverage, RH_BITS_PR, other, one);
    if (there && back) {
        actor->both++;
        return;
    }
    if (!there && !back)
        return;
    uint32_t first = there ? one : other, second = there ? other : one;
    enum rh_pair_kind kind = kind_of(coverage, first, second);
    uint64_t count = ++actor->pairs[kind].count;
    if (reviewing->most == 0 || count <= reviewing->most)
        add_pair(coverage, actor, first, second, kind);
}

static void fill_criteria(struct rh_criterion_figures *criteria)
{
    for (int i = 0; i < RH_CRITERION_COUNT; i++)
        criteria[i].name = rh_criterion_name((enum rh_criterion)i);
}

// Adds the review to the test, if it has pairs.
static void take_review(struct rh_actor_review *review, const char *name,
                        struct rh_test_review *test)
{
    uint64_t pairs = review->both;
    for (int i = 0; i < RH_PAIR_KINDS; i++)
        pairs += review->pairs[i].count;
    if (pairs == 0)
        return;
    review->name = rh_strdup(name);
    for (int i = 0; i < RH_CRITERION_COUNT; i++) {
        test->criteria[i].covered += review->criteria[i].covered;
        test->criteria[i].known += review->criteria[i].known;
    }
    *rh_vector_push(&test->actors) = *review;
}

static void review_actor(struct reviewing *reviewing, const struct rh_cover_actor *actor,
                         struct rh_test_review *test)
{
    struct rh_actor_review review = {0};
    for (uint32_t i = 0; i < actor->event_count; i++)
        for (uint32_t k = i + 1; k < actor->event_count; k++)
            sort_pair(reviewing, &review, actor->events[i], actor->events[k]);
    fill_criteria(review.criteria);
    for (int i = 0; i < RH_CRITERION_COUNT; i++) {
        review.criteria[i].covered = actor->covered[i];
        review.criteria[i].known = actor->known[i];
    }
    take_review(&review, actor->name, test);
}

// Pairs of different actors.

// The object for which a pair is listed: the first that both events touch, and not both only read.
// RH_NONE if the events are no such pair.
static uint32_t find_common(const struct rh_coverage *coverage, uint32_t one, uint32_t other)
{
    const struct rh_touched *first = coverage->events[one].touched;
    const struct rh_touched *second = coverage->events[other].touched;
    if (coverage->events[one].actor == coverage->events[other].actor ||
        !rh_coverage_depends(coverage, one, other))
        return RH_NONE;
    for (uint32_t i = 0; i < first->count; i++)
        for (uint32_t k = 0; k < second->count; k++)
            if (first->touches[i].object.first == second->touches[k].object.first &&
                (first->touches[i].writes || second->touches[k].writes))
                return rh_coverage_find_object(coverage, first->touches[i].object.first);
    return RH_NONE;
}

// Counts the goals of a pair as rh_coverage_total does.
static void count_pair(const struct rh_coverage *coverage, struct rh_actor_review *review,
                       uint32_t first, uint32_t second)
{
    bool is_free = rh_coverage_has(coverage, RH_BITS_FREE, first, second);
    bool is_both = rh_coverage_has(coverage, RH_BITS_BOTH, first, second);
    for (int i = 0; i < RH_CRITERION_COUNT; i++) {
        bool is_seen = rh_coverage_has(coverage, (enum rh_bits)i, first, second);
        bool is_goal = (is_free && i != RH_CRITERION_PBR) || (is_both && is_seen);
        review->criteria[i].known += is_goal;
        review->criteria[i].covered += is_goal && is_seen;
    }
}

static void review_object(struct reviewing *reviewing, uint32_t object, struct rh_test_review *test)
{
    const struct rh_coverage *coverage = reviewing->coverage;
    const struct rh_cover_actor *across = coverage->across;
    struct rh_actor_review review = {.is_object = true};
    fill_criteria(review.criteria);
    for (uint32_t i = 0; i < across->event_count; i++)
        for (uint32_t k = i + 1; k < across->event_count; k++) {
            uint32_t one = across->events[i], other = across->events[k];
            if (find_common(coverage, one, other) != object)
                continue;
            sort_pair(reviewing, &review, one, other);
            count_pair(coverage, &review, one, other);
            count_pair(coverage, &review, other, one);
        }
    take_review(&review, coverage->objects[object].name, test);
}

// Finds out which orders are impossible, as far as the executions that were kept show it.
static void find_impossible(struct reviewing *reviewing, struct rh_coverage_entry *entry)
{
    for (size_t i = 0; i < entry->kept.count; i++) {
        rh_happens_before_certain(&reviewing->certain, &entry->coverage, &entry->kept.items[i]);
        rh_coverage_add_first(&entry->coverage, &entry->kept.items[i], &reviewing->certain);
    }
}

static char *join_programs(const struct rh_coverage_head *head)
{
    struct rh_text text = {0};
    for (size_t i = 0; i < head->programs.count; i++)
        rh_text_addf(&text, "%s%s", i ? " " : "", head->programs.items[i]);
    return rh_text_take(&text);
}

static void review_entry(struct reviewing *reviewing, struct rh_test_review *test)
{
    const struct rh_coverage_entry *entry = reviewing->entry;
    const struct rh_coverage *coverage = reviewing->coverage;
    *test =
        (struct rh_test_review){.program = join_programs(&entry->head),
                                .test = rh_strdup(entry->head.test),
                                .executions = entry->executions,
                                .has_goals = coverage->actor_count > 0 || entry->kept.count > 0};
    fill_criteria(test->criteria);
    for (uint32_t i = 0; i < coverage->actor_count; i++)
        review_actor(reviewing, &coverage->actors[i], test);
    for (uint32_t i = 0; i < coverage->object_count; i++)
        review_object(reviewing, i, test);
    reviewing->places = rh_alloc(sizeof *reviewing->places * (coverage->event_count + (size_t)1));
    for (size_t i = 0; i < entry->kept.count; i++)
        look_at_execution(reviewing, &entry->kept.items[i], test);
    free(reviewing->places);
}

// The first entry of the same program that has lines; itself, if there is none before it.
static size_t find_program(const struct rh_coverage_set *set, size_t entry)
{
    for (size_t i = 0; i < entry; i++)
        if (set->entries.items[i]->reached.sources.count > 0 &&
            rh_coverage_is_same_program(&set->entries.items[i]->head,
                                        &set->entries.items[entry]->head))
            return i;
    return entry;
}

// Lines are a matter of the program: what all of its tests have reached is added up.
static struct rh_status review_lines(const struct rh_coverage_set *set,
                                     struct rh_coverage_review *review)
{
    size_t *numbers = rh_alloc((set->entries.count + 1) * sizeof *numbers);
    struct rh_status status = rh_ok();
    for (size_t i = 0; i < set->entries.count && rh_is_ok(&status); i++) {
        const struct rh_coverage_entry *entry = set->entries.items[i];
        size_t first = find_program(set, i);
        if (entry->reached.sources.count == 0)
            continue;
        if (first == i) {
            numbers[i] = review->programs.count;
            *rh_vector_push(&review->programs) =
                (struct rh_program_review){.program = join_programs(&entry->head)};
        }
        struct rh_line_coverage *reached = &review->programs.items[numbers[first]].reached;
        if (reached->sources.count > 0 && !rh_line_coverage_is_alike(reached, &entry->reached))
            status = rh_bad_input("%s: tests %s and %s have other lines and branches: the sources "
                                  "have changed in between, or another compiler was used",
                                  review->programs.items[numbers[first]].program,
                                  set->entries.items[first]->head.test, entry->head.test);
        else
            rh_line_coverage_merge(reached, &entry->reached);
    }
    free(numbers);
    return status;
}

struct rh_status rh_coverage_review(struct rh_coverage_set *set, uint64_t most,
                                    struct rh_coverage_review *review)
{
    struct reviewing reviewing = {.most = most};
    *review = (struct rh_coverage_review){0};
    if (!rh_happens_before_open(&reviewing.before) || !rh_happens_before_open(&reviewing.certain))
        return rh_failed("cannot reserve the address space for a run");
    for (size_t i = 0; i < set->entries.count; i++) {
        reviewing.entry = set->entries.items[i];
        reviewing.coverage = &reviewing.entry->coverage;
        find_impossible(&reviewing, set->entries.items[i]);
        review_entry(&reviewing, rh_vector_push(&review->tests));
    }
    rh_happens_before_close(&reviewing.before);
    rh_happens_before_close(&reviewing.certain);
    return review_lines(set, review);
}
