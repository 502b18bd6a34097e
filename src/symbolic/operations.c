// SPDX-License-Identifier: MIT
// What the operations of actor.h do, with the meaning that they have in the world.
#include <stdio.h>
#include <string.h>

#include "symbolic/operations.h"

uint32_t rh__sym_type_named(struct rh__sym *sym, const char *name, uint64_t size)
{
    for (uint32_t i = 0; i < sym->types.count; i++)
        if (!strcmp(sym->types.items[i].name, name))
            return i;
    *rh_vector_push(&sym->types) =
        (struct rh__sym_type){.name = rh_arena_text(&sym->arena, name, strlen(name)), .size = size};
    return (uint32_t)sym->types.count - 1;
}

uint32_t rh__sym_site(struct rh__sym *sym, const char *name)
{
    for (uint32_t i = 0; i < sym->sites.count; i++)
        if (!strcmp(sym->sites.items[i], name))
            return i;
    *rh_vector_push(&sym->sites) = rh_arena_text(&sym->arena, name, strlen(name));
    return (uint32_t)sym->sites.count - 1;
}

enum rh__sym_served rh__sym_operation_unknown(struct rh__sym *sym,
                                              struct rh__sym_situation *situation, const char *what)
{
    rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "%s", what);
    return RH__SYM_AGAIN;
}

enum rh__sym_served rh__sym_operation_broken(struct rh__sym *sym,
                                             struct rh__sym_situation *situation, const char *what)
{
    rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "%s", what);
    return RH__SYM_AGAIN;
}

// --- Arguments. ---

const char *rh__sym_type_at(struct rh__sym *sym, struct rh__sym_situation *situation,
                            rh_term address, uint64_t *size)
{
    struct rh__sym_place place;
    uint64_t offset;
    if (!rh__sym_find_fixed(sym, situation, address, 16, &place, &offset))
        return NULL;
    const struct rh__sym_object *object = rh__sym_object_at(sym, situation, &place);
    bool is_unset = false;
    rh_term name = rh__sym_object_read(sym, object, offset, 8, &is_unset);
    rh_term bytes = rh__sym_object_read(sym, object, offset + 8, 8, &is_unset);
    if (is_unset || !rh__sym_number(sym, situation, bytes, size))
        return NULL;
    return rh__sym_text(sym, situation, name);
}

bool rh__sym_message_type(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                          uint32_t *type)
{
    uint64_t size = 0;
    const char *name = rh__sym_type_at(sym, situation, address, &size);
    if (!name) {
        if (situation->end == RH__SYM_RUNS)
            rh__sym_operation_unknown(sym, situation, "a message of an unknown type");
        return false;
    }
    *type = rh__sym_type_named(sym, name, size);
    return true;
}

