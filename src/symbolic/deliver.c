// SPDX-License-Identifier: MIT
// Which messages may be delivered, what their receivers' guards say of them, and what comes of a
// delivery.
#include <string.h>

#include "symbolic/internal.h"

// Replies and timers have no order with other messages.
static bool has_order(const struct rh__sym_message *message)
{
    return message->kind == RH__SYM_PLAIN || message->kind == RH__SYM_ASK;
}

// Whether the order rule holds a message back. One that a guard refuses lets later ones pass.
static bool is_behind(const struct rh__sym_situation *situation, size_t index)
{
    const struct rh__sym_message *message = &situation->pending.items[index];
    for (size_t i = 0; i < index; i++) {
        const struct rh__sym_message *other = &situation->pending.items[i];
        if (other->receiver == message->receiver && other->sender == message->sender &&
            has_order(message) && has_order(other) && other->guard != RH__SYM_REFUSED)
            return true;
    }
    return false;
}

// Whether a timer has to wait for one that is due before it.
static bool is_early(const struct rh__sym_situation *situation,
                     const struct rh__sym_message *message)
{
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *other = &situation->pending.items[i];
        if (message->kind == RH__SYM_TIMER && other->kind == RH__SYM_TIMER &&
            other->receiver == message->receiver && other->due < message->due &&
            other->guard != RH__SYM_REFUSED)
            return true;
    }
    return false;
}

bool rh__sym_is_deliverable(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                            size_t index)
{
    const struct rh__sym_message *message = &situation->pending.items[index];
    const struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    if (receiver->wait || message->kind == RH__SYM_REPLY)
        return receiver->wait && message->kind == RH__SYM_REPLY &&
               message->request == receiver->wait->request;
    return !receiver->is_stopped && message->guard != RH__SYM_REFUSED &&
           !is_early(situation, message) &&
           !(sym->options->keeps_order && is_behind(situation, index));
}

// --- Delivering. ---

struct rh__sym_situation *rh__sym_take_out(struct rh__sym *sym,
                                           const struct rh__sym_situation *situation, size_t index)
{
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    struct rh__sym_message message = copy->pending.items[index];
    copy->pending.count--;
    memmove(&copy->pending.items[index], &copy->pending.items[index + 1],
            (copy->pending.count - index) * sizeof message);
    struct rh__sym_event *event = rh_arena_take(&sym->arena, sizeof *event);
    *event = (struct rh__sym_event){.before = copy->events,
                                    .message = message.number,
                                    .type = message.type,
                                    .receiver = message.receiver,
                                    .sender = message.sender,
                                    .identity = message.identity};
    copy->events = event;
    copy->running = message.receiver;
    copy->delivery = message.identity;
    copy->tag = message.is_first_from_creator ? 0 : message.identity;
    copy->tallies.count = 0;
    copy->held.count = 0;
    copy->is_handled = copy->is_stopping = copy->is_at_stop = false;
    copy->end = RH__SYM_RUNS;
    copy->steps = 0;
    struct rh__sym_actor *receiver = &copy->actors.items[message.receiver];
    receiver->now = receiver->now < message.now ? message.now : receiver->now;
    if (message.kind == RH__SYM_TIMER && receiver->now < message.due)
        receiver->now = message.due;
    for (size_t i = 0; i < copy->pending.count; i++)
        if (copy->pending.items[i].receiver == message.receiver)
            copy->pending.items[i].guard = RH__SYM_NOT_ASKED;
    rh__sym_take_gifts(sym, copy, &message);
    receiver = &copy->actors.items[message.receiver];
    if (++receiver->deliveries > sym->options->deliveries_each)
        rh__sym_cut(sym, copy, RH_CUT_DELIVERY);
    else if (message.kind == RH__SYM_REPLY)
        rh__sym_wait_end(sym, copy, message);
    else
        *rh_vector_push(&copy->held) = message;
    return copy;
}

static void start_handler(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    const struct rh__sym_actor *actor = &situation->actors.items[situation->running];
    const struct rh_ir_function *function = &sym->module->functions.items[actor->behaviour];
    if (function->parameter_count != 3 || !function->block_count) {
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "the behaviour %s",
                         function->source_name);
        return;
    }
    uint64_t state = actor->state == RH_NONE ? 0 : rh__sym_object_address(actor->state);
    rh__sym_value arguments[3] = {
        rh_term_constant(&sym->terms, 64, rh__sym_actor_address(situation->running)),
        rh_term_constant(&sym->terms, 64, state),
        rh_term_constant(&sym->terms, 64, rh__sym_message_address(situation->held.items[0].number)),
    };
    rh__sym_call(sym, situation, function, NULL, arguments, 3);
}

// What is left when a handler has come to its end.
static void settle(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    if (situation->end != RH__SYM_DONE || situation->actors.items[situation->running].wait)
        return;
    const struct rh__sym_message *handled = &situation->held.items[0];
    if (!situation->is_handled && situation->held.count == 1) {
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "%s is not handled",
                         sym->types.items[handled->type].name);
        uint32_t behaviour = situation->actors.items[situation->running].behaviour;
        situation->place = sym->module->functions.items[behaviour].place;
        return;
    }
    for (size_t i = 0; i < situation->actors.count; i++)
        if (situation->actors.items[i].is_reserved) {
            rh__sym_end_with(sym, situation, RH__SYM_BROKEN,
                             "an address that was reserved and is never spawned");
            return;
        }
    situation->actors.items[situation->running].is_stopped = situation->is_stopping;
    rh__sym_lose_gifts(situation);
    if (situation->is_stopping)
        rh__sym_free_own(sym, situation, situation->running);
    for (size_t i = 0; i < situation->held.count; i++) {
        uint32_t payload = situation->held.items[i].payload;
        if (payload == RH_NONE)
            continue;
        rh__sym_object_release(situation->objects.items[payload]);
        situation->objects.items[payload] = NULL;
    }
    situation->held.count = 0;
}

