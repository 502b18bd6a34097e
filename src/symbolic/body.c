// SPDX-License-Identifier: MIT
// The body of a test, run in place of a first message: what it creates is known, what rh_input
// gives is not.
#include <string.h>

#include "symbolic/operations.h"

static const char body_prefix[] = "rh__test_body_";

static bool is_body(const struct rh_ir_function *function)
{
    return function->block_count &&
           !strncmp(function->source_name, body_prefix, sizeof body_prefix - 1);
}

struct rh_status rh__sym_body_find(const struct rh__sym *sym, const char *test, uint32_t *found)
{
    struct rh_text names = {0};
    *found = RH_NONE;
    for (uint32_t i = 0; i < sym->module->functions.count; i++) {
        const struct rh_ir_function *function = &sym->module->functions.items[i];
        if (!is_body(function))
            continue;
        const char *name = function->source_name + sizeof body_prefix - 1;
        if (!strcmp(name, test))
            *found = i;
        rh_text_addf(&names, "%s%s", names.length ? ", " : "", name);
    }
    struct rh_status status = *found != RH_NONE
                                  ? rh_ok()
                                  : rh_bad_input("there is no test '%s'; there are: %s", test,
                                                 names.length ? rh_text_get(&names) : "none");
    rh_text_fini(&names);
    return status;
}

const char *rh__sym_body_name(const struct rh_ir_function *function)
{
    return is_body(function) ? function->source_name + sizeof body_prefix - 1 : NULL;
}

// A sender of its own, and nobody's receiver.
uint32_t rh__sym_outside(struct rh__sym_situation *situation, const char *name)
{
    uint32_t index = 0;
    while (index < situation->actors.count && !(situation->actors.items[index].is_outside &&
                                                !strcmp(situation->actors.items[index].name, name)))
        index++;
    if (index == situation->actors.count)
        *rh_vector_push(&situation->actors) =
            (struct rh__sym_actor){.behaviour = RH_NONE,
                                   .state = RH_NONE,
                                   .at_stop = RH_NONE,
                                   .parent = index,
                                   .kept = RH_NONE,
                                   .name = name,
                                   .identity = rh_hash64_text(name, 5),
                                   .is_outside = true};
    return index;
}

bool rh__sym_is_body(const struct rh__sym_situation *situation)
{
    if (situation->is_judging)
        return false;
    return situation->running == RH_NONE || situation->actors.items[situation->running].is_outside;
}

static uint32_t count_arrivals(const struct rh__sym_situation *situation, uint32_t type)
{
    uint32_t count = 0;
    for (const struct rh__sym_arrival *each = situation->arrivals; each; each = each->before)
        count += each->type == type;
    return count;
}

// As the fields are known from here on, but for addresses of other things than actors: these stay.
static void forget_fields(struct rh__sym *sym, struct rh__sym_situation *situation,
                          struct rh__sym_object **payload, const struct rh__sym_type *type)
{
    struct rh_text prefix = {0};
    uint32_t before = count_arrivals(situation, rh__sym_type_named(sym, type->name, type->size));
    rh_text_add(&prefix, type->name);
    if (before)
        rh_text_addf(&prefix, "#%u", (unsigned)before + 1);
    uint32_t made =
        rh__sym_unknown_object(sym, situation, type->name, type->size, rh_text_get(&prefix),
                               (struct rh__sym_owner){RH_NONE, type->name});
    struct rh__sym_leaves leaves = rh__sym_leaves_of(sym, type->name, type->size);
    for (uint32_t i = 0; i < leaves.count; i++) {
        const struct rh__sym_leaf *leaf = &leaves.items[i];
        if (!leaf->field || !leaf->field->is_pointer || rh__sym_is_actor(leaf->field))
            rh__sym_object_copy(sym, payload, leaf->offset, situation->objects.items[made],
                                leaf->offset, leaf->size);
    }
    rh__sym_object_release(situation->objects.items[made]);
    situation->objects.items[made] = NULL;
    rh_text_fini(&prefix);
}

void rh__sym_body_forget(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    const struct rh__sym_message *message = &situation->pending.items[situation->pending.count - 1];
    const struct rh__sym_type type = sym->types.items[message->type];
    if (message->payload == RH_NONE || type.size == 0 ||
        situation->objects.items[message->payload]->size != type.size)
        return;
    uint32_t number = message->payload;
    rh__sym_object_own(situation, number);
    struct rh__sym_object *payload = situation->objects.items[number];
    forget_fields(sym, situation, &payload, &type);
    situation->objects.items[number] = payload;
    payload->references++;
    *rh_vector_push(&sym->payloads) = payload;
    struct rh__sym_arrival *arrival = rh_arena_take(&sym->arena, sizeof *arrival);
    *arrival =
        (struct rh__sym_arrival){.before = situation->arrivals,
                                 .type = message->type,
                                 .receiver = message->receiver,
                                 .sender = message->sender,
                                 .identity = message->identity,
                                 .payload = payload,
                                 .count = situation->arrivals ? situation->arrivals->count + 1 : 1};
    situation->arrivals = arrival;
}

