// SPDX-License-Identifier: MIT
// One step back: what has to hold before a delivery so that, after it, what is needed holds. In the
// needed conditions, what the handler leaves takes the place of the fields that it has written and
// of the messages that it has sent; then the summary's own names become those of the chain.
#include <stdlib.h>
#include <string.h>

#include "symbolic/backward.h"

// A name of a summary and what it is in the chain.
struct pair {
    rh_term from, to;
};

struct renaming {
    struct rh__sym_backward *search;
    uint32_t deliveries; // of the new chain: part of new names
    RH_VECTOR(rh_term) terms;
    RH_VECTOR(struct pair) pairs;
    bool is_lost; // a term could not be told
};

struct rh__sym_leaves rh__sym_state_leaves(struct rh__sym *sym, uint32_t behaviour)
{
    const struct rh__sym_behaviour *it = &sym->behaviours.items[behaviour];
    return it->state_size ? rh__sym_leaves_of(sym, it->record, it->state_size)
                          : (struct rh__sym_leaves){0};
}

struct rh__sym_leaves rh__sym_message_leaves(struct rh__sym *sym, uint32_t type)
{
    const struct rh__sym_type *it = &sym->types.items[type];
    return it->size ? rh__sym_leaves_of(sym, it->name, it->size) : (struct rh__sym_leaves){0};
}

static const rh_term *new_fields(struct rh__sym *sym, struct rh__sym_leaves leaves,
                                 const char *name, const char *sign, uint32_t number)
{
    rh_term *fields = rh_arena_take(&sym->arena, leaves.count * sizeof *fields + 1);
    for (uint32_t i = 0; i < leaves.count; i++) {
        struct rh_text text = {0};
        rh_text_addf(&text, "%s%s%u.%s", name, sign, (unsigned)number, leaves.items[i].path);
        fields[i] = rh__sym_summary_variable(sym, leaves.items[i].size * 8, rh_text_get(&text));
        rh_text_fini(&text);
    }
    return fields;
}

static rh_term new_address(struct rh__sym *sym, const char *name, const char *sign, uint32_t number)
{
    struct rh_text text = {0};
    rh_text_addf(&text, "&%s%s%u", name, sign, (unsigned)number);
    rh_term term = rh__sym_summary_variable(sym, 64, rh_text_get(&text));
    rh_text_fini(&text);
    return term;
}

// --- Substitution. ---

static bool occurs(struct rh__sym *sym, rh_term term, rh_term variable)
{
    struct rh_variable_set set = {0};
    bool is_there = false;
    rh_term_variables(&sym->terms, term, &set);
    for (size_t i = 0; i < set.indexes.count; i++)
        is_there = is_there || sym->terms.variables.items[set.indexes.items[i]].term == variable;
    rh_vector_fini(&set.indexes);
    return is_there;
}

static void replace(struct renaming *it, rh_term variable, rh_term by)
{
    struct rh__sym *sym = it->search->sym;
    for (size_t i = 0; i < it->terms.count; i++)
        if (occurs(sym, it->terms.items[i], variable))
            it->terms.items[i] = rh_term_substitute(&sym->terms, it->terms.items[i], variable, by);
}

// The address of an actor that the delivery creates: a constant that no other actor has.
static rh_term created_address(const struct renaming *it, uint32_t actor)
{
    enum { EACH = 64, FIRST = 4096 };
    return rh_term_constant(&it->search->sym->terms, 64,
                            rh__sym_actor_address(FIRST + it->deliveries * EACH + actor));
}

