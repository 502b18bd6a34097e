// SPDX-License-Identifier: MIT
// What the operations of actor.h do, with the meaning that they have in the world.
#include <stdio.h>
#include <string.h>

#include "symbolic/internal.h"

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

static enum rh__sym_served unknown(struct rh__sym *sym, struct rh__sym_situation *situation,
                                   const char *what)
{
    rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "%s", what);
    return RH__SYM_AGAIN;
}

static enum rh__sym_served broken(struct rh__sym *sym, struct rh__sym_situation *situation,
                                  const char *what)
{
    rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "%s", what);
    return RH__SYM_AGAIN;
}

// --- Arguments. ---

// The name and size in a struct rh_type at the address; NULL: there is none.
static const char *type_at(struct rh__sym *sym, struct rh__sym_situation *situation,
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
    const char *name = type_at(sym, situation, address, &size);
    if (!name) {
        if (situation->end == RH__SYM_RUNS)
            unknown(sym, situation, "a message of an unknown type");
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
        unknown(sym, situation, "the address of an actor");
        return false;
    }
    *actor = (uint32_t)index;
    return true;
}

// The number of the object that a constant leads into; RH_NONE: none.
static uint32_t object_at(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                          rh_term term)
{
    uint64_t number;
    if (!rh_term_is_constant(&sym->terms, term, &number) || number < RH__SYM_OBJECTS ||
        number >= RH__SYM_ACTORS)
        return RH_NONE;
    uint64_t index = (number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS;
    bool is_there = index < situation->objects.count && situation->objects.items[index];
    return is_there ? (uint32_t)index : RH_NONE;
}

// What is in a message or a new state must not lead into the sender's memory, but for blocks that
// rh_give has handed over. false: it does.
static bool hands_over(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct rh__sym_object *copy)
{
    for (uint32_t i = 0; i < copy->count; i++) {
        rh_term term = rh__sym_settle(sym, situation, copy->cells[i].term);
        uint32_t object = copy->cells[i].size == 8 ? object_at(sym, situation, term) : RH_NONE;
        if (object == RH_NONE)
            continue;
        if (!situation->objects.items[object]->is_given) {
            broken(sym, situation, "a pointer into the sender's memory");
            // Bytes without a type may look like a pointer: the world does not call that one.
            situation->is_undefined = true;
            return false;
        }
        rh__sym_object_own(situation, object)->is_given = false;
    }
    return true;
}

// A copy of `size` bytes as an object of its own, which is not in the situation yet; NULL: none.
static bool copy_bytes(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                       rh_term size, struct rh__sym_object **copy)
{
    uint64_t bytes, offset;
    struct rh__sym_place place;
    *copy = NULL;
    if (!rh__sym_length(sym, situation, size, &bytes))
        return false;
    if (bytes == 0)
        return true;
    if (!rh__sym_find_fixed(sym, situation, address, bytes, &place, &offset))
        return false;
    *copy = rh__sym_object_new(bytes, RH__SYM_REST_ZERO);
    rh__sym_object_copy(sym, copy, 0, rh__sym_object_at(sym, situation, &place), offset, bytes);
    if (!hands_over(sym, situation, *copy)) {
        rh__sym_object_release(*copy);
        return false;
    }
    return true;
}

// --- Actors. ---

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
        unknown(sym, situation, "an unknown actor that no behaviour can be");
        return false;
    }
    rh__sym_become_initial(sym, situation, actor, chosen);
    return true;
}

// The logical time of who runs; a test's body has none.
static uint64_t present(const struct rh__sym_situation *situation)
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
    message.now = present(situation);
    if (message.kind == RH__SYM_ASK)
        message.request = message.number;
    if (payload)
        message.payload = rh__sym_object_add(situation, payload);
    rh__sym_name_message(sym, situation, &message);
    *rh_vector_push(&situation->pending) = message;
}

