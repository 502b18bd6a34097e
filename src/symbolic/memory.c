// SPDX-License-Identifier: MIT
// Places in memory: what an address leads to, and what is read and written there.
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

// An address that is nearer to zero comes from a null pointer.
enum { NULL_BYTES = 4096 };

// An array of up to so many elements is looked up by one term; from a larger one values are tried.
enum { ELEMENTS_MOST = 128 };

// The object that stands for a variable which the test's body has written; RH_NONE: it has not.
static uint32_t written_global(const struct rh__sym_situation *situation, uint32_t global)
{
    for (size_t i = 0; i < situation->globals.count; i++)
        if (situation->globals.items[i].global == global)
            return situation->globals.items[i].object;
    return RH_NONE;
}

const struct rh__sym_object *rh__sym_object_at(struct rh__sym *sym,
                                               const struct rh__sym_situation *situation,
                                               const struct rh__sym_place *place)
{
    if (place->object != RH_NONE)
        return situation->objects.items[place->object];
    // The program may write such a variable.
    sym->looks_elsewhere =
        sym->looks_elsewhere || !sym->module->globals.items[place->global].is_constant;
    uint32_t written = written_global(situation, place->global);
    return written != RH_NONE ? situation->objects.items[written]
                              : rh__sym_global(sym, place->global);
}

// A variable of the program: a test's body may set it up, before there is anybody to share it with.
static uint32_t writable_global(struct rh__sym *sym, struct rh__sym_situation *situation,
                                uint32_t index)
{
    const struct rh_ir_global *global = &sym->module->globals.items[index];
    if (!global->is_constant && rh__sym_is_body(situation)) {
        uint32_t written = written_global(situation, index);
        if (written != RH_NONE)
            return written;
        const struct rh__sym_object *initial = rh__sym_global(sym, index);
        struct rh__sym_object *object = rh__sym_object_new(initial->size, RH__SYM_REST_ZERO);
        rh__sym_object_copy(sym, &object, 0, initial, 0, initial->size);
        object->is_heap = true; // it outlives the body
        written = rh__sym_object_add(situation, object);
        *rh_vector_push(&situation->globals) = (struct rh__sym_written){index, written};
        return written;
    }
    rh__sym_end_with(sym, situation, RH__SYM_BROKEN,
                     global->is_constant
                         ? "a write to the constant %s"
                         : "the variable %s is written: actors must not share variables",
                     global->name);
    // The world notices what has become different.
    situation->is_undefined = !global->is_constant;
    return RH_NONE;
}

struct rh__sym_object **rh__sym_writable(struct rh__sym *sym, struct rh__sym_situation *situation,
                                         const struct rh__sym_place *place)
{
    uint32_t object =
        place->object != RH_NONE ? place->object : writable_global(sym, situation, place->global);
    if (object == RH_NONE)
        return NULL;
    rh__sym_object_own(situation, object);
    return &situation->objects.items[object];
}

// --- Places. ---

// Splits an address into a constant and the rest, which is a sum.
static uint64_t constant_part(struct rh__sym *sym, rh_term address)
{
    const struct rh_term_node *node = rh_term_get(&sym->terms, address);
    if (node->operation == RH_TERM_CONSTANT)
        return node->number;
    if (node->operation != RH_TERM_ADD)
        return 0;
    rh_term a = node->a, b = node->b;
    return constant_part(sym, a) + constant_part(sym, b);
}

// Whether a summand of an address is an unknown number that is no index, which is multiplied or
// extended: a member of a union may be looked at as a pointer where nobody knew that it is one.
static bool has_number(struct rh__sym *sym, rh_term address)
{
    struct rh_term_node node = *rh_term_get(&sym->terms, address);
    switch (node.operation) {
    case RH_TERM_ADD:
        return has_number(sym, node.a) || has_number(sym, node.b);
    case RH_TERM_CONSTANT:
    case RH_TERM_MULTIPLY:
    case RH_TERM_SHIFT_LEFT:
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        return false;
    default:
        return true;
    }
}