// Runs what the actor has asked for with rh_at_stop, once its handler has stopped it.
static void run_at_stop(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    const struct rh__sym_actor *actor = &situation->actors.items[situation->running];
    if (situation->end != RH__SYM_DONE || !situation->is_stopping || situation->is_at_stop ||
        actor->wait || actor->at_stop == RH_NONE)
        return;
    const struct rh_ir_function *function = &sym->module->functions.items[actor->at_stop];
    uint64_t state = actor->state == RH_NONE ? 0 : rh__sym_object_address(actor->state);
    rh__sym_value arguments[2] = {
        rh_term_constant(&sym->terms, 64, rh__sym_actor_address(situation->running)),
        rh_term_constant(&sym->terms, 64, state),
    };
    situation->is_at_stop = true;
    situation->end = RH__SYM_RUNS;
    if (function->block_count)
        rh__sym_call(sym, situation, function, NULL, arguments, 2);
    else
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "the call of %s", function->source_name);
    rh__sym_run(sym, situation);
}

void rh__sym_deliver(struct rh__sym *sym, struct rh__sym_situation *situation,
                     struct rh__sym_situations *outcomes)
{
    if (situation->end == RH__SYM_RUNS && situation->frames.count == 0)
        start_handler(sym, situation);
    rh__sym_push(sym, situation);
    while (sym->forked.count) {
        struct rh__sym_situation *next = sym->forked.items[--sym->forked.count];
        if (rh__sym_is_over(sym)) {
            rh__sym_situation_free(next);
            continue;
        }
        rh__sym_run(sym, next);
        run_at_stop(sym, next);
        settle(sym, next);
        *(struct rh__sym_situation **)rh_vector_push(outcomes) = next;
    }
}

// --- Guards. ---

static uint32_t guard_of(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                         const struct rh__sym_message *message)
{
    const struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    if (message->kind == RH__SYM_REPLY || receiver->wait || receiver->is_stopped)
        return RH_NONE;
    for (size_t i = 0; i < sym->behaviours.count; i++)
        if (sym->behaviours.items[i].function == receiver->behaviour)
            return sym->behaviours.items[i].guard;
    return RH_NONE;
}

uint32_t rh__sym_first_not_asked(const struct rh__sym *sym,
                                 const struct rh__sym_situation *situation)
{
    for (uint32_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].guard == RH__SYM_NOT_ASKED &&
            guard_of(sym, situation, &situation->pending.items[i]) != RH_NONE)
            return i;
    return RH_NONE;
}

static void start_guard(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t index)
{
    struct rh__sym_message message = situation->pending.items[index];
    const struct rh_ir_function *guard =
        &sym->module->functions.items[guard_of(sym, situation, &message)];
    uint32_t state = situation->actors.items[message.receiver].state;
    rh__sym_value arguments[2] = {
        rh_term_constant(&sym->terms, 64, state == RH_NONE ? 0 : rh__sym_object_address(state)),
        rh_term_constant(&sym->terms, 64, rh__sym_message_address(message.number)),
    };
    situation->running = message.receiver;
    situation->held.count = 0;
    *rh_vector_push(&situation->held) = message;
    situation->end = RH__SYM_RUNS;
    situation->steps = 0;
    if (guard->block_count)
        rh__sym_call(sym, situation, guard, NULL, arguments, 2);
    else
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "the guard %s", guard->source_name);
}

// What the guard has said becomes known of the message; a copy goes on where it says otherwise.
static void end_guard(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t index,
                      struct rh__sym_situation **other)
{
    *other = NULL;
    if (situation->end != RH__SYM_DONE)
        return;
    rh_term answer = rh_term_part(&sym->terms, situation->returned, 0, 1);
    bool accepts = rh__sym_fork(sym, situation, answer, other);
    situation->pending.items[index].guard = accepts ? RH__SYM_ACCEPTED : RH__SYM_REFUSED;
    if (*other)
        (*other)->pending.items[index].guard = accepts ? RH__SYM_REFUSED : RH__SYM_ACCEPTED;
}

void rh__sym_ask_guard(struct rh__sym *sym, const struct rh__sym_situation *situation,
                       uint32_t index, struct rh__sym_situations *answers)
{
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    start_guard(sym, copy, index);
    rh__sym_push(sym, copy);
    while (sym->forked.count) {
        struct rh__sym_situation *next = sym->forked.items[--sym->forked.count], *other;
        if (rh__sym_is_over(sym)) {
            rh__sym_situation_free(next);
            continue;
        }
        rh__sym_run(sym, next);
        end_guard(sym, next, index, &other);
        *(struct rh__sym_situation **)rh_vector_push(answers) = next;
        if (other)
            *(struct rh__sym_situation **)rh_vector_push(answers) = other;
    }
}
