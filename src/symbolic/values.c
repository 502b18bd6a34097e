// SPDX-License-Identifier: MIT
// Values: tuples, constants of the module, and what variables hold at the start.
#include <string.h>

#include "symbolic/internal.h"

rh__sym_value rh__sym_tuple_new(struct rh__sym *sym, const struct rh__sym_cell *cells,
                                uint32_t count)
{
    struct rh__sym_cell *copy = rh_arena_take(&sym->arena, count * sizeof *copy + 1);
    if (count)
        memcpy(copy, cells, count * sizeof *copy);
    *rh_vector_push(&sym->tuples) = (struct rh__sym_tuple){count, copy};
    return (uint32_t)(sym->tuples.count - 1) | RH__SYM_TUPLE;
}

unsigned rh__sym_bits(const struct rh_ir_module *module, uint32_t type)
{
    const struct rh_ir_type *it = rh_ir_type_of(module, type);
    switch (it->kind) {
    case RH_IR_INTEGER:
        return it->bits <= RH_TERM_WIDEST ? it->bits : 0;
    case RH_IR_REAL:
        return it->bits == 32 || it->bits == 64 ? it->bits : 0;
    case RH_IR_POINTER:
        return 64;
    default:
        return 0;
    }
}

bool rh__sym_is_scalar(const struct rh_ir_module *module, uint32_t type)
{
    return rh__sym_bits(module, type) != 0;
}

bool rh__sym_parts_of(const struct rh_ir_module *module, uint32_t type, uint64_t offset,
                      struct rh__sym_parts *parts)
{
    const struct rh_ir_type *it = rh_ir_type_of(module, type);
    if (rh__sym_is_scalar(module, type)) {
        *(struct rh__sym_part *)rh_vector_push(parts) =
            (struct rh__sym_part){(uint32_t)offset, type};
        return true;
    }
    bool is_struct = it->kind == RH_IR_STRUCT;
    if (!is_struct && it->kind != RH_IR_ARRAY && it->kind != RH_IR_VECTOR)
        return false;
    bool has_all = true;
    for (uint64_t i = 0; i < it->count && has_all; i++) {
        uint32_t part = is_struct ? it->fields[i] : it->element;
        uint64_t at = is_struct ? it->offsets[i] : i * rh_ir_size_of(module, it->element);
        has_all = rh__sym_parts_of(module, part, offset + at, parts);
    }
    return has_all;
}

// --- Constants. ---

static rh__sym_value zero(struct rh__sym *sym, uint32_t type)
{
    unsigned bits = rh__sym_bits(sym->module, type);
    if (bits)
        return rh_term_constant(&sym->terms, bits, 0);
    struct rh__sym_parts parts = {0};
    RH_VECTOR(struct rh__sym_cell) cells = {0};
    bool has_all = rh__sym_parts_of(sym->module, type, 0, &parts);
    for (size_t i = 0; i < parts.count && has_all; i++)
        *rh_vector_push(&cells) = (struct rh__sym_cell){
            parts.items[i].offset, (uint32_t)rh_ir_size_of(sym->module, parts.items[i].type),
            rh_term_constant(&sym->terms, rh__sym_bits(sym->module, parts.items[i].type), 0)};
    rh__sym_value value =
        has_all ? rh__sym_tuple_new(sym, cells.items, (uint32_t)cells.count) : RH__SYM_NO_VALUE;
    rh_vector_fini(&cells);
    rh_vector_fini(&parts);
    return value;
}

static rh_term real_constant(struct rh__sym *sym, unsigned bits, double real)
{
    uint64_t number = 0;
    float small = (float)real;
    if (bits == 32)
        memcpy(&number, &small, sizeof small);
    else
        memcpy(&number, &real, sizeof real);
    return rh_term_constant(&sym->terms, bits, number);
}

