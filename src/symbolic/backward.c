// SPDX-License-Identifier: MIT
// The search over chains: which deliveries may come before the first of a chain, which of the
// chains is looked at next, and whether a chain can begin with what a test's body has left.
#include "symbolic/backward.h"

#include <stdlib.h>
#include <string.h>

enum { DELIVERIES_MOST = 400, CHAINS_MOST = 20000 };

// Whether an actor of this behaviour may get such a message at all, or any if the type is RH_NONE.
static bool may_come(const struct rh__sym_backward *search, uint32_t behaviour, uint32_t type)
{
    const struct rh__sym_forward *guide = search->guide;
    bool may = !guide->comes;
    for (uint32_t t = 0; t < guide->type_count && !may; t++)
        may = (type == RH_NONE || type == t) && guide->comes[behaviour * guide->type_count + t];
    return may;
}

static bool is_there(const struct rh__sym_backward *search, uint32_t behaviour)
{
    return may_come(search, behaviour, RH_NONE);
}

// --- Chains that wait. ---

// Whether everything that one chain needs, the other needs, too.
static bool needs_less(const struct rh__sym_chain *one, const struct rh__sym_chain *other)
{
    if (one->actor_count != other->actor_count || one->request_count != other->request_count ||
        one->term_count > other->term_count)
        return false;
    for (uint32_t i = 0; i < one->actor_count; i++)
        if (one->actors[i].behaviour != other->actors[i].behaviour ||
            one->actors[i].is_created != other->actors[i].is_created ||
            one->actors[i].address != other->actors[i].address)
            return false;
    for (uint32_t i = 0; i < one->request_count; i++)
        if (one->requests[i].sender != other->requests[i].sender ||
            one->requests[i].actor != other->requests[i].actor ||
            one->requests[i].type != other->requests[i].type)
            return false;
    for (uint32_t i = 0; i < one->term_count; i++) {
        bool is_there = false;
        for (uint32_t k = 0; k < other->term_count && !is_there; k++)
            is_there = one->terms[i] == other->terms[k];
        if (!is_there)
            return false;
    }
    return true;
}

// What such a chain costs: new actors are expensive, and messages that nobody has sent yet are to
// be found a sender first (heuristic H2).
static uint32_t cost_of(const struct rh__sym_chain *chain)
{
    uint32_t created = 0;
    for (uint32_t i = 0; i < chain->actor_count; i++)
        created += chain->actors[i].is_created;
    return chain->deliveries + 4 * (chain->actor_count - created) + 2 * chain->request_count;
}

// Every other time the newest of those with the fewest actors and messages without a sender: long
// chains are found as well as short ones.
static bool is_better(const struct rh__sym_backward *search, const struct rh__sym_chain *one,
                      const struct rh__sym_chain *other)
{
    if (search->options->no_weights)
        return true; // the newest
    if (search->looked_at % 2)
        return one->request_count + one->actor_count <= other->request_count + other->actor_count;
    return cost_of(one) < cost_of(other);
}

// The best of those of which the feedback's deliveries were tried, or were not; RH_NONE: there is
// none.
static uint32_t best_of(const struct rh__sym_backward *search, bool is_led_done)
{
    uint32_t best = RH_NONE;
    for (uint32_t i = 0; i < search->waiting.count; i++) {
        const struct rh__sym_chain_waiting *it = &search->waiting.items[i];
        if (it->is_led_done == is_led_done &&
            (best == RH_NONE || is_better(search, it->chain, search->waiting.items[best].chain)))
            best = i;
    }
    return best;
}

// What nothing speaks for has a turn now and then, so that nothing is put off for ever.
static struct rh__sym_chain_waiting take_next(struct rh__sym_backward *search)
{
    enum { OTHERS_EACH = 8 };
    bool first = search->looked_at % OTHERS_EACH == 0;
    uint32_t best = best_of(search, first);
    if (best == RH_NONE)
        best = best_of(search, !first);
    struct rh__sym_chain_waiting next = search->waiting.items[best];
    search->waiting.count--;
    memmove(&search->waiting.items[best], &search->waiting.items[best + 1],
            (search->waiting.count - best) * sizeof *search->waiting.items);
    return next;
}

