// SPDX-License-Identifier: MIT
// Whether a handler by itself can come to the place: it runs once, with a state and a message of
// which nothing is known, so with all that any past could have left. Where that leads nowhere,
// nothing does. Whatever could not be followed to its end, or depends on more than these two, says
// nothing.
#include "symbolic/forward.h"

struct rh__sym_situation *rh__sym_alone_begin(struct rh__sym *sym, uint32_t behaviour,
                                              uint32_t type)
{
    struct rh__sym_situation *situation = rh__sym_situation_new();
    const struct rh__sym_type it = sym->types.items[type];
    *rh_vector_push(&situation->actors) = (struct rh__sym_actor){.behaviour = RH_NONE,
                                                                 .state = RH_NONE,
                                                                 .parent = RH_NONE,
                                                                 .kept = RH_NONE,
                                                                 .at_stop = RH_NONE};
    rh__sym_become_initial(sym, situation, 0, behaviour);
    struct rh__sym_message message = {.type = type, .sender = RH_NONE, .payload = RH_NONE};
    message.number = situation->message_count++;
    if (it.size)
        message.payload = rh__sym_unknown_object(sym, situation, it.name, it.size, it.name,
                                                 (struct rh__sym_owner){RH_NONE, NULL});
    *rh_vector_push(&situation->pending) = message;
    return situation;
}

// Whether an outcome says what happens to the very end, for any values.
static bool is_whole(const struct rh__sym_situation *outcome)
{
    return (outcome->end == RH__SYM_DONE || rh__sym_fails_check(outcome)) &&
           !rh__sym_has_wait(outcome) && outcome->bindings.count == 0;
}

static bool comes_alone(struct rh__sym *sym, uint32_t behaviour, uint32_t type)
{
    struct rh__sym_situation *situation = rh__sym_alone_begin(sym, behaviour, type);
    struct rh__sym_situations outcomes = {0};
    uint64_t notes = sym->result->notes.count;
    sym->looks_elsewhere = false;
    rh__sym_deliver(sym, rh__sym_take_out(sym, situation, 0), &outcomes);
    bool may = sym->reached || sym->looks_elsewhere || outcomes.count == 0 ||
               sym->result->notes.count > notes || rh__sym_is_over(sym);
    for (size_t i = 0; i < outcomes.count; i++) {
        may = may || !is_whole(outcomes.items[i]);
        rh__sym_situation_free(outcomes.items[i]);
    }
    rh_vector_fini(&outcomes);
    rh__sym_situation_free(situation);
    if (sym->reached)
        rh__sym_situation_free(sym->reached);
    sym->reached = NULL;
    return may;
}

// A guard is not followed here, and where the struct of a state is not known, nothing is.
static bool may_come(struct rh__sym *sym, const struct rh__sym_pair *pair)
{
    uint32_t index = rh__sym_behaviour_of(sym, pair->handling->behaviour);
    const struct rh__sym_behaviour *behaviour = &sym->behaviours.items[index];
    return behaviour->guard != RH_NONE || behaviour->state_size == 0 ||
           comes_alone(sym, index, pair->handling->type);
}

bool rh__sym_may_come(struct rh__sym *sym, const struct rh__sym_target *target)
{
    if (!target->is_in_handlers || sym->uses_at_stop)
        return true;
    for (size_t i = 0; i < target->pairs.count; i++)
        if (target->pairs.items[i].distance == 0 && may_come(sym, &target->pairs.items[i]))
            return true;
    return false;
}
