// SPDX-License-Identifier: MIT
// Whether what a chain needs is there at the beginning: each of its actors is one that a body has
// created, and each message that nobody has sent is pending, or may come from outside.
#include <stdlib.h>

#include "symbolic/backward.h"

struct beginning {
    struct rh__sym_backward *search;
    const struct rh__sym_chain *chain;
    const struct rh__sym_situation *situation;
    uint32_t actors[RH__SYM_CHAIN_ACTORS];     // of the situation
    uint32_t requests[RH__SYM_CHAIN_REQUESTS]; // pending messages; RH_NONE: from outside
    uint32_t outside;
    bool is_followed;
    struct rh__sym_feedback *feedback;
};

static rh_term replaced(struct rh__sym *sym, rh_term term, rh_term variable, rh_term by)
{
    const struct rh_term_node *node = rh_term_get(&sym->terms, variable);
    return node->operation == RH_TERM_VARIABLE ? rh_term_substitute(&sym->terms, term, variable, by)
                                               : term;
}

static rh_term replace_fields(const struct beginning *it, rh_term term, uint32_t object,
                              struct rh__sym_leaves leaves, const rh_term *fields)
{
    struct rh__sym *sym = it->search->sym;
    const struct rh__sym_object *from =
        object == RH_NONE ? NULL : it->situation->objects.items[object];
    for (uint32_t i = 0; from && i < leaves.count; i++) {
        bool is_unset = false;
        const struct rh__sym_leaf *leaf = &leaves.items[i];
        if (leaf->offset + leaf->size <= from->size)
            term = replaced(sym, term, fields[i],
                            rh__sym_object_read(sym, from, leaf->offset, leaf->size, &is_unset));
    }
    return term;
}

// A condition of the chain with what is there at the beginning.
static rh_term at_beginning(const struct beginning *it, rh_term term)
{
    struct rh__sym *sym = it->search->sym;
    for (uint32_t i = 0; i < it->chain->actor_count; i++) {
        const struct rh__sym_chain_actor *actor = &it->chain->actors[i];
        if (actor->is_created)
            continue;
        rh_term address = rh_term_constant(&sym->terms, 64, rh__sym_actor_address(it->actors[i]));
        term = replaced(sym, term, actor->address, address);
        term = replace_fields(it, term, it->situation->actors.items[it->actors[i]].state,
                              rh__sym_state_leaves(sym, actor->behaviour), actor->fields);
    }
    for (uint32_t i = 0; i < it->chain->request_count; i++) {
        const struct rh__sym_chain_request *request = &it->chain->requests[i];
        if (it->requests[i] == RH_NONE)
            continue;
        const struct rh__sym_message *message = &it->situation->pending.items[it->requests[i]];
        uint64_t sender = message->sender == RH_NONE ? 0 : rh__sym_actor_address(message->sender);
        term = replace_fields(it, term, message->payload,
                              rh__sym_message_leaves(sym, request->type), request->fields);
        term = replaced(sym, term, request->sender, rh_term_constant(&sym->terms, 64, sender));
    }
    return term;
}

// A condition of the chain that is in an unsatisfiable core: whatever changes one of its fields
// may help.
static void note_core(const struct beginning *it, rh_term condition)
{
    struct rh__sym *sym = it->search->sym;
    struct rh_variable_set set = {0};
    rh_term_variables(&sym->terms, condition, &set);
    for (size_t i = 0; i < set.indexes.count; i++) {
        rh_term variable = sym->terms.variables.items[set.indexes.items[i]].term;
        if (!rh__sym_is_in_feedback(it->feedback, variable))
            *rh_vector_push(&it->feedback->fields) = variable;
    }
    rh_vector_fini(&set.indexes);
    it->feedback->has_any = true;
}

// `terms` begin with the chain's.
static bool can_hold(const struct beginning *it, const rh_term *terms, size_t count)
{
    struct rh__sym *sym = it->search->sym;
    uint64_t *values = rh_alloc(sym->terms.variables.count * sizeof *values + 1);
    bool can = rh_solver_check(sym->solver, terms, count, values) != RH_CAN_NOT;
    free(values);
    if (can || it->search->options->no_feedback)
        return can;
    bool *core = rh_alloc(count + 1);
    rh_solver_core(sym->solver, terms, count, core);
    for (uint32_t i = 0; i < it->chain->term_count; i++)
        if (core[i])
            note_core(it, it->chain->terms[i]);
    free(core);
    return false;
}

