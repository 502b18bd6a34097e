// SPDX-License-Identifier: MIT
#include "explore/shrink/shrink_exchange.h"

#include <stdlib.h>
#include <string.h>

void rh_late_fini(struct rh_late *late)
{
    if (late->move == 0)
        free(late->step.comment);
    late->step.comment = NULL;
}

void rh_exchange_fini(struct rh_exchange *exchange)
{
    free(exchange->places);
    exchange->places = NULL;
}

size_t rh_moves_tried(const struct rh_moves *moves)
{
    return moves->has_lap ? moves->lap + 1 : moves->items.count;
}

const struct rh_step *rh_moves_step(const struct rh_moves *moves, size_t move)
{
    return &moves->schedule.steps.items[moves->items.items[move].first];
}

// What came too late.

static bool is_timer(const struct rh_execution *execution, uint64_t identity)
{
    const struct rh_event *sending = rh_execution_sending(execution, identity);
    return sending && sending->kind == RH_EVENT_TIMER;
}

struct rh_late rh_late_move(const struct rh_shrinker *shrinker, size_t move)
{
    const struct rh_move *item = &shrinker->moves.items.items[move];
    return (struct rh_late){.move = move,
                            .step = *rh_moves_step(&shrinker->moves, move),
                            .parent = item->parent,
                            .sent = item->sent,
                            .receiver = item->receiver,
                            .is_timer = is_timer(&shrinker->best.execution, item->identity)};
}

struct rh_late rh_late_waiting(const struct rh_shrinker *shrinker, const struct rh_waiting *waiting)
{
    const struct rh_execution *execution = &shrinker->best.execution;
    struct rh_step step = rh_waiting_step(waiting);
    step.comment =
        rh_confirm_comment(shrinker->trial.job->options->debug, execution, waiting->event);
    return (struct rh_late){.step = step,
                            .parent = waiting->parent,
                            .sent = waiting->sent,
                            .receiver = waiting->receiver,
                            .is_timer = waiting->event->kind == RH_EVENT_TIMER};
}

struct rh_late rh_late_elsewhere(const struct rh_shrinker *shrinker,
                                 const struct rh_execution *execution,
                                 const struct rh_event *delivered)
{
    struct rh_step step = rh_event_step(delivered);
    step.comment = rh_confirm_comment(shrinker->trial.job->options->debug, execution, delivered);
    return (struct rh_late){.step = step,
                            .parent = SIZE_MAX,
                            .sent = SIZE_MAX,
                            .receiver = delivered->actor_address,
                            .is_timer = is_timer(execution, delivered->identity)};
}

// Drafts.

// For each move whether it is this one or came of it. Owned.
static bool *find_offspring(const struct rh_moves *moves, size_t move)
{
    bool *is_offspring = rh_alloc(moves->items.count);
    for (size_t i = 1; i < moves->items.count; i++)
        is_offspring[i] = i == move || is_offspring[moves->items.items[i].parent];
    return is_offspring;
}

static bool came_of(const struct rh_moves *moves, size_t move, size_t origin)
{
    while (move > origin)
        move = moves->items.items[move].parent;
    return move == origin;
}

static bool can_come_forward(const struct rh_late *late, size_t first)
{
    return late->parent < first;
}

bool rh_exchange_is_possible(const struct rh_shrinker *shrinker, size_t first,
                             const struct rh_late *late)
{
    if (late->move > 0)
        return late->sent != SIZE_MAX && !came_of(&shrinker->moves, late->move, first);
    return late->sent != SIZE_MAX && can_come_forward(late, first);
}

// Adds messages that were left out and could have come to the move's receiver before the move, in
// sending order: of these, the ones that were sent from `from` on and before `end`.
static void add_left_out(const struct rh_moves *moves, struct rh_schedule *draft, size_t move,
                         size_t from, size_t end)
{
    for (size_t i = 0; i < moves->waiting.count; i++) {
        const struct rh_waiting *waiting = &moves->waiting.items[i];
        if (waiting->receiver == moves->items.items[move].receiver && waiting->parent < move &&
            waiting->sent >= from && waiting->sent < end)
            *rh_vector_push(&draft->steps) = rh_waiting_step(waiting);
    }
}

// The moves with the late one before the first. A message that is not among the moves may come at
// any time. If it can, it comes where it was sent; otherwise it might show the finding in the place
// of the late one.
static void draft_forward(const struct rh_moves *moves, struct rh_schedule *draft, size_t first,
                          const struct rh_late *late)
{
    rh_draft_init(draft, moves);
    for (size_t i = 0; i < rh_moves_tried(moves); i++) {
        if (i == first)
            add_left_out(moves, draft, first, 0, late->sent);
        if (i == first && late->move > 0)
            rh_draft_add(draft, moves, late->move);
        else if (i == first)
            *rh_vector_push(&draft->steps) = late->step;
        if (i == first)
            add_left_out(moves, draft, first, late->sent + 1, moves->items.items[first].sent);
        if (i == 0 || i != late->move)
            rh_draft_add(draft, moves, i);
    }
}