// What an address leads into by its constant part, which may lie before the beginning: an index
// makes up for that.
static bool place_of(struct rh__sym *sym, const struct rh__sym_situation *situation,
                     uint64_t number, struct rh__sym_place *place, uint64_t *base)
{
    *place = (struct rh__sym_place){RH_NONE, RH_NONE, 0};
    number += UINT64_C(1) << (RH__SYM_OBJECT_BITS - 1);
    if (number >= RH__SYM_OBJECTS && number < RH__SYM_ACTORS) {
        uint64_t index = (number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS;
        place->object = (uint32_t)index;
        *base = rh__sym_object_address((uint32_t)index);
        return index < situation->objects.count && situation->objects.items[index];
    }
    if (number < RH__SYM_GLOBALS || number >= RH__SYM_FUNCTIONS)
        return false;
    uint64_t index = (number - RH__SYM_GLOBALS) >> RH__SYM_OBJECT_BITS;
    place->global = (uint32_t)index;
    *base = rh__sym_global_address((uint32_t)index);
    return index < sym->module->globals.count && rh__sym_global(sym, (uint32_t)index);
}

// --- Indexes. ---

bool rh__sym_bound_index(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term index,
                         uint64_t count)
{
    rh_term condition =
        rh_term_make2(&sym->terms, RH_TERM_BELOW, index, rh_term_constant(&sym->terms, 64, count));
    if (!rh__sym_require(sym, situation, condition, RH__SYM_BROKEN,
                         "an access outside of its array", true))
        return false;
    for (size_t i = 0; i < sym->bounds.count; i++)
        if (sym->bounds.items[i].index == index && sym->bounds.items[i].count == count)
            return true;
    *rh_vector_push(&sym->bounds) = (struct rh__sym_bound){index, condition, count};
    return true;
}

// The largest value of a sum of indexes that are bounded here, each times a constant.
static bool most_of(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term term,
                    uint64_t *most)
{
    enum { FACTOR_MOST = 1 << 20 };
    struct rh_term_node node = *rh_term_get(&sym->terms, term);
    uint64_t left, right;
    for (size_t i = 0; i < sym->bounds.count; i++) {
        const struct rh__sym_bound *bound = &sym->bounds.items[i];
        if (bound->index == term && rh__sym_is_assumed(situation, bound->condition)) {
            *most = bound->count - 1;
            return true;
        }
    }
    if (node.operation == RH_TERM_CONSTANT) {
        *most = node.number;
        return node.number <= FACTOR_MOST;
    }
    bool is_known = (node.operation == RH_TERM_ADD || node.operation == RH_TERM_MULTIPLY ||
                     node.operation == RH_TERM_SHIFT_LEFT) &&
                    most_of(sym, situation, node.a, &left) &&
                    most_of(sym, situation, node.b, &right) && left <= UINT32_MAX &&
                    right <= FACTOR_MOST;
    if (!is_known || (node.operation == RH_TERM_SHIFT_LEFT && right > 20))
        return false;
    *most = node.operation == RH_TERM_ADD        ? left + right
            : node.operation == RH_TERM_MULTIPLY ? left * right
                                                 : left << right;
    return true;
}

// Splits an offset into a constant and a rest that is at most `*most`.
static bool is_bounded(struct rh__sym *sym, const struct rh__sym_situation *situation,
                       rh_term offset, uint64_t *fixed, uint64_t *most)
{
    *fixed = constant_part(sym, offset);
    rh_term rest = rh_term_make2(&sym->terms, RH_TERM_SUBTRACT, offset,
                                 rh_term_constant(&sym->terms, 64, *fixed));
    return *fixed <= UINT32_MAX && most_of(sym, situation, rest, most);
}

bool rh__sym_cut_others(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term condition)
{
    struct rh__sym_situation *other = NULL;
    bool holds = rh__sym_fork(sym, situation, condition, &other);
    struct rh__sym_situation *left_out = holds ? other : situation;
    if (left_out && left_out->end == RH__SYM_RUNS)
        rh__sym_cut(sym, left_out, RH_CUT_LOOP);
    if (other)
        rh__sym_push(sym, other);
    return holds;
}

// An access to a block that nobody knows: what lies behind it is cut off as by --loop.
static bool check_open(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term offset,
                       rh_term fits)
{
    uint64_t number;
    if (rh_term_is_constant(&sym->terms, offset, &number) && (int64_t)number < 0) {
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN,
                         "what lies before a block that nobody knows");
        return false;
    }
    return rh__sym_cut_others(sym, situation, fits);
}