static bool can_begin(const struct beginning *it)
{
    struct rh__sym *sym = it->search->sym;
    RH_VECTOR(rh_term) terms = {0};
    uint64_t number;
    bool can = true;
    for (uint32_t i = 0; i < it->chain->term_count; i++) {
        rh_term term = at_beginning(it, it->chain->terms[i]);
        bool is_false = rh_term_is_constant(&sym->terms, term, &number) && !number;
        if (is_false && !it->search->options->no_feedback)
            note_core(it, it->chain->terms[i]);
        can = can && !is_false;
        *rh_vector_push(&terms) = term;
    }
    for (const struct rh__sym_condition *each = it->situation->conditions; each && can;
         each = each->before)
        *rh_vector_push(&terms) = each->term;
    can = can && (!terms.count || can_hold(it, terms.items, terms.count));
    rh_vector_fini(&terms);
    return can;
}

static void choose_request(struct beginning *it, uint32_t index);

static bool is_chosen(const uint32_t *chosen, uint32_t count, uint32_t what)
{
    for (uint32_t i = 0; i < count; i++)
        if (chosen[i] == what)
            return true;
    return false;
}

// All that the chain needs has been found: a run decides.
static void try_beginning(struct beginning *it)
{
    bool is_too_many = it->outside > it->search->messages_most;
    if (!can_begin(it))
        return;
    it->search->is_bounded = it->search->is_bounded || is_too_many;
    if (is_too_many)
        return;
    it->is_followed = rh__sym_follow(it->search, it->situation, it->chain, it->actors);
    it->search->is_cut = true; // something leads there by the chain, if not in a run
}

static void choose_request(struct beginning *it, uint32_t index)
{
    const struct rh__sym_chain_request *request = &it->chain->requests[index];
    if (index == it->chain->request_count) {
        try_beginning(it);
        return;
    }
    if (it->chain->actors[request->actor].is_created) { // nothing is sent to it before
        it->feedback->lacks_message[index] = it->feedback->has_any = true;
        return;
    }
    uint32_t actor = it->actors[request->actor];
    const bool may_be_sent = rh__sym_may_be_sent(it->situation, actor, request->type);
    bool is_there = may_be_sent;
    for (uint32_t i = 0; i < it->situation->pending.count && !it->is_followed; i++) {
        const struct rh__sym_message *message = &it->situation->pending.items[i];
        if (message->receiver != actor || message->type != request->type ||
            is_chosen(it->requests, index, i))
            continue;
        is_there = true;
        it->requests[index] = i;
        choose_request(it, index + 1);
    }
    if (!is_there)
        it->feedback->lacks_message[index] = it->feedback->has_any = true;
    if (!may_be_sent || it->is_followed)
        return;
    it->requests[index] = RH_NONE;
    it->outside++;
    choose_request(it, index + 1);
    it->outside--;
}

static void choose_actor(struct beginning *it, uint32_t index)
{
    struct rh__sym *sym = it->search->sym;
    if (index == it->chain->actor_count) {
        choose_request(it, 0);
        return;
    }
    it->actors[index] = RH_NONE;
    if (it->chain->actors[index].is_created) {
        choose_actor(it, index + 1);
        return;
    }
    bool is_there = false;
    for (uint32_t i = 0; i < it->situation->actors.count && !it->is_followed; i++) {
        const struct rh__sym_actor *actor = &it->situation->actors.items[i];
        if (actor->is_outside || is_chosen(it->actors, index, i) ||
            rh__sym_behaviour_of(sym, actor->behaviour) != it->chain->actors[index].behaviour)
            continue;
        is_there = true;
        it->actors[index] = i;
        choose_actor(it, index + 1);
    }
    if (!is_there)
        it->feedback->lacks_actor[index] = it->feedback->has_any = true;
}

bool rh__sym_is_in_feedback(const struct rh__sym_feedback *feedback, rh_term variable)
{
    for (size_t i = 0; i < feedback->fields.count; i++)
        if (feedback->fields.items[i] == variable)
            return true;
    return false;
}

bool rh__sym_chain_begins(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                          struct rh__sym_feedback *feedback)
{
    for (size_t i = 0; i < search->begun->count; i++) {
        struct beginning it = {.search = search,
                               .chain = chain,
                               .situation = search->begun->items[i],
                               .feedback = feedback,
                               .outside = chain->outside};
        if (it.situation->end == RH__SYM_DONE)
            choose_actor(&it, 0);
        if (it.is_followed)
            return true;
    }
    return false;
}
