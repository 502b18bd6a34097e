// SPDX-License-Identifier: MIT
// Situations: copying them, ending them, and the conditions under which a run comes to one.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

struct rh__sym_situation *rh__sym_situation_new(void)
{
    struct rh__sym_situation *situation = rh_alloc(sizeof *situation);
    situation->running = RH_NONE;
    situation->delivery = rh_identity_body();
    return situation;
}

#define COPY_VECTOR(to, from)                                                                      \
    do {                                                                                           \
        (to)->count = (to)->capacity = (from)->count;                                              \
        (to)->items = (from)->count ? rh_alloc((from)->count * sizeof *(from)->items) : NULL;      \
        if ((from)->count)                                                                         \
            memcpy((to)->items, (from)->items, (from)->count * sizeof *(from)->items);             \
    } while (0)

static uint32_t value_count(const struct rh_ir_function *function)
{
    return function->parameter_count + function->instruction_count;
}

void rh__sym_frame_copy(struct rh__sym *sym, struct rh__sym_frame *frame)
{
    size_t size = value_count(frame->function) * sizeof *frame->values;
    rh__sym_value *values = rh_alloc(size + 1);
    memcpy(values, frame->values, size);
    frame->values = values;
    if (!frame->rounds)
        return;
    size = rh__sym_loops_of(sym, frame->function)->count * sizeof *frame->rounds;
    struct rh__sym_rounds *rounds = rh_alloc(size);
    memcpy(rounds, frame->rounds, size);
    frame->rounds = rounds;
}

void rh__sym_frame_fini(struct rh__sym_frame *frame)
{
    free(frame->values);
    free(frame->rounds);
}

static void share(struct rh__sym *sym, struct rh__sym_actor *actor)
{
    if (actor->initial)
        actor->initial->references++;
    if (actor->wait)
        actor->wait = rh__sym_wait_copy(sym, actor->wait);
}

struct rh__sym_situation *rh__sym_situation_copy(struct rh__sym *sym,
                                                 const struct rh__sym_situation *situation)
{
    struct rh__sym_situation *copy = rh_alloc(sizeof *copy);
    *copy = *situation;
    COPY_VECTOR(&copy->objects, &situation->objects);
    COPY_VECTOR(&copy->actors, &situation->actors);
    COPY_VECTOR(&copy->pending, &situation->pending);
    COPY_VECTOR(&copy->held, &situation->held);
    COPY_VECTOR(&copy->frames, &situation->frames);
    COPY_VECTOR(&copy->bindings, &situation->bindings);
    COPY_VECTOR(&copy->blocks, &situation->blocks);
    COPY_VECTOR(&copy->globals, &situation->globals);
    COPY_VECTOR(&copy->values, &situation->values);
    COPY_VECTOR(&copy->created, &situation->created);
    COPY_VECTOR(&copy->tallies, &situation->tallies);
    COPY_VECTOR(&copy->inputs, &situation->inputs);
    COPY_VECTOR(&copy->judges, &situation->judges);
    COPY_VECTOR(&copy->comings, &situation->comings);
    for (size_t i = 0; i < copy->objects.count; i++)
        if (copy->objects.items[i])
            copy->objects.items[i]->references++;
    for (size_t i = 0; i < copy->blocks.count; i++)
        copy->blocks.items[i].initial->references++;
    for (size_t i = 0; i < copy->actors.count; i++)
        share(sym, &copy->actors.items[i]);
    for (size_t i = 0; i < copy->frames.count; i++)
        rh__sym_frame_copy(sym, &copy->frames.items[i]);
    return copy;
}

void rh__sym_situation_free(struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->objects.count; i++)
        rh__sym_object_release(situation->objects.items[i]);
    for (size_t i = 0; i < situation->actors.count; i++) {
        rh__sym_object_release(situation->actors.items[i].initial);
        rh__sym_wait_free(situation->actors.items[i].wait);
    }
    for (size_t i = 0; i < situation->blocks.count; i++)
        rh__sym_object_release(situation->blocks.items[i].initial);
    for (size_t i = 0; i < situation->frames.count; i++)
        rh__sym_frame_fini(&situation->frames.items[i]);
    rh_vector_fini(&situation->held);
    rh_vector_fini(&situation->objects);
    rh_vector_fini(&situation->actors);
    rh_vector_fini(&situation->pending);
    rh_vector_fini(&situation->frames);
    rh_vector_fini(&situation->bindings);
    rh_vector_fini(&situation->blocks);
    rh_vector_fini(&situation->globals);
    rh_vector_fini(&situation->values);
    rh_vector_fini(&situation->created);
    rh_vector_fini(&situation->tallies);
    rh_vector_fini(&situation->inputs);
    rh_vector_fini(&situation->judges);
    rh_vector_fini(&situation->comings);
    free(situation);
}