// Tells as much of an open block as an access needs.
static void grow(struct rh__sym *sym, struct rh__sym_situation *situation,
                 const struct rh__sym_place *place, uint64_t size)
{
    uint64_t number, fixed, most;
    const struct rh__sym_object *object =
        place->object == RH_NONE ? NULL : situation->objects.items[place->object];
    if (!object || !object->is_open)
        return;
    if (rh_term_is_constant(&sym->terms, place->offset, &number)) {
        if ((int64_t)number >= 0 && number + size > object->size)
            rh__sym_block_grow(sym, situation, place->object, number + size);
    } else if (!is_bounded(sym, situation, place->offset, &fixed, &most) ||
               fixed + most + size > object->size) {
        rh__sym_block_grow(sym, situation, place->object, UINT64_MAX);
    }
}

// Ends the situation where an access lies outside of its object, if it can. Whether such an access
// does harm when it is run depends on what lies there.
static bool check_bounds(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term offset,
                         uint64_t size, const struct rh__sym_object *object)
{
    rh_term fits = rh_term_truth(&sym->terms, false);
    uint64_t fixed, most;
    if (is_bounded(sym, situation, offset, &fixed, &most) && fixed + most + size <= object->size)
        return true;
    if (object->size >= size)
        fits = rh_term_not(&sym->terms,
                           rh_term_make2(&sym->terms, RH_TERM_BELOW,
                                         rh_term_constant(&sym->terms, 64, object->size - size),
                                         offset));
    if (object->is_open)
        return check_open(sym, situation, offset, fits);
    return rh__sym_require(sym, situation, fits, RH__SYM_BROKEN, "an access outside of its object",
                           true);
}

bool rh__sym_find(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                  uint64_t size, struct rh__sym_place *place)
{
    if (!rh__sym_decide(sym, situation, &address))
        return false;
    uint64_t number = constant_part(sym, address), base;
    if (!place_of(sym, situation, number, place, &base)) {
        uint64_t whole;
        bool is_fixed = rh_term_is_constant(&sym->terms, address, &whole);
        // A null pointer with an index: where that leads depends on the index.
        bool is_null = number + NULL_BYTES < 2 * NULL_BYTES && !has_number(sym, address);
        bool is_gone = is_fixed && whole >= RH__SYM_OBJECTS && whole < RH__SYM_ACTORS;
        rh__sym_end_with(sym, situation, is_null || is_gone ? RH__SYM_BROKEN : RH__SYM_UNKNOWN,
                         is_null   ? "an access through a null pointer"
                         : is_gone ? "an access to memory that is gone"
                                   : "an address that can't be told");
        situation->is_undefined = is_gone || (is_null && !is_fixed);
        return false;
    }
    const struct rh__sym_object *object =
        place->object == RH_NONE ? NULL : situation->objects.items[place->object];
    if (object && (object->is_given || object->is_travelling)) {
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "an access to memory that is handed over");
        return false;
    }
    place->offset = rh_term_make2(&sym->terms, RH_TERM_SUBTRACT, address,
                                  rh_term_constant(&sym->terms, 64, base));
    if (size == 0)
        return true;
    grow(sym, situation, place, size);
    return check_bounds(sym, situation, place->offset, size,
                        rh__sym_object_at(sym, situation, place));
}

