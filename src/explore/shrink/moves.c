// SPDX-License-Identifier: MIT
#include "explore/shrink/moves.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

// A message that comes by itself was sent by nobody, as if by the test's body.
static struct rh_move move_of(const struct rh_execution *execution, const struct rh_event *event)
{
    struct rh_move move = {.receiver = event->actor_address, .identity = event->identity};
    if (event->kind == RH_EVENT_CRASH) {
        const struct rh_event *creation = rh_execution_creation(execution, event->actor_address);
        move.parent = creation ? creation->delivery : 0;
        move.sent = SIZE_MAX;
        return move;
    }
    const struct rh_execution_message *message = rh_execution_message(execution, event->identity);
    if (message) {
        move.parent = message->sent_in;
        move.sent = message->sent;
    }
    return move;
}

// Steps that belong to a move follow it up to the next move.
static void find_steps(struct rh_moves *moves)
{
    size_t move = 0;
    for (size_t i = 0; i < moves->schedule.steps.count; i++) {
        enum rh_step_kind kind = moves->schedule.steps.items[i].kind;
        if (kind == RH_STEP_LAP) {
            moves->has_lap = true;
            moves->lap = move;
            continue;
        }
        if (rh_step_is_move(kind))
            moves->items.items[++move].first = i;
        moves->items.items[move].end = i + 1;
    }
}

static void find_waiting(struct rh_moves *moves, const struct rh_execution *execution)
{
    for (size_t i = 0; i < execution->messages.count; i++) {
        const struct rh_execution_message *message = &execution->messages.items[i];
        const struct rh_event *event = &execution->events.items[message->sent];
        if (message->taken == RH_NONE)
            *rh_vector_push(&moves->waiting) = (struct rh_waiting){.event = event,
                                                                   .parent = message->sent_in,
                                                                   .sent = message->sent,
                                                                   .receiver = event->peer_address,
                                                                   .identity = event->identity};
    }
}

void rh_moves_init(struct rh_moves *moves, const struct rh_execution *execution,
                   const rh_touched_list *touched, struct rh_schedule *schedule)
{
    *moves = (struct rh_moves){.schedule = *schedule};
    *schedule = (struct rh_schedule){0};
    rh_vector_push(&moves->items);
    for (size_t i = 0; i < execution->events.count; i++)
        if (rh_event_is_step(execution->events.items[i].kind))
            *rh_vector_push(&moves->items) = move_of(execution, &execution->events.items[i]);
    for (size_t i = 0; i < touched->count && i + 1 < moves->items.count; i++)
        moves->items.items[i + 1].touched = touched->items[i];
    find_steps(moves);
    find_waiting(moves, execution);
}

void rh_moves_fini(struct rh_moves *moves)
{
    rh_schedule_fini(&moves->schedule);
    rh_vector_fini(&moves->items);
    rh_vector_fini(&moves->waiting);
}

bool rh_moves_depend(const struct rh_moves *moves, size_t a, size_t b)
{
    const struct rh_move *one = &moves->items.items[a], *other = &moves->items.items[b];
    return one->receiver == other->receiver || rh_depends(one->touched, other->touched);
}

bool rh_move_was_pending(const struct rh_moves *moves, size_t a, size_t b)
{
    return moves->items.items[b].parent < a;
}

bool rh_moves_are_inverted(const struct rh_moves *moves, size_t a, size_t b)
{
    return rh_move_was_pending(moves, a, b) &&
           moves->items.items[b].sent < moves->items.items[a].sent;
}

struct rh_step rh_waiting_step(const struct rh_waiting *waiting)
{
    return (struct rh_step){.kind = RH_STEP_DELIVER,
                            .type = waiting->event->type,
                            .receiver = waiting->event->peer,
                            .sender = waiting->event->actor,
                            .has_identity = true,
                            .identity = waiting->identity};
}

