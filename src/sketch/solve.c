// SPDX-License-Identifier: MIT
// Solves the equations. What follows from a message is its future; messages with equal futures have
// one. Futures that come back to each other are a component. Where one is the last thing that
// happens in another, the component is a finite automaton, and becomes loops by eliminating one
// state after the other: each round is caused by the one before, so that the loop is strong. A
// future that goes on beside something else is called by its name instead, and has a definition.
//
// A leaf of a solution is a message by itself, or a call of a definition.
#include <stdlib.h>
#include <string.h>

#include "sketch/internal.h"
#include "sketch/write.h"

// A component of more futures is not made a loop, nor is one of which the loop would be so much
// larger. What is no larger than SMALL is written out wherever it comes.
enum { STATES_MOST = 30, GROWTH_MOST = 3, SMALL = 2 };

struct solver {
    struct rh__sketch_builder *builder;
    uint32_t *futures;          // by variable
    RH_VECTOR(uint32_t) bodies; // by future: term over variables
    uint32_t *component;        // by future; RH_NONE: it never comes
    bool *is_cyclic;            // by component
    uint32_t component_count;
    uint32_t *uses;     // by future: how often terms have it
    uint32_t *solution; // by future: term; RH_NONE: not found yet
    bool *is_named;     // by future: it has a definition
    // Tarjan's algorithm.
    uint32_t *index, *low, next;
    bool *on_stack;
    RH_VECTOR(uint32_t) stack;
    RH_VECTOR(uint32_t) order; // futures by component, inner components first
};

// --- Futures. ---

static void find_futures(struct solver *solver)
{
    struct rh__sketch_builder *builder = solver->builder;
    for (uint32_t i = 0; i < builder->variables.count; i++) {
        uint32_t body = rh__term_sorted(&builder->terms, builder->variables.items[i].body);
        uint32_t future = 0;
        while (future < solver->bodies.count &&
               rh__term_sorted(&builder->terms, solver->bodies.items[future]) != body)
            future++;
        if (future == solver->bodies.count)
            *rh_vector_push(&solver->bodies) = builder->variables.items[i].body;
        solver->futures[i] = future;
    }
}

// Collects the futures of a term's leaves.
static void find_leaves(const struct solver *solver, uint32_t number,
                        struct rh__sketch_numbers *leaves, uint32_t *uses)
{
    const struct rh__terms *terms = &solver->builder->terms;
    struct rh__term term = rh__term_get(terms, number);
    if (term.kind == RH__TERM_LEAF) {
        rh__sketch_numbers_add(leaves, solver->futures[term.leaf]);
        if (uses)
            uses[solver->futures[term.leaf]]++;
    }
    for (uint32_t i = 0; i < term.count; i++)
        find_leaves(solver, rh__term_part(terms, number, i), leaves, uses);
}

// --- Components. ---

static void close_component(struct solver *solver, uint32_t future, bool is_cyclic)
{
    uint32_t member;
    do {
        member = solver->stack.items[--solver->stack.count];
        solver->on_stack[member] = false;
        solver->component[member] = solver->component_count;
        *rh_vector_push(&solver->order) = member;
        is_cyclic |= member != future;
    } while (member != future);
    solver->is_cyclic[solver->component_count++] = is_cyclic;
}

static void visit(struct solver *solver, uint32_t future)
{
    struct rh__sketch_numbers leaves = {0};
    bool is_cyclic = false;
    solver->index[future] = solver->low[future] = ++solver->next;
    *rh_vector_push(&solver->stack) = future;
    solver->on_stack[future] = true;
    find_leaves(solver, solver->bodies.items[future], &leaves, solver->uses);
    for (size_t i = 0; i < leaves.count; i++) {
        uint32_t next = leaves.items[i];
        is_cyclic |= next == future;
        if (!solver->index[next])
            visit(solver, next);
        if (solver->on_stack[next] && solver->low[next] < solver->low[future])
            solver->low[future] = solver->low[next];
    }
    rh_vector_fini(&leaves);
    if (solver->low[future] == solver->index[future])
        close_component(solver, future, is_cyclic);
}

// --- Solutions. ---

static uint32_t resolve(struct solver *solver, uint32_t future);

// The message of a variable: the first variable with the same one stands for all of them.
static uint32_t arrow_term(struct solver *solver, uint32_t variable)
{
    uint32_t first = 0;
    while (!rh__sketch_is_same_message(&solver->builder->variables.items[first],
                                       &solver->builder->variables.items[variable]))
        first++;
    return rh__term_leaf(&solver->builder->terms, RH__SKETCH_ARROW(first));
}

