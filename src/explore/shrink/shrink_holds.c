// SPDX-License-Identifier: MIT
// A finding that shows at the end of an execution: no delivery can be left out, but most happen as
// they would in sending order. A plan says which do not: moves that are made as steps, up to the
// last that is more than a delivery, and messages that are held until another one was delivered.
#include <stdlib.h>

#include "explore/shrink/shrinker.h"

struct hold {
    struct rh_step held; // strings borrowed
    size_t first;        // the first move that the message can be held for
    size_t sent;         // the message's place in sending order
    size_t until;        // the move that the message is held for
};

struct plan {
    const struct rh_moves *moves;
    bool *is_step; // for each move
    RH_VECTOR(struct hold) holds;
};

static void draft_plan(const struct plan *plan, struct rh_schedule *draft)
{
    rh_draft_init(draft, plan->moves);
    for (size_t i = 0; i < plan->moves->items.count; i++)
        if (plan->is_step[i])
            rh_draft_add(draft, plan->moves, i);
    for (size_t i = 0; i < plan->holds.count; i++) {
        const struct hold *hold = &plan->holds.items[i];
        size_t until = plan->moves->items.items[hold->until].first;
        *rh_vector_push(&draft->holds) =
            (struct rh_hold){hold->held, plan->moves->schedule.steps.items[until]};
    }
}

static bool shows(struct rh_shrinker *shrinker, const struct plan *plan)
{
    struct rh_schedule draft;
    draft_plan(plan, &draft);
    struct rh_outcome outcome = rh_trial_run(&shrinker->trial, &draft, false, RH_WANT_NOTHING);
    rh_draft_fini(&draft);
    rh_outcome_fini(&outcome);
    return outcome.shows;
}

// Making a plan.

static bool is_more_than_delivery(const struct rh_moves *moves, size_t move)
{
    for (size_t i = moves->items.items[move].first; i < moves->items.items[move].end; i++) {
        const struct rh_step *step = &moves->schedule.steps.items[i];
        if (step->kind != RH_STEP_DELIVER && !(step->kind == RH_STEP_CHOOSE && step->outcome == 0))
            return true;
    }
    return false;
}

// How many moves, of which the body is one, there are up to the last that is more than a delivery.
static size_t count_steps(const struct rh_moves *moves)
{
    size_t count = moves->items.count;
    while (count > 0 && !is_more_than_delivery(moves, count - 1))
        count--;
    return count;
}

// Holds a message until the last move from `first` on and before `end` whose message was sent
// later. One such hold is enough: of all pending messages, those of earlier moves then come first.
static void add_hold(struct plan *plan, struct rh_step held, size_t sent, size_t first, size_t end)
{
    const struct rh_move *items = plan->moves->items.items;
    for (size_t i = end; i-- > first;) {
        if (items[i].sent <= sent || plan->holds.count == RH_HOLDS_MOST)
            continue;
        *rh_vector_push(&plan->holds) =
            (struct hold){.held = held, .first = first, .sent = sent, .until = i};
        return;
    }
}

static void add_holds(struct plan *plan, size_t steps)
{
    const struct rh_moves *moves = plan->moves;
    size_t count = moves->items.count, least = steps > 0 ? steps : 1;
    for (size_t i = least; i < count; i++) {
        const struct rh_move *move = &moves->items.items[i];
        size_t first = move->parent + 1 > least ? move->parent + 1 : least;
        add_hold(plan, moves->schedule.steps.items[move->first], move->sent, first, i);
    }
    for (size_t i = 0; i < moves->waiting.count; i++) {
        const struct rh_waiting *waiting = &moves->waiting.items[i];
        size_t first = waiting->parent + 1 > least ? waiting->parent + 1 : least;
        struct rh_step held = rh_waiting_step(waiting);
        add_hold(plan, held, waiting->sent, first, count);
    }
}