// What rh__send, rh__after and rh__ask have in common: (to, type, payload, size, file, line)
static enum rh__sym_served send(struct rh__sym *sym, struct rh__sym_situation *situation,
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
        return broken(sym, situation, "a message to NULL");
    if (situation->actors.items[message.receiver].is_outside)
        return unknown(sym, situation, "a message to the outside");
    if (!decide_behaviour(sym, situation, message.receiver, message.type) ||
        !copy_bytes(sym, situation, arguments[2], arguments[3], &payload))
        return RH__SYM_AGAIN;
    post(sym, situation, message, payload);
    return RH__SYM_SERVED;
}

// rh__send_from(sender, to, type, payload, size, file, line)
static enum rh__sym_served send_from(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     const rh__sym_value *arguments)
{
    uint32_t sender, running = situation->running;
    if (!rh__sym_actor_at(sym, situation, arguments[0], &sender))
        return RH__SYM_AGAIN;
    if (sender == RH_NONE || !situation->actors.items[sender].is_outside)
        return unknown(sym, situation, "a sender that is not outside");
    situation->running = sender;
    enum rh__sym_served served = send(sym, situation, arguments + 1, (struct rh__sym_message){0});
    situation->running = running;
    return served;
}

// rh__after(milliseconds, to, type, payload, size, file, line)
static enum rh__sym_served after(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const rh__sym_value *arguments)
{
    uint64_t delay;
    if (!rh__sym_number(sym, situation, arguments[0], &delay))
        return unknown(sym, situation, "a timer of unknown length");
    struct rh__sym_message message = {.kind = RH__SYM_TIMER};
    message.due = present(situation) + delay;
    return send(sym, situation, arguments + 1, message);
}

static enum rh__sym_served ask(struct rh__sym *sym, struct rh__sym_situation *situation,
                               const rh__sym_value *arguments)
{
    enum rh__sym_served served =
        send(sym, situation, arguments, (struct rh__sym_message){.kind = RH__SYM_ASK});
    return served == RH__SYM_SERVED ? RH__SYM_WAITS : served;
}

// rh__reply(message, type, payload, size, file, line)
static enum rh__sym_served reply(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const rh__sym_value *arguments)
{
    struct rh__sym_object *payload;
    struct rh__sym_message *answered = rh__sym_held(sym, situation, arguments[0]);
    if (!answered)
        return unknown(sym, situation, "an answer to an unknown message");
    if (answered->kind == RH__SYM_ASK && answered->is_answered)
        return broken(sym, situation, "a second reply");
    if (answered->sender == RH_NONE || situation->actors.items[answered->sender].is_outside)
        return RH__SYM_SERVED; // nobody takes it outside
    struct rh__sym_message message = {.receiver = answered->sender, .request = answered->request};
    message.kind = answered->kind == RH__SYM_ASK ? RH__SYM_REPLY : RH__SYM_PLAIN;
    if (!rh__sym_message_type(sym, situation, arguments[1], &message.type) ||
        !decide_behaviour(sym, situation, message.receiver, message.type) ||
        !copy_bytes(sym, situation, arguments[2], arguments[3], &payload))
        return RH__SYM_AGAIN;
    answered->is_answered = true;
    post(sym, situation, message, payload);
    return RH__SYM_SERVED;
}

static bool count_creation(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term file,
                           rh_term line)
{
    struct rh_text name = {0};
    uint64_t number = 0;
    const char *text = rh__sym_text(sym, situation, file);
    rh__sym_number(sym, situation, line, &number);
    rh_text_addf(&name, "%s:%u", text ? text : "?", (unsigned)number);
    uint32_t site = rh__sym_site(sym, rh_text_get(&name));
    rh_text_fini(&name);
    while (situation->created.count <= site)
        *rh_vector_push(&situation->created) = 0;
    // What a test's body creates is known, however much it is.
    if (++situation->created.items[site] <= sym->options->actors_each ||
        situation->running == RH_NONE)
        return true;
    rh__sym_cut(sym, situation, RH_CUT_ACTOR);
    return false;
}

