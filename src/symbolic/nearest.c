// SPDX-License-Identifier: MIT
// The condition that a search has not met on the way to a place.
#include "symbolic/nearest.h"

#include <stdlib.h>
#include <string.h>

enum {
    A_DELIVERY = 1000, // as far as so many conditions: that a message has to be sent and delivered
    SEEN_MOST = 3,
    AGAINST_MOST = 8,
};

// --- How far blocks are from the place. ---

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// What is sent: how far its delivery is.
static uint32_t steps_of_send(struct rh__sym *sym, const struct rh__sym_target *target,
                              const struct rh_ir_function *callee,
                              const struct rh_ir_instruction *call)
{
    uint32_t at = !strcmp(callee->name, "rh__after") ? 2 : 1, steps = RH_NONE;
    bool is_send = !strcmp(callee->name, "rh__send") || !strcmp(callee->name, "rh__reply") ||
                   !strcmp(callee->name, "rh__ask") || at == 2;
    const char *name = is_send ? rh__sym_name_in_global(sym, call->operands[at]) : NULL;
    for (size_t i = 0; i < target->pairs.count && name; i++) {
        const struct rh__sym_pair *pair = &target->pairs.items[i];
        if (pair->distance != RH_NONE && !strcmp(sym->types.items[pair->handling->type].name, name))
            steps = least(steps, (pair->distance + 1) * A_DELIVERY);
    }
    return steps;
}

static uint32_t steps_within(struct rh__sym *sym, const struct rh__sym_nearest *nearest,
                             uint32_t function, const struct rh_ir_block *block)
{
    const struct rh_ir_function *it = &sym->module->functions.items[function];
    uint32_t steps = RH_NONE;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const struct rh_ir_instruction *each = &it->instructions[i];
        if (sym->marks[function] && sym->marks[function][i])
            steps = least(steps, nearest->is_check);
        const struct rh_ir_function *callee =
            each->opcode == RH_IR_CALL ? rh_ir_callee(sym->module, each) : NULL;
        if (callee && callee->block_count)
            steps = least(steps, nearest->steps[callee - sym->module->functions.items][0]);
        else if (callee)
            steps = least(steps, steps_of_send(sym, nearest->target, callee, each));
    }
    return steps;
}

static uint32_t steps_behind(const struct rh__sym_nearest *nearest,
                             const struct rh_ir_function *function, uint32_t index,
                             const struct rh_ir_block *block)
{
    const struct rh_ir_instruction *last = &function->instructions[block->first + block->count - 1];
    uint32_t steps = RH_NONE;
    for (uint32_t i = 0; i < last->block_count; i++)
        steps = least(steps, nearest->steps[index][last->blocks[i]]);
    return steps == RH_NONE ? RH_NONE : steps + (last->block_count > 1);
}

static bool widen(struct rh__sym *sym, struct rh__sym_nearest *nearest)
{
    bool is_changed = false;
    for (uint32_t f = 0; f < sym->module->functions.count; f++) {
        const struct rh_ir_function *function = &sym->module->functions.items[f];
        for (uint32_t b = function->block_count; b > 0; b--) {
            const struct rh_ir_block *block = &function->blocks[b - 1];
            uint32_t *known = &nearest->steps[f][b - 1];
            uint32_t steps = least(steps_within(sym, nearest, f, block),
                                   steps_behind(nearest, function, f, block));
            is_changed = is_changed || steps < *known;
            *known = least(*known, steps);
        }
    }
    return is_changed;
}

