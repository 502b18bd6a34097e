// SPDX-License-Identifier: MIT
// Paths through a handler that make no difference to a chain are one: where they differ in a
// condition that holds on the one and not on the other, it does not matter. That is exact, since
// paths of a handler exclude each other.
#include <stdlib.h>
#include <string.h>

#include "symbolic/backward.h"

static void add_number(struct rh_text *text, uint64_t number)
{
    rh_text_add_bytes(text, &number, sizeof number);
}

static void add_object(struct rh_text *text, const struct rh__sym_summaries *summaries,
                       const struct rh__sym_outcome *outcome, uint32_t number)
{
    const struct rh__sym_object *object =
        number == RH_NONE ? NULL : outcome->situation->objects.items[number];
    for (uint32_t i = 0; object && i < object->count; i++) {
        add_number(text, object->cells[i].offset);
        add_number(text, rh__sym_outcome_term(summaries, outcome, object->cells[i].term));
    }
}

static bool is_requested(const struct rh__sym_chain *chain, uint32_t type)
{
    for (uint32_t i = 0; i < chain->request_count; i++)
        if (chain->requests[i].type == type)
            return true;
    return false;
}

static bool is_wanted(const struct rh__sym *sym, const struct rh__sym_chain *chain,
                      uint32_t behaviour)
{
    for (uint32_t i = 0; i < chain->actor_count; i++)
        if (!chain->actors[i].is_created &&
            sym->behaviours.items[chain->actors[i].behaviour].function == behaviour)
            return true;
    return false;
}

// Fields that the chain needs of the actor, as the delivery leaves them.
static void add_state(struct rh_text *text, const struct rh__sym_summaries *summaries,
                      const struct rh__sym_chain *chain, const struct rh__sym_step *step)
{
    struct rh__sym *sym = summaries->sym;
    const struct rh__sym_situation *situation = step->outcome->situation;
    const struct rh__sym_behaviour *it = &sym->behaviours.items[step->summary->behaviour];
    uint32_t state = situation->actors.items[RH__SYM_SELF].state;
    if (step->actor >= chain->actor_count || state == RH_NONE || !it->state_size)
        return;
    struct rh__sym_leaves leaves = rh__sym_leaves_of(sym, it->record, it->state_size);
    struct rh_variable_set set = {0};
    for (uint32_t i = 0; i < chain->term_count; i++)
        rh_term_variables(&sym->terms, chain->terms[i], &set);
    for (uint32_t i = 0; i < leaves.count; i++)
        for (size_t k = 0; k < set.indexes.count; k++) {
            bool is_unset = false;
            if (sym->terms.variables.items[set.indexes.items[k]].term ==
                chain->actors[step->actor].fields[i])
                add_number(text, rh__sym_outcome_term(
                                     summaries, step->outcome,
                                     rh__sym_object_read(sym, situation->objects.items[state],
                                                         leaves.items[i].offset,
                                                         leaves.items[i].size, &is_unset)));
        }
    rh_vector_fini(&set.indexes);
}

// What the chain may need of the outcome.
static rh_hash128 effect_of(const struct rh__sym_summaries *summaries,
                            const struct rh__sym_chain *chain, const struct rh__sym_step *step)
{
    struct rh__sym *sym = summaries->sym;
    const struct rh__sym_situation *situation = step->outcome->situation;
    struct rh_text text = {0};
    if (step->outcome->is_place)
        return 0;
    add_number(&text, situation->actors.items[RH__SYM_SELF].is_stopped);
    add_number(&text, situation->actors.items[RH__SYM_SELF].behaviour);
    add_state(&text, summaries, chain, step);
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        if (!is_requested(chain, message->type))
            continue;
        add_number(&text, message->type);
        add_number(&text, message->receiver);
        add_number(&text, rh__sym_outcome_address(summaries, step->outcome, message->receiver));
        add_number(&text, situation->actors.items[message->receiver].behaviour);
        add_object(&text, summaries, step->outcome, message->payload);
    }
    for (size_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *actor = &situation->actors.items[i];
        if (actor->parent != RH__SYM_SELF || !is_wanted(sym, chain, actor->behaviour))
            continue;
        add_number(&text, i);
        add_number(&text, actor->behaviour);
        add_object(&text, summaries, step->outcome, actor->state);
    }
    rh_hash128 hash = rh_hash128_of(text.bytes, text.length, 1);
    rh_text_fini(&text);
    return hash;
}

struct path {
    struct rh__sym_step step;
    rh_hash128 effect;
};

static bool are_opposite(struct rh__sym *sym, rh_term one, rh_term other)
{
    return rh_term_not(&sym->terms, one) == other;
}

static void leave_out(struct rh__sym *sym, struct rh__sym_step *step, uint32_t index)
{
    rh_term *kept = rh_arena_take(&sym->arena, step->condition_count * sizeof *kept + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < step->condition_count; i++)
        if (i != index)
            kept[count++] = step->conditions[i];
    step->conditions = kept;
    step->condition_count = count;
}