// A message with its future.
static uint32_t resolve_leaf(void *context, uint32_t leaf)
{
    struct solver *solver = context;
    uint32_t future = resolve(solver, solver->futures[leaf]);
    return rh__term_pair(&solver->builder->terms, RH__TERM_SEQUENCE, arrow_term(solver, leaf),
                         future);
}

static uint32_t solve_plainly(struct solver *solver, uint32_t future)
{
    return rh__term_map(&solver->builder->terms, solver->bodies.items[future], resolve_leaf,
                        solver);
}

// The future as a part of another one's solution.
static uint32_t resolve(struct solver *solver, uint32_t future)
{
    if (solver->is_named[future])
        return rh__term_leaf(&solver->builder->terms, RH__SKETCH_CALL(future));
    if (solver->solution[future] == RH_NONE)
        solver->solution[future] = solve_plainly(solver, future);
    return solver->solution[future];
}

// --- Loops. ---

// A component as an automaton. `exits` are what else may follow.
struct automaton {
    struct solver *solver;
    uint32_t component;
    uint32_t members[STATES_MOST];
    size_t count;
    uint32_t ways[STATES_MOST][STATES_MOST]; // terms; RH_NONE: no way
    uint32_t exits[STATES_MOST];             // terms; RH_NONE: none
    bool is_gone[STATES_MOST];
};

static uint32_t either(struct solver *solver, uint32_t one, uint32_t other)
{
    if (one == RH_NONE || other == RH_NONE)
        return one == RH_NONE ? other : one;
    return rh__term_pair(&solver->builder->terms, RH__TERM_CHOICE, one, other);
}

static uint32_t then(struct solver *solver, uint32_t one, uint32_t other)
{
    return rh__term_pair(&solver->builder->terms, RH__TERM_SEQUENCE, one, other);
}

static size_t state_of(const struct automaton *automaton, uint32_t future)
{
    size_t state = 0;
    while (automaton->members[state] != future)
        state++;
    return state;
}

// The state that a way leads to; STATES_MOST if it is no message of which a member is the future.
static size_t state_behind(const struct automaton *automaton, uint32_t number)
{
    const struct solver *solver = automaton->solver;
    struct rh__term term = rh__term_get(&solver->builder->terms, number);
    if (term.kind != RH__TERM_LEAF ||
        solver->component[solver->futures[term.leaf]] != automaton->component)
        return STATES_MOST;
    return state_of(automaton, solver->futures[term.leaf]);
}

// What a term has to choose from.
static uint32_t way_count(const struct rh__terms *terms, uint32_t number)
{
    struct rh__term term = rh__term_get(terms, number);
    return term.kind == RH__TERM_CHOICE ? term.count : 1;
}

static uint32_t way_at(const struct rh__terms *terms, uint32_t number, uint32_t index)
{
    struct rh__term term = rh__term_get(terms, number);
    return term.kind == RH__TERM_CHOICE ? rh__term_part(terms, number, index) : number;
}

// Members that go on beside something else get names.
static void name_members(struct automaton *automaton, size_t state)
{
    struct solver *solver = automaton->solver;
    const struct rh__terms *terms = &solver->builder->terms;
    uint32_t body = solver->bodies.items[automaton->members[state]];
    for (uint32_t i = 0; i < way_count(terms, body); i++) {
        struct rh__sketch_numbers leaves = {0};
        uint32_t way = way_at(terms, body, i);
        if (state_behind(automaton, way) == STATES_MOST)
            find_leaves(solver, way, &leaves, NULL);
        for (size_t k = 0; k < leaves.count; k++)
            if (solver->component[leaves.items[k]] == automaton->component)
                solver->is_named[leaves.items[k]] = true;
        rh_vector_fini(&leaves);
    }
}

static void add_ways(struct automaton *automaton, size_t from)
{
    struct solver *solver = automaton->solver;
    struct rh__terms *terms = &solver->builder->terms;
    uint32_t body = solver->bodies.items[automaton->members[from]];
    for (uint32_t i = 0; i < way_count(terms, body); i++) {
        uint32_t way = way_at(terms, body, i);
        size_t to = state_behind(automaton, way);
        if (to != STATES_MOST)
            automaton->ways[from][to] = either(solver, automaton->ways[from][to],
                                               arrow_term(solver, rh__term_get(terms, way).leaf));
        else
            automaton->exits[from] = either(solver, automaton->exits[from],
                                            rh__term_map(terms, way, resolve_leaf, solver));
    }
}

