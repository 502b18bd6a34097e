// SPDX-License-Identifier: MIT
#include "explore/shrink/moves.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

// The event that sent a message, or that created an actor.
struct origin {
    uint64_t key; // identity of a message, address of an actor
    size_t event;
};

struct origins {
    RH_VECTOR(struct origin) messages;
    RH_VECTOR(struct origin) actors;
};

static bool is_sending(enum rh_event_kind kind)
{
    return kind == RH_EVENT_SEND || kind == RH_EVENT_ASK || kind == RH_EVENT_REPLY ||
           kind == RH_EVENT_TIMER || kind == RH_EVENT_DUPLICATE;
}

static int compare_origins(const void *one, const void *other)
{
    const struct origin *first = one, *second = other;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    return first->event < second->event ? -1 : first->event > second->event;
}

static void origins_init(struct origins *origins, const struct rh_trace *trace)
{
    *origins = (struct origins){0};
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct rh_event *event = &trace->events.items[i];
        if (is_sending(event->kind))
            *rh_vector_push(&origins->messages) = (struct origin){event->identity, i};
        else if (event->kind == RH_EVENT_SPAWN)
            *rh_vector_push(&origins->actors) = (struct origin){event->peer_address, i};
    }
    if (origins->messages.count > 0)
        qsort(origins->messages.items, origins->messages.count, sizeof *origins->messages.items,
              compare_origins);
    if (origins->actors.count > 0)
        qsort(origins->actors.items, origins->actors.count, sizeof *origins->actors.items,
              compare_origins);
}

static void origins_fini(struct origins *origins)
{
    rh_vector_fini(&origins->messages);
    rh_vector_fini(&origins->actors);
}

// The first origin with this key; `count` if there is none.
static size_t find_origin(const struct origin *items, size_t count, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && items[low].key == key ? low : count;
}

static struct rh_move move_of(const struct rh_trace *trace, const struct origins *origins,
                              const struct rh_event *event)
{
    bool is_crash = event->kind == RH_EVENT_CRASH;
    struct rh_move move = {.receiver = event->actor_address,
                           .identity = event->identity,
                           .sent = is_crash ? SIZE_MAX : 0};
    const struct origin *items = is_crash ? origins->actors.items : origins->messages.items;
    size_t count = is_crash ? origins->actors.count : origins->messages.count;
    size_t at = find_origin(items, count, is_crash ? event->actor_address : event->identity);
    // A message that comes by itself was sent by nobody.
    if (at < count) {
        move.parent = trace->events.items[items[at].event].delivery;
        if (!is_crash)
            move.sent = items[at].event;
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

static void mark(const struct origins *origins, bool *marks, uint64_t identity)
{
    size_t at = find_origin(origins->messages.items, origins->messages.count, identity);
    if (at < origins->messages.count)
        marks[at] = true;
}

static void find_waiting(struct rh_moves *moves, const struct rh_trace *trace,
                         const struct origins *origins)
{
    bool *is_gone = rh_alloc(origins->messages.count + 1);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct rh_event *event = &trace->events.items[i];
        if (event->kind == RH_EVENT_DELIVER || event->kind == RH_EVENT_DROP)
            mark(origins, is_gone, event->identity);
    }
    for (size_t i = 0; i < origins->messages.count; i++) {
        const struct rh_event *event = &trace->events.items[origins->messages.items[i].event];
        if (!is_gone[i])
            *rh_vector_push(&moves->waiting) =
                (struct rh_waiting){.event = event,
                                    .parent = event->delivery,
                                    .sent = origins->messages.items[i].event,
                                    .receiver = event->peer_address,
                                    .identity = event->identity};
    }
    free(is_gone);
}

static int compare_waiting(const void *one, const void *other)
{
    const struct rh_waiting *first = one, *second = other;
    return first->sent < second->sent ? -1 : first->sent > second->sent;
}

void rh_moves_init(struct rh_moves *moves, const struct rh_trace *trace,
                   struct rh_schedule *schedule)
{
    *moves = (struct rh_moves){.schedule = *schedule};
    *schedule = (struct rh_schedule){0};
    struct origins origins;
    origins_init(&origins, trace);
    rh_vector_push(&moves->items);
    for (size_t i = 0; i < trace->events.count; i++)
        if (rh_event_is_step(trace->events.items[i].kind))
            *rh_vector_push(&moves->items) = move_of(trace, &origins, &trace->events.items[i]);
    find_steps(moves);
    find_waiting(moves, trace, &origins);
    if (moves->waiting.count > 0)
        qsort(moves->waiting.items, moves->waiting.count, sizeof *moves->waiting.items,
              compare_waiting);
    origins_fini(&origins);
}

void rh_moves_fini(struct rh_moves *moves)
{
    rh_schedule_fini(&moves->schedule);
    rh_vector_fini(&moves->items);
    rh_vector_fini(&moves->waiting);
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