// A term of the outcome in the summary's names.
static rh_term told(const struct renaming *it, const struct rh__sym_outcome *outcome, rh_term term)
{
    uint64_t number;
    term = rh__sym_outcome_term(&it->search->summaries, outcome, term);
    bool is_created = rh_term_is_constant(&it->search->sym->terms, term, &number) &&
                      number >= RH__SYM_ACTORS && number < RH__SYM_MESSAGES;
    return is_created
               ? created_address(it, (uint32_t)((number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS))
               : term;
}

// What an object of the outcome has takes the place of the fields.
static void replace_fields(struct renaming *it, const struct rh__sym_outcome *outcome,
                           uint32_t object, struct rh__sym_leaves leaves, const rh_term *fields)
{
    const struct rh__sym_object *from =
        object == RH_NONE ? NULL : outcome->situation->objects.items[object];
    for (uint32_t i = 0; i < leaves.count; i++) {
        const struct rh__sym_leaf *leaf = &leaves.items[i];
        bool is_unset = false;
        if (!from || leaf->offset + leaf->size > from->size) {
            it->is_lost = true;
            return;
        }
        rh_term term =
            rh__sym_object_read(it->search->sym, from, leaf->offset, leaf->size, &is_unset);
        it->is_lost = it->is_lost || is_unset;
        replace(it, fields[i], told(it, outcome, term));
    }
}

static void require_equal(struct renaming *it, rh_term a, rh_term b)
{
    *rh_vector_push(&it->terms) = rh_term_make2(&it->search->sym->terms, RH_TERM_EQUAL, a, b);
}

// --- What the delivery does. ---

static void take_state(struct renaming *it, const struct rh__sym_chain *chain,
                       const struct rh__sym_step *step)
{
    const struct rh__sym_actor *self = &step->outcome->situation->actors.items[RH__SYM_SELF];
    if (step->actor < chain->actor_count)
        replace_fields(it, step->outcome, self->state,
                       rh__sym_state_leaves(it->search->sym, step->summary->behaviour),
                       chain->actors[step->actor].fields);
}

static void take_creation(struct renaming *it, const struct rh__sym_chain *chain,
                          const struct rh__sym_step *step)
{
    if (step->created == RH_NONE)
        return;
    const struct rh__sym_chain_actor *actor = &chain->actors[step->created];
    replace_fields(it, step->outcome,
                   step->outcome->situation->actors.items[step->created_as].state,
                   rh__sym_state_leaves(it->search->sym, actor->behaviour), actor->fields);
    replace(it, actor->address, created_address(it, step->created_as));
}

static void take_sends(struct renaming *it, const struct rh__sym_chain *chain,
                       const struct rh__sym_step *step)
{
    struct rh__sym_summaries *summaries = &it->search->summaries;
    for (uint32_t i = 0; i < chain->request_count; i++) {
        const struct rh__sym_chain_request *request = &chain->requests[i];
        if (step->sends[i] == RH_NONE)
            continue;
        const struct rh__sym_message *message =
            &step->outcome->situation->pending.items[step->sends[i]];
        replace_fields(it, step->outcome, message->payload,
                       rh__sym_message_leaves(it->search->sym, request->type), request->fields);
        replace(it, request->sender, summaries->self);
        rh_term to = rh__sym_outcome_address(summaries, step->outcome, message->receiver);
        if (request->actor != step->created && to != RH_NONE)
            require_equal(it, to, chain->actors[request->actor].address);
    }
}

// --- The chain's names. ---

static void rename_object(struct renaming *it, const struct rh__sym_object *object,
                          struct rh__sym_leaves leaves, const rh_term *fields)
{
    for (uint32_t i = 0; object && i < leaves.count; i++) {
        bool is_unset = false;
        *rh_vector_push(&it->pairs) =
            (struct pair){rh__sym_object_read(it->search->sym, object, leaves.items[i].offset,
                                              leaves.items[i].size, &is_unset),
                          fields[i]};
    }
}

// What other names a summary has, as for choices: each delivery has its own.
static void add_new_names(struct renaming *it, const struct rh__sym_step *step)
{
    struct rh__sym *sym = it->search->sym;
    struct rh_variable_set set = {0};
    for (uint32_t i = 0; i < step->condition_count; i++)
        rh_term_variables(&sym->terms, step->conditions[i], &set);
    for (size_t i = 0; i < it->terms.count; i++)
        rh_term_variables(&sym->terms, it->terms.items[i], &set);
    for (size_t i = 0; i < set.indexes.count; i++) {
        rh_term variable = sym->terms.variables.items[set.indexes.items[i]].term;
        bool has_name = false;
        for (size_t k = 0; k < it->pairs.count; k++)
            has_name = has_name || it->pairs.items[k].from == variable;
        // Names of chains have one of these, which names of C have not.
        if (has_name || strpbrk(sym->terms.variables.items[set.indexes.items[i]].name, "~@"))
            continue;
        struct rh_text name = {0};
        rh_text_addf(&name, "%s@%u", sym->terms.variables.items[set.indexes.items[i]].name,
                     (unsigned)it->deliveries);
        unsigned width = rh_term_width(&sym->terms, variable);
        *rh_vector_push(&it->pairs) =
            (struct pair){variable, rh__sym_summary_variable(sym, width, rh_text_get(&name))};
        rh_text_fini(&name);
    }
    rh_vector_fini(&set.indexes);
}

static void rename_all(struct renaming *it, const struct rh__sym_step *step,
                       const struct rh__sym_chain_actor *actor,
                       const struct rh__sym_chain_request *request)
{
    struct rh__sym *sym = it->search->sym;
    rename_object(it, step->summary->state, rh__sym_state_leaves(sym, step->summary->behaviour),
                  actor->fields);
    rename_object(it, step->summary->message, rh__sym_message_leaves(sym, step->summary->type),
                  request->fields);
    *rh_vector_push(&it->pairs) = (struct pair){it->search->summaries.self, actor->address};
    *rh_vector_push(&it->pairs) = (struct pair){it->search->summaries.sender, request->sender};
    add_new_names(it, step);
    for (size_t i = 0; i < it->pairs.count; i++)
        replace(it, it->pairs.items[i].from, it->pairs.items[i].to);
}

// --- What is left of the conditions. ---

static void keep_variable(bool *is_kept, const struct rh__sym *sym, rh_term term)
{
    const struct rh_term_node *node = rh_term_get(&sym->terms, term);
    if (node->operation == RH_TERM_VARIABLE)
        is_kept[node->number] = true;
}

static void keep_variables(struct rh__sym *sym, const struct rh__sym_chain *chain, bool *is_kept)
{
    for (uint32_t i = 0; i < chain->actor_count; i++) {
        const struct rh__sym_chain_actor *actor = &chain->actors[i];
        uint32_t count = actor->is_created ? 0 : rh__sym_state_leaves(sym, actor->behaviour).count;
        keep_variable(is_kept, sym, actor->address);
        for (uint32_t k = 0; k < count; k++)
            keep_variable(is_kept, sym, actor->fields[k]);
    }
    for (uint32_t i = 0; i < chain->request_count; i++) {
        const struct rh__sym_chain_request *request = &chain->requests[i];
        keep_variable(is_kept, sym, request->sender);
        for (uint32_t k = 0; k < rh__sym_message_leaves(sym, request->type).count; k++)
            keep_variable(is_kept, sym, request->fields[k]);
    }
}

// Whether the term depends on something that is kept; then all that it depends on is.
static bool depends(struct rh__sym *sym, rh_term term, bool *is_kept)
{
    struct rh_variable_set set = {0};
    bool does = false;
    rh_term_variables(&sym->terms, term, &set);
    for (size_t i = 0; i < set.indexes.count; i++)
        does = does || is_kept[set.indexes.items[i]];
    for (size_t i = 0; i < set.indexes.count && does; i++)
        is_kept[set.indexes.items[i]] = true;
    rh_vector_fini(&set.indexes);
    return does;
}

// Leaves out conditions on messages that nobody has to send any more: they can hold by themselves,
// and nothing before can change that. In a fixed order.
static void keep_terms(struct renaming *it, struct rh__sym_chain *chain)
{
    struct rh__sym *sym = it->search->sym;
    bool *is_kept = rh_alloc(sym->terms.variables.count + 1);
    bool *is_used = rh_alloc(it->terms.count + 1);
    keep_variables(sym, chain, is_kept);
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t i = 0; i < it->terms.count; i++)
            if (!is_used[i] && depends(sym, it->terms.items[i], is_kept))
                is_used[i] = is_changed = true;
    }
    rh_term *kept = rh_arena_take(&sym->arena, it->terms.count * sizeof *kept + 1);
    for (size_t i = 0; i < it->terms.count; i++) {
        bool is_known = !is_used[i];
        for (uint32_t k = 0; k < chain->term_count; k++)
            is_known = is_known || kept[k] == it->terms.items[i];
        if (!is_known)
            kept[chain->term_count++] = it->terms.items[i];
    }
    chain->terms = kept;
    free(is_used);
    free(is_kept);
}