void rh__sym_nearest_init(struct rh__sym *sym, struct rh__sym_nearest *nearest,
                          const struct rh__sym_target *target, bool is_check)
{
    size_t count = sym->module->functions.count;
    *nearest = (struct rh__sym_nearest){.target = target, .far = RH_NONE, .is_check = is_check};
    nearest->steps = rh_arena_take(&sym->arena, count * sizeof *nearest->steps + 1);
    for (size_t f = 0; f < count; f++) {
        uint32_t blocks = sym->module->functions.items[f].block_count;
        nearest->steps[f] = rh_arena_take(&sym->arena, blocks * sizeof(uint32_t) + 1);
        for (uint32_t b = 0; b < blocks; b++)
            nearest->steps[f][b] = RH_NONE;
    }
    while (widen(sym, nearest))
        ;
    sym->nearest = nearest;
}

void rh__sym_nearest_fini(struct rh__sym_nearest *nearest)
{
    rh_vector_fini(&nearest->seen);
}

// --- What was compared. ---

static const char *sign_of(enum rh_ir_predicate predicate, bool holds)
{
    switch (predicate) {
    case RH_IR_EQUAL:
        return holds ? "==" : "!=";
    case RH_IR_NOT_EQUAL:
        return holds ? "!=" : "==";
    case RH_IR_ABOVE:
    case RH_IR_GREATER:
        return holds ? ">" : "<=";
    case RH_IR_ABOVE_EQUAL:
    case RH_IR_GREATER_EQUAL:
        return holds ? ">=" : "<";
    case RH_IR_BELOW:
    case RH_IR_LESS:
        return holds ? "<" : ">=";
    default:
        return holds ? "<=" : ">";
    }
}

// The operand's term; RH_NONE: it is an address, or has none.
static rh_term operand(struct rh__sym *sym, const struct rh__sym_frame *frame, struct rh_ir_ref ref)
{
    uint32_t type = rh_ir_ref_type(sym->module, frame->function, ref);
    if (rh_ir_type_of(sym->module, type)->kind == RH_IR_POINTER)
        return RH_NONE;
    rh__sym_value value =
        ref.is_constant ? rh__sym_constant(sym, ref.index) : frame->values[ref.index];
    return value == RH__SYM_NO_VALUE || rh__sym_is_tuple(value) ? RH_NONE : value;
}

// "28 == 5", as it would have to be; nothing if it is not a comparison of numbers.
static void add_compared(struct rh__sym *sym, const struct rh__sym_frame *frame,
                         const struct rh_ir_instruction *jump, uint32_t way, struct rh_text *text)
{
    bool is_switch = jump->opcode == RH_IR_SWITCH;
    const struct rh_ir_instruction *compare =
        is_switch ? NULL : rh_ir_definition(frame->function, jump->operands[0]);
    rh_term left = RH_NONE, right = RH_NONE;
    if (is_switch && way > 0) {
        left = operand(sym, frame, jump->operands[0]);
        right = operand(sym, frame, jump->operands[way]);
    } else if (compare && compare->opcode == RH_IR_COMPARE) {
        left = operand(sym, frame, compare->operands[0]);
        right = operand(sym, frame, compare->operands[1]);
    }
    if (left == RH_NONE || right == RH_NONE)
        return;
    rh_term_print(&sym->terms, left, text);
    rh_text_addf(text, " %s ", is_switch ? "==" : sign_of(compare->predicate, way == 0));
    rh_term_print(&sym->terms, right, text);
}

static void note_seen(struct rh__sym *sym, struct rh__sym_nearest *nearest,
                      const struct rh__sym_frame *frame, const struct rh_ir_instruction *jump,
                      uint32_t way)
{
    struct rh_text text = {0};
    uint64_t number;
    add_compared(sym, frame, jump, way, &text);
    if (!text.length && !rh_term_is_constant(&sym->terms, nearest->needed, &number))
        rh_term_print(&sym->terms, nearest->needed, &text);
    bool is_known = text.length == 0;
    for (size_t i = 0; i < nearest->seen.count; i++)
        is_known = is_known || !strcmp(nearest->seen.items[i], rh_text_get(&text));
    if (!is_known && nearest->seen.count == SEEN_MOST)
        nearest->has_more = true;
    else if (!is_known)
        *rh_vector_push(&nearest->seen) =
            rh_arena_text(&sym->arena, rh_text_get(&text), text.length);
    rh_text_fini(&text);
}