static bool automaton_init(struct automaton *automaton, struct solver *solver, size_t first,
                           size_t count)
{
    memset(automaton, 0, sizeof *automaton);
    memset(automaton->ways, 0xff, sizeof automaton->ways);
    memset(automaton->exits, 0xff, sizeof automaton->exits);
    automaton->solver = solver;
    automaton->component = solver->component[solver->order.items[first]];
    automaton->count = count;
    if (count > STATES_MOST)
        return false;
    memcpy(automaton->members, &solver->order.items[first], count * sizeof *automaton->members);
    for (size_t i = 0; i < count; i++)
        name_members(automaton, i);
    for (size_t i = 0; i < count; i++)
        add_ways(automaton, i);
    return true;
}

static uint32_t rounds(const struct automaton *automaton, size_t state)
{
    uint32_t way = automaton->ways[state][state];
    return way == RH_NONE ? (uint32_t)RH__SKIP
                          : rh__term_loop(&automaton->solver->builder->terms, way, 0, false);
}

static void eliminate(struct automaton *automaton, size_t state)
{
    struct solver *solver = automaton->solver;
    uint32_t loop = rounds(automaton, state);
    automaton->is_gone[state] = true;
    for (size_t from = 0; from < automaton->count; from++) {
        uint32_t way = automaton->ways[from][state];
        if (automaton->is_gone[from] || way == RH_NONE)
            continue;
        uint32_t here = then(solver, way, loop);
        for (size_t to = 0; to < automaton->count; to++)
            if (!automaton->is_gone[to] && automaton->ways[state][to] != RH_NONE)
                automaton->ways[from][to] = either(solver, automaton->ways[from][to],
                                                   then(solver, here, automaton->ways[state][to]));
        if (automaton->exits[state] != RH_NONE)
            automaton->exits[from] =
                either(solver, automaton->exits[from], then(solver, here, automaton->exits[state]));
    }
}

// The state that has the fewest paths through it.
static size_t cheapest(const struct automaton *automaton, size_t start)
{
    size_t best = automaton->count, least = SIZE_MAX;
    for (size_t i = 0; i < automaton->count; i++) {
        size_t in = 0, out = automaton->exits[i] != RH_NONE;
        for (size_t k = 0; k < automaton->count; k++) {
            in += k != i && !automaton->is_gone[k] && automaton->ways[k][i] != RH_NONE;
            out += k != i && !automaton->is_gone[k] && automaton->ways[i][k] != RH_NONE;
        }
        if (automaton->is_gone[i] || i == start || in * out >= least)
            continue;
        least = in * out;
        best = i;
    }
    return best;
}

// The solution of one member; RH_NONE: it would be too large. If there is only one way to begin, it
// comes before the loop.
static uint32_t solve_loop(const struct automaton *automaton, size_t start, size_t size_most)
{
    struct automaton *rest = rh_alloc(sizeof *rest);
    struct solver *solver = automaton->solver;
    size_t ways = 0, next = start;
    for (size_t i = 0; i < automaton->count; i++)
        if (automaton->ways[start][i] != RH_NONE && ++ways)
            next = i;
    bool is_certain = ways == 1 && next != start && automaton->exits[start] == RH_NONE;
    uint32_t first = is_certain ? automaton->ways[start][next] : (uint32_t)RH__SKIP;
    if (is_certain)
        start = next;
    *rest = *automaton;
    for (size_t state; (state = cheapest(rest, start)) < rest->count;)
        eliminate(rest, state);
    uint32_t exit = rest->exits[start] == RH_NONE ? (uint32_t)RH__SKIP : rest->exits[start];
    uint32_t term = then(solver, first, then(solver, rounds(rest, start), exit));
    free(rest);
    return rh__term_size(&solver->builder->terms, term) <= size_most ? term : RH_NONE;
}

// How often members of a component have a future in their terms.
static size_t count_inner_uses(const struct solver *solver, size_t first, size_t count,
                               uint32_t future)
{
    uint32_t *uses = rh_alloc((solver->bodies.count + 1) * sizeof *uses);
    struct rh__sketch_numbers leaves = {0};
    for (size_t i = first; i < first + count; i++)
        find_leaves(solver, solver->bodies.items[solver->order.items[i]], &leaves, uses);
    size_t inner = uses[future];
    rh_vector_fini(&leaves);
    free(uses);
    return inner;
}

// How large the loops of an automaton may get.
static size_t size_bound(const struct automaton *automaton)
{
    size_t size = SMALL;
    for (size_t i = 0; i < automaton->count; i++) {
        for (size_t k = 0; k < automaton->count; k++)
            size += automaton->ways[i][k] != RH_NONE;
        if (automaton->exits[i] != RH_NONE)
            size += rh__term_size(&automaton->solver->builder->terms, automaton->exits[i]);
    }
    return size * GROWTH_MOST;
}

