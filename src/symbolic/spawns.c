// SPDX-License-Identifier: MIT
// Operations that create actors.
#include <string.h>

#include "symbolic/operations.h"

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
    // Marked by RH__BEHAVIOUR_NAME: a variable holds the behaviour.
    if (actor->spawned_as && *actor->spawned_as == '=')
        actor->spawned_as = sym->module->functions.items[actor->behaviour].source_name;
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

// What states of that size and behaviour are elsewhere in the program; NULL: not known.
static const char *usual_record(const struct rh__sym *sym, uint32_t function, uint64_t size)
{
    for (size_t i = 0; i < sym->behaviours.count; i++) {
        const struct rh__sym_behaviour *it = &sym->behaviours.items[i];
        if (it->function == function && it->state_size == size)
            return it->record;
    }
    return NULL;
}

// Copies the first state of an actor, and gives the name of its struct, or NULL. `arguments`: type,
// address, size. rh_spawn_sized gives no type.
static bool copy_state(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const rh__sym_value *arguments, uint32_t function,
                       struct rh__sym_object **state, const char **record)
{
    uint64_t number;
    struct rh__sym_copying copying = {
        .address = arguments[1], .size = arguments[2], .is_state = true};
    if (!rh__sym_number(sym, situation, arguments[0], &number) || number != 0)
        copying.record = rh__sym_type_at(sym, situation, arguments[0], &copying.record_size);
    if (copying.record && !strncmp(copying.record, "struct ", 7))
        copying.record += 7;
    if (situation->end != RH__SYM_RUNS || !rh__sym_copy_bytes(sym, situation, &copying, state))
        return false;
    *record = !*state          ? NULL
              : copying.record ? copying.record
                               : usual_record(sym, function, (*state)->size);
    return true;
}

// rh__spawn(behaviour, name, state type, state, size, file, line)
enum rh__sym_served rh__sym_op_spawn(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t where;
    if (!rh__sym_number(sym, situation, arguments[0], &where) || where < RH__SYM_FUNCTIONS ||
        where >= RH__SYM_OBJECTS)
        return rh__sym_operation_unknown(sym, situation, "an actor of an unknown behaviour");
    struct rh__sym_object *state;
    const char *record;
    if (!copy_state(sym, situation, &arguments[2], (uint32_t)((where - RH__SYM_FUNCTIONS) / 16),
                    &state, &record))
        return RH__SYM_AGAIN;
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
enum rh__sym_served rh__sym_op_reserve(struct rh__sym *sym, struct rh__sym_situation *situation,
                                       const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t where;
    if (!rh__sym_number(sym, situation, arguments[0], &where) || where < RH__SYM_FUNCTIONS ||
        where >= RH__SYM_OBJECTS)
        return rh__sym_operation_unknown(sym, situation, "an actor of an unknown behaviour");
    if (!count_creation(sym, situation, arguments[2], arguments[3]))
        return RH__SYM_AGAIN;
    uint32_t index = create(sym, situation, where, arguments[1]);
    situation->actors.items[index].is_reserved = true;
    *value = rh_term_constant(&sym->terms, 64, rh__sym_actor_address(index));
    return RH__SYM_SERVED;
}

// rh__spawn_at(actor, state type, state, size, file, line)
enum rh__sym_served rh__sym_op_spawn_at(struct rh__sym *sym, struct rh__sym_situation *situation,
                                        const rh__sym_value *arguments)
{
    uint32_t index;
    struct rh__sym_object *state;
    const char *record;
    if (!rh__sym_actor_at(sym, situation, arguments[0], &index))
        return RH__SYM_AGAIN;
    if (index == RH_NONE || !situation->actors.items[index].is_reserved)
        return rh__sym_operation_broken(sym, situation, "rh_spawn_at of what is not reserved");
    if (!copy_state(sym, situation, &arguments[1], situation->actors.items[index].behaviour, &state,
                    &record))
        return RH__SYM_AGAIN;
    struct rh__sym_actor *actor = &situation->actors.items[index];
    actor->record = record;
    give_state(situation, actor, state);
    actor->is_reserved = false;
    return RH__SYM_SERVED;
}