// --- What stands in the way. ---

static uint32_t nearest_of(const struct rh__sym_nearest *nearest, const struct rh__sym *sym,
                           const struct rh__sym_frame *frame, const struct rh_ir_instruction *jump,
                           uint32_t but)
{
    const uint32_t *steps = nearest->steps[frame->function - sym->module->functions.items];
    uint32_t least_steps = RH_NONE;
    for (uint32_t i = 0; i < jump->block_count; i++)
        if (i != but)
            least_steps = least(least_steps, steps[jump->blocks[i]]);
    return least_steps;
}

static uint32_t count_deliveries(const struct rh__sym_situation *situation)
{
    uint32_t count = 0;
    for (const struct rh__sym_event *each = situation->events; each; each = each->before)
        count += each->choices == 0;
    return count;
}

// `way`: of the jump; of a check 1.
static void note(struct rh__sym *sym, const struct rh__sym_situation *situation,
                 const struct rh_ir_instruction *jump, uint32_t way, rh_term needed, uint32_t far)
{
    struct rh__sym_nearest *nearest = sym->nearest;
    const struct rh__sym_frame *frame = &situation->frames.items[situation->frames.count - 1];
    if (far == RH_NONE || far > nearest->far || (far == nearest->far && jump != nearest->jump) ||
        !jump->place.line)
        return;
    uint64_t number;
    // A path on which the values are not known yet tells more than one on which they are.
    bool tells_more = nearest->jump && rh_term_is_constant(&sym->terms, nearest->needed, &number) &&
                      !rh_term_is_constant(&sym->terms, needed, &number);
    if (far < nearest->far || tells_more) {
        nearest->far = far;
        nearest->jump = jump;
        nearest->needed = needed;
        nearest->conditions = situation->conditions;
        nearest->deliveries = count_deliveries(situation);
        nearest->seen.count = 0;
        nearest->has_more = tells_more;
    }
    note_seen(sym, nearest, frame, jump, way);
}

static bool is_asked(const struct rh__sym *sym, const struct rh__sym_situation *situation)
{
    return sym->nearest && !sym->nearest->is_closed && situation->running != RH_NONE &&
           !situation->is_judging;
}

void rh__sym_blocked(struct rh__sym *sym, const struct rh__sym_situation *situation,
                     const struct rh_ir_instruction *jump, uint32_t way, rh_term needed)
{
    if (!is_asked(sym, situation))
        return;
    const struct rh__sym_nearest *nearest = sym->nearest;
    const struct rh__sym_frame *frame = &situation->frames.items[situation->frames.count - 1];
    uint32_t far =
        nearest->steps[frame->function - sym->module->functions.items][jump->blocks[way]];
    // Another way may be as short, and open.
    if (far < nearest_of(nearest, sym, frame, jump, way))
        note(sym, situation, jump, way, needed, far);
}

void rh__sym_holds(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term check)
{
    if (!is_asked(sym, situation) || !sym->nearest->is_check)
        return;
    const struct rh__sym_frame *frame = &situation->frames.items[situation->frames.count - 1];
    const bool *marks = sym->marks[frame->function - sym->module->functions.items];
    if (marks && marks[frame->next])
        note(sym, situation, &frame->function->instructions[frame->next], 1,
             rh_term_not(&sym->terms, check), 0);
}

// --- In words. ---

// Leaves of a core only what is needed for it.
static void make_least(struct rh__sym *sym, const rh_term *terms, bool *core, size_t count)
{
    rh_term *query = rh_alloc(count * sizeof *query);
    uint64_t *values = rh_alloc(sym->terms.variables.count * sizeof *values + 1);
    for (size_t i = 0; i + 1 < count; i++) {
        size_t asked = 0;
        for (size_t k = 0; k < count; k++)
            if (core[k] && k != i)
                query[asked++] = terms[k];
        if (core[i] && rh_solver_check(sym->solver, query, asked, values) == RH_CAN_NOT)
            core[i] = false;
    }
    free(values);
    free(query);
}