// --- Steps back. ---

static bool is_chosen(const uint32_t *chosen, uint32_t count, uint32_t what)
{
    for (uint32_t i = 0; i < count; i++)
        if (chosen[i] == what)
            return true;
    return false;
}

// Keeps a new chain, unless one that is known needs less. Gives whether a run has gone its way.
static bool add(struct rh__sym_backward *search, const struct rh__sym_chain *chain)
{
    for (size_t i = 0; i < search->seen.count; i++)
        if (needs_less(search->seen.items[i], chain))
            return false;
    if (chain->deliveries >= DELIVERIES_MOST || search->seen.count >= CHAINS_MOST) {
        search->is_cut = true;
        return false;
    }
    struct rh__sym_chain_waiting waiting = {.chain = chain};
    bool is_there = rh__sym_chain_begins(search, chain, &waiting.feedback);
    waiting.feedback.has_any = waiting.feedback.has_any && !search->options->no_feedback;
    *rh_vector_push(&search->seen) = chain;
    *rh_vector_push(&search->waiting) = waiting;
    return is_there;
}

// Whether the delivery changes what the chain needs of the actor; with feedback, of what is in its
// cores.
static bool changes(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                    const struct rh__sym_step *step, const struct rh__sym_feedback *feedback)
{
    struct rh__sym *sym = search->sym;
    const struct rh__sym_actor *self = &step->outcome->situation->actors.items[RH__SYM_SELF];
    if (step->actor == chain->actor_count)
        return false;
    if (chain->actors[step->actor].behaviour != step->summary->behaviour)
        return true;
    const struct rh__sym_object *after =
        self->state == RH_NONE ? NULL : step->outcome->situation->objects.items[self->state];
    struct rh__sym_leaves leaves = rh__sym_state_leaves(sym, step->summary->behaviour);
    struct rh_variable_set set = {0};
    bool does = false;
    for (uint32_t i = 0; i < chain->term_count; i++)
        rh_term_variables(&sym->terms, chain->terms[i], &set);
    for (uint32_t i = 0; i < leaves.count && !does && after && step->summary->state; i++) {
        const struct rh__sym_leaf *leaf = &leaves.items[i];
        bool is_unset = false;
        rh_term old =
            rh__sym_object_read(sym, step->summary->state, leaf->offset, leaf->size, &is_unset);
        if (rh__sym_object_read(sym, after, leaf->offset, leaf->size, &is_unset) == old ||
            (feedback && !rh__sym_is_in_feedback(feedback, chain->actors[step->actor].fields[i])))
            continue;
        for (size_t k = 0; k < set.indexes.count; k++)
            does = does || sym->terms.variables.items[set.indexes.items[k]].term ==
                               chain->actors[step->actor].fields[i];
    }
    rh_vector_fini(&set.indexes);
    return does;
}

static bool is_of_use(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                      const struct rh__sym_step *step)
{
    bool is_sent = false;
    for (uint32_t i = 0; i < chain->request_count; i++) {
        is_sent = is_sent || step->sends[i] != RH_NONE;
        // Before it is created nobody sends it anything.
        if (chain->requests[i].actor == step->created && step->sends[i] == RH_NONE)
            return false;
    }
    return is_sent || step->created != RH_NONE || changes(search, chain, step, NULL);
}

static bool has_any(const struct rh__sym_feedback *feedback, const rh_term *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (rh__sym_is_in_feedback(feedback, fields[i]))
            return true;
    return false;
}