// A new actor without a state. Gives its index.
static uint32_t create(struct rh__sym *sym, struct rh__sym_situation *situation, uint64_t behaviour,
                       rh_term name)
{
    uint32_t index = (uint32_t)situation->actors.count;
    struct rh__sym_actor *actor = rh_vector_push(&situation->actors);
    *actor = (struct rh__sym_actor){.behaviour = (uint32_t)((behaviour - RH__SYM_FUNCTIONS) / 16),
                                    .state = RH_NONE,
                                    .parent = situation->running,
                                    .at_stop = RH_NONE,
                                    .kept = RH_NONE};
    actor->spawned_as = rh__sym_text(sym, situation, name);
    rh__sym_name_actor(sym, situation, index);
    return index;
}

// Gives the actor its state; one that a test's body creates is there from the beginning.
static void give_state(struct rh__sym_situation *situation, struct rh__sym_actor *actor,
                       struct rh__sym_object *state)
{
    if (!state)
        return;
    actor->state = rh__sym_object_add(situation, state);
    if (situation->running != RH_NONE)
        return;
    actor->initial = situation->objects.items[actor->state];
    actor->initial->references++;
}

// The name of a state's struct. rh_spawn_sized gives no type: then it is what states of that size
// and behaviour are elsewhere in the program; NULL: not known.
static const char *state_record(struct rh__sym *sym, struct rh__sym_situation *situation,
                                rh_term type, uint32_t function, const struct rh__sym_object *state)
{
    uint64_t number, size = 0;
    if (!state)
        return NULL;
    if (!rh__sym_number(sym, situation, type, &number) || number != 0)
        return type_at(sym, situation, type, &size);
    for (size_t i = 0; i < sym->behaviours.count; i++) {
        const struct rh__sym_behaviour *it = &sym->behaviours.items[i];
        if (it->function == function && it->state_size == state->size)
            return it->record;
    }
    return NULL;
}

// rh__spawn(behaviour, name, state type, state, size, file, line)
static enum rh__sym_served spawn(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t where;
    if (!rh__sym_number(sym, situation, arguments[0], &where) || where < RH__SYM_FUNCTIONS ||
        where >= RH__SYM_OBJECTS)
        return unknown(sym, situation, "an actor of an unknown behaviour");
    struct rh__sym_object *state;
    if (!copy_bytes(sym, situation, arguments[3], arguments[4], &state))
        return RH__SYM_AGAIN;
    const char *record = state_record(sym, situation, arguments[2],
                                      (uint32_t)((where - RH__SYM_FUNCTIONS) / 16), state);
    if (!count_creation(sym, situation, arguments[5], arguments[6])) {
        rh__sym_object_release(state);
        return RH__SYM_AGAIN;
    }
    uint32_t index = create(sym, situation, where, arguments[1]);
    struct rh__sym_actor *actor = &situation->actors.items[index];
    actor->record = record;
    give_state(situation, actor, state);
    *value = rh_term_constant(&sym->terms, 64, rh__sym_actor_address(index));
    return RH__SYM_SERVED;
}

// rh__reserve(behaviour, name, file, line)
static enum rh__sym_served reserve(struct rh__sym *sym, struct rh__sym_situation *situation,
                                   const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t where;
    if (!rh__sym_number(sym, situation, arguments[0], &where) || where < RH__SYM_FUNCTIONS ||
        where >= RH__SYM_OBJECTS)
        return unknown(sym, situation, "an actor of an unknown behaviour");
    if (!count_creation(sym, situation, arguments[2], arguments[3]))
        return RH__SYM_AGAIN;
    uint32_t index = create(sym, situation, where, arguments[1]);
    situation->actors.items[index].is_reserved = true;
    *value = rh_term_constant(&sym->terms, 64, rh__sym_actor_address(index));
    return RH__SYM_SERVED;
}

