// SPDX-License-Identifier: MIT
// Runs with messages that are drawn: which the outside sends, what their fields are, and what is
// delivered next. All values are known, so that the solver is asked nothing: what it can't do, or
// what has too many paths, may be found by luck. The seed is fixed.
#include "symbolic/forward.h"

enum {
    WALKS_MOST = 400,
    DELIVERIES_MOST = 120,
    STEPS_MOST = 3000000, // instructions of all walks
};

// --- Values. ---

// Mostly small, so that values meet each other and the program's own constants.
static uint64_t draw_number(struct rh_rng *draws)
{
    enum { SMALL = 12, NEGATIVE = 2, LARGE = 1000, KINDS = 8 };
    uint64_t kind = rh_rng_below(draws, KINDS);
    if (kind == 0)
        return rh_rng_next(draws);
    if (kind == 1)
        return rh_rng_below(draws, LARGE);
    return rh_rng_below(draws, SMALL) - NEGATIVE;
}

// The address of an actor that the test's body has created.
static uint64_t draw_actor(struct rh_rng *draws, const struct rh__sym_situation *situation)
{
    uint32_t actor = (uint32_t)rh_rng_below(draws, situation->actors.count);
    const struct rh__sym_actor *it = &situation->actors.items[actor];
    return it->is_outside || it->parent != RH_NONE ? 0 : rh__sym_actor_address(actor);
}

static uint64_t draw_leaf(struct rh_rng *draws, const struct rh__sym_situation *situation,
                          const struct rh__sym_leaf *leaf)
{
    if (leaf->field && leaf->field->is_pointer)
        return rh__sym_is_actor(leaf->field) ? draw_actor(draws, situation) : 0;
    uint64_t number = draw_number(draws);
    return leaf->field && leaf->field->is_truth ? number & 1 : number;
}

void rh__sym_random_fill(struct rh__sym_forward *search, const struct rh__sym_situation *situation,
                         uint32_t type, struct rh__sym_object **payload)
{
    struct rh__sym *sym = search->sym;
    const struct rh__sym_type *it = &sym->types.items[type];
    struct rh__sym_leaves leaves = rh__sym_leaves_of(sym, it->name, it->size);
    for (uint32_t i = 0; i < leaves.count; i++) {
        const struct rh__sym_leaf *leaf = &leaves.items[i];
        uint64_t number = draw_leaf(search->draws, situation, leaf);
        rh__sym_object_write(sym, payload, leaf->offset, leaf->size,
                             rh_term_constant(&sym->terms, leaf->size * 8, number));
    }
}

// --- One walk. ---

struct walk {
    struct rh__sym_forward *search;
    struct rh__sym_situation *situation; // owned; NULL: it is over
    uint32_t deliveries;
    uint64_t steps;
};

// Goes on with one of these; the others are left.
static void choose(struct walk *walk, struct rh__sym_situations *after)
{
    size_t chosen = after->count ? rh_rng_below(walk->search->draws, after->count) : 0;
    rh__sym_situation_free(walk->situation);
    walk->situation = NULL;
    for (size_t i = 0; i < after->count; i++) {
        if (i == chosen && after->items[i]->end == RH__SYM_DONE)
            walk->situation = after->items[i];
        else
            rh__sym_situation_free(after->items[i]);
    }
    rh_vector_fini(after);
    if (walk->situation)
        walk->steps += walk->situation->steps;
}

struct coming {
    uint32_t receiver, type;
};

// A message from outside to any that it may write to. false: there is none that may be of use.
static bool let_come(struct walk *walk)
{
    struct rh__sym_forward *search = walk->search;
    const struct rh__sym_situation *situation = walk->situation;
    RH_VECTOR(struct coming) comings = {0};
    for (uint32_t i = 0; i < situation->actors.count; i++) {
        if (situation->actors.items[i].wait)
            continue;
        for (uint32_t type = 0; type < search->sym->types.count; type++)
            if (rh__sym_may_be_sent(situation, i, type) &&
                rh__sym_forward_is_of_interest(search, situation->actors.items[i].behaviour, type))
                *rh_vector_push(&comings) = (struct coming){i, type};
    }
    bool has_any = comings.count > 0;
    if (has_any) {
        struct coming it = comings.items[rh_rng_below(search->draws, comings.count)];
        struct rh__sym_situations after = {0};
        search->collected = &after;
        rh__sym_forward_arrive(search, situation, it.receiver, it.type, walk->deliveries);
        search->collected = NULL;
        if (after.count) // a guard may refuse it: then it is as if it had not come
            choose(walk, &after);
    }
    rh_vector_fini(&comings);
    return has_any;
}

// Any of the messages that can be delivered. false: there is none.
static bool deliver(struct walk *walk)
{
    struct rh__sym_forward *search = walk->search;
    const struct rh__sym_situation *situation = walk->situation;
    RH_VECTOR(size_t) deliverable = {0};
    for (size_t i = 0; i < situation->pending.count; i++)
        if (rh__sym_is_deliverable(search->sym, situation, i))
            *rh_vector_push(&deliverable) = i;
    bool has_any = deliverable.count > 0;
    if (has_any) {
        size_t index = deliverable.items[rh_rng_below(search->draws, deliverable.count)];
        struct rh__sym_situations after = {0};
        search->collected = &after;
        rh__sym_forward_deliver(search, situation, index, walk->deliveries);
        search->collected = NULL;
        choose(walk, &after);
    }
    rh_vector_fini(&deliverable);
    return has_any;
}

static void ask_guard(struct walk *walk, uint32_t index)
{
    struct rh__sym_situations answers = {0};
    rh__sym_ask_guard(walk->search->sym, walk->situation, index, &answers);
    choose(walk, &answers);
}

// One thing that may happen next. false: nothing can.
static bool go_on(struct walk *walk)
{
    struct rh__sym_forward *search = walk->search;
    uint32_t not_asked = rh__sym_first_not_asked(search->sym, walk->situation);
    if (not_asked != RH_NONE) {
        ask_guard(walk, not_asked);
        return true;
    }
    bool may_come = rh__sym_forward_may_come(search, walk->situation);
    bool comes = may_come && rh_rng_below(search->draws, 2);
    walk->deliveries++;
    return (comes && let_come(walk)) || deliver(walk) || (may_come && !comes && let_come(walk));
}

void rh__sym_random_run(struct rh__sym_forward *search, uint32_t body)
{
    struct rh_rng draws;
    struct rh__sym_situations begun = {0};
    struct walk walk = {.search = search};
    rh_rng_seed(&draws, 1);
    search->collected = &begun;
    rh__sym_forward_begin(search, body);
    search->collected = NULL;
    search->draws = &draws;
    for (int i = 0; i < WALKS_MOST && begun.count && search->has_way && !search->is_found; i++) {
        struct rh__sym_situation *from = begun.items[rh_rng_below(&draws, begun.count)];
        walk.situation = rh__sym_situation_copy(search->sym, from);
        walk.deliveries = 0;
        while (walk.situation && walk.deliveries < DELIVERIES_MOST && go_on(&walk) &&
               !rh__sym_forward_is_over(search))
            ;
        if (walk.situation)
            rh__sym_situation_free(walk.situation);
        if (walk.steps > STEPS_MOST || rh__sym_is_over(search->sym))
            break;
    }
    for (size_t i = 0; i < begun.count; i++)
        rh__sym_situation_free(begun.items[i]);
    rh_vector_fini(&begun);
    search->draws = NULL;
}