// The moves with the first, and those that came of it, put off until behind the late one.
static void draft_put_off(const struct rh_moves *moves, struct rh_schedule *draft, size_t first,
                          size_t late)
{
    bool *is_put_off = find_offspring(moves, first);
    rh_draft_init(draft, moves);
    for (size_t i = 0; i <= late; i++)
        if (!is_put_off[i])
            rh_draft_add(draft, moves, i);
    for (size_t i = first; i <= late; i++)
        if (is_put_off[i])
            rh_draft_add(draft, moves, i);
    for (size_t i = late + 1; i < rh_moves_tried(moves); i++)
        rh_draft_add(draft, moves, i);
    free(is_put_off);
}

// The moves but for this one and those that came of it. Its message is held until the message of
// `until`; if `until` is NULL, for ever.
static void draft_held(const struct rh_moves *moves, struct rh_schedule *draft, size_t move,
                       const struct rh_step *until)
{
    bool *is_gone = find_offspring(moves, move);
    rh_draft_init(draft, moves);
    for (size_t i = 0; i < rh_moves_tried(moves); i++)
        if (!is_gone[i])
            rh_draft_add(draft, moves, i);
    free(is_gone);
    struct rh_step never = {.has_identity = true};
    *rh_vector_push(&draft->holds) =
        (struct rh_hold){*rh_moves_step(moves, move), until ? *until : never};
}

// Everything else is to go as far as it can: a message that another delivery sends because of the
// exchange takes the place of the one that is not sent then.
static void take_alike(struct rh_schedule *draft, uint64_t first, uint64_t late)
{
    for (size_t i = 0; i < draft->steps.count; i++) {
        struct rh_step *step = &draft->steps.items[i];
        step->takes_alike =
            step->kind == RH_STEP_DELIVER && step->identity != first && step->identity != late;
    }
}

// How much else is different.

static bool is_alike(const struct rh_step *step, const struct rh_event *event)
{
    return step->kind == RH_STEP_DELIVER && event->kind == RH_EVENT_DELIVER &&
           strcmp(step->type, event->type) == 0 && strcmp(step->receiver, event->actor) == 0 &&
           strcmp(step->sender, event->peer) == 0;
}

// The first move like this delivery that has no place yet; 0: there is none.
static size_t find_alike(const struct rh_moves *moves, const struct rh_event *event,
                         const size_t *places)
{
    for (size_t i = 1; i < rh_moves_tried(moves); i++)
        if (places[i] == 0 && is_alike(rh_moves_step(moves, i), event))
            return i;
    return 0;
}

// Gives each move that is made its place.
static void find_places(const struct rh_moves *moves, const struct rh_execution *execution,
                        size_t *places)
{
    struct rh_index known = {0};
    for (size_t i = 1; i < rh_moves_tried(moves); i++)
        if (rh_index_find(&known, moves->items.items[i].identity) == RH_NONE)
            rh_index_add(&known, moves->items.items[i].identity, (uint32_t)i);
    for (int alike = 0; alike < 2; alike++)
        for (size_t i = 0, place = 0; i < execution->events.count; i++) {
            const struct rh_event *event = &execution->events.items[i];
            place += rh_event_is_step(event->kind);
            uint32_t move = rh_index_find(&known, event->identity);
            if (!rh_event_is_step(event->kind) || (alike && move != RH_NONE))
                continue;
            if (alike)
                move = (uint32_t)find_alike(moves, event, places);
            if (move != RH_NONE && places[move] == 0)
                places[move] = place;
        }
    places[0] = 0;
    rh_index_fini(&known);
}

// How many deliveries that are no moves come up to the late one.
static size_t count_added(const struct rh_moves *moves, const struct rh_execution *execution,
                          uint64_t late, const size_t *places)
{
    size_t place = 0, made = 0;
    for (size_t i = 0; i < execution->events.count; i++) {
        place += rh_event_is_step(execution->events.items[i].kind);
        if (execution->events.items[i].kind == RH_EVENT_DELIVER &&
            execution->events.items[i].identity == late)
            break;
    }
    for (size_t i = 1; i < rh_moves_tried(moves); i++)
        made += places[i] > 0 && places[i] <= place;
    return place - made;
}