// Whether the delivery does something about the reason why the chain can't begin.
static bool is_led(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                   const struct rh__sym_step *step)
{
    const struct rh__sym_feedback *feedback = search->feedback;
    for (uint32_t i = 0; i < chain->request_count; i++) {
        const struct rh__sym_chain_request *request = &chain->requests[i];
        if (step->sends[i] != RH_NONE &&
            (feedback->lacks_message[i] || rh__sym_is_in_feedback(feedback, request->sender) ||
             has_any(feedback, request->fields,
                     rh__sym_message_leaves(search->sym, request->type).count)))
            return true;
    }
    if (step->created != RH_NONE) {
        const struct rh__sym_chain_actor *actor = &chain->actors[step->created];
        if (feedback->lacks_actor[step->created] ||
            rh__sym_is_in_feedback(feedback, actor->address) ||
            has_any(feedback, actor->fields,
                    rh__sym_state_leaves(search->sym, actor->behaviour).count))
            return true;
    }
    return changes(search, chain, step, feedback);
}

// Whether the delivery is tried now, and not before or later.
static bool is_turn(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                    const struct rh__sym_step *step)
{
    return !search->feedback || is_led(search, chain, step) == search->is_led_turn;
}

static bool fits_receiver(const struct rh__sym *sym, const struct rh__sym_chain *chain,
                          const struct rh__sym_step *step, uint32_t request,
                          const struct rh__sym_message *message)
{
    const struct rh__sym_chain_request *it = &chain->requests[request];
    const struct rh__sym_actor *receiver =
        &step->outcome->situation->actors.items[message->receiver];
    if (message->type != it->type)
        return false;
    if (message->receiver == RH__SYM_SELF)
        return it->actor == step->actor;
    if (receiver->parent == RH__SYM_SELF)
        return it->actor == step->created && step->created_as == message->receiver;
    return it->actor != step->actor && it->actor != step->created &&
           (receiver->behaviour == RH_NONE ||
            rh__sym_behaviour_of(sym, receiver->behaviour) == chain->actors[it->actor].behaviour);
}

// All ways in which the outcome sends what the chain needs.
static bool try_sends(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                      struct rh__sym_step *step, uint32_t request)
{
    const struct rh__sym_situation *situation = step->outcome->situation;
    if (rh__sym_is_over(search->sym))
        return false;
    if (request == chain->request_count) {
        const struct rh__sym_chain *made =
            is_of_use(search, chain, step) && is_turn(search, chain, step)
                ? rh__sym_step_back(search, chain, step)
                : NULL;
        return made && add(search, made);
    }
    rh_assert(request < RH__SYM_CHAIN_REQUESTS);
    step->sends[request] = RH_NONE;
    if (try_sends(search, chain, step, request + 1))
        return true;
    for (uint32_t i = 0; i < situation->pending.count; i++) {
        if (is_chosen(step->sends, request, i) ||
            !fits_receiver(search->sym, chain, step, request, &situation->pending.items[i]))
            continue;
        step->sends[request] = i;
        if (try_sends(search, chain, step, request + 1))
            return true;
    }
    return false;
}

// With one of the chain's actors created by the delivery, or none.
static bool try_creations(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                          struct rh__sym_step *step)
{
    const struct rh__sym_situation *situation = step->outcome->situation;
    step->created = RH_NONE;
    if (try_sends(search, chain, step, 0))
        return true;
    for (uint32_t i = 0; i < chain->actor_count; i++)
        for (uint32_t k = 0; k < situation->actors.count; k++) {
            if (i == step->actor || chain->actors[i].is_created ||
                situation->actors.items[k].parent != RH__SYM_SELF ||
                rh__sym_behaviour_of(search->sym, situation->actors.items[k].behaviour) !=
                    chain->actors[i].behaviour)
                continue;
            step->created = i;
            step->created_as = k;
            if (try_sends(search, chain, step, 0))
                return true;
        }
    return false;
}

