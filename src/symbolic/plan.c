// SPDX-License-Identifier: MIT
// Follows a chain of deliveries from what a test's body has left, by the same engine as the search
// forward: what is found backward is a plan, and only a run says that it works.
#include <string.h>

#include "symbolic/backward.h"

enum { FOLLOWED_MOST = 2000 };

struct plan {
    struct rh__sym_forward *guide;
    uint32_t messages_most;
    uint32_t tried; // deliveries
};

// Which actor of a situation each of the chain is; RH_NONE: it is not there yet.
struct cast {
    uint32_t actors[RH__SYM_CHAIN_ACTORS];
};

static bool follow(struct plan *plan, const struct rh__sym_situation *situation,
                   const struct rh__sym_chain *chain, struct cast cast, uint32_t deliveries);

// The actor that the delivery has created for the chain.
static void note_birth(const struct rh__sym *sym, const struct rh__sym_chain *chain,
                       const struct rh__sym_situation *after, uint32_t before, struct cast *cast)
{
    uint32_t nth = 0;
    if (chain->birth.actor == RH_NONE)
        return;
    uint32_t behaviour = chain->actors[chain->birth.actor].behaviour;
    for (uint32_t i = before; i < after->actors.count; i++)
        if (after->actors.items[i].behaviour == sym->behaviours.items[behaviour].function &&
            nth++ == chain->birth.nth)
            cast->actors[chain->birth.actor] = i;
}

// Goes on behind the delivery that has been made; `chain` is NULL if it was not one of the chain.
static bool go_on(struct plan *plan, struct rh__sym_situations *after, uint32_t before,
                  const struct rh__sym_chain *chain, const struct rh__sym_chain *next,
                  struct cast cast, uint32_t deliveries)
{
    bool is_there = rh__sym_forward_is_over(plan->guide);
    for (size_t i = 0; i < after->count; i++) {
        struct cast then = cast;
        if (chain)
            note_birth(plan->guide->sym, chain, after->items[i], before, &then);
        is_there = is_there || follow(plan, after->items[i], next, then, deliveries + 1);
        rh__sym_situation_free(after->items[i]);
    }
    rh_vector_fini(after);
    return is_there;
}

static bool deliver(struct plan *plan, const struct rh__sym_situation *situation, size_t index,
                    const struct rh__sym_chain *chain, struct cast cast, uint32_t deliveries,
                    bool is_of_chain)
{
    struct rh__sym_situations after = {0};
    plan->tried++;
    plan->guide->collected = &after;
    rh__sym_forward_deliver(plan->guide, situation, index, deliveries);
    plan->guide->collected = NULL;
    return go_on(plan, &after, (uint32_t)situation->actors.count, is_of_chain ? chain : NULL,
                 is_of_chain ? chain->after : chain, cast, deliveries);
}

static bool arrive(struct plan *plan, const struct rh__sym_situation *situation, uint32_t actor,
                   const struct rh__sym_chain *chain, struct cast cast, uint32_t deliveries)
{
    struct rh__sym_situations after = {0};
    plan->tried++;
    plan->guide->collected = &after;
    rh__sym_forward_arrive(plan->guide, situation, actor, chain->type, deliveries);
    plan->guide->collected = NULL;
    return go_on(plan, &after, (uint32_t)situation->actors.count, chain, chain->after, cast,
                 deliveries);
}

// Pending messages of the type that the chain takes next; one that others of its sender are before
// has to wait for these.
static bool take_pending(struct plan *plan, const struct rh__sym_situation *situation,
                         uint32_t actor, const struct rh__sym_chain *chain, struct cast cast,
                         uint32_t deliveries)
{
    const struct rh__sym *sym = plan->guide->sym;
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        if (message->receiver != actor || message->type != chain->type)
            continue;
        if (rh__sym_is_deliverable(sym, situation, i)) {
            if (deliver(plan, situation, i, chain, cast, deliveries, true))
                return true;
            continue;
        }
        for (size_t k = 0; k < i; k++)
            if (situation->pending.items[k].receiver == actor &&
                situation->pending.items[k].sender == message->sender &&
                rh__sym_is_deliverable(sym, situation, k) &&
                deliver(plan, situation, k, chain, cast, deliveries, false))
                return true;
    }
    return false;
}

static uint32_t arrivals_of(const struct rh__sym_situation *situation)
{
    return situation->arrivals ? situation->arrivals->count : 0;
}

static bool follow(struct plan *plan, const struct rh__sym_situation *situation,
                   const struct rh__sym_chain *chain, struct cast cast, uint32_t deliveries)
{
    struct rh__sym *sym = plan->guide->sym;
    if (!chain || plan->tried >= FOLLOWED_MOST || rh__sym_is_over(sym))
        return plan->guide->is_found;
    uint32_t not_asked = rh__sym_first_not_asked(sym, situation);
    if (not_asked != RH_NONE) {
        struct rh__sym_situations answers = {0}, after = {0};
        rh__sym_ask_guard(sym, situation, not_asked, &answers);
        for (size_t i = 0; i < answers.count; i++) {
            if (answers.items[i]->end == RH__SYM_DONE)
                *rh_vector_push(&after) = answers.items[i];
            else
                rh__sym_situation_free(answers.items[i]);
        }
        rh_vector_fini(&answers);
        return go_on(plan, &after, 0, NULL, chain, cast, deliveries);
    }
    uint32_t actor = cast.actors[chain->actor];
    if (actor == RH_NONE)
        return false;
    if (take_pending(plan, situation, actor, chain, cast, deliveries))
        return true;
    return rh__sym_may_be_sent(situation, actor, chain->type) &&
           arrivals_of(situation) < plan->messages_most &&
           arrive(plan, situation, actor, chain, cast, deliveries);
}

bool rh__sym_follow(struct rh__sym_backward *search, const struct rh__sym_situation *begun,
                    const struct rh__sym_chain *chain, const uint32_t *actors)
{
    struct plan plan = {.guide = search->guide, .messages_most = search->messages_most};
    struct cast cast;
    memcpy(cast.actors, actors, sizeof cast.actors);
    for (uint32_t i = chain->actor_count; i < RH__SYM_CHAIN_ACTORS; i++)
        cast.actors[i] = RH_NONE;
    return follow(&plan, begun, chain, cast, 0);
}