static rh__sym_value expression(struct rh__sym *sym, const struct rh_ir_constant *constant)
{
    rh__sym_value first =
        constant->operand_count ? rh__sym_constant(sym, constant->operands[0]) : RH__SYM_NO_VALUE;
    if (first == RH__SYM_NO_VALUE || rh__sym_is_tuple(first))
        return RH__SYM_NO_VALUE;
    switch (constant->opcode) {
    case RH_IR_ADDRESS:
        return constant->operand_count == 1
                   ? rh_term_make2(&sym->terms, RH_TERM_ADD, first,
                                   rh_term_constant(&sym->terms, 64, (uint64_t)constant->offset))
                   : RH__SYM_NO_VALUE;
    case RH_IR_TO_INTEGER:
    case RH_IR_TO_ADDRESS:
    case RH_IR_REINTERPRET:
        return rh_term_width(&sym->terms, first) == rh__sym_bits(sym->module, constant->type)
                   ? first
                   : RH__SYM_NO_VALUE;
    default:
        return RH__SYM_NO_VALUE;
    }
}

static void write_constant(struct rh__sym *sym, struct rh__sym_object **object, uint64_t offset,
                           uint32_t constant, bool *has_all);

// An array, a vector or a struct of constants: written into an object, and read from it.
static rh__sym_value aggregate(struct rh__sym *sym, uint32_t constant, uint32_t type)
{
    struct rh__sym_object *object =
        rh__sym_object_new(rh_ir_size_of(sym->module, type), RH__SYM_REST_ZERO);
    bool has_all = true;
    write_constant(sym, &object, 0, constant, &has_all);
    struct rh__sym_parts parts = {0};
    RH_VECTOR(struct rh__sym_cell) cells = {0};
    has_all = rh__sym_parts_of(sym->module, type, 0, &parts) && has_all;
    for (size_t i = 0; i < parts.count && has_all; i++) {
        bool is_unset = false;
        uint32_t size = (uint32_t)rh_ir_size_of(sym->module, parts.items[i].type);
        rh_term term = rh__sym_object_read(sym, object, parts.items[i].offset, size, &is_unset);
        term = rh_term_part(&sym->terms, term, 0, rh__sym_bits(sym->module, parts.items[i].type));
        *rh_vector_push(&cells) = (struct rh__sym_cell){parts.items[i].offset, size, term};
    }
    rh__sym_value value =
        has_all ? rh__sym_tuple_new(sym, cells.items, (uint32_t)cells.count) : RH__SYM_NO_VALUE;
    rh_vector_fini(&cells);
    rh_vector_fini(&parts);
    rh__sym_object_release(object);
    return value;
}

rh__sym_value rh__sym_constant(struct rh__sym *sym, uint32_t index)
{
    const struct rh_ir_constant *constant = &sym->module->constants.items[index];
    unsigned bits = rh__sym_bits(sym->module, constant->type);
    switch (constant->kind) {
    case RH_IR_NUMBER:
        return bits ? rh_term_constant(&sym->terms, bits, (uint64_t)constant->number)
                    : RH__SYM_NO_VALUE;
    case RH_IR_REAL_NUMBER:
        return bits ? real_constant(sym, bits, constant->real) : RH__SYM_NO_VALUE;
    case RH_IR_ZERO:
    case RH_IR_UNDEFINED: // any bits: zero is as good as others
        return zero(sym, constant->type);
    case RH_IR_VARIABLE:
        return rh_term_constant(&sym->terms, 64,
                                rh__sym_global_address((uint32_t)constant->number));
    case RH_IR_FUNCTION:
        return rh_term_constant(&sym->terms, 64,
                                rh__sym_function_address((uint32_t)constant->number));
    case RH_IR_EXPRESSION:
        return expression(sym, constant);
    case RH_IR_BYTES:
    case RH_IR_ELEMENTS:
        return aggregate(sym, index, constant->type);
    case RH_IR_OTHER_CONSTANT:
        break;
    }
    return RH__SYM_NO_VALUE;
}

// --- What global variables hold at the start. ---

static void write_scalar(struct rh__sym *sym, struct rh__sym_object **object, uint64_t offset,
                         rh_term term)
{
    unsigned bits = rh_term_width(&sym->terms, term), bytes = (bits + 7) / 8;
    if (bits != bytes * 8)
        term = rh_term_resize(&sym->terms, RH_TERM_EXTEND_ZERO, term, bytes * 8);
    rh__sym_object_write(sym, object, offset, bytes, term);
}