struct rh_step rh_event_step(const struct rh_event *delivered)
{
    return (struct rh_step){.kind = RH_STEP_DELIVER,
                            .type = delivered->type,
                            .receiver = delivered->actor,
                            .sender = delivered->peer,
                            .has_identity = true,
                            .identity = delivered->identity};
}

// Drafts.

void rh_draft_init(struct rh_schedule *draft, const struct rh_moves *moves)
{
    const struct rh_schedule *all = &moves->schedule;
    *draft = (struct rh_schedule){.path = all->path,
                                  .test = all->test,
                                  .order_rule = all->order_rule,
                                  .time = all->time,
                                  .environment = all->environment};
    memcpy(&draft->inputs, &all->inputs, sizeof draft->inputs);
    for (size_t i = 0; i < all->sends.count; i++)
        *rh_vector_push(&draft->sends) = all->sends.items[i];
}

void rh_draft_fini(struct rh_schedule *draft)
{
    rh_vector_fini(&draft->sends);
    rh_vector_fini(&draft->steps);
    rh_vector_fini(&draft->holds);
}

void rh_draft_add(struct rh_schedule *draft, const struct rh_moves *moves, size_t move)
{
    for (size_t i = moves->items.items[move].first; i < moves->items.items[move].end; i++)
        *rh_vector_push(&draft->steps) = moves->schedule.steps.items[i];
}

void rh_draft_forget_identities(struct rh_schedule *draft)
{
    for (size_t i = 0; i < draft->steps.count; i++)
        if (draft->steps.items[i].kind == RH_STEP_DELIVER)
            draft->steps.items[i].has_identity = false;
}

static const struct rh_step *step_of(const struct rh_moves *moves, size_t move)
{
    return &moves->schedule.steps.items[moves->items.items[move].first];
}

static bool are_alike(const struct rh_step *one, const struct rh_step *other)
{
    return one->kind == RH_STEP_DELIVER && other->kind == RH_STEP_DELIVER &&
           strcmp(one->type, other->type) == 0 && strcmp(one->receiver, other->receiver) == 0 &&
           strcmp(one->sender, other->sender) == 0;
}

bool rh_moves_repeat(const struct rh_moves *moves)
{
    for (size_t i = 1; i < moves->items.count; i++)
        for (size_t k = 1; k < i; k++)
            if (are_alike(step_of(moves, k), step_of(moves, i)))
                return true;
    return false;
}

// A recorded message from outside that is not delivered need not come.
static void leave_out_undelivered(struct rh_schedule *draft)
{
    struct rh_index delivered = {0};
    for (size_t i = 0; i < draft->steps.count; i++) {
        const struct rh_step *step = &draft->steps.items[i];
        if (step->kind == RH_STEP_DELIVER && rh_index_find(&delivered, step->identity) == RH_NONE)
            rh_index_add(&delivered, step->identity, (uint32_t)i);
    }
    bool *needed = rh_schedule_find_needed(draft, &delivered);
    size_t kept = 0;
    for (size_t i = 0; i < draft->sends.count; i++)
        if (needed[i])
            draft->sends.items[kept++] = draft->sends.items[i];
    draft->sends.count = kept;
    free(needed);
    rh_index_fini(&delivered);
}

void rh_draft_without(struct rh_schedule *draft, const struct rh_moves *moves, const bool *left_out)
{
    bool *is_gone = rh_alloc(moves->items.count);
    rh_draft_init(draft, moves);
    for (size_t i = 0; i < moves->items.count; i++) {
        is_gone[i] = i > 0 && (left_out[i] || is_gone[moves->items.items[i].parent]);
        if (!is_gone[i])
            rh_draft_add(draft, moves, i);
        if (moves->has_lap && i == moves->lap)
            *rh_vector_push(&draft->steps) = (struct rh_step){.kind = RH_STEP_LAP};
    }
    free(is_gone);
    draft->stops = !moves->has_lap;
    if (draft->stops)
        leave_out_undelivered(draft);
}