static bool can_hold(struct renaming *it)
{
    struct rh__sym *sym = it->search->sym;
    uint64_t *values = rh_alloc(sym->terms.variables.count * sizeof *values + 1);
    enum rh_answer answer = rh_solver_check(sym->solver, it->terms.items, it->terms.count, values);
    free(values);
    it->search->is_cut = it->search->is_cut || answer == RH_UNKNOWN;
    return answer != RH_CAN_NOT;
}

// --- The new chain. ---

// Then nobody else has to send it.
bool rh__sym_is_from_outside(const struct rh__sym_backward *search, uint32_t behaviour,
                             uint32_t type)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_leaves leaves = rh__sym_message_leaves(sym, type);
    uint32_t function = sym->behaviours.items[behaviour].function;
    bool may = search->messages_most > 0 && !search->is_spawned[behaviour];
    for (uint32_t i = 0; i < leaves.count; i++)
        may = may && !(leaves.items[i].field && leaves.items[i].field->is_pointer &&
                       search->spawns_anything);
    for (size_t i = 0; i < search->begun->count; i++)
        may = may && search->begun->items[i]->comings.count == 0;
    for (size_t i = 0; i < search->begun->count; i++)
        for (size_t k = 0; k < search->begun->items[i]->actors.count; k++)
            may = may && (search->begun->items[i]->actors.items[k].behaviour != function ||
                          rh__sym_may_be_written_to(search->begun->items[i], k));
    return may;
}

