// SPDX-License-Identifier: MIT
// Operations that send messages, and what becomes of who gets them.
#include "symbolic/operations.h"

// What a behaviour does with messages of a type.
enum wish { TAKES, IGNORES, EXISTS };

// Whether the actor can have the behaviour when it gets a message of the type.
static bool can_be(struct rh__sym *sym, uint32_t kept, uint32_t behaviour, uint32_t type,
                   enum wish wish)
{
    if (!rh__sym_kept_has(sym, kept, behaviour))
        return false;
    const struct rh__sym_handling *handling = rh__sym_handling_of(sym, behaviour, type);
    return wish == TAKES ? handling->is_taken : wish == IGNORES ? handling->is_ignored : true;
}

static bool any_can_be(struct rh__sym *sym, uint32_t kept, uint32_t type, enum wish wish)
{
    for (uint32_t i = 0; i < sym->behaviours.count; i++)
        if (can_be(sym, kept, sym->behaviours.items[i].function, type, wish))
            return true;
    return false;
}

// An initial actor that is only an address so far becomes one of a behaviour that takes the type,
// or, if none looks for it, of one that ignores what it does not know. Where it is known which
// behaviours there are, and none does either, it is one of them nevertheless.
static bool decide_behaviour(struct rh__sym *sym, struct rh__sym_situation *situation,
                             uint32_t actor, uint32_t type)
{
    if (situation->actors.items[actor].behaviour != RH_NONE)
        return true;
    uint32_t kept = situation->actors.items[actor].kept;
    enum wish wish = any_can_be(sym, kept, type, TAKES)                        ? TAKES
                     : any_can_be(sym, kept, type, IGNORES) || kept == RH_NONE ? IGNORES
                                                                               : EXISTS;
    bool is_first = true;
    uint32_t chosen = RH_NONE;
    for (uint32_t i = 0; i < sym->behaviours.count; i++) {
        if (!can_be(sym, kept, sym->behaviours.items[i].function, type, wish))
            continue;
        if (is_first) {
            chosen = i;
        } else {
            struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
            rh__sym_become_initial(sym, copy, actor, i);
            rh__sym_push(sym, copy);
        }
        is_first = false;
    }
    if (chosen == RH_NONE) {
        rh__sym_operation_unknown(sym, situation, "an unknown actor that no behaviour can be");
        return false;
    }
    rh__sym_become_initial(sym, situation, actor, chosen);
    return true;
}

uint64_t rh__sym_present(const struct rh__sym_situation *situation)
{
    return situation->running == RH_NONE ? 0 : situation->actors.items[situation->running].now;
}

// Sends a message that is complete but for number, sender and payload.
static void post(struct rh__sym *sym, struct rh__sym_situation *situation,
                 struct rh__sym_message message, struct rh__sym_object *payload)
{
    message.number = situation->message_count++;
    message.sender = situation->running;
    message.payload = RH_NONE;
    message.now = rh__sym_present(situation);
    if (message.kind == RH__SYM_ASK)
        message.request = message.number;
    if (payload)
        message.payload = rh__sym_object_add(situation, payload);
    rh__sym_name_message(sym, situation, &message);
    *rh_vector_push(&situation->pending) = message;
}

// What rh__send, rh__after and rh__ask have in common: (to, type, payload, size, file, line)
enum rh__sym_served rh__sym_op_send(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    const rh__sym_value *arguments, struct rh__sym_message message)
{
    struct rh__sym_object *payload;
    if (!rh__sym_message_type(sym, situation, arguments[1], &message.type))
        return RH__SYM_AGAIN;
    sym->wanted = message.type;
    bool is_found = rh__sym_actor_at(sym, situation, arguments[0], &message.receiver);
    sym->wanted = RH_NONE;
    if (!is_found)
        return RH__SYM_AGAIN;
    if (message.receiver == RH_NONE)
        return rh__sym_operation_broken(sym, situation, "a message to NULL");
    if (situation->actors.items[message.receiver].is_outside)
        return rh__sym_operation_unknown(sym, situation, "a message to the outside");
    if (!decide_behaviour(sym, situation, message.receiver, message.type) ||
        !rh__sym_copy_payload(sym, situation, message.type, &arguments[2], &payload))
        return RH__SYM_AGAIN;
    post(sym, situation, message, payload);
    if (sym->options->any_messages && rh__sym_is_body(situation))
        rh__sym_body_forget(sym, situation);
    return RH__SYM_SERVED;
}

// rh__send_from(sender, to, type, payload, size, file, line)
enum rh__sym_served rh__sym_op_send_from(struct rh__sym *sym, struct rh__sym_situation *situation,
                                         const rh__sym_value *arguments)
{
    uint32_t sender, running = situation->running;
    if (!rh__sym_actor_at(sym, situation, arguments[0], &sender))
        return RH__SYM_AGAIN;
    if (sender == RH_NONE || !situation->actors.items[sender].is_outside)
        return rh__sym_operation_unknown(sym, situation, "a sender that is not outside");
    situation->running = sender;
    enum rh__sym_served served =
        rh__sym_op_send(sym, situation, arguments + 1, (struct rh__sym_message){0});
    situation->running = running;
    return served;
}

// rh__after(milliseconds, to, type, payload, size, file, line)
enum rh__sym_served rh__sym_op_after(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     const rh__sym_value *arguments)
{
    uint64_t delay;
    if (!rh__sym_number(sym, situation, arguments[0], &delay))
        return rh__sym_operation_unknown(sym, situation, "a timer of unknown length");
    struct rh__sym_message message = {.kind = RH__SYM_TIMER};
    message.due = rh__sym_present(situation) + delay;
    return rh__sym_op_send(sym, situation, arguments + 1, message);
}

enum rh__sym_served rh__sym_op_ask(struct rh__sym *sym, struct rh__sym_situation *situation,
                                   const rh__sym_value *arguments)
{
    enum rh__sym_served served =
        rh__sym_op_send(sym, situation, arguments, (struct rh__sym_message){.kind = RH__SYM_ASK});
    return served == RH__SYM_SERVED ? RH__SYM_WAITS : served;
}

// rh__reply(message, type, payload, size, file, line)
enum rh__sym_served rh__sym_op_reply(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     const rh__sym_value *arguments)
{
    struct rh__sym_object *payload;
    struct rh__sym_message *answered = rh__sym_held(sym, situation, arguments[0]);
    if (!answered)
        return rh__sym_operation_unknown(sym, situation, "an answer to an unknown message");
    if (answered->kind == RH__SYM_ASK && answered->is_answered)
        return rh__sym_operation_broken(sym, situation, "a second reply");
    if (answered->sender == RH_NONE || situation->actors.items[answered->sender].is_outside)
        return RH__SYM_SERVED; // nobody takes it outside
    struct rh__sym_message message = {.receiver = answered->sender, .request = answered->request};
    message.kind = answered->kind == RH__SYM_ASK ? RH__SYM_REPLY : RH__SYM_PLAIN;
    if (!rh__sym_message_type(sym, situation, arguments[1], &message.type) ||
        !decide_behaviour(sym, situation, message.receiver, message.type) ||
        !rh__sym_copy_payload(sym, situation, message.type, &arguments[2], &payload))
        return RH__SYM_AGAIN;
    answered->is_answered = true;
    post(sym, situation, message, payload);
    return RH__SYM_SERVED;
}