static void write_elements(struct rh__sym *sym, struct rh__sym_object **object, uint64_t offset,
                           const struct rh_ir_constant *constant, bool *has_all)
{
    const struct rh_ir_type *type = rh_ir_type_of(sym->module, constant->type);
    for (uint32_t i = 0; i < constant->operand_count; i++) {
        uint64_t at = type->kind == RH_IR_STRUCT ? type->offsets[i]
                                                 : i * rh_ir_size_of(sym->module, type->element);
        write_constant(sym, object, offset + at, constant->operands[i], has_all);
    }
}

static void write_constant(struct rh__sym *sym, struct rh__sym_object **object, uint64_t offset,
                           uint32_t index, bool *has_all)
{
    const struct rh_ir_constant *constant = &sym->module->constants.items[index];
    switch (constant->kind) {
    case RH_IR_ZERO:
        return; // the object begins as zeros
    case RH_IR_BYTES:
        for (size_t i = 0; i < constant->byte_count; i++)
            rh__sym_object_write(
                sym, object, offset + i, 1,
                rh_term_constant(&sym->terms, 8, (unsigned char)constant->bytes[i]));
        return;
    case RH_IR_ELEMENTS:
        write_elements(sym, object, offset, constant, has_all);
        return;
    default:
        break;
    }
    rh__sym_value value = rh__sym_constant(sym, index);
    if (value == RH__SYM_NO_VALUE || rh__sym_is_tuple(value))
        *has_all = constant->kind == RH_IR_UNDEFINED;
    else
        write_scalar(sym, object, offset, value);
}

struct rh__sym_object *rh__sym_global(struct rh__sym *sym, uint32_t index)
{
    const struct rh_ir_global *global = &sym->module->globals.items[index];
    if (sym->globals[index] || global->initial == RH_NONE)
        return sym->globals[index];
    struct rh__sym_object *object =
        rh__sym_object_new(rh_ir_size_of(sym->module, global->type), RH__SYM_REST_ZERO);
    bool has_all = true;
    write_constant(sym, &object, 0, global->initial, &has_all);
    if (!has_all) {
        rh__sym_object_release(object);
        return NULL;
    }
    sym->globals[index] = object;
    return object;
}

bool rh__sym_number(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term term,
                    uint64_t *number)
{
    return rh_term_is_constant(&sym->terms, rh__sym_settle(sym, situation, term), number);
}

const char *rh__sym_text(struct rh__sym *sym, const struct rh__sym_situation *situation,
                         rh_term address)
{
    uint64_t number;
    if (!rh__sym_number(sym, situation, address, &number) || number < RH__SYM_GLOBALS ||
        number >= RH__SYM_FUNCTIONS)
        return NULL;
    const struct rh__sym_object *object =
        rh__sym_global(sym, (uint32_t)((number - RH__SYM_GLOBALS) >> RH__SYM_OBJECT_BITS));
    struct rh_text text = {0};
    for (uint64_t i = number & UINT32_MAX; object && i < object->size; i++) {
        bool is_unset = false;
        uint64_t byte;
        rh_term term = rh__sym_object_read(sym, object, i, 1, &is_unset);
        if (!rh_term_is_constant(&sym->terms, term, &byte) || byte == 0)
            break;
        char character = (char)byte;
        rh_text_add_bytes(&text, &character, 1);
    }
    const char *copy = rh_arena_text(&sym->arena, rh_text_get(&text), text.length);
    rh_text_fini(&text);
    return object ? copy : NULL;
}

// Numbers that happen to be so large are hardly as near to the beginning of an object.
bool rh__sym_is_address(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                        uint64_t number)
{
    enum { NEAR = 1 << 20 };
    uint64_t inside = number & ((UINT64_C(1) << RH__SYM_OBJECT_BITS) - 1);
    uint64_t actor = (number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS;
    if (number < RH__SYM_GLOBALS)
        return false;
    if (number < RH__SYM_FUNCTIONS)
        return inside < NEAR &&
               (number - RH__SYM_GLOBALS) >> RH__SYM_OBJECT_BITS < sym->module->globals.count;
    if (number < RH__SYM_OBJECTS)
        return number % 16 == 0 && (number - RH__SYM_FUNCTIONS) / 16 < sym->module->functions.count;
    if (number < RH__SYM_ACTORS)
        return inside < NEAR &&
               (number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS < situation->objects.count;
    return number == rh__sym_actor_address((uint32_t)actor) && actor < situation->actors.count;
}