// Two ways of the last condition on the path.
static bool merge_last(struct rh__sym *sym, struct rh__sym_step *one, struct rh__sym_step *other)
{
    uint32_t count = one->condition_count;
    if (count == 0 || other->condition_count != count ||
        memcmp(one->conditions, other->conditions, (count - 1) * sizeof *one->conditions) != 0 ||
        !are_opposite(sym, one->conditions[count - 1], other->conditions[count - 1]))
        return false;
    leave_out(sym, one, count - 1);
    return true;
}

// Conditions by number: two paths that differ in one condition only, or where the one needs less.
static bool merge_any(struct rh__sym *sym, struct rh__sym_step *one, struct rh__sym_step *other)
{
    uint32_t i = 0, k = 0, more = 0, less = 0, here = 0, there = 0;
    while (i < one->condition_count || k < other->condition_count) {
        bool has_one = i < one->condition_count, has_other = k < other->condition_count;
        if (has_one && has_other && one->conditions[i] == other->conditions[k]) {
            i++, k++;
        } else if (!has_other || (has_one && one->conditions[i] < other->conditions[k])) {
            here = i++;
            more++;
        } else {
            there = k++;
            less++;
        }
        if (more > 1)
            return false;
    }
    if (more == 0)
        return true;
    if (less != 1 || !are_opposite(sym, one->conditions[here], other->conditions[there]))
        return false;
    leave_out(sym, one, here);
    return true;
}

typedef bool merge_function(struct rh__sym *sym, struct rh__sym_step *one,
                            struct rh__sym_step *other);

static bool merge_once(struct rh__sym *sym, struct path *paths, size_t *count,
                       merge_function *merge)
{
    bool is_changed = false;
    for (size_t i = 0; i < *count; i++)
        for (size_t k = 0; k < *count; k++) {
            if (i == k || paths[i].effect != paths[k].effect ||
                !merge(sym, &paths[i].step, &paths[k].step))
                continue;
            memmove(&paths[k], &paths[k + 1], (*count - k - 1) * sizeof *paths);
            --*count;
            i -= k < i;
            k--;
            is_changed = true;
        }
    return is_changed;
}

static int compare_terms(const void *one, const void *other)
{
    rh_term a = *(const rh_term *)one, b = *(const rh_term *)other;
    return a < b ? -1 : a > b;
}

static void sort_conditions(struct rh__sym *sym, struct rh__sym_step *step)
{
    if (step->condition_count < 2)
        return;
    rh_term *sorted = rh_arena_take(&sym->arena, step->condition_count * sizeof *sorted);
    memcpy(sorted, step->conditions, step->condition_count * sizeof *sorted);
    qsort(sorted, step->condition_count, sizeof *sorted, compare_terms);
    step->conditions = sorted;
}

// From the ends of the paths first, so that what a fork has parted comes together again.
static void merge_all(struct rh__sym *sym, struct path *paths, size_t *count)
{
    while (merge_once(sym, paths, count, merge_last))
        ;
    for (size_t i = 0; i < *count; i++)
        sort_conditions(sym, &paths[i].step);
    while (merge_once(sym, paths, count, merge_any))
        ;
}

// Whether the outcome needs the sender to be an actor, where it is the outside.
static bool needs_sender(const struct rh__sym_backward *search,
                         const struct rh__sym_summary *summary,
                         const struct rh__sym_outcome *outcome)
{
    const struct rh__sym_situation *situation = outcome->situation;
    uint64_t number;
    bool is_bound = false;
    for (size_t i = 0; i < situation->bindings.count; i++)
        is_bound = is_bound || (rh_term_is_constant(&search->sym->terms,
                                                    situation->bindings.items[i].value, &number) &&
                                number == rh__sym_actor_address(RH__SYM_SENDER));
    return is_bound && rh__sym_is_from_outside(search, summary->behaviour, summary->type);
}

void rh__sym_steps_find(struct rh__sym_backward *search, const struct rh__sym_chain *chain,
                        const struct rh__sym_summary *summary, uint32_t actor, bool to_place,
                        struct rh__sym_steps *steps)
{
    struct rh__sym *sym = search->sym;
    struct path *paths = rh_alloc(summary->outcomes.count * sizeof *paths + 1);
    size_t count = 0;
    for (size_t i = 0; i < summary->outcomes.count; i++) {
        const struct rh__sym_outcome *outcome = &summary->outcomes.items[i];
        if (outcome->is_place != to_place || needs_sender(search, summary, outcome))
            continue;
        paths[count].step =
            (struct rh__sym_step){.summary = summary,
                                  .outcome = outcome,
                                  .conditions = outcome->conditions.items,
                                  .condition_count = (uint32_t)outcome->conditions.count,
                                  .actor = actor,
                                  .created = RH_NONE};
        paths[count].effect = effect_of(&search->summaries, chain, &paths[count].step);
        count++;
    }
    merge_all(sym, paths, &count);
    for (size_t i = 0; i < count; i++)
        *rh_vector_push(steps) = paths[i].step;
    free(paths);
}
