// SPDX-License-Identifier: MIT
// Situations: copying them, ending them, and the conditions under which a run comes to one.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

struct rh__sym_situation *rh__sym_situation_new(void)
{
    struct rh__sym_situation *situation = rh_alloc(sizeof *situation);
    situation->running = situation->taken = RH_NONE;
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

static void copy_frame(struct rh__sym *sym, struct rh__sym_frame *frame)
{
    size_t size = value_count(frame->function) * sizeof *frame->values;
    rh__sym_value *values = rh_alloc(size + 1);
    memcpy(values, frame->values, size);
    frame->values = values;
    if (!frame->rounds)
        return;
    size = rh__sym_loops_of(sym, frame->function)->count * sizeof *frame->rounds;
    uint32_t *rounds = rh_alloc(size);
    memcpy(rounds, frame->rounds, size);
    frame->rounds = rounds;
}

struct rh__sym_situation *rh__sym_situation_copy(struct rh__sym *sym,
                                                 const struct rh__sym_situation *situation)
{
    struct rh__sym_situation *copy = rh_alloc(sizeof *copy);
    *copy = *situation;
    COPY_VECTOR(&copy->objects, &situation->objects);
    COPY_VECTOR(&copy->actors, &situation->actors);
    COPY_VECTOR(&copy->pending, &situation->pending);
    COPY_VECTOR(&copy->frames, &situation->frames);
    COPY_VECTOR(&copy->bindings, &situation->bindings);
    COPY_VECTOR(&copy->values, &situation->values);
    COPY_VECTOR(&copy->created, &situation->created);
    COPY_VECTOR(&copy->tallies, &situation->tallies);
    for (size_t i = 0; i < copy->objects.count; i++)
        if (copy->objects.items[i])
            copy->objects.items[i]->references++;
    for (size_t i = 0; i < copy->actors.count; i++)
        if (copy->actors.items[i].initial)
            copy->actors.items[i].initial->references++;
    for (size_t i = 0; i < copy->frames.count; i++)
        copy_frame(sym, &copy->frames.items[i]);
    return copy;
}

void rh__sym_situation_free(struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->objects.count; i++)
        rh__sym_object_release(situation->objects.items[i]);
    for (size_t i = 0; i < situation->actors.count; i++)
        rh__sym_object_release(situation->actors.items[i].initial);
    for (size_t i = 0; i < situation->frames.count; i++) {
        free(situation->frames.items[i].values);
        free(situation->frames.items[i].rounds);
    }
    rh_vector_fini(&situation->objects);
    rh_vector_fini(&situation->actors);
    rh_vector_fini(&situation->pending);
    rh_vector_fini(&situation->frames);
    rh_vector_fini(&situation->bindings);
    rh_vector_fini(&situation->values);
    rh_vector_fini(&situation->created);
    rh_vector_fini(&situation->tallies);
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

static bool is_assumed(const struct rh__sym_situation *situation, rh_term condition)
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
    if (rh_term_is_constant(&sym->terms, condition, &number) || is_assumed(situation, condition))
        return;
    struct rh__sym_condition *added = rh_arena_take(&sym->arena, sizeof *added);
    added->before = situation->conditions;
    added->term = condition;
    added->is_silent = is_silent;
    added->count = situation->conditions ? situation->conditions->count + 1 : 1;
    situation->conditions = added;
}

static void make_room(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    while (situation->values.count < sym->terms.variables.count)
        *rh_vector_push(&situation->values) = 0;
}

enum rh_answer rh__sym_can(struct rh__sym *sym, const struct rh__sym_situation *situation,
                           rh_term condition, uint64_t *values)
{
    uint32_t count = situation->conditions ? situation->conditions->count : 0;
    rh_term *conditions = rh_alloc((count + 1) * sizeof *conditions);
    uint32_t at = count;
    conditions[at] = condition;
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before)
        conditions[--at] = each->term;
    enum rh_answer answer = rh_solver_check(sym->solver, conditions, count + 1, values);
    free(conditions);
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
    if (is_assumed(situation, condition) || is_assumed(situation, negated))
        return is_assumed(situation, condition);
    make_room(sym, situation);
    struct rh_assignment present = {situation->values.items, situation->values.count};
    bool holds = rh_term_value(&sym->terms, condition, present);
    rh_term here = holds ? condition : negated, there = holds ? negated : condition;
    uint64_t *values = rh_alloc(situation->values.count * sizeof *values + 1);
    memcpy(values, situation->values.items, situation->values.count * sizeof *values);
    enum rh_answer answer = rh__sym_can(sym, situation, there, values);
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
