// SPDX-License-Identifier: MIT
// The place that is to be reached: the instructions of a line, the handlers that may come to it,
// and how far every other handler is from them.
#include <string.h>

#include "symbolic/internal.h"
#include "symbolic/target.h"

// Whether a path of the debug information is the file that the user names.
static bool is_file(const char *path, const char *file)
{
    size_t length = strlen(path), end = strlen(file);
    return length >= end && !strcmp(path + length - end, file) &&
           (length == end || path[length - end - 1] == '/');
}

static bool is_code(const struct rh_ir_instruction *instruction)
{
    return instruction->place.file && instruction->place.line && instruction->opcode != RH_IR_PHI &&
           instruction->opcode != RH_IR_ALLOCATE;
}

// --- Lines. ---

static void note_near(struct rh__sym_target *target, uint32_t line, uint32_t wanted)
{
    if (line < wanted && line > target->line_before)
        target->line_before = line;
    if (line > wanted && (target->line_after == 0 || line < target->line_after))
        target->line_after = line;
}

static void mark_function(struct rh__sym *sym, struct rh__sym_target *target, uint32_t index,
                          const char *file, uint32_t line)
{
    const struct rh_ir_function *function = &sym->module->functions.items[index];
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        if (!is_code(each) || !is_file(each->place.file, file))
            continue;
        target->has_file = true;
        note_near(target, each->place.line, line);
        if (each->place.line != line)
            continue;
        if (!sym->marks[index])
            sym->marks[index] = rh_arena_take(&sym->arena, function->instruction_count);
        sym->marks[index][i] = true;
        target->count++;
    }
}

// --- Handlers. ---

static bool is_sent(const struct rh__sym_handling *by, uint32_t type)
{
    for (size_t i = 0; i < by->sends.count; i++)
        if (by->sends.items[i] == type)
            return true;
    return by->sends_anything;
}

// Whether a delivery to an actor may change what another delivery to it does.
static bool feeds(const struct rh__sym_handling *a, const struct rh__sym_handling *b)
{
    return a->behaviour == b->behaviour && rh__sym_writes_to(a, b);
}

// One more step away from the place. Gives whether anything was nearer than known.
static bool widen(struct rh__sym_target *target)
{
    bool is_changed = false;
    for (size_t i = 0; i < target->pairs.count; i++)
        for (size_t k = 0; k < target->pairs.count; k++) {
            struct rh__sym_pair *a = &target->pairs.items[i];
            const struct rh__sym_pair *b = &target->pairs.items[k];
            if (b->distance == RH_NONE || a->distance <= b->distance + 1 ||
                (!is_sent(a->handling, b->handling->type) && !feeds(a->handling, b->handling)))
                continue;
            a->distance = b->distance + 1;
            is_changed = true;
        }
    return is_changed;
}

static void find_pairs(struct rh__sym *sym, struct rh__sym_target *target)
{
    for (uint32_t b = 0; b < sym->behaviours.count; b++)
        for (uint32_t t = 0; t < sym->types.count; t++) {
            uint32_t function = sym->behaviours.items[b].function;
            struct rh__sym_handling *handling = rh__sym_handling_of(sym, function, t);
            if (!handling->is_taken)
                continue;
            uint32_t guard = sym->behaviours.items[b].guard;
            bool is_near = handling->is_near || (guard != RH_NONE && sym->marks[guard]);
            *rh_vector_push(&target->pairs) =
                (struct rh__sym_pair){handling, is_near ? 0 : RH_NONE};
        }
    while (widen(target))
        ;
}

void rh__sym_target_init(struct rh__sym *sym, struct rh__sym_target *target, const char *file,
                         uint32_t line)
{
    size_t count = sym->module->functions.count;
    *target = (struct rh__sym_target){0};
    sym->marks = rh_arena_take(&sym->arena, count * sizeof(bool *) + 1);
    for (uint32_t i = 0; i < count; i++)
        mark_function(sym, target, i, file, line);
    if (target->count)
        find_pairs(sym, target);
}

void rh__sym_target_fini(struct rh__sym_target *target)
{
    rh_vector_fini(&target->pairs);
}

uint32_t rh__sym_target_distance(const struct rh__sym_target *target, uint32_t behaviour,
                                 uint32_t type)
{
    bool is_known = false;
    for (size_t i = 0; i < target->pairs.count; i++) {
        const struct rh__sym_handling *handling = target->pairs.items[i].handling;
        is_known = is_known || handling->behaviour == behaviour;
        if (handling->behaviour == behaviour && handling->type == type)
            return target->pairs.items[i].distance;
    }
    // A behaviour that only rh_become names: nothing is known about it.
    return is_known ? RH_NONE : 1;
}