// Where the situation stands in the source: the innermost line that is known.
static struct rh_ir_place place_of(const struct rh__sym_situation *situation)
{
    for (size_t i = situation->frames.count; i > 0; i--) {
        const struct rh__sym_frame *frame = &situation->frames.items[i - 1];
        uint32_t next = frame->next;
        if (next < frame->function->instruction_count &&
            frame->function->instructions[next].place.file)
            return frame->function->instructions[next].place;
    }
    return (struct rh_ir_place){0};
}

void rh__sym_end_with(struct rh__sym *sym, struct rh__sym_situation *situation,
                      enum rh__sym_end end, const char *format, ...)
{
    struct rh_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(&text, format, arguments);
    va_end(arguments);
    situation->end = end;
    situation->reason = rh_arena_text(&sym->arena, rh_text_get(&text), text.length);
    situation->place = place_of(situation);
    rh_text_fini(&text);
}

void rh__sym_cut(struct rh__sym *sym, struct rh__sym_situation *situation, enum rh_generate_cut cut)
{
    sym->result->cuts[cut]++;
    situation->end = RH__SYM_CUT;
}

void rh__sym_push(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    *(struct rh__sym_situation **)rh_vector_push(&sym->forked) = situation;
}

// --- Conditions. ---

bool rh__sym_is_assumed(const struct rh__sym_situation *situation, rh_term condition)
{
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before)
        if (each->term == condition)
            return true;
    return false;
}

void rh__sym_assume(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term condition,
                    bool is_silent)
{
    uint64_t number;
    if (rh_term_is_constant(&sym->terms, condition, &number) ||
        rh__sym_is_assumed(situation, condition))
        return;
    struct rh__sym_condition *added = rh_arena_take(&sym->arena, sizeof *added);
    added->before = situation->conditions;
    added->term = condition;
    added->place = place_of(situation);
    added->is_silent = is_silent;
    added->count = situation->conditions ? situation->conditions->count + 1 : 1;
    situation->conditions = added;
}

static void make_room(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    while (situation->values.count < sym->terms.variables.count)
        *rh_vector_push(&situation->values) = 0;
}

// Adds what `values` break of the silent conditions to a query. Gives whether there is any.
static bool add_broken(struct rh__sym *sym, const struct rh__sym_situation *situation,
                       const uint64_t *values, rh_term *query, uint32_t *count)
{
    struct rh_assignment assignment = {values, sym->terms.variables.count};
    uint32_t before = *count;
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before)
        if (each->is_silent && !rh_term_value(&sym->terms, each->term, assignment))
            query[(*count)++] = each->term;
    return *count > before;
}

// Adds to a query that its variables are small numbers: for these hardly anything overflows.
static void add_small(struct rh__sym *sym, rh_term *query, uint32_t *count)
{
    enum { SMALL = 64 };
    struct rh_variable_set set = {0};
    for (uint32_t i = 0; i < *count; i++)
        rh_term_variables(&sym->terms, query[i], &set);
    for (size_t i = 0; i < set.indexes.count; i++) {
        rh_term variable = sym->terms.variables.items[set.indexes.items[i]].term;
        unsigned width = rh_term_width(&sym->terms, variable);
        if (width < 16)
            continue;
        rh_term shifted = rh_term_make2(&sym->terms, RH_TERM_ADD, variable,
                                        rh_term_constant(&sym->terms, width, SMALL));
        query[(*count)++] =
            rh_term_make2(&sym->terms, RH_TERM_BELOW, shifted,
                          rh_term_constant(&sym->terms, width, UINT64_C(2) * SMALL));
    }
    rh_vector_fini(&set.indexes);
}