static void make_plan(struct rh_shrinker *shrinker, struct plan *plan)
{
    const struct rh_moves *moves = &shrinker->moves;
    *plan = (struct plan){.moves = moves, .is_step = rh_alloc(moves->items.count)};
    size_t steps = count_steps(moves);
    for (size_t i = 0; i < steps; i++)
        plan->is_step[i] = true;
    add_holds(plan, steps);
    if (shrinker->shown->finding.kind != RH_FINDING_BOUND && shows(shrinker, plan))
        return;
    // Guards may let a message past one that is held, and an execution without an end needs only a
    // beginning. Then there is a step for each move.
    plan->holds.count = 0;
    for (size_t i = 0; i < moves->items.count; i++)
        plan->is_step[i] = true;
}

// Thinning a plan out.

static bool drop_holds(struct rh_shrinker *shrinker, struct plan *plan, size_t first, size_t end)
{
    struct plan less = {.moves = plan->moves, .is_step = plan->is_step};
    for (size_t i = 0; i < plan->holds.count; i++)
        if (i < first || i >= end)
            *rh_vector_push(&less.holds) = plan->holds.items[i];
    bool is_enough = shows(shrinker, &less);
    if (is_enough) {
        rh_vector_fini(&plan->holds);
        *plan = less;
    } else {
        rh_vector_fini(&less.holds);
    }
    return is_enough;
}

static bool thin_holds(struct rh_shrinker *shrinker, struct plan *plan)
{
    bool has_changed = false;
    for (size_t chunk = plan->holds.count; chunk > 0; chunk /= 2)
        for (size_t end = plan->holds.count; end > 0 && !shrinker->trial.is_stopped;) {
            size_t first = end > chunk ? end - chunk : 0;
            has_changed |= drop_holds(shrinker, plan, first, end);
            end = first;
        }
    return has_changed;
}

// Messages of these moves, and of those that come of them, are delivered in sending order instead.
static bool drop_steps(struct rh_shrinker *shrinker, struct plan *plan, size_t first, size_t end)
{
    size_t count = plan->moves->items.count, dropped = 0;
    struct plan less = *plan;
    less.is_step = rh_alloc(count);
    for (size_t i = 0; i < count; i++) {
        size_t parent = plan->moves->items.items[i].parent;
        bool is_orphan = i > 0 && plan->is_step[parent] && !less.is_step[parent];
        less.is_step[i] = plan->is_step[i] && !is_orphan && (i < first || i >= end);
        dropped += plan->is_step[i] != less.is_step[i];
    }
    bool is_enough = dropped > 0 && shows(shrinker, &less);
    if (is_enough)
        free(plan->is_step);
    else
        free(less.is_step);
    if (is_enough)
        plan->is_step = less.is_step;
    return is_enough;
}

static size_t count_made(const struct plan *plan)
{
    size_t count = plan->moves->items.count;
    while (count > 0 && !plan->is_step[count - 1])
        count--;
    return count;
}

// The choices of the body can be left out only when no move follows them.
static bool thin_steps(struct rh_shrinker *shrinker, struct plan *plan)
{
    bool has_changed = false;
    for (size_t chunk = count_made(plan); chunk > 0; chunk /= 2)
        for (size_t end = count_made(plan); end > 1 && !shrinker->trial.is_stopped;) {
            size_t first = end > chunk + 1 ? end - chunk : 1;
            has_changed |= drop_steps(shrinker, plan, first, end);
            end = first;
        }
    if (count_made(plan) == 1)
        has_changed |= drop_steps(shrinker, plan, 0, 1);
    return has_changed;
}

enum { EARLIER_TRIED = 8 };

// A message that is held for a shorter time comes against sending order with fewer others.
static bool shorten_holds(struct rh_shrinker *shrinker, struct plan *plan)
{
    const struct rh_move *items = plan->moves->items.items;
    bool has_changed = false;
    for (size_t i = 0; i < plan->holds.count; i++) {
        struct hold *hold = &plan->holds.items[i];
        size_t last = hold->until, tried = 0;
        for (size_t k = hold->first; k < last && hold->until == last; k++) {
            if (items[k].sent <= hold->sent || items[k].sent == SIZE_MAX ||
                tried++ >= EARLIER_TRIED)
                continue;
            hold->until = k;
            if (shows(shrinker, plan))
                has_changed = true;
            else
                hold->until = last;
        }
    }
    return has_changed;
}

