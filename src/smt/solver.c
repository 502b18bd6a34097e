// SPDX-License-Identifier: MIT
#include "smt/solver.h"

#include <stdlib.h>
#include <string.h>

#include "smt/internal.h"

// Some elements of one of the solver's pools.
struct span {
    uint32_t first;
    uint32_t count;
};

// A condition of the query that is being answered.
struct item {
    rh_term term;
    uint32_t index; // among those that the caller gave
    bool holds;     // with the values at hand
    bool is_asked;  // together with the others of its group
};

// What was asked, and its answer.
struct known {
    struct span conditions; // in ascending order
    struct span variables;
    uint32_t model; // in `numbers`, a value for each variable, on RH_CAN
    enum rh_answer answer;
};

struct rh_solver {
    struct rh_terms *terms;
    struct rh__z3 *z3;
    struct rh_solver_counts counts;
    const char *directory; // where queries are recorded, or NULL
    uint64_t asked;        // questions to Z3
    const rh_term *background;
    size_t background_count;

    // What is remembered.
    RH_VECTOR(uint32_t) pool;        // conditions and indexes of variables
    RH_VECTOR(uint64_t) numbers;     // models
    RH_VECTOR(struct known) answers; // by number
    struct rh_table answer_table;    // by the hash of their conditions
    RH_VECTOR(struct span) used;     // by term: its variables; those of a condition that was asked

    // Of the query that is being answered.
    const uint64_t *at_hand; // values by variable
    RH_VECTOR(struct item) items;
    RH_VECTOR(uint32_t) owners; // by variable: another one of its group, or itself
    RH_VECTOR(rh_term) group;   // conditions that are asked together
    RH_VECTOR(uint64_t) trial;  // values by variable; those of a group are tried
    RH_VECTOR(uint64_t) model;  // by variable of a group
    RH_VECTOR(bool) core;       // by condition of a group
    RH_VECTOR(uint32_t) solved; // numbers of answers whose models make up the query's
};

struct rh_status rh_solver_new(struct rh_terms *terms, uint64_t limit, struct rh_solver **solver)
{
    struct rh__z3 *z3;
    struct rh_status status = rh__z3_new(terms, limit, &z3);
    *solver = NULL;
    if (!rh_is_ok(&status))
        return status;
    *solver = rh_alloc(sizeof **solver);
    (*solver)->terms = terms;
    (*solver)->z3 = z3;
    return status;
}

void rh_solver_free(struct rh_solver *solver)
{
    if (!solver)
        return;
    rh__z3_free(solver->z3);
    rh_vector_fini(&solver->pool);
    rh_vector_fini(&solver->numbers);
    rh_vector_fini(&solver->answers);
    rh_table_fini(&solver->answer_table);
    rh_vector_fini(&solver->used);
    rh_vector_fini(&solver->items);
    rh_vector_fini(&solver->owners);
    rh_vector_fini(&solver->group);
    rh_vector_fini(&solver->trial);
    rh_vector_fini(&solver->model);
    rh_vector_fini(&solver->core);
    rh_vector_fini(&solver->solved);
    free(solver);
}

struct rh_solver_counts rh_solver_counts(const struct rh_solver *solver)
{
    struct rh_solver_counts counts = solver->counts;
    counts.work = rh__z3_work(solver->z3);
    return counts;
}

void rh_solver_record(struct rh_solver *solver, const char *directory)
{
    solver->directory = directory;
}

void rh_solver_background(struct rh_solver *solver, const rh_term *conditions, size_t count)
{
    solver->background = conditions;
    solver->background_count = count;
}

// --- Variables of conditions. ---