// Whether the actor of the chain can be the one whose handler runs.
static bool fits_actor(const struct rh__sym *sym, const struct rh__sym_chain *chain,
                       const struct rh__sym_step *step)
{
    const struct rh__sym_actor *after = &step->outcome->situation->actors.items[RH__SYM_SELF];
    const struct rh__sym_chain_actor *actor = &chain->actors[step->actor];
    if (actor->is_created || after->is_stopped ||
        rh__sym_behaviour_of(sym, after->behaviour) != actor->behaviour)
        return false;
    const struct rh__sym_behaviour *one = &sym->behaviours.items[actor->behaviour];
    const struct rh__sym_behaviour *other = &sym->behaviours.items[step->summary->behaviour];
    return one == other || (one->record && other->record && !strcmp(one->record, other->record) &&
                            one->state_size == other->state_size);
}

// All ways in which such a delivery to that actor may come before.
static bool try_actor(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                      const struct rh__sym_summary *summary, uint32_t actor)
{
    struct rh__sym_steps steps = {0};
    bool is_there = false;
    rh__sym_steps_find(search, chain, summary, actor, false, &steps);
    for (size_t i = 0; i < steps.count && !is_there; i++) {
        bool fits = actor == chain->actor_count || fits_actor(search->sym, chain, &steps.items[i]);
        is_there = fits && try_creations(search, chain, &steps.items[i]);
    }
    rh_vector_fini(&steps);
    return is_there;
}

static bool try_actors(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                       const struct rh__sym_summary *summary)
{
    for (uint32_t i = 0; i < chain->actor_count; i++)
        if (try_actor(search, chain, summary, i))
            return true;
    if (chain->actor_count < RH__SYM_CHAIN_ACTORS)
        return try_actor(search, chain, summary, chain->actor_count);
    search->is_cut = true;
    return false;
}

// Whether such a delivery may be of any use, by what its code does.
static bool may_be_of_use(const struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                          const struct rh__sym_handling *handling)
{
    const struct rh__sym *sym = search->sym;
    bool may = handling->sends_anything || handling->becomes;
    for (uint32_t i = 0; i < chain->actor_count; i++)
        may = may || search->is_spawned[chain->actors[i].behaviour] ||
              sym->behaviours.items[chain->actors[i].behaviour].function == handling->behaviour;
    for (uint32_t i = 0; i < chain->request_count; i++)
        for (size_t k = 0; k < handling->sends.count; k++)
            may = may || handling->sends.items[k] == chain->requests[i].type;
    return may;
}

// All deliveries that may come before the chain's first. Gives whether a run has gone such a way.
static bool look_at(struct rh__sym_backward *search, const struct rh__sym_chain *chain)
{
    for (size_t i = 0; i < search->target->pairs.count; i++) {
        const struct rh__sym_handling *handling = search->target->pairs.items[i].handling;
        uint32_t behaviour = rh__sym_behaviour_of(search->sym, handling->behaviour);
        if (!may_come(search, behaviour, handling->type) || !may_be_of_use(search, chain, handling))
            continue;
        const struct rh__sym_summary *summary =
            rh__sym_summary_of(&search->summaries, behaviour, handling->type);
        search->is_cut = search->is_cut || !summary->is_whole;
        if (try_actors(search, chain, summary))
            return true;
    }
    return false;
}

// --- The search. ---

static void note_spawn(struct rh__sym_backward *search, const struct rh_ir_instruction *call)
{
    struct rh__sym *sym = search->sym;
    const struct rh_ir_constant *behaviour =
        call->operands[0].is_constant ? &sym->module->constants.items[call->operands[0].index]
                                      : NULL;
    search->spawns_anything = true;
    for (uint32_t b = 0; b < sym->behaviours.count; b++)
        search->is_spawned[b] = search->is_spawned[b] || !behaviour ||
                                behaviour->kind != RH_IR_FUNCTION ||
                                behaviour->number == sym->behaviours.items[b].function;
}