static void thin_plan(struct rh_shrinker *shrinker, struct plan *plan)
{
    bool has_changed;
    do {
        has_changed = thin_holds(shrinker, plan);
        has_changed |= thin_steps(shrinker, plan);
        has_changed |= shorten_holds(shrinker, plan);
    } while (has_changed && !shrinker->trial.is_stopped);
}

// All together.

// Leaves out crashes that are not needed.
static void leave_out_crashes(struct rh_shrinker *shrinker)
{
    for (size_t i = shrinker->moves.items.count; i-- > 1;) {
        const struct rh_moves *moves = &shrinker->moves;
        if (i >= moves->items.count || moves->items.items[i].sent != SIZE_MAX)
            continue;
        bool *left_out = rh_alloc(moves->items.count);
        left_out[i] = true;
        struct rh_schedule draft;
        rh_draft_without(&draft, moves, left_out);
        draft.stops = false;
        free(left_out);
        rh_shrinker_adopt(shrinker, &draft);
    }
}

static struct rh_schedule copy_draft(const struct rh_schedule *draft)
{
    struct rh_schedule schedule = {.test = rh_strdup(draft->test),
                                   .order_rule = draft->order_rule,
                                   .time = draft->time,
                                   .environment = draft->environment};
    rh_schedule_copy_inputs(&schedule, draft);
    for (size_t i = 0; i < draft->steps.count; i++)
        *rh_vector_push(&schedule.steps) = rh_step_copy(&draft->steps.items[i]);
    for (size_t i = 0; i < draft->holds.count; i++) {
        const struct rh_hold *hold = &draft->holds.items[i];
        *rh_vector_push(&schedule.holds) =
            (struct rh_hold){rh_step_copy(&hold->held), rh_step_copy(&hold->until)};
    }
    return schedule;
}

// The execution that was adopted last, step by step.
static struct rh_schedule schedule_of_best(const struct rh_shrinker *shrinker)
{
    struct rh_schedule schedule = copy_draft(&shrinker->moves.schedule);
    schedule.stops = false;
    return schedule;
}

// Gives the schedule of a plan, and adopts its execution, which no budget must prevent. If the user
// prevents it, the schedule is that of the best execution so far.
static struct rh_schedule plan_once(struct rh_shrinker *shrinker)
{
    struct plan plan;
    make_plan(shrinker, &plan);
    thin_plan(shrinker, &plan);
    struct rh_schedule draft;
    draft_plan(&plan, &draft);
    struct rh_schedule schedule = copy_draft(&draft);
    free(plan.is_step);
    rh_vector_fini(&plan.holds);
    struct rh_trial trial = shrinker->trial;
    rh_trial_lift_bounds(&shrinker->trial);
    if (!rh_shrinker_adopt(shrinker, &draft)) {
        rh_schedule_fini(&schedule);
        schedule = schedule_of_best(shrinker);
    }
    rh_trial_restore_bounds(&shrinker->trial, &trial);
    return schedule;
}

static bool has_order(const struct rh_schedule *schedule)
{
    return schedule->holds.count > 0 || schedule->steps.count > 0;
}

struct rh_schedule rh_shrink_holds(struct rh_shrinker *shrinker)
{
    struct rh_schedule draft, schedule;
    rh_draft_init(&draft, &shrinker->moves);
    schedule = copy_draft(&draft);
    // Often sending order is enough.
    if (rh_shrinker_adopt(shrinker, &draft))
        return schedule;
    rh_schedule_fini(&schedule);
    rh_shrinker_simplify(shrinker);
    leave_out_crashes(shrinker);
    schedule = plan_once(shrinker);
    // A message that is held early moves all that comes of it. Where fewer holds are enough, there
    // is another plan. Another plan is made once only, since it may lead back to the first.
    if (has_order(&schedule) && shrinker->shown->finding.kind != RH_FINDING_BOUND &&
        rh_shrinker_sort(shrinker)) {
        rh_schedule_fini(&schedule);
        schedule = plan_once(shrinker);
    }
    return schedule;
}