static struct span add_to_pool(struct rh_solver *solver, const uint32_t *elements, size_t count)
{
    struct span span = {(uint32_t)solver->pool.count, (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        *rh_vector_push(&solver->pool) = elements[i];
    return span;
}

// A condition that was asked has a variable, so that a span without any is not known.
static struct span variables_of(struct rh_solver *solver, rh_term term)
{
    while (solver->used.count < solver->terms->nodes.count)
        rh_vector_push(&solver->used);
    if (solver->used.items[term].count == 0) {
        struct rh_variable_set set = {0};
        rh_term_variables(solver->terms, term, &set);
        rh_assert(set.indexes.count > 0);
        solver->used.items[term] = add_to_pool(solver, set.indexes.items, set.indexes.count);
        rh_vector_fini(&set.indexes);
    }
    return solver->used.items[term];
}

// --- The query's conditions. ---

static void add_item(struct rh_solver *solver, rh_term term, uint32_t index)
{
    *rh_vector_push(&solver->items) = (struct item){.term = term, .index = index};
}

// Adds a condition; one that asks for two things counts as two. false if it can't hold.
static bool add_condition(struct rh_solver *solver, rh_term term, uint32_t index)
{
    struct rh_term_node node = *rh_term_get(solver->terms, term);
    struct rh_term_node inner = *rh_term_get(solver->terms, node.a);
    rh_assert(node.width == 1);
    if (rh__is(&node, RH_TERM_CONSTANT))
        return node.number != 0;
    if (rh__is(&node, RH_TERM_AND))
        return add_condition(solver, node.a, index) && add_condition(solver, node.b, index);
    if (rh__is(&node, RH_TERM_NOT) && rh__is(&inner, RH_TERM_OR))
        return add_condition(solver, rh_term_not(solver->terms, inner.a), index) &&
               add_condition(solver, rh_term_not(solver->terms, inner.b), index);
    add_item(solver, term, index);
    return true;
}

static int compare_items(const void *one, const void *other)
{
    const struct item *a = one, *b = other;
    if (a->term != b->term)
        return a->term < b->term ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void sort_items(struct rh_solver *solver)
{
    size_t kept = 0;
    if (solver->items.count == 0)
        return; // there may be no array to sort
    qsort(solver->items.items, solver->items.count, sizeof *solver->items.items, compare_items);
    for (size_t i = 0; i < solver->items.count; i++)
        if (i == 0 || solver->items.items[i].term != solver->items.items[i - 1].term)
            solver->items.items[kept++] = solver->items.items[i];
    solver->items.count = kept;
}

// Takes the conditions apart. Gives how many could be taken: one that can't hold stops it.
static size_t begin_query(struct rh_solver *solver, const rh_term *conditions, size_t count)
{
    solver->counts.queries++;
    solver->items.count = 0;
    solver->solved.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!add_condition(solver, conditions[i], (uint32_t)i))
            return i;
    sort_items(solver);
    return count;
}

// Whether all conditions hold with these values.
static bool try_values(struct rh_solver *solver, const uint64_t *values)
{
    struct rh_assignment assignment = {values, solver->terms->variables.count};
    bool all_hold = true;
    rh__walk_begin(solver->terms);
    for (size_t i = 0; i < solver->items.count; i++) {
        struct item *item = &solver->items.items[i];
        item->holds = rh__walk_value(solver->terms, item->term, assignment);
        all_hold &= item->holds;
    }
    return all_hold;
}

// --- Groups: conditions that share variables, directly or through others. ---

static uint32_t owner_of(struct rh_solver *solver, uint32_t variable)
{
    uint32_t *owners = solver->owners.items;
    while (owners[variable] != variable) {
        owners[variable] = owners[owners[variable]];
        variable = owners[variable];
    }
    return variable;
}

static uint32_t group_of(struct rh_solver *solver, const struct item *item)
{
    struct span used = variables_of(solver, item->term);
    return owner_of(solver, solver->pool.items[used.first]);
}

static void find_groups(struct rh_solver *solver)
{
    while (solver->owners.count < solver->terms->variables.count)
        rh_vector_push(&solver->owners);
    for (uint32_t i = 0; i < solver->owners.count; i++)
        solver->owners.items[i] = i;
    for (size_t i = 0; i < solver->items.count; i++) {
        struct span used = variables_of(solver, solver->items.items[i].term);
        uint32_t first = owner_of(solver, solver->pool.items[used.first]);
        for (uint32_t k = 1; k < used.count; k++)
            solver->owners.items[owner_of(solver, solver->pool.items[used.first + k])] = first;
    }
}

// The group that a condition belongs to; those that are in it count as asked.
static void gather_group(struct rh_solver *solver, const struct item *first)
{
    uint32_t group = group_of(solver, first);
    solver->group.count = 0;
    for (size_t i = 0; i < solver->items.count; i++) {
        struct item *item = &solver->items.items[i];
        if (group_of(solver, item) != group)
            continue;
        item->is_asked = true;
        *rh_vector_push(&solver->group) = item->term;
    }
}

// --- Remembered answers. ---

static uint64_t hash_group(const struct rh_solver *solver)
{
    return rh_hash64(solver->group.items, solver->group.count * sizeof(rh_term), 0);
}

static bool is_group(const struct rh_solver *solver, const struct known *known)
{
    return known->conditions.count == solver->group.count &&
           memcmp(&solver->pool.items[known->conditions.first], solver->group.items,
                  solver->group.count * sizeof(rh_term)) == 0;
}

static uint32_t find_answer(const struct rh_solver *solver, uint64_t hash)
{
    struct rh_probe probe = rh_table_probe(&solver->answer_table, hash);
    while (rh_probe_next(&probe))
        if (is_group(solver, &solver->answers.items[probe.number]))
            return probe.number;
    return RH_NONE;
}

static int compare_variables(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

// The variables of the group, in ascending order, at the end of the pool.
static struct span group_variables(struct rh_solver *solver)
{
    struct span all = {(uint32_t)solver->pool.count, 0};
    for (size_t i = 0; i < solver->group.count; i++) {
        struct span used = variables_of(solver, solver->group.items[i]);
        for (uint32_t k = 0; k < used.count; k++) {
            uint32_t variable = solver->pool.items[used.first + k];
            *rh_vector_push(&solver->pool) = variable;
        }
    }
    uint32_t *indexes = &solver->pool.items[all.first];
    size_t count = solver->pool.count - all.first;
    qsort(indexes, count, sizeof *indexes, compare_variables);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || indexes[i] != indexes[i - 1])
            indexes[all.count++] = indexes[i];
    solver->pool.count = all.first + all.count;
    return all;
}

static uint32_t add_answer(struct rh_solver *solver, uint64_t hash, struct known known)
{
    uint32_t number = (uint32_t)solver->answers.count;
    known.model = (uint32_t)solver->numbers.count;
    if (known.answer == RH_CAN)
        for (uint32_t i = 0; i < known.variables.count; i++)
            *rh_vector_push(&solver->numbers) = solver->model.items[i];
    *rh_vector_push(&solver->answers) = known;
    rh_table_add(&solver->answer_table, NULL, hash, number);
    return number;
}

// --- Asking Z3. ---

// Whether the group's conditions hold with the model that Z3 gave.
static bool is_model(struct rh_solver *solver, struct span variables)
{
    for (uint32_t i = 0; i < variables.count; i++)
        solver->trial.items[solver->pool.items[variables.first + i]] = solver->model.items[i];
    struct rh_assignment assignment = {solver->trial.items, solver->trial.count};
    rh__walk_begin(solver->terms);
    for (size_t i = 0; i < solver->group.count; i++)
        if (!rh__walk_value(solver->terms, solver->group.items[i], assignment))
            return false;
    return true;
}

static void record(struct rh_solver *solver, const struct rh__question *question,
                   enum rh_answer answer)
{
    struct rh_text script = {0}, path = {0};
    rh__smtlib_print(solver->terms, question, answer, &script);
    rh_text_addf(&path, "%s/%06llu.smt2", solver->directory, (unsigned long long)solver->asked);
    struct rh_status status = rh_text_write_file(&script, rh_text_get(&path));
    if (!rh_is_ok(&status))
        rh_panic("%s", status.text);
    rh_text_fini(&script);
    rh_text_fini(&path);
}

static enum rh_answer ask(struct rh_solver *solver, struct span variables, bool *core)
{
    struct rh__question question = {
        solver->group.items, solver->group.count, &solver->pool.items[variables.first],
        variables.count,     solver->model.items, core};
    enum rh_answer answer = rh__z3_ask(solver->z3, &question);
    if (answer == RH_CAN && !is_model(solver, variables))
        answer = RH_UNKNOWN;
    if (solver->directory)
        record(solver, &question, answer);
    solver->asked++;
    return answer;
}

// Room for a model of the group, and for values to try.
static void begin_group(struct rh_solver *solver, struct span variables)
{
    solver->model.count = 0;
    for (uint32_t i = 0; i < variables.count; i++)
        rh_vector_push(&solver->model);
    while (solver->trial.count < solver->terms->variables.count)
        rh_vector_push(&solver->trial);
}

// Values near those at hand.
static bool guess_model(struct rh_solver *solver, struct span variables)
{
    const uint32_t *indexes = &solver->pool.items[variables.first];
    for (uint32_t i = 0; i < variables.count; i++)
        solver->trial.items[indexes[i]] = solver->at_hand[indexes[i]];
    if (!rh__guess(solver->terms, solver->group.items, solver->group.count, solver->trial.items))
        return false;
    for (uint32_t i = 0; i < variables.count; i++)
        solver->model.items[i] = solver->trial.items[indexes[i]];
    return true;
}

// The number of the answer that the group can't hold beside the background; RH_NONE: it is not
// refuted. That is remembered of both together, since it is not true of the group alone.
static uint32_t refute_group(struct rh_solver *solver)
{
    size_t count = solver->group.count;
    for (size_t i = 0; i < solver->background_count; i++)
        *rh_vector_push(&solver->group) = solver->background[i];
    uint64_t hash = hash_group(solver);
    uint32_t number = find_answer(solver, hash);
    if (number == RH_NONE &&
        rh__linear_refutes(solver->terms, solver->group.items, solver->group.count))
        number = add_answer(solver, hash,
                            (struct known){.conditions = add_to_pool(solver, solver->group.items,
                                                                     solver->group.count),
                                           .answer = RH_CAN_NOT});
    solver->group.count = count;
    return number != RH_NONE && solver->answers.items[number].answer == RH_CAN_NOT ? number
                                                                                   : RH_NONE;
}

// The number of the group's answer.
static uint32_t answer_group(struct rh_solver *solver)
{
    uint64_t hash = hash_group(solver);
    uint32_t number = find_answer(solver, hash);
    if (number == RH_NONE)
        number = refute_group(solver);
    if (number != RH_NONE)
        return number;
    struct known known = {.variables = group_variables(solver)};
    begin_group(solver, known.variables);
    known.answer =
        guess_model(solver, known.variables) ? RH_CAN : ask(solver, known.variables, NULL);
    known.conditions = add_to_pool(solver, solver->group.items, solver->group.count);
    return add_answer(solver, hash, known);
}

// --- Queries. ---

static void set_values(const struct rh_solver *solver, uint64_t *values)
{
    for (size_t i = 0; i < solver->solved.count; i++) {
        const struct known *known = &solver->answers.items[solver->solved.items[i]];
        const uint32_t *variables = &solver->pool.items[known->variables.first];
        for (uint32_t k = 0; k < known->variables.count; k++)
            values[variables[k]] = solver->numbers.items[known->model + k];
    }
}

// The answer of all groups in which a condition does not hold with the values at hand.
static enum rh_answer answer_groups(struct rh_solver *solver)
{
    enum rh_answer answer = RH_CAN;
    for (size_t i = 0; i < solver->items.count; i++) {
        if (solver->items.items[i].holds || solver->items.items[i].is_asked)
            continue;
        gather_group(solver, &solver->items.items[i]);
        uint32_t number = answer_group(solver);
        if (solver->answers.items[number].answer == RH_CAN_NOT)
            return RH_CAN_NOT;
        if (solver->answers.items[number].answer == RH_UNKNOWN)
            answer = RH_UNKNOWN;
        *rh_vector_push(&solver->solved) = number;
    }
    return answer;
}

static enum rh_answer end_query(struct rh_solver *solver, uint64_t asked, enum rh_answer answer)
{
    solver->counts.answered += solver->asked == asked;
    solver->counts.unknown += answer == RH_UNKNOWN;
    return answer;
}

enum rh_answer rh_solver_check(struct rh_solver *solver, const rh_term *conditions, size_t count,
                               uint64_t *values)
{
    uint64_t asked = solver->asked;
    if (begin_query(solver, conditions, count) < count)
        return end_query(solver, asked, RH_CAN_NOT);
    if (try_values(solver, values))
        return end_query(solver, asked, RH_CAN);
    solver->at_hand = values;
    find_groups(solver);
    enum rh_answer answer = answer_groups(solver);
    if (answer == RH_CAN)
        set_values(solver, values);
    return end_query(solver, asked, answer);
}

// Sets the conditions that belong to the group's core.
static void set_core(const struct rh_solver *solver, bool *core)
{
    size_t at = 0;
    for (size_t i = 0; i < solver->group.count; i++) {
        while (solver->items.items[at].term != solver->group.items[i])
            at++;
        if (solver->core.items[i])
            core[solver->items.items[at].index] = true;
    }
}

// As answer_groups, with the core of the first group that can't hold.
static enum rh_answer core_of_groups(struct rh_solver *solver, bool *core)
{
    enum rh_answer answer = RH_CAN;
    for (size_t i = 0; i < solver->items.count; i++) {
        if (solver->items.items[i].is_asked)
            continue;
        gather_group(solver, &solver->items.items[i]);
        solver->core.count = 0;
        for (size_t k = 0; k < solver->group.count; k++)
            rh_vector_push(&solver->core);
        struct span variables = group_variables(solver);
        begin_group(solver, variables);
        enum rh_answer of_group = ask(solver, variables, solver->core.items);
        if (of_group == RH_CAN_NOT) {
            set_core(solver, core);
            return RH_CAN_NOT;
        }
        if (of_group == RH_UNKNOWN)
            answer = RH_UNKNOWN;
    }
    return answer;
}

enum rh_answer rh_solver_core(struct rh_solver *solver, const rh_term *conditions, size_t count,
                              bool *core)
{
    uint64_t asked = solver->asked;
    memset(core, 0, count * sizeof *core);
    size_t taken = begin_query(solver, conditions, count);
    if (taken < count) {
        core[taken] = true;
        return end_query(solver, asked, RH_CAN_NOT);
    }
    find_groups(solver);
    return end_query(solver, asked, core_of_groups(solver, core));
}