// Which of the actors of its behaviour that the delivery creates it is.
static uint32_t nth_of(const struct rh__sym_situation *situation, uint32_t actor)
{
    uint32_t nth = 0;
    for (uint32_t i = 0; i < actor; i++)
        nth += situation->actors.items[i].parent == RH__SYM_SELF &&
               situation->actors.items[i].behaviour == situation->actors.items[actor].behaviour;
    return nth;
}

static void add_actor(struct rh__sym *sym, struct rh__sym_chain *chain, uint32_t behaviour)
{
    const char *name = sym->behaviours.items[behaviour].name;
    chain->actors[chain->actor_count] = (struct rh__sym_chain_actor){
        .behaviour = behaviour,
        .address = new_address(sym, name, "~", chain->actor_count),
        .fields =
            new_fields(sym, rh__sym_state_leaves(sym, behaviour), name, "~", chain->actor_count),
    };
    chain->actor_count++;
}

static void begin_chain(struct rh__sym *sym, struct rh__sym_chain *made,
                        const struct rh__sym_chain *chain, const struct rh__sym_step *step)
{
    *made = *chain;
    made->after = chain->deliveries ? chain : NULL;
    made->actor = step->actor;
    made->type = step->summary->type;
    made->birth = (struct rh__sym_chain_birth){RH_NONE, 0};
    made->deliveries++;
    made->request_count = made->term_count = 0;
    for (uint32_t i = 0; i < chain->request_count; i++)
        if (step->sends[i] == RH_NONE)
            made->requests[made->request_count++] = chain->requests[i];
    if (step->actor == chain->actor_count)
        add_actor(sym, made, step->summary->behaviour);
    made->actors[step->actor].behaviour = step->summary->behaviour;
    if (step->created == RH_NONE)
        return;
    made->birth = (struct rh__sym_chain_birth){step->created,
                                               nth_of(step->outcome->situation, step->created_as)};
    made->actors[step->created].is_created = true;
}

const struct rh__sym_chain *rh__sym_step_back(struct rh__sym_backward *search,
                                              const struct rh__sym_chain *chain,
                                              const struct rh__sym_step *step)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_chain made;
    begin_chain(sym, &made, chain, step);
    struct renaming it = {.search = search, .deliveries = made.deliveries};
    const char *name = sym->types.items[step->summary->type].name;
    struct rh__sym_chain_request request = {
        .type = step->summary->type,
        .actor = step->actor,
        .fields = new_fields(sym, rh__sym_message_leaves(sym, step->summary->type), name, "@",
                             made.deliveries),
        .sender = new_address(sym, "sender", "@", made.deliveries)};
    for (uint32_t i = 0; i < chain->term_count; i++)
        *rh_vector_push(&it.terms) = chain->terms[i];
    take_state(&it, chain, step);
    take_creation(&it, chain, step);
    take_sends(&it, chain, step);
    for (uint32_t i = 0; i < step->condition_count; i++)
        *rh_vector_push(&it.terms) = step->conditions[i];
    rename_all(&it, step, &made.actors[step->actor], &request);
    bool can = !it.is_lost && can_hold(&it);
    search->is_cut = search->is_cut || it.is_lost;
    if (can && rh__sym_is_from_outside(search, step->summary->behaviour, request.type))
        made.outside++;
    else if (can && made.request_count < RH__SYM_CHAIN_REQUESTS)
        made.requests[made.request_count++] = request;
    else if (can)
        search->is_cut = true, can = false;
    struct rh__sym_chain *kept = can ? rh_arena_take(&sym->arena, sizeof *kept) : NULL;
    if (can) {
        keep_terms(&it, &made);
        *kept = made;
    }
    rh_vector_fini(&it.terms);
    rh_vector_fini(&it.pairs);
    return kept;
}