// Which actors the function creates, and those that it calls or has the address of. Of what is
// called by an address that nobody knows, everything is possible.
static void follow_spawns(struct rh__sym_backward *search, uint32_t index, bool *is_followed)
{
    const struct rh_ir_module *module = search->sym->module;
    const struct rh_ir_function *function = &module->functions.items[index];
    if (is_followed[index])
        return;
    is_followed[index] = true;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        const struct rh_ir_function *callee =
            each->opcode == RH_IR_CALL ? rh_ir_callee(module, each) : NULL;
        if (each->opcode == RH_IR_CALL && !callee)
            for (uint32_t b = 0; b < search->sym->behaviours.count; b++)
                search->is_spawned[b] = search->spawns_anything = true;
        if (callee && (!strcmp(callee->name, "rh__spawn") || !strcmp(callee->name, "rh__reserve")))
            note_spawn(search, each);
        for (uint32_t k = 0; k < each->operand_count; k++) {
            const struct rh_ir_constant *constant =
                each->operands[k].is_constant ? &module->constants.items[each->operands[k].index]
                                              : NULL;
            if (constant && constant->kind == RH_IR_FUNCTION)
                follow_spawns(search, (uint32_t)constant->number, is_followed);
        }
    }
}

static void find_spawned(struct rh__sym_backward *search)
{
    struct rh__sym *sym = search->sym;
    bool *is_followed = rh_alloc(sym->module->functions.count + 1);
    search->is_spawned = rh_arena_take(&sym->arena, sym->behaviours.count * sizeof(bool) + 1);
    for (uint32_t b = 0; b < sym->behaviours.count; b++)
        if (is_there(search, b))
            follow_spawns(search, sym->behaviours.items[b].function, is_followed);
    free(is_followed);
}

// The handlers that come to the place: a chain of one delivery for each way.
static bool begin(struct rh__sym_backward *search)
{
    for (size_t i = 0; i < search->target->pairs.count; i++) {
        const struct rh__sym_pair *pair = &search->target->pairs.items[i];
        if (pair->distance)
            continue;
        const struct rh__sym_summary *summary = rh__sym_summary_of(
            &search->summaries, rh__sym_behaviour_of(search->sym, pair->handling->behaviour),
            pair->handling->type);
        search->is_cut = search->is_cut || !summary->is_whole;
        const struct rh__sym_chain empty = {0};
        struct rh__sym_steps steps = {0};
        bool is_there = false;
        rh__sym_steps_find(search, &empty, summary, 0, true, &steps);
        for (size_t k = 0; k < steps.count && !is_there; k++) {
            const struct rh__sym_chain *made = rh__sym_step_back(search, &empty, &steps.items[k]);
            is_there = made && add(search, made);
        }
        rh_vector_fini(&steps);
        if (is_there)
            return true;
    }
    return false;
}

// The deliveries before the chain for which the feedback speaks, or the others, or all.
static bool go_on(struct rh__sym_backward *search, struct rh__sym_chain_waiting next)
{
    search->feedback = next.feedback.has_any ? &next.feedback : NULL;
    search->is_led_turn = !next.is_led_done;
    bool is_there = look_at(search, next.chain);
    search->feedback = NULL;
    if (is_there || !next.feedback.has_any || next.is_led_done) {
        rh_vector_fini(&next.feedback.fields);
        return is_there;
    }
    next.is_led_done = true;
    *rh_vector_push(&search->waiting) = next;
    return false;
}

void rh__sym_backward_run(struct rh__sym_backward *search)
{
    find_spawned(search);
    if (begin(search))
        return;
    while (search->waiting.count && !rh__sym_is_over(search->sym)) {
        search->looked_at++;
        if (go_on(search, take_next(search)))
            return;
    }
    search->is_cut = search->is_cut || search->waiting.count;
}

void rh__sym_backward_fini(struct rh__sym_backward *search)
{
    rh__sym_summaries_fini(&search->summaries);
    for (size_t i = 0; i < search->waiting.count; i++)
        rh_vector_fini(&search->waiting.items[i].feedback.fields);
    rh_vector_fini(&search->waiting);
    rh_vector_fini(&search->seen);
}