// rh__spawn_at(actor, state type, state, size, file, line)
static enum rh__sym_served spawn_at(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    const rh__sym_value *arguments)
{
    uint32_t index;
    struct rh__sym_object *state;
    if (!rh__sym_actor_at(sym, situation, arguments[0], &index))
        return RH__SYM_AGAIN;
    if (index == RH_NONE || !situation->actors.items[index].is_reserved)
        return broken(sym, situation, "rh_spawn_at of what is not reserved");
    if (!copy_bytes(sym, situation, arguments[2], arguments[3], &state))
        return RH__SYM_AGAIN;
    struct rh__sym_actor *actor = &situation->actors.items[index];
    actor->record = state_record(sym, situation, arguments[1], actor->behaviour, state);
    give_state(situation, actor, state);
    actor->is_reserved = false;
    return RH__SYM_SERVED;
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
        return unknown(sym, situation, "a message that is not the one handled");
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
        return unknown(sym, situation, "an input that can't be told");
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
        return unknown(sym, situation, "a choice of unknown size");
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
        return unknown(sym, situation, "a message that is not the one handled");
    if (!strcmp(name, "rh_ignore")) {
        situation->is_handled = true;
    } else if (!strcmp(name, "rh_sender")) {
        *value = own_address(sym, message->sender);
    } else if (!strcmp(name, "rh_name")) {
        uint64_t text = sym->types.items[message->type].text;
        if (!text)
            return unknown(sym, situation, "the name of a message");
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
        return unknown(sym, situation, "an unknown behaviour");
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
        return unknown(sym, situation, "an unknown function for rh_at_stop");
    situation->actors.items[situation->running].at_stop =
        where ? (uint32_t)((where - RH__SYM_FUNCTIONS) / 16) : RH_NONE;
    return RH__SYM_SERVED;
}

// rh__give(pointer, file, line): the block moves, so that the giver's pointer leads nowhere.
static enum rh__sym_served give(struct rh__sym *sym, struct rh__sym_situation *situation,
                                const rh__sym_value *arguments, rh__sym_value *value)
{
    rh_term address = arguments[0];
    uint64_t number;
    if (!rh__sym_decide(sym, situation, &address))
        return RH__SYM_AGAIN;
    *value = address;
    if (rh_term_is_constant(&sym->terms, address, &number) && number == 0)
        return RH__SYM_SERVED;
    uint32_t index = object_at(sym, situation, address);
    if (index == RH_NONE || number & UINT32_MAX || !situation->objects.items[index]->is_heap)
        return unknown(sym, situation, "rh_give of what is no block");
    rh__sym_object_own(situation, index)->is_given = true;
    struct rh__sym_object *block = situation->objects.items[index];
    situation->objects.items[index] = NULL;
    uint32_t moved = rh__sym_object_add(situation, block);
    *value = rh_term_constant(&sym->terms, 64, rh__sym_object_address(moved));
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
        *value = rh_term_constant(&sym->terms, 64, present(situation));
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
        return give(sym, situation, arguments, value);
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
    return served == RH__SYM_NOT_SERVED ? broken(sym, situation, "a judge that does more than look")
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
        return send_from(sym, situation, arguments);
    if (!strcmp(name, "rh__send"))
        return send(sym, situation, arguments, (struct rh__sym_message){0});
    if (!strcmp(name, "rh__after"))
        return after(sym, situation, arguments);
    if (!strcmp(name, "rh__ask"))
        return ask(sym, situation, arguments);
    if (!strcmp(name, "rh__reply"))
        return reply(sym, situation, arguments);
    if (!strcmp(name, "rh__spawn"))
        return spawn(sym, situation, arguments, value);
    if (!strcmp(name, "rh__reserve"))
        return reserve(sym, situation, arguments, value);
    if (!strcmp(name, "rh__spawn_at"))
        return spawn_at(sym, situation, arguments);
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
        return broken(sym, situation, "a message that should not have come");
    return about_self(sym, situation, name, arguments, value);
}
