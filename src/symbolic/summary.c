// SPDX-License-Identifier: MIT
// Summaries of handlers: each is run once, by the same interpreter as everything else, with a state
// and a message of which nothing is known.
#include "symbolic/summary.h"

#include <string.h>

#include "symbolic/forward.h"

void rh__sym_summaries_init(struct rh__sym_summaries *summaries, struct rh__sym *sym,
                            struct rh_generate_options *limits, const struct rh__sym_target *target,
                            const struct rh_reach_options *options)
{
    *summaries = (struct rh__sym_summaries){.sym = sym,
                                            .limits = limits,
                                            .target = target,
                                            .goal = options->goal,
                                            .line = options->line};
    summaries->self = rh__sym_summary_variable(sym, 64, "&self");
    summaries->sender = rh__sym_summary_variable(sym, 64, "&sender");
}

static void summary_free(struct rh__sym_summary *summary)
{
    for (size_t i = 0; i < summary->outcomes.count; i++) {
        rh__sym_situation_free(summary->outcomes.items[i].situation);
        rh_vector_fini(&summary->outcomes.items[i].conditions);
    }
    rh_vector_fini(&summary->outcomes);
    rh__sym_object_release(summary->state);
    rh__sym_object_release(summary->message);
}

void rh__sym_summaries_fini(struct rh__sym_summaries *summaries)
{
    for (size_t i = 0; i < summaries->items.count; i++)
        summary_free(summaries->items.items[i]);
    rh_vector_fini(&summaries->items);
}

rh_term rh__sym_summary_variable(struct rh__sym *sym, unsigned bits, const char *name)
{
    struct rh__sym_situation *scratch = rh__sym_situation_new();
    rh_term term =
        rh__sym_variable(sym, scratch, bits, name, (struct rh__sym_unknown){.kept = RH_NONE});
    rh__sym_situation_free(scratch);
    return term;
}

// --- Addresses. ---