// How many values of the term have been left to others.
static uint32_t count_tried(struct rh__sym *sym, const struct rh__sym_situation *situation,
                            rh_term term)
{
    uint32_t count = 0;
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before) {
        const struct rh_term_node *node = rh_term_get(&sym->terms, each->term);
        if (node->operation != RH_TERM_NOT)
            continue;
        const struct rh_term_node *inner = rh_term_get(&sym->terms, node->a);
        count += inner->operation == RH_TERM_EQUAL && (inner->a == term || inner->b == term);
    }
    return count;
}

// Fixes a term to the value that it has here; elsewhere it has another. Gives false if the
// situation was given up.
static bool fix(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term term,
                uint64_t *number)
{
    enum { VALUES_MOST = 16 };
    if (rh_term_is_constant(&sym->terms, term, number))
        return true;
    if (count_tried(sym, situation, term) >= VALUES_MOST) {
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "an index, but for %d of its values",
                         VALUES_MOST);
        return false;
    }
    struct rh_assignment values = {situation->values.items, situation->values.count};
    *number = rh_term_value(&sym->terms, term, values);
    rh_term constant = rh_term_constant(&sym->terms, rh_term_width(&sym->terms, term), *number);
    struct rh__sym_situation *other = NULL;
    rh__sym_fork(sym, situation, rh_term_make2(&sym->terms, RH_TERM_EQUAL, term, constant), &other);
    if (other)
        rh__sym_push(sym, other);
    return true;
}

static uint64_t step_of(struct rh__sym *sym, rh_term term);

bool rh__sym_length(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term term,
                    uint64_t *length)
{
    term = rh__sym_settle(sym, situation, term);
    if (rh_term_is_constant(&sym->terms, term, length))
        return true;
    unsigned width = rh_term_width(&sym->terms, term);
    uint64_t first = constant_part(sym, term);
    rh_term rest = rh_term_make2(&sym->terms, RH_TERM_SUBTRACT, term,
                                 rh_term_constant(&sym->terms, width, first));
    uint64_t step = step_of(sym, rest);
    for (uint64_t i = 0; i <= sym->options->loop; i++) {
        *length = first + i * step;
        rh_term constant = rh_term_constant(&sym->terms, width, *length);
        struct rh__sym_situation *other = NULL;
        bool holds = rh__sym_fork(
            sym, situation, rh_term_make2(&sym->terms, RH_TERM_EQUAL, term, constant), &other);
        if (other)
            rh__sym_push(sym, other);
        if (holds)
            return true;
    }
    rh__sym_cut(sym, situation, RH_CUT_LOOP);
    return false;
}

bool rh__sym_find_fixed(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                        uint64_t size, struct rh__sym_place *place, uint64_t *offset)
{
    if (!rh__sym_find(sym, situation, address, size, place) ||
        !fix(sym, situation, place->offset, offset))
        return false;
    place->offset = rh_term_constant(&sym->terms, 64, *offset);
    return true;
}