// rh__judge(judge, name, at end, context, size)
static enum rh__sym_served judge(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const rh__sym_value *arguments)
{
    uint64_t where, at_end, size, offset;
    struct rh__sym_place place;
    if (!rh__sym_number(sym, situation, arguments[0], &where) || where < RH__SYM_FUNCTIONS ||
        where >= RH__SYM_OBJECTS || !rh__sym_number(sym, situation, arguments[2], &at_end) ||
        !rh__sym_number(sym, situation, arguments[4], &size)) {
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "a judge that can't be told");
        return RH__SYM_AGAIN;
    }
    if (!rh__sym_find_fixed(sym, situation, arguments[3], size, &place, &offset))
        return RH__SYM_AGAIN;
    struct rh__sym_object *context = rh__sym_object_new(size, RH__SYM_REST_ZERO);
    rh__sym_object_copy(sym, &context, 0, rh__sym_object_at(sym, situation, &place), offset, size);
    uint32_t number = rh__sym_object_add(situation, context);
    rh__sym_judge_add(sym, situation, (uint32_t)((where - RH__SYM_FUNCTIONS) / 16), number, at_end);
    return RH__SYM_SERVED;
}

// rh__may_come(to, times, type, payload, size, file, line)
static enum rh__sym_served may_come(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    const rh__sym_value *arguments)
{
    struct rh__sym_coming coming = {.object = RH_NONE};
    struct rh__sym_object *payload;
    if (!rh__sym_message_type(sym, situation, arguments[2], &coming.type) ||
        !rh__sym_actor_at(sym, situation, arguments[0], &coming.receiver))
        return RH__SYM_AGAIN;
    if (coming.receiver == RH_NONE)
        return rh__sym_operation_broken(sym, situation, "a message to NULL");
    if (!rh__sym_number(sym, situation, arguments[1], &coming.most) || coming.most > INT32_MAX)
        return rh__sym_operation_unknown(sym, situation, "an rh_may_come of an unknown number");
    if (!rh__sym_copy_payload(sym, situation, coming.type, &arguments[3], &payload))
        return RH__SYM_AGAIN;
    if (payload)
        coming.object = rh__sym_object_add(situation, payload);
    *rh_vector_push(&situation->comings) = coming;
    return RH__SYM_SERVED;
}

static void mark_receptionist(struct rh__sym *sym, struct rh__sym_situation *situation,
                              rh_term address)
{
    uint64_t number;
    if (rh__sym_number(sym, situation, address, &number) && number >= RH__SYM_ACTORS &&
        (number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS < situation->actors.count)
        situation->actors.items[(number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS].is_receptionist =
            true;
}

// rh_state_of(actor), rh_block_of(actor, size): what an actor begins with.
static enum rh__sym_served set_up(struct rh__sym *sym, struct rh__sym_situation *situation,
                                  const char *name, const rh__sym_value *arguments,
                                  rh__sym_value *value)
{
    uint32_t actor, object;
    uint64_t size;
    if (!rh__sym_actor_at(sym, situation, arguments[0], &actor))
        return RH__SYM_AGAIN;
    if (actor == RH_NONE || situation->actors.items[actor].is_outside ||
        situation->actors.items[actor].is_reserved)
        return RH__SYM_NOT_SERVED;
    object = situation->actors.items[actor].state;
    if (!strcmp(name, "rh_block_of")) {
        if (!rh__sym_number(sym, situation, arguments[1], &size) || size > INT32_MAX)
            return RH__SYM_NOT_SERVED;
        struct rh__sym_object *block = rh__sym_object_new(size, RH__SYM_REST_ZERO);
        block->is_heap = true;
        block->owner = actor;
        object = rh__sym_object_add(situation, block);
    }
    *value =
        rh_term_constant(&sym->terms, 64, object == RH_NONE ? 0 : rh__sym_object_address(object));
    return RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_body_operation(struct rh__sym *sym, struct rh__sym_situation *situation,
                                           const char *name, const rh__sym_value *arguments,
                                           rh__sym_value *value)
{
    if (!strcmp(name, "rh_outside")) {
        const char *text = rh__sym_text(sym, situation, arguments[0]);
        if (!text)
            return RH__SYM_NOT_SERVED;
        *value = rh_term_constant(&sym->terms, 64,
                                  rh__sym_actor_address(rh__sym_outside(situation, text)));
        return RH__SYM_SERVED;
    }
    if (!strcmp(name, "rh_state_of") || !strcmp(name, "rh_block_of"))
        return set_up(sym, situation, name, arguments, value);
    if (!strcmp(name, "rh__judge"))
        return judge(sym, situation, arguments);
    if (!strcmp(name, "rh__may_come"))
        return may_come(sym, situation, arguments);
    if (!strcmp(name, "rh_receptionist")) {
        mark_receptionist(sym, situation, arguments[0]);
        return RH__SYM_SERVED;
    }
    return RH__SYM_NOT_SERVED;
}

// What the body has changed of states is there at the beginning.
static void keep_initial(struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->actors.count; i++) {
        struct rh__sym_actor *actor = &situation->actors.items[i];
        if (actor->state == RH_NONE || actor->initial == situation->objects.items[actor->state])
            continue;
        rh__sym_object_release(actor->initial);
        actor->initial = situation->objects.items[actor->state];
        actor->initial->references++;
    }
}

void rh__sym_body_run(struct rh__sym *sym, const struct rh__sym_situation *situation, uint32_t body,
                      struct rh__sym_situations *outcomes)
{
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    copy->running = RH_NONE;
    copy->delivery = rh_identity_body();
    copy->end = RH__SYM_RUNS;
    rh__sym_call(sym, copy, &sym->module->functions.items[body], NULL, NULL, 0);
    rh__sym_push(sym, copy);
    while (sym->forked.count) {
        struct rh__sym_situation *next = sym->forked.items[--sym->forked.count];
        rh__sym_run(sym, next);
        keep_initial(next);
        if (next->end == RH__SYM_DONE)
            rh__sym_judges_declared(sym, next, sym->options->test);
        *(struct rh__sym_situation **)rh_vector_push(outcomes) = next;
    }
}