// The conditions that exclude what is needed, first to last.
static void add_against(struct rh__sym *sym, const struct rh__sym_nearest *nearest,
                        struct rh_reached_nearest *kept)
{
    uint64_t number;
    size_t count = nearest->conditions ? nearest->conditions->count : 0;
    if (rh_term_is_constant(&sym->terms, nearest->needed, &number) || !count)
        return;
    rh_term *terms = rh_alloc((count + 1) * sizeof *terms);
    const struct rh__sym_condition **all = rh_alloc(count * sizeof(struct rh__sym_condition *));
    bool *core = rh_alloc(count + 1);
    for (const struct rh__sym_condition *each = nearest->conditions; each; each = each->before) {
        terms[each->count - 1] = each->term;
        all[each->count - 1] = each;
    }
    terms[count] = nearest->needed;
    struct rh_reached_condition *against =
        rh_arena_take(&sym->arena, AGAINST_MOST * sizeof *against);
    if (rh_solver_core(sym->solver, terms, count + 1, core) == RH_CAN_NOT) {
        make_least(sym, terms, core, count + 1);
        for (size_t i = 0; i < count && kept->against_count < AGAINST_MOST; i++) {
            if (!core[i])
                continue;
            struct rh_text text = {0};
            rh_term_print(&sym->terms, all[i]->term, &text);
            against[kept->against_count++] = (struct rh_reached_condition){
                all[i]->place.file, all[i]->place.line,
                rh_arena_text(&sym->arena, rh_text_get(&text), text.length)};
            rh_text_fini(&text);
        }
    }
    kept->against = against;
    free(core);
    free(all);
    free(terms);
}

// Which message did not come.
static const char *missing(struct rh__sym *sym, const struct rh__sym_nearest *nearest)
{
    enum { NAMED_MOST = 3 };
    struct rh_text text = {0};
    uint32_t named = 0;
    for (size_t i = 0; i < nearest->target->pairs.count && named < NAMED_MOST; i++) {
        const struct rh__sym_pair *pair = &nearest->target->pairs.items[i];
        if (pair->distance || nearest->has_begun)
            continue;
        const char *behaviour = "";
        for (size_t k = 0; k < sym->behaviours.count; k++)
            if (sym->behaviours.items[k].function == pair->handling->behaviour)
                behaviour = sym->behaviours.items[k].name;
        rh_text_addf(&text, "%s%s came to %s %s", named++ ? ", and no " : "no ",
                     sym->types.items[pair->handling->type].name,
                     strchr("aeiouAEIOU", *behaviour) ? "an" : "a", behaviour);
    }
    const char *kept = named ? rh_arena_text(&sym->arena, rh_text_get(&text), text.length) : NULL;
    rh_text_fini(&text);
    return kept;
}

struct rh_reached_nearest rh__sym_nearest_keep(struct rh__sym *sym, struct rh__sym_nearest *nearest)
{
    struct rh_reached_nearest kept = {.missing = missing(sym, nearest), .far = nearest->far};
    sym->nearest = NULL;
    if (!nearest->jump)
        return kept;
    const char **seen = rh_arena_take(&sym->arena, SEEN_MOST * sizeof *seen);
    kept.file = nearest->jump->place.file;
    kept.line = nearest->jump->place.line;
    kept.deliveries = nearest->deliveries;
    for (size_t i = 0; i < nearest->seen.count; i++)
        seen[kept.seen_count++] = nearest->seen.items[i];
    kept.seen = seen;
    kept.has_more = nearest->has_more;
    add_against(sym, nearest, &kept);
    return kept;
}