// The largest power of two that divides every value of the term, as far as its form tells.
static uint64_t step_of(struct rh__sym *sym, rh_term term)
{
    struct rh_term_node node = *rh_term_get(&sym->terms, term);
    uint64_t number;
    switch (node.operation) {
    case RH_TERM_CONSTANT:
        return node.number ? node.number & -node.number : UINT64_C(1) << 32;
    case RH_TERM_ADD: {
        uint64_t left = step_of(sym, node.a), right = step_of(sym, node.b);
        return left < right ? left : right;
    }
    case RH_TERM_MULTIPLY: {
        uint64_t product = step_of(sym, node.a) * step_of(sym, node.b);
        return product ? product : UINT64_C(1) << 32;
    }
    case RH_TERM_SHIFT_LEFT:
        return rh_term_is_constant(&sym->terms, node.b, &number) && number < 32
                   ? UINT64_C(1) << number
                   : 1;
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        return step_of(sym, node.a);
    case RH_TERM_CHOICE: {
        uint64_t yes = step_of(sym, node.b), no = step_of(sym, node.c);
        return yes < no ? yes : no;
    }
    default:
        return 1;
    }
}

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// What divides every value of a sum of indexes of at most 32 bits, each times a constant: such a
// sum does not overflow. 0: the term is something else, or zero.
static uint64_t stride_of(struct rh__sym *sym, rh_term term)
{
    enum { INDEX_BITS = 32, STRIDE_MOST = 1 << 20 };
    struct rh_term_node node = *rh_term_get(&sym->terms, term);
    uint64_t number;
    switch (node.operation) {
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        return rh_term_width(&sym->terms, node.a) <= INDEX_BITS;
    case RH_TERM_ADD: {
        uint64_t left = stride_of(sym, node.a), right = stride_of(sym, node.b);
        return left && right ? divisor_of(left, right) : 0;
    }
    case RH_TERM_SHIFT_LEFT:
        return rh_term_is_constant(&sym->terms, node.b, &number) && number <= 20
                   ? stride_of(sym, node.a) << number
                   : 0;
    case RH_TERM_MULTIPLY:
        if (rh_term_is_constant(&sym->terms, node.a, &number) && number <= STRIDE_MOST)
            return stride_of(sym, node.b) == 1 ? number : 0;
        return rh_term_is_constant(&sym->terms, node.b, &number) && number <= STRIDE_MOST &&
                       stride_of(sym, node.a) == 1
                   ? number
                   : 0;
    default:
        return 0;
    }
}

// The offsets that an access can have: `count` of them from `first` on, every `step` bytes.
struct spread {
    uint64_t first, step, count;
};

static struct spread spread_of(struct rh__sym *sym, const struct rh__sym_situation *situation,
                               rh_term offset, uint64_t size, uint64_t object_size)
{
    uint64_t fixed, most;
    if (is_bounded(sym, situation, offset, &fixed, &most) && fixed + most + size <= object_size)
        object_size = fixed + most + size;
    else
        most = UINT64_MAX;
    rh_term rest = rh_term_make2(&sym->terms, RH_TERM_SUBTRACT, offset,
                                 rh_term_constant(&sym->terms, 64, fixed));
    uint64_t stride = stride_of(sym, rest);
    struct spread spread = {.step = stride ? stride : step_of(sym, rest)};
    // The constant may be negative.
    int64_t step = (int64_t)spread.step;
    spread.first = most == UINT64_MAX ? (uint64_t)(((int64_t)fixed % step + step) % step) : fixed;
    if (spread.first + size <= object_size)
        spread.count = (object_size - size - spread.first) / spread.step + 1;
    return spread;
}

static rh_term is_at(struct rh__sym *sym, rh_term offset, uint64_t number)
{
    return rh_term_make2(&sym->terms, RH_TERM_EQUAL, offset,
                         rh_term_constant(&sym->terms, 64, number));
}

static const char unset_reason[] = "a byte that was never set is read";

// The elements that an index may lead to as one term. Where it leads to one that was never set, the
// situation ends.
static bool read_spread(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_place *place, struct spread spread, unsigned size,
                        rh_term *term)
{
    const struct rh__sym_object *object = rh__sym_object_at(sym, situation, place);
    rh_term is_set = rh_term_truth(&sym->terms, true);
    bool has_any = false;
    for (uint64_t i = 0; i < spread.count; i++) {
        bool is_unset = false;
        uint64_t at = spread.first + i * spread.step;
        rh_term here = is_at(sym, place->offset, at);
        rh_term each = rh__sym_object_read(sym, object, at, size, &is_unset);
        if (is_unset)
            is_set =
                rh_term_make2(&sym->terms, RH_TERM_AND, is_set, rh_term_not(&sym->terms, here));
        else
            *term = has_any ? rh_term_choice(&sym->terms, here, each, *term) : each;
        has_any = has_any || !is_unset;
    }
    if (!has_any)
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, unset_reason);
    return has_any && rh__sym_require(sym, situation, is_set, RH__SYM_UNKNOWN, unset_reason, false);
}