// Whether the query can hold with small numbers that break nothing.
static bool can_small(struct rh__sym *sym, const struct rh__sym_situation *situation,
                      const rh_term *query, uint32_t count, uint64_t *values)
{
    uint32_t most = situation->conditions ? situation->conditions->count : 0;
    size_t size = (count + most + sym->terms.variables.count) * sizeof *query;
    rh_term *small = rh_alloc(size);
    memcpy(small, query, count * sizeof *query);
    add_small(sym, small, &count);
    bool can = rh_solver_check(sym->solver, small, count, values) == RH_CAN &&
               !add_broken(sym, situation, values, small, &count);
    free(small);
    return can;
}

// That nothing overflows is true of nearly all values, and hard to solve where numbers are
// multiplied: the solver is told so only where its values break it, and where small numbers do not
// help. An answer is right either way: conditions that can't hold together do not with more of
// them, and values are looked at for all.
enum rh_answer rh__sym_can(struct rh__sym *sym, const struct rh__sym_situation *situation,
                           rh_term condition, bool is_silent, uint64_t *values)
{
    uint32_t most = situation->conditions ? situation->conditions->count : 0, count = 0;
    rh_term *query = rh_alloc((most + 1) * sizeof *query);
    rh_term *silent = rh_alloc((most + 1) * sizeof *silent);
    size_t silent_count = 0;
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before)
        if (each->is_silent)
            silent[silent_count++] = each->term;
    rh_solver_background(sym->solver, silent, silent_count);
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before)
        if (!each->is_silent)
            query[count++] = each->term;
    query[count++] = condition;
    enum rh_answer answer = RH_CAN;
    bool is_found = is_silent && can_small(sym, situation, query, count, values);
    while (!is_found) {
        answer = rh_solver_check(sym->solver, query, count, values);
        if (answer != RH_CAN || !add_broken(sym, situation, values, query, &count))
            break;
        if (can_small(sym, situation, query, count, values))
            break;
    }
    rh_solver_background(sym->solver, NULL, 0);
    free(silent);
    free(query);
    return answer;
}

bool rh__sym_fork(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term condition,
                  struct rh__sym_situation **other)
{
    *other = NULL;
    uint64_t number;
    if (rh_term_is_constant(&sym->terms, condition, &number))
        return number;
    rh_term negated = rh_term_not(&sym->terms, condition);
    if (rh__sym_is_assumed(situation, condition) || rh__sym_is_assumed(situation, negated))
        return rh__sym_is_assumed(situation, condition);
    make_room(sym, situation);
    struct rh_assignment present = {situation->values.items, situation->values.count};
    bool holds = rh_term_value(&sym->terms, condition, present);
    rh_term here = holds ? condition : negated, there = holds ? negated : condition;
    uint64_t *values = rh_alloc(situation->values.count * sizeof *values + 1);
    memcpy(values, situation->values.items, situation->values.count * sizeof *values);
    enum rh_answer answer = rh__sym_can(sym, situation, there, false, values);
    if (answer == RH_CAN) {
        *other = rh__sym_situation_copy(sym, situation);
        memcpy((*other)->values.items, values, situation->values.count * sizeof *values);
        rh__sym_assume(sym, *other, there, false);
    } else if (answer == RH_UNKNOWN) {
        *other = rh__sym_situation_copy(sym, situation);
        rh__sym_end_with(sym, *other, RH__SYM_UNKNOWN, "the solver gave up");
    }
    free(values);
    if (answer != RH_CAN_NOT)
        rh__sym_assume(sym, situation, here, false);
    return holds;
}

static void break_with(struct rh__sym *sym, struct rh__sym_situation *situation,
                       enum rh__sym_end end, const char *reason, bool is_undefined)
{
    if (situation->end != RH__SYM_RUNS)
        return; // the solver gave up
    rh__sym_end_with(sym, situation, end, "%s", reason);
    situation->is_undefined = is_undefined;
}

bool rh__sym_require(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term condition,
                     enum rh__sym_end end, const char *reason, bool is_undefined)
{
    struct rh__sym_situation *other = NULL;
    bool holds = rh__sym_fork(sym, situation, condition, &other);
    if (!holds)
        break_with(sym, situation, end, reason, is_undefined);
    else if (other)
        break_with(sym, other, end, reason, is_undefined);
    if (other)
        rh__sym_push(sym, other);
    return holds;
}