bool rh__sym_actor_at(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                      uint32_t *actor)
{
    uint64_t number;
    *actor = RH_NONE;
    if (!rh__sym_decide(sym, situation, &address))
        return false;
    bool is_known = rh_term_is_constant(&sym->terms, address, &number);
    if (is_known && number == 0)
        return true;
    uint64_t index = (number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS;
    if (!is_known || number < RH__SYM_ACTORS || index >= situation->actors.count) {
        rh__sym_operation_unknown(sym, situation, "the address of an actor");
        return false;
    }
    *actor = (uint32_t)index;
    return true;
}

// --- The message that is handled. ---

// rh__as(message, type)
static enum rh__sym_served take(struct rh__sym *sym, struct rh__sym_situation *situation,
                                const rh__sym_value *arguments, rh__sym_value *value)
{
    uint32_t type;
    if (!rh__sym_message_type(sym, situation, arguments[1], &type))
        return RH__SYM_AGAIN;
    const struct rh__sym_message *message = rh__sym_held(sym, situation, arguments[0]);
    if (!message)
        return rh__sym_operation_unknown(sym, situation, "a message that is not the one handled");
    uint64_t address = 0;
    if (type == message->type) {
        situation->is_handled = true;
        address = message->payload == RH_NONE
                      ? rh__sym_message_address(message->number) // a signal: anything but null
                      : rh__sym_object_address(message->payload);
    }
    *value = rh_term_constant(&sym->terms, 64, address);
    return RH__SYM_SERVED;
}

// A number is one variable, anything else as its fields are.
static uint32_t input_object(struct rh__sym *sym, struct rh__sym_situation *situation,
                             const char *type, uint64_t size, const char *name)
{
    bool is_number = (size == 1 || size == 2 || size == 4 || size == 8) &&
                     !rh_ir_record_find(sym->module, type, size);
    if (!is_number)
        return rh__sym_unknown_object(sym, situation, type, size, name,
                                      (struct rh__sym_owner){RH_NONE, NULL});
    struct rh__sym_unknown unknown = {.is_signed = !strstr(type, "unsigned"), .kept = RH_NONE};
    rh_term term = rh__sym_variable(sym, situation, (unsigned)size * 8, name, unknown);
    struct rh__sym_object *object = rh__sym_object_new(size, RH__SYM_REST_ZERO);
    rh__sym_object_write(sym, &object, 0, (unsigned)size, term);
    if (!strcmp(type, "bool") || !strcmp(type, "_Bool"))
        rh__sym_assume(
            sym, situation,
            rh_term_make2(&sym->terms, RH_TERM_BELOW, term, rh_term_constant(&sym->terms, 8, 2)),
            true);
    return rh__sym_object_add(situation, object);
}

// rh__input(type, size, name): the same value each time, which nobody knows.
static enum rh__sym_served input(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t size;
    const char *name = rh__sym_text(sym, situation, arguments[2]);
    const char *type = rh__sym_text(sym, situation, arguments[0]);
    if (!name || !type || !rh__sym_number(sym, situation, arguments[1], &size))
        return rh__sym_operation_unknown(sym, situation, "an input that can't be told");
    if (!strncmp(type, "struct ", 7))
        type += 7;
    for (size_t i = 0; i < situation->inputs.count; i++)
        if (!strcmp(situation->inputs.items[i].name, name)) {
            *value = rh_term_constant(&sym->terms, 64,
                                      rh__sym_object_address(situation->inputs.items[i].object));
            return RH__SYM_SERVED;
        }
    uint32_t object = input_object(sym, situation, type, size, name);
    situation->objects.items[object]->is_constant = true;
    *rh_vector_push(&situation->inputs) = (struct rh__sym_input){name, type, object};
    *value = rh_term_constant(&sym->terms, 64, rh__sym_object_address(object));
    return RH__SYM_SERVED;
}

static enum rh__sym_served choose(struct rh__sym *sym, struct rh__sym_situation *situation,
                                  const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t count;
    if (!rh__sym_number(sym, situation, arguments[0], &count))
        return rh__sym_operation_unknown(sym, situation, "a choice of unknown size");
    struct rh_text name = {0};
    rh_text_addf(&name, "choice %u", (unsigned)++situation->choices);
    rh_term term = rh__sym_variable(sym, situation, 32, rh_text_get(&name),
                                    (struct rh__sym_unknown){.is_signed = true, .kept = RH_NONE});
    rh_text_fini(&name);
    situation->values.items[rh_term_get(&sym->terms, term)->number] = 0;
    rh__sym_assume(
        sym, situation,
        rh_term_make2(&sym->terms, RH_TERM_BELOW, term, rh_term_constant(&sym->terms, 32, count)),
        true);
    struct rh__sym_event *event = rh_arena_take(&sym->arena, sizeof *event);
    *event = (struct rh__sym_event){
        .before = situation->events, .choice = term, .choices = (uint32_t)count};
    situation->events = event;
    *value = term;
    return RH__SYM_SERVED;
}

// rh__check(holds, condition, file, line)
static enum rh__sym_served check(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const rh__sym_value *arguments)
{
    rh_term holds = arguments[0];
    if (rh_term_width(&sym->terms, holds) > 1)
        holds = rh_term_part(&sym->terms, holds, 0, 1);
    const char *text = rh__sym_text(sym, situation, arguments[1]);
    struct rh__sym_situation *other = NULL;
    bool is_kept = rh__sym_fork(sym, situation, holds, &other);
    struct rh__sym_situation *failing = is_kept ? other : situation;
    if (failing && failing->end == RH__SYM_RUNS)
        rh__sym_end_with(sym, failing, RH__SYM_BROKEN, "the check %s fails", text ? text : "");
    if (other)
        rh__sym_push(sym, other);
    else if (is_kept)
        rh__sym_holds(sym, situation, holds);
    return is_kept ? RH__SYM_SERVED : RH__SYM_AGAIN;
}

static rh_term own_address(struct rh__sym *sym, uint32_t actor)
{
    return rh_term_constant(&sym->terms, 64, actor == RH_NONE ? 0 : rh__sym_actor_address(actor));
}

static enum rh__sym_served about_message(struct rh__sym *sym, struct rh__sym_situation *situation,
                                         const char *name, const rh__sym_value *arguments,
                                         rh__sym_value *value)
{
    const struct rh__sym_message *message = rh__sym_held(sym, situation, arguments[0]);
    if (!message)
        return rh__sym_operation_unknown(sym, situation, "a message that is not the one handled");
    // Others than this sender may send others than these messages.
    if (strcmp(name, "rh_ignore") != 0 && message->sender != RH_NONE &&
        situation->actors.items[message->sender].is_outside)
        sym->leaves_out_senders = true;
    if (!strcmp(name, "rh_ignore")) {
        situation->is_handled = true;
    } else if (!strcmp(name, "rh_sender")) {
        *value = own_address(sym, message->sender);
    } else if (!strcmp(name, "rh_name")) {
        uint64_t text = sym->types.items[message->type].text;
        if (!text)
            return rh__sym_operation_unknown(sym, situation, "the name of a message");
        *value = rh_term_constant(&sym->terms, 64, text);
    } else {
        uint64_t size =
            message->payload == RH_NONE ? 0 : situation->objects.items[message->payload]->size;
        *value = rh_term_constant(&sym->terms, 64, size);
    }
    return RH__SYM_SERVED;
}

static enum rh__sym_served become(struct rh__sym *sym, struct rh__sym_situation *situation,
                                  const rh__sym_value *arguments)
{
    uint64_t where;
    if (!rh__sym_number(sym, situation, arguments[0], &where) || where < RH__SYM_FUNCTIONS ||
        where >= RH__SYM_OBJECTS)
        return rh__sym_operation_unknown(sym, situation, "an unknown behaviour");
    situation->actors.items[situation->running].behaviour =
        (uint32_t)((where - RH__SYM_FUNCTIONS) / 16);
    return RH__SYM_SERVED;
}

static enum rh__sym_served at_stop(struct rh__sym *sym, struct rh__sym_situation *situation,
                                   const rh__sym_value *arguments)
{
    uint64_t where;
    if (!rh__sym_number(sym, situation, arguments[0], &where) ||
        (where && (where < RH__SYM_FUNCTIONS || where >= RH__SYM_OBJECTS)))
        return rh__sym_operation_unknown(sym, situation, "an unknown function for rh_at_stop");
    situation->actors.items[situation->running].at_stop =
        where ? (uint32_t)((where - RH__SYM_FUNCTIONS) / 16) : RH_NONE;
    return RH__SYM_SERVED;
}

// Whether what the operation gives depends on the past, the test or the sender.
static bool looks_elsewhere(const char *name)
{
    static const char *const names[] = {"rh_now",  "rh_sender",     "rh_size",     "rh_name",
                                        "rh__ask", "rh__parameter", "rh__reserve", "rh__give"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

// Operations that only look or say something about the actor itself.
static enum rh__sym_served about_self(struct rh__sym *sym, struct rh__sym_situation *situation,
                                      const char *name, const rh__sym_value *arguments,
                                      rh__sym_value *value)
{
    if (!strcmp(name, "rh_progress"))
        return RH__SYM_SERVED;
    if (!strcmp(name, "rh_self")) {
        *value = own_address(sym, situation->running);
        return RH__SYM_SERVED;
    }
    if (!strcmp(name, "rh_now")) {
        *value = rh_term_constant(&sym->terms, 64, rh__sym_present(situation));
        return RH__SYM_SERVED;
    }
    if (!strcmp(name, "rh__stop")) {
        situation->is_stopping = true;
        return RH__SYM_SERVED;
    }
    if (!strcmp(name, "rh__become"))
        return become(sym, situation, arguments);
    if (!strcmp(name, "rh_at_stop"))
        return at_stop(sym, situation, arguments);
    if (!strcmp(name, "rh__give"))
        return rh__sym_op_give(sym, situation, arguments, value);
    if (!strcmp(name, "rh_ignore") || !strcmp(name, "rh_sender") || !strcmp(name, "rh_size") ||
        !strcmp(name, "rh_name"))
        return about_message(sym, situation, name, arguments, value);
    return RH__SYM_NOT_SERVED;
}

// A judge may check, and look.
static enum rh__sym_served judged(struct rh__sym *sym, struct rh__sym_situation *situation,
                                  const char *name, const rh__sym_value *arguments,
                                  rh__sym_value *value)
{
    if (!strcmp(name, "rh__check"))
        return check(sym, situation, arguments);
    enum rh__sym_served served = rh__sym_view(sym, situation, name, arguments, value);
    return served == RH__SYM_NOT_SERVED
               ? rh__sym_operation_broken(sym, situation, "a judge that does more than look")
               : served;
}

enum rh__sym_served rh__sym_operation(struct rh__sym *sym, struct rh__sym_situation *situation,
                                      const char *name, const rh__sym_value *arguments,
                                      uint32_t count, rh__sym_value *value)
{
    (void)count;
    if (strncmp(name, "rh_", 3) != 0)
        return RH__SYM_NOT_SERVED;
    sym->looks_elsewhere = sym->looks_elsewhere || looks_elsewhere(name);
    if (situation->is_judging)
        return judged(sym, situation, name, arguments, value);
    enum rh__sym_served served =
        situation->running == RH_NONE
            ? rh__sym_body_operation(sym, situation, name, arguments, value)
            : RH__SYM_NOT_SERVED;
    if (served != RH__SYM_NOT_SERVED)
        return served;
    if (!strcmp(name, "rh__send_from"))
        return rh__sym_op_send_from(sym, situation, arguments);
    if (!strcmp(name, "rh__send"))
        return rh__sym_op_send(sym, situation, arguments, (struct rh__sym_message){0});
    if (!strcmp(name, "rh__after"))
        return rh__sym_op_after(sym, situation, arguments);
    if (!strcmp(name, "rh__ask"))
        return rh__sym_op_ask(sym, situation, arguments);
    if (!strcmp(name, "rh__reply"))
        return rh__sym_op_reply(sym, situation, arguments);
    if (!strcmp(name, "rh__spawn"))
        return rh__sym_op_spawn(sym, situation, arguments, value);
    if (!strcmp(name, "rh__reserve"))
        return rh__sym_op_reserve(sym, situation, arguments, value);
    if (!strcmp(name, "rh__spawn_at"))
        return rh__sym_op_spawn_at(sym, situation, arguments);
    if (!strcmp(name, "rh__as"))
        return take(sym, situation, arguments, value);
    if (!strcmp(name, "rh__input"))
        return input(sym, situation, arguments, value);
    if (!strcmp(name, "rh__parameter")) {
        *value = arguments[1];
        return RH__SYM_SERVED;
    }
    if (!strcmp(name, "rh__check"))
        return check(sym, situation, arguments);
    if (!strcmp(name, "rh__choose"))
        return choose(sym, situation, arguments, value);
    if (!strcmp(name, "rh__unhandled"))
        return rh__sym_operation_broken(sym, situation, "a message that should not have come");
    return about_self(sym, situation, name, arguments, value);
}