static bool read_place(struct rh__sym *sym, struct rh__sym_situation *situation,
                       struct rh__sym_place *place, unsigned size, rh_term *term)
{
    const struct rh__sym_object *object = rh__sym_object_at(sym, situation, place);
    uint64_t number;
    if (!rh_term_is_constant(&sym->terms, place->offset, &number)) {
        struct spread spread = spread_of(sym, situation, place->offset, size, object->size);
        if (spread.count <= ELEMENTS_MOST)
            return read_spread(sym, situation, place, spread, size, term);
        if (!fix(sym, situation, place->offset, &number))
            return false;
        place->offset = rh_term_constant(&sym->terms, 64, number);
    }
    bool is_unset = false;
    *term = rh__sym_object_read(sym, object, number, size, &is_unset);
    is_unset = is_unset && !rh__sym_sets_bit_field(situation);
    if (is_unset)
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, unset_reason);
    return !is_unset;
}

// Elements that were never set are told apart before anything is written: what is written there
// leaves the others unset. Gives whether the offset is such an element, in `number`.
static bool is_at_unset(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_place *place, struct spread spread, unsigned size,
                        uint64_t *number)
{
    for (uint64_t i = 0; i < spread.count; i++) {
        bool is_unset = false;
        *number = spread.first + i * spread.step;
        rh__sym_object_read(sym, rh__sym_object_at(sym, situation, place), *number, size,
                            &is_unset);
        if (!is_unset)
            continue;
        struct rh__sym_situation *other = NULL;
        bool holds = rh__sym_fork(sym, situation, is_at(sym, place->offset, *number), &other);
        if (other)
            rh__sym_push(sym, other);
        if (holds)
            return true;
    }
    return false;
}

// Whether an index may lead there. Where what is written has another size than what lies there, the
// solver is asked: an address that nobody knows would be no address any more.
static bool may_be_at(struct rh__sym *sym, const struct rh__sym_situation *situation,
                      const struct rh__sym_object *object, const struct rh__sym_place *place,
                      uint64_t at, unsigned size)
{
    bool is_whole = true;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct rh__sym_cell *cell = &object->cells[i];
        is_whole &= cell->offset + (uint64_t)cell->size <= at || cell->offset >= at + size ||
                    (cell->offset == at && cell->size == size);
    }
    if (is_whole)
        return true;
    rh_term here = is_at(sym, place->offset, at);
    uint64_t *values = rh_alloc((sym->terms.variables.count + 1) * sizeof *values);
    memcpy(values, situation->values.items, situation->values.count * sizeof *values);
    enum rh_answer answer = rh__sym_can(sym, situation, here, false, values);
    free(values);
    return answer != RH_CAN_NOT;
}

static bool write_place(struct rh__sym *sym, struct rh__sym_situation *situation,
                        struct rh__sym_place *place, unsigned size, rh_term term)
{
    uint64_t number;
    uint64_t object_size = rh__sym_object_at(sym, situation, place)->size;
    struct spread spread = {0};
    bool is_fixed = rh_term_is_constant(&sym->terms, place->offset, &number);
    if (!is_fixed) {
        spread = spread_of(sym, situation, place->offset, size, object_size);
        is_fixed = spread.count <= ELEMENTS_MOST
                       ? is_at_unset(sym, situation, place, spread, size, &number)
                       : fix(sym, situation, place->offset, &number);
        if (situation->end != RH__SYM_RUNS)
            return false;
    }
    struct rh__sym_object **slot = rh__sym_writable(sym, situation, place);
    if (!slot)
        return false;
    if (is_fixed)
        rh__sym_object_write(sym, slot, number, size, term);
    for (uint64_t i = 0; i < spread.count && !is_fixed; i++) {
        bool is_unset = false;
        uint64_t at = spread.first + i * spread.step;
        rh_term old = rh__sym_object_read(sym, *slot, at, size, &is_unset);
        if (!is_unset && may_be_at(sym, situation, *slot, place, at, size))
            rh__sym_object_write(
                sym, slot, at, size,
                rh_term_choice(&sym->terms, is_at(sym, place->offset, at), term, old));
    }
    return true;
}