static bool is_actor(uint64_t address, const struct rh__sym_situation *situation, uint32_t *actor)
{
    *actor = (uint32_t)((address - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS);
    return address >= RH__SYM_ACTORS && address < RH__SYM_MESSAGES &&
           *actor < situation->actors.count;
}

// The first variable that was decided to be the actor's address.
static uint32_t variable_of(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                            uint32_t actor)
{
    uint64_t number;
    for (size_t i = 0; i < situation->bindings.count; i++)
        if (rh_term_is_constant(&sym->terms, situation->bindings.items[i].value, &number) &&
            number == rh__sym_actor_address(actor))
            return situation->bindings.items[i].variable;
    return RH_NONE;
}

rh_term rh__sym_outcome_address(const struct rh__sym_summaries *summaries,
                                const struct rh__sym_outcome *outcome, uint32_t actor)
{
    if (actor == RH__SYM_SELF || actor == RH__SYM_SENDER)
        return actor == RH__SYM_SELF ? summaries->self : summaries->sender;
    uint32_t variable = variable_of(summaries->sym, outcome->situation, actor);
    return variable == RH_NONE ? RH_NONE : summaries->sym->terms.variables.items[variable].term;
}

rh_term rh__sym_outcome_term(const struct rh__sym_summaries *summaries,
                             const struct rh__sym_outcome *outcome, rh_term term)
{
    uint64_t number;
    uint32_t actor;
    if (!rh_term_is_constant(&summaries->sym->terms, term, &number) ||
        !is_actor(number, outcome->situation, &actor))
        return term;
    rh_term address = rh__sym_outcome_address(summaries, outcome, actor);
    return address == RH_NONE ? term : address;
}

static void add_condition(struct rh__sym *sym, struct rh__sym_outcome *outcome, rh_term a,
                          rh_term b, bool is_equal)
{
    rh_term equal = rh_term_make2(&sym->terms, RH_TERM_EQUAL, a, b);
    *rh_vector_push(&outcome->conditions) = is_equal ? equal : rh_term_not(&sym->terms, equal);
}

// An actor's address is none of those of other actors, and not null.
static void add_distinct(struct rh__sym_summaries *summaries, struct rh__sym_outcome *outcome,
                         uint32_t actor, rh_term address)
{
    struct rh__sym *sym = summaries->sym;
    add_condition(sym, outcome, address, rh_term_constant(&sym->terms, 64, 0), false);
    for (uint32_t i = 0; i < actor; i++) {
        rh_term other = rh__sym_outcome_address(summaries, outcome, i);
        if (other != RH_NONE)
            add_condition(sym, outcome, address, other, false);
    }
}

// What was decided about addresses as conditions. false: one leads to memory.
static bool add_bindings(struct rh__sym_summaries *summaries, struct rh__sym_outcome *outcome)
{
    struct rh__sym *sym = summaries->sym;
    const struct rh__sym_situation *situation = outcome->situation;
    for (size_t i = 0; i < situation->bindings.count; i++) {
        const struct rh__sym_binding *binding = &situation->bindings.items[i];
        rh_term variable = sym->terms.variables.items[binding->variable].term;
        uint64_t number = 0;
        uint32_t actor;
        rh_term_is_constant(&sym->terms, binding->value, &number);
        if (number == 0) {
            add_condition(sym, outcome, variable, binding->value, true);
            continue;
        }
        if (!is_actor(number, situation, &actor))
            return false;
        rh_term address = rh__sym_outcome_address(summaries, outcome, actor);
        if (address == variable)
            add_distinct(summaries, outcome, actor, address);
        else
            add_condition(sym, outcome, variable, address, true);
    }
    return true;
}

// --- Outcomes. ---

// Whether the term has an address in it that is more than the term itself.
static bool hides_address(const struct rh__sym *sym, rh_term term, int depth)
{
    enum { DEPTH_MOST = 24 };
    uint64_t number;
    if (rh_term_is_constant(&sym->terms, term, &number))
        return number >= RH__SYM_GLOBALS && number < RH__SYM_MESSAGES + RH__SYM_RANGE &&
               (depth > 0 || number < RH__SYM_ACTORS || number >= RH__SYM_MESSAGES);
    const struct rh_term_node *node = rh_term_get(&sym->terms, term);
    if (node->operation == RH_TERM_VARIABLE)
        return false;
    return depth > DEPTH_MOST || (node->a && hides_address(sym, node->a, depth + 1)) ||
           (node->b && hides_address(sym, node->b, depth + 1)) ||
           (node->c && hides_address(sym, node->c, depth + 1));
}

// That a truth value is one is true of every state and message, and not worth a condition.
static bool is_of_type(const struct rh__sym *sym, const struct rh__sym_condition *condition)
{
    const struct rh_term_node *node = rh_term_get(&sym->terms, condition->term);
    return condition->is_silent && node->operation == RH_TERM_BELOW &&
           rh_term_width(&sym->terms, node->a) == 8;
}

// The path's conditions, first to last.
static void add_path(const struct rh__sym *sym, struct rh__sym_outcome *outcome,
                     const struct rh__sym_condition *condition)
{
    if (!condition)
        return;
    add_path(sym, outcome, condition->before);
    if (!is_of_type(sym, condition))
        *rh_vector_push(&outcome->conditions) = condition->term;
}

static bool is_plain(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                     uint32_t number)
{
    const struct rh__sym_object *object =
        number == RH_NONE ? NULL : situation->objects.items[number];
    for (uint32_t i = 0; object && i < object->count; i++)
        if (hides_address(sym, object->cells[i].term, 0))
            return false;
    return true;
}

// Whether terms say all that the handler leaves behind.
static bool is_expressed(const struct rh__sym *sym, const struct rh__sym_situation *situation)
{
    bool is_all = !rh__sym_has_wait(situation);
    for (size_t i = 0; i < situation->actors.count && is_all; i++)
        is_all = situation->actors.items[i].at_stop == RH_NONE &&
                 is_plain(sym, situation, situation->actors.items[i].state);
    for (size_t i = 0; i < situation->pending.count && is_all; i++)
        is_all = is_plain(sym, situation, situation->pending.items[i].payload);
    return is_all;
}

static bool is_goal(const struct rh__sym_summaries *summaries,
                    const struct rh__sym_situation *situation)
{
    return summaries->goal != RH_REACH_LINE && situation->end == RH__SYM_BROKEN &&
           situation->place.line == summaries->line &&
           (summaries->goal == RH_REACH_CHECK) == rh__sym_fails_check(situation);
}

// Takes the situation. Gives whether the outcome says all that there is to it.
static bool add_outcome(struct rh__sym_summaries *summaries, struct rh__sym_summary *summary,
                        struct rh__sym_situation *situation, bool is_place)
{
    bool is_broken = situation->end == RH__SYM_BROKEN;
    is_place = is_place || is_goal(summaries, situation);
    bool is_known = situation->end == RH__SYM_DONE || is_broken || is_place;
    bool is_whole = is_known && !(is_broken && situation->is_undefined);
    struct rh__sym_outcome outcome = {.situation = situation, .is_place = is_place};
    bool is_used = is_known && (is_place || !is_broken) && add_bindings(summaries, &outcome) &&
                   (is_place || is_expressed(summaries->sym, situation));
    add_path(summaries->sym, &outcome, situation->conditions);
    if (is_used) {
        *rh_vector_push(&summary->outcomes) = outcome;
        return is_whole;
    }
    rh_vector_fini(&outcome.conditions);
    rh__sym_situation_free(situation);
    return is_whole && is_broken;
}

static struct rh__sym_situation *begin(struct rh__sym_summaries *summaries,
                                       struct rh__sym_summary *summary)
{
    struct rh__sym *sym = summaries->sym;
    struct rh__sym_situation *situation =
        rh__sym_alone_begin(sym, summary->behaviour, summary->type);
    *rh_vector_push(&situation->actors) = (struct rh__sym_actor){.behaviour = RH_NONE,
                                                                 .state = RH_NONE,
                                                                 .parent = RH_NONE,
                                                                 .kept = RH_NONE,
                                                                 .at_stop = RH_NONE,
                                                                 .name = "sender"};
    situation->pending.items[0].sender = RH__SYM_SENDER;
    uint32_t payload = situation->pending.items[0].payload;
    summary->state = situation->actors.items[RH__SYM_SELF].initial;
    summary->message = payload == RH_NONE ? NULL : situation->objects.items[payload];
    if (summary->state)
        summary->state->references++;
    if (summary->message)
        summary->message->references++;
    return situation;
}

// Runs the handler; with the place marked, paths end there, otherwise they pass it.
static bool run(struct rh__sym_summaries *summaries, struct rh__sym_summary *summary,
                const struct rh__sym_situation *begun, bool to_place)
{
    struct rh__sym *sym = summaries->sym;
    struct rh__sym_situations outcomes = {0}, hits = {0};
    bool **marks = sym->marks;
    sym->marks = to_place ? marks : NULL;
    sym->hits = to_place ? &hits : NULL;
    rh__sym_deliver(sym, rh__sym_take_out(sym, begun, 0), &outcomes);
    sym->marks = marks;
    sym->hits = NULL;
    bool is_whole = outcomes.count > 0 && !rh__sym_is_over(sym);
    for (size_t i = 0; i < hits.count; i++)
        is_whole = add_outcome(summaries, summary, hits.items[i], true) && is_whole;
    for (size_t i = 0; i < outcomes.count; i++) {
        if (to_place) {
            is_whole = is_whole && outcomes.items[i]->end != RH__SYM_UNKNOWN;
            rh__sym_situation_free(outcomes.items[i]);
        } else {
            is_whole = add_outcome(summaries, summary, outcomes.items[i], false) && is_whole;
        }
    }
    rh_vector_fini(&outcomes);
    rh_vector_fini(&hits);
    return is_whole;
}

static bool is_near(const struct rh__sym_summaries *summaries, uint32_t function, uint32_t type)
{
    return summaries->goal == RH_REACH_LINE &&
           rh__sym_target_distance(summaries->target, function, type) == 0;
}

// Runs the handler with the limits of the engine that a summary needs: every actor and every number
// is possible.
static void summarise(struct rh__sym_summaries *summaries, struct rh__sym_summary *summary)
{
    enum { ROUNDS = 3, ACTORS = 4 };
    struct rh__sym *sym = summaries->sym;
    const struct rh_generate_options limits = *summaries->limits;
    struct rh__sym_nearest *nearest = sym->nearest;
    const uint64_t loops = sym->result->cuts[RH_CUT_LOOP], actors = sym->result->cuts[RH_CUT_ACTOR];
    summaries->limits->loop = ROUNDS;
    summaries->limits->actors_each = ACTORS;
    summaries->limits->is_closed = false;
    summaries->limits->wraps = true;
    sym->nearest = NULL;
    sym->looks_elsewhere = false;
    struct rh__sym_situation *begun = begin(summaries, summary);
    bool is_whole = run(summaries, summary, begun, false);
    if (is_near(summaries, sym->behaviours.items[summary->behaviour].function, summary->type))
        is_whole = run(summaries, summary, begun, true) && is_whole;
    rh__sym_situation_free(begun);
    // A behaviour without a struct for its state has one that is not known.
    summary->is_whole = is_whole && !sym->looks_elsewhere && summary->state &&
                        sym->result->cuts[RH_CUT_LOOP] == loops &&
                        sym->result->cuts[RH_CUT_ACTOR] == actors;
    sym->nearest = nearest;
    *summaries->limits = limits;
}

const struct rh__sym_summary *rh__sym_summary_of(struct rh__sym_summaries *summaries,
                                                 uint32_t behaviour, uint32_t type)
{
    for (size_t i = 0; i < summaries->items.count; i++)
        if (summaries->items.items[i]->behaviour == behaviour &&
            summaries->items.items[i]->type == type)
            return summaries->items.items[i];
    struct rh__sym_summary *summary = rh_arena_take(&summaries->sym->arena, sizeof *summary);
    *summary = (struct rh__sym_summary){.behaviour = behaviour, .type = type};
    summarise(summaries, summary);
    *rh_vector_push(&summaries->items) = summary;
    return summary;
}