// How many moves are made in the order in which they were made before: the longest increasing
// sequence of places. `ends` has the least last place of a sequence of each length.
static size_t count_in_order(const size_t *places, size_t count)
{
    size_t *ends = rh_alloc((count + 1) * sizeof *ends), longest = 0;
    for (size_t i = 1; i < count; i++) {
        if (places[i] == 0)
            continue;
        size_t low = 0, high = longest;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (ends[middle] < places[i])
                low = middle + 1;
            else
                high = middle;
        }
        ends[low] = places[i];
        longest += low == longest;
    }
    free(ends);
    return longest;
}

// Pairs of moves, from the first on. Where the late one is a move, those behind it are not looked
// at: what follows may follow from the exchange.
static size_t count_crossed(const struct rh_moves *moves, const struct rh_exchange *exchange)
{
    const size_t *places = exchange->places;
    size_t end = exchange->late > 0 ? exchange->late + 1 : rh_moves_tried(moves), count = 0;
    for (size_t i = exchange->first; i < end; i++)
        for (size_t k = i + 1; k < end; k++)
            count += moves->items.items[i].receiver == moves->items.items[k].receiver &&
                     places[k] > 0 && places[i] > places[k];
    return count;
}

static void measure(const struct rh_moves *moves, const struct rh_execution *execution,
                    const struct rh_late *late, struct rh_exchange *exchange)
{
    size_t count = rh_moves_tried(moves);
    exchange->places = rh_alloc(count * sizeof *exchange->places);
    find_places(moves, execution, exchange->places);
    exchange->added = count_added(moves, execution, late->step.identity, exchange->places);
    size_t kept = count_in_order(exchange->places, count), others = count - 2;
    exchange->lost = kept < others ? others - kept : 0;
    exchange->crossed = count_crossed(moves, exchange);
}

// Trials.

// Whether the execution delivers the first of these messages, and before the other one, if it
// delivers that one at all.
static bool comes_first(const struct rh_execution *execution, uint64_t first, uint64_t other)
{
    for (size_t i = 0; i < execution->events.count; i++) {
        const struct rh_event *event = &execution->events.items[i];
        if (!rh_event_is_step(event->kind))
            continue;
        if (event->identity == first || event->identity == other)
            return event->identity == first;
    }
    return false;
}

// Runs the draft, which is done with afterwards.
static bool try_draft(struct rh_shrinker *shrinker, struct rh_schedule *draft, size_t first,
                      const struct rh_late *late, struct rh_exchange *exchange)
{
    const struct rh_move *move = &shrinker->moves.items.items[first];
    struct rh_trial *trial = &shrinker->trial;
    take_alike(draft, move->identity, late->step.identity);
    struct rh_outcome outcome = rh_trial_run(trial, draft, true, RH_WANT_EVENTS);
    rh_draft_fini(draft);
    bool vanishes = !trial->is_stopped && !outcome.shows && !outcome.is_refused &&
                    comes_first(&outcome.execution, late->step.identity, move->identity);
    if (vanishes) {
        bool has_timer = late->is_timer || is_timer(&shrinker->best.execution, move->identity);
        *exchange = (struct rh_exchange){.first = first,
                                         .late = late->move,
                                         .is_elsewhere = late->receiver != move->receiver,
                                         .is_clean = !outcome.has_error,
                                         .has_timer = has_timer};
        measure(&shrinker->moves, &outcome.execution, late, exchange);
    }
    rh_outcome_fini(&outcome);
    return vanishes;
}

bool rh_exchange_try(struct rh_shrinker *shrinker, size_t first, const struct rh_late *late,
                     struct rh_exchange *exchange)
{
    struct rh_schedule draft;
    if (can_come_forward(late, first))
        draft_forward(&shrinker->moves, &draft, first, late);
    else
        draft_put_off(&shrinker->moves, &draft, first, late->move);
    return try_draft(shrinker, &draft, first, late, exchange);
}

struct rh_outcome rh_exchange_run_without(struct rh_shrinker *shrinker, size_t move)
{
    struct rh_schedule draft;
    draft_held(&shrinker->moves, &draft, move, NULL);
    struct rh_outcome outcome = rh_trial_run(&shrinker->trial, &draft, true, RH_WANT_EVENTS);
    rh_draft_fini(&draft);
    return outcome;
}

bool rh_exchange_try_held(struct rh_shrinker *shrinker, size_t first, const struct rh_late *late,
                          struct rh_exchange *exchange)
{
    struct rh_schedule draft;
    draft_held(&shrinker->moves, &draft, first, &late->step);
    return try_draft(shrinker, &draft, first, late, exchange);
}