// --- Loads and stores of values. ---

static rh_term offset_by(struct rh__sym *sym, rh_term offset, uint64_t bytes)
{
    return rh_term_make2(&sym->terms, RH_TERM_ADD, offset,
                         rh_term_constant(&sym->terms, 64, bytes));
}

// A term of a scalar type from the bytes in memory, and back.
static rh_term from_bytes(struct rh__sym *sym, rh_term bytes, unsigned bits)
{
    return rh_term_width(&sym->terms, bytes) == bits ? bytes
                                                     : rh_term_part(&sym->terms, bytes, 0, bits);
}

static unsigned bytes_of(unsigned bits)
{
    return (bits + 7) / 8;
}

static bool load_scalar(struct rh__sym *sym, struct rh__sym_situation *situation,
                        struct rh__sym_place place, uint32_t type, rh_term *term)
{
    unsigned bits = rh__sym_bits(sym->module, type);
    if (!read_place(sym, situation, &place, bytes_of(bits), term))
        return false;
    *term = from_bytes(sym, *term, bits);
    return true;
}

bool rh__sym_load(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                  uint32_t type, rh__sym_value *value)
{
    struct rh__sym_place place;
    if (!rh__sym_find(sym, situation, address, rh_ir_size_of(sym->module, type), &place))
        return false;
    if (rh__sym_is_scalar(sym->module, type))
        return load_scalar(sym, situation, place, type, value);
    struct rh__sym_parts parts = {0};
    RH_VECTOR(struct rh__sym_cell) cells = {0};
    bool is_read = rh__sym_parts_of(sym->module, type, 0, &parts);
    if (!is_read)
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "a value of a type without terms");
    for (size_t i = 0; i < parts.count && is_read; i++) {
        struct rh__sym_place part = place;
        part.offset = offset_by(sym, place.offset, parts.items[i].offset);
        struct rh__sym_cell *cell = rh_vector_push(&cells);
        cell->offset = parts.items[i].offset;
        cell->size = (uint32_t)rh_ir_size_of(sym->module, parts.items[i].type);
        is_read = load_scalar(sym, situation, part, parts.items[i].type, &cell->term);
    }
    if (is_read)
        *value = rh__sym_tuple_new(sym, cells.items, (uint32_t)cells.count);
    rh_vector_fini(&cells);
    rh_vector_fini(&parts);
    return is_read;
}

static bool store_scalar(struct rh__sym *sym, struct rh__sym_situation *situation,
                         struct rh__sym_place place, rh_term term)
{
    unsigned bits = rh_term_width(&sym->terms, term), bytes = bytes_of(bits);
    if (bits != bytes * 8)
        term = rh_term_resize(&sym->terms, RH_TERM_EXTEND_ZERO, term, bytes * 8);
    return write_place(sym, situation, &place, bytes, term);
}

bool rh__sym_store(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                   uint32_t type, rh__sym_value value)
{
    struct rh__sym_place place;
    if (!rh__sym_find(sym, situation, address, rh_ir_size_of(sym->module, type), &place))
        return false;
    if (!rh__sym_is_tuple(value))
        return store_scalar(sym, situation, place, value);
    uint32_t count = rh__sym_tuple_get(sym, value)->count;
    for (uint32_t i = 0; i < count; i++) {
        struct rh__sym_cell cell = rh__sym_tuple_get(sym, value)->cells[i];
        struct rh__sym_place part = place;
        part.offset = offset_by(sym, place.offset, cell.offset);
        if (!store_scalar(sym, situation, part, cell.term))
            return false;
    }
    return true;
}