// Makes loops of a component; false if they would be too large.
static bool solve_loops(struct solver *solver, size_t first, size_t count)
{
    struct automaton *automaton = rh_alloc(sizeof *automaton);
    bool is_solved = automaton_init(automaton, solver, first, count);
    size_t bound = is_solved ? size_bound(automaton) : 0;
    for (size_t i = 0; i < count && is_solved; i++) {
        uint32_t member = automaton->members[i];
        size_t outer = solver->uses[member] - count_inner_uses(solver, first, count, member);
        if (outer == 0 && !solver->is_named[member])
            continue;
        solver->solution[member] = solve_loop(automaton, i, bound);
        is_solved = solver->solution[member] != RH_NONE;
        if (!solver->is_named[member])
            solver->uses[member] = (uint32_t)outer;
    }
    for (size_t i = first; i < first + count && !is_solved; i++) {
        solver->solution[solver->order.items[i]] = RH_NONE;
        solver->is_named[solver->order.items[i]] = false;
    }
    free(automaton);
    return is_solved;
}

static void name_if_large(struct solver *solver, uint32_t future)
{
    size_t size = rh__term_size(&solver->builder->terms, solver->solution[future]);
    solver->is_named[future] |= solver->uses[future] > 1 && size > SMALL;
}

static void solve_component(struct solver *solver, size_t first, size_t count)
{
    bool is_cyclic = solver->is_cyclic[solver->component[solver->order.items[first]]];
    bool has_loops = is_cyclic && solve_loops(solver, first, count);
    // Every cycle that something leads to has a member that is used twice.
    for (size_t i = first; i < first + count && is_cyclic && !has_loops; i++)
        solver->is_named[solver->order.items[i]] = solver->uses[solver->order.items[i]] > 1;
    for (size_t i = first; i < first + count; i++) {
        uint32_t member = solver->order.items[i];
        if (solver->solution[member] == RH_NONE && !has_loops)
            solver->solution[member] = solve_plainly(solver, member);
        if (solver->solution[member] != RH_NONE)
            name_if_large(solver, member);
    }
}

static void find_components(struct solver *solver)
{
    struct rh__sketch_numbers leaves = {0};
    find_leaves(solver, solver->builder->body, &leaves, solver->uses);
    for (size_t i = 0; i < leaves.count; i++)
        if (!solver->index[leaves.items[i]])
            visit(solver, leaves.items[i]);
    rh_vector_fini(&leaves);
}

static void solver_init(struct solver *solver, struct rh__sketch_builder *builder)
{
    size_t count = builder->variables.count + 1;
    *solver = (struct solver){.builder = builder};
    solver->futures = rh_alloc(count * sizeof *solver->futures);
    solver->component = rh_alloc(count * sizeof *solver->component);
    memset(solver->component, 0xff, count * sizeof *solver->component);
    solver->is_cyclic = rh_alloc(count);
    solver->uses = rh_alloc(count * sizeof *solver->uses);
    solver->solution = rh_alloc(count * sizeof *solver->solution);
    memset(solver->solution, 0xff, count * sizeof *solver->solution);
    solver->is_named = rh_alloc(count);
    solver->index = rh_alloc(count * sizeof *solver->index);
    solver->low = rh_alloc(count * sizeof *solver->low);
    solver->on_stack = rh_alloc(count);
}

static void solver_fini(struct solver *solver)
{
    free(solver->futures);
    rh_vector_fini(&solver->bodies);
    free(solver->component);
    free(solver->is_cyclic);
    free(solver->uses);
    free(solver->solution);
    free(solver->is_named);
    free(solver->index);
    free(solver->low);
    free(solver->on_stack);
    rh_vector_fini(&solver->stack);
    rh_vector_fini(&solver->order);
}

void rh__sketch_solve(struct rh__sketch_builder *builder)
{
    struct solver solver;
    solver_init(&solver, builder);
    find_futures(&solver);
    find_components(&solver);
    for (size_t first = 0, behind; first < solver.order.count; first = behind) {
        behind = first;
        while (behind < solver.order.count && solver.component[solver.order.items[behind]] ==
                                                  solver.component[solver.order.items[first]])
            behind++;
        solve_component(&solver, first, behind - first);
    }
    uint32_t body = rh__term_map(&builder->terms, builder->body, resolve_leaf, &solver);
    rh__sketch_write(builder, body, solver.solution, solver.futures);
    solver_fini(&solver);
}
