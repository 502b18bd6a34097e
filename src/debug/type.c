// SPDX-License-Identifier: MIT
// From a DIE to the model of its type. Each DIE is turned once. A DIE that is met again while it is
// being turned contains itself, which only broken information says: it counts as opaque there.
#include "debug/internal.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct rh_debug_type *rh__type_new(struct rh_debug *debug, enum rh__kind kind, const char *name,
                                   size_t size)
{
    struct rh_debug_type *type = rh_alloc(sizeof *type);
    *rh_vector_push(&debug->types) = type;
    type->kind = kind;
    type->name = name;
    type->size = size;
    return type;
}

static const struct rh_debug_type *unknown_type(struct rh_debug *debug)
{
    return rh__type_new(debug, RH__OPAQUE, NULL, 0);
}

const struct rh_debug_type **rh__converted(struct rh_debug *debug, const void *key)
{
    uint32_t place = rh_index_find(&debug->converted_index, (uintptr_t)key);
    if (place == RH_NONE) {
        place = (uint32_t)debug->converted.count;
        rh_index_add(&debug->converted_index, (uintptr_t)key, place);
        rh_vector_push(&debug->converted);
    }
    return &debug->converted.items[place];
}

static bool is_wrapper(int tag)
{
    switch (tag) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
    case DW_TAG_packed_type:
    case DW_TAG_shared_type:
    case DW_TAG_immutable_type:
        return true;
    default:
        return false;
    }
}

// Takes typedefs and qualifiers off. `alias` gets the last typedef's name, for a type that has no
// name of its own. Gives false if no type is left: void, or a broken chain.
static bool unwrap(Dwarf_Die *die, const char **alias)
{
    for (int depth = 0; depth < RH__DEBUG_DEPTH; depth++) {
        if (!is_wrapper(dwarf_tag(die)))
            return true;
        if (alias && dwarf_tag(die) == DW_TAG_typedef)
            *alias = dwarf_diename(die);
        if (!rh__die_reference(die, DW_AT_type, die))
            return false;
    }
    return false;
}

static bool is_named(Dwarf_Die *die, const char *name)
{
    const char *found = dwarf_diename(die);
    return found && strcmp(found, name) == 0;
}

static bool is_plain_char(Dwarf_Die *die)
{
    return dwarf_tag(die) == DW_TAG_base_type && is_named(die, "char");
}

enum rh__pointee rh__pointee_of(Dwarf_Die *target)
{
    Dwarf_Die die = *target;
    if (!unwrap(&die, NULL))
        return RH__TO_OTHER;
    int tag = dwarf_tag(&die);
    if (tag == DW_TAG_subroutine_type)
        return RH__TO_FUNCTION;
    if ((tag == DW_TAG_structure_type || tag == DW_TAG_class_type) && is_named(&die, "rh_actor"))
        return RH__TO_ACTOR;
    return is_plain_char(&die) ? RH__TO_CHARACTERS : RH__TO_OTHER;
}

static const struct rh_debug_type *turn_pointer(struct rh_debug *debug, Dwarf_Die *die)
{
    struct rh_debug_type *type = rh__type_new(debug, RH__POINTER, NULL, sizeof(void *));
    type->has_target = rh__die_reference(die, DW_AT_type, &type->target);
    if (type->has_target)
        type->pointee = rh__pointee_of(&type->target);
    return type;
}

static enum rh__kind kind_of_encoding(Dwarf_Die *die, uint64_t encoding, uint64_t size)
{
    switch (encoding) {
    case DW_ATE_boolean:
        return size <= 8 ? RH__BOOL : RH__OPAQUE;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
        if (is_plain_char(die) && size == 1)
            return RH__CHARACTER;
        return encoding == DW_ATE_signed_char ? RH__SIGNED : RH__UNSIGNED;
    case DW_ATE_signed:
        return RH__SIGNED;
    case DW_ATE_UTF:
    case DW_ATE_unsigned:
        return RH__UNSIGNED;
    case DW_ATE_float:
        return RH__FLOAT;
    case DW_ATE_complex_float:
        return RH__COMPLEX;
    default:
        return RH__OPAQUE;
    }
}

static bool is_number_size(enum rh__kind kind, uint64_t size)
{
    if (kind == RH__FLOAT)
        return size == 4 || size == 8 || size == 16;
    if (kind == RH__COMPLEX)
        return size == 8 || size == 16 || size == 32;
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

// Sixteen bytes may also hold a __float128, which no printf reads. clang calls every complex type
// just "complex".
static bool is_long_double(const char *name)
{
    return name && (strstr(name, "long double") || strcmp(name, "complex") == 0);
}

static const struct rh_debug_type *turn_base(struct rh_debug *debug, Dwarf_Die *die)
{
    uint64_t size = 0;
    uint64_t encoding = 0;
    const char *name = dwarf_diename(die);
    rh__die_unsigned(die, DW_AT_byte_size, &size);
    rh__die_unsigned(die, DW_AT_encoding, &encoding);
    enum rh__kind kind = kind_of_encoding(die, encoding, size);
    if (!is_number_size(kind, size))
        return rh__type_new(debug, RH__OPAQUE, name, size <= 64 ? size : 0);
    struct rh_debug_type *type = rh__type_new(debug, kind, name, size);
    bool is_widest = (kind == RH__FLOAT && size == 16) || (kind == RH__COMPLEX && size == 32);
    type->is_extended = is_widest && is_long_double(name);
    if (is_widest && !type->is_extended)
        type->kind = RH__OPAQUE;
    return type;
}

static uint64_t cut(uint64_t value, size_t size)
{
    return size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

static void add_enumerator(struct rh_debug_type *type, Dwarf_Die *die)
{
    Dwarf_Attribute found;
    Dwarf_Word plain = 0;
    Dwarf_Sword with_sign = 0;
    const char *name = dwarf_diename(die);
    if (!name || !dwarf_attr(die, DW_AT_const_value, &found))
        return;
    // Fixed-size forms carry no sign: libdw would take 200 in one byte for -56.
    unsigned form = dwarf_whatform(&found);
    if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
        if (dwarf_formsdata(&found, &with_sign) != 0)
            return;
        plain = (Dwarf_Word)with_sign;
        type->is_signed = type->is_signed || with_sign < 0;
    } else if (dwarf_formudata(&found, &plain) != 0) {
        return;
    }
    struct rh__enumerator *enumerator = rh_vector_push(&type->enumerators);
    enumerator->name = name;
    enumerator->value = cut(plain, type->size);
}

// The children of a type's DIE, in order. `die` starts as the parent; gives false at the end.
static bool next_child(Dwarf_Die *die, bool *started)
{
    const char *place = die->addr;
    int failed = *started ? dwarf_siblingof(die, die) : dwarf_child(die, die);
    *started = true;
    return failed == 0 && (const char *)die->addr > place;
}

static bool is_signed_base(Dwarf_Die *enumeration)
{
    Dwarf_Die base;
    uint64_t encoding = 0;
    if (!rh__die_reference(enumeration, DW_AT_type, &base) || !unwrap(&base, NULL))
        return false;
    rh__die_unsigned(&base, DW_AT_encoding, &encoding);
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

static const char *with_word(struct rh_debug *debug, const char *word, Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    if (!name)
        return NULL;
    struct rh_text text = {0};
    rh_text_addf(&text, "%s %s", word, name);
    return rh__debug_keep(debug, rh_text_take(&text));
}

static const struct rh_debug_type *turn_enum(struct rh_debug *debug, Dwarf_Die *die)
{
    uint64_t size = 0;
    rh__die_unsigned(die, DW_AT_byte_size, &size);
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return rh__type_new(debug, RH__OPAQUE, NULL, size <= 64 ? size : 0);
    struct rh_debug_type *type = rh__type_new(debug, RH__ENUM, with_word(debug, "enum", die), size);
    type->is_signed = is_signed_base(die);
    Dwarf_Die child = *die;
    for (bool started = false; next_child(&child, &started);)
        if (dwarf_tag(&child) == DW_TAG_enumerator)
            add_enumerator(type, &child);
    return type;
}

const struct rh_debug_type *rh__array_of(struct rh_debug *debug,
                                         const struct rh_debug_type *element, size_t count,
                                         bool is_flexible)
{
    size_t size;
    if (__builtin_mul_overflow(element->size, count, &size) || size > (size_t)PTRDIFF_MAX)
        return unknown_type(debug);
    struct rh_debug_type *type = rh__type_new(debug, RH__ARRAY, NULL, size);
    type->element = element;
    type->count = count;
    type->is_flexible = is_flexible;
    return type;
}

// Gives false if the count is missing or computed at run time.
static bool dimension_count(Dwarf_Die *die, uint64_t *count)
{
    uint64_t upper;
    uint64_t lower = 0;
    if (rh__die_unsigned(die, DW_AT_count, count))
        return true;
    if (!rh__die_unsigned(die, DW_AT_upper_bound, &upper))
        return false;
    rh__die_unsigned(die, DW_AT_lower_bound, &lower);
    *count = upper - lower + 1;
    return true;
}

static const struct rh_debug_type *turn_array(struct rh_debug *debug, Dwarf_Die *die)
{
    uint64_t counts[RH__DEBUG_DEPTH];
    bool known[RH__DEBUG_DEPTH];
    size_t dimensions = 0;
    Dwarf_Die child = *die;
    for (bool started = false; next_child(&child, &started);) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type || dimensions == RH__DEBUG_DEPTH)
            continue;
        counts[dimensions] = 0;
        known[dimensions] = dimension_count(&child, &counts[dimensions]);
        dimensions++;
    }
    const struct rh_debug_type *type = rh__type_of(debug, die);
    if (type->size == 0)
        return unknown_type(debug);
    while (dimensions > 0) {
        dimensions--;
        type = rh__array_of(debug, type, counts[dimensions],
                            !known[dimensions] || counts[dimensions] == 0);
    }
    return type;
}

// The offset is a constant, or in DWARF 2 an expression that adds a constant. Gives false for an
// offset that only a running program could compute, such as a virtual base's.
static bool member_offset(Dwarf_Die *die, uint64_t *offset)
{
    Dwarf_Attribute found;
    Dwarf_Op *operations;
    size_t count;
    *offset = 0;
    if (!dwarf_attr(die, DW_AT_data_member_location, &found))
        return true;
    if (rh__die_unsigned(die, DW_AT_data_member_location, offset))
        return true;
    if (dwarf_getlocation(&found, &operations, &count) != 0 || count != 1 ||
        operations[0].atom != DW_OP_plus_uconst)
        return false;
    *offset = operations[0].number;
    return true;
}

// The position of a bit-field in bits from the start of the struct. Before DWARF 4 the position was
// counted from the most significant bit of the storage unit.
static uint64_t bit_position(Dwarf_Die *die, const struct rh_debug_type *type, uint64_t byte_offset,
                             uint64_t bit_size)
{
    uint64_t position;
    uint64_t from_top;
    uint64_t storage = type->size;
    if (rh__die_unsigned(die, DW_AT_data_bit_offset, &position))
        return position;
    if (!rh__die_unsigned(die, DW_AT_bit_offset, &from_top))
        return byte_offset * 8;
    rh__die_unsigned(die, DW_AT_byte_size, &storage);
    return byte_offset * 8 + storage * 8 - from_top - bit_size;
}

// Fills in where the field lies; gives false if it does not lie inside the struct.
static bool place_field(Dwarf_Die *die, struct rh__field *field, size_t outer_size)
{
    uint64_t offset;
    uint64_t bit_size = 0;
    if (!member_offset(die, &offset) || offset > outer_size)
        return false;
    if (!rh__die_unsigned(die, DW_AT_bit_size, &bit_size)) {
        field->offset = offset;
        return field->type->size <= outer_size - offset;
    }
    if (bit_size == 0 || !rh__is_number(field->type) || bit_size > field->type->size * 8)
        return false;
    uint64_t position = bit_position(die, field->type, offset, bit_size);
    field->offset = position / 8;
    field->bit_offset = position % 8;
    field->bit_size = (unsigned)bit_size;
    return field->offset < outer_size && position + bit_size <= outer_size * 8;
}

static void add_field(struct rh_debug *debug, struct rh_debug_type *outer, Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
        return;
    // Static members of a C++ class are no part of its values.
    if (rh__die_flag(die, DW_AT_declaration) || rh__die_flag(die, DW_AT_external))
        return;
    // Members that the compiler has added, such as the pointer to a table of virtual functions, get
    // no name.
    bool has_name = tag == DW_TAG_member && !rh__die_flag(die, DW_AT_artificial);
    struct rh__field field = {.name = has_name ? dwarf_diename(die) : NULL};
    field.type = rh__type_of(debug, die);
    bool is_known = field.type->kind != RH__OPAQUE || field.type->size > 0;
    if (is_known && place_field(die, &field, outer->size))
        *rh_vector_push(&outer->fields) = field;
    else
        outer->is_incomplete = true;
}

bool rh__is_flexible_field(const struct rh_debug_type *outer, size_t index)
{
    const struct rh_debug_type *type = outer->fields.items[index].type;
    return type->kind == RH__ARRAY && type->is_flexible &&
           (outer->kind == RH__UNION || index + 1 == outer->fields.count);
}

static int compare_fields(const void *first, const void *second)
{
    const struct rh__field *a = first;
    const struct rh__field *b = second;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->bit_offset < b->bit_offset ? -1 : a->bit_offset > b->bit_offset;
}

static bool is_ascending(const struct rh_debug_type *type)
{
    for (size_t i = 1; i < type->fields.count; i++)
        if (compare_fields(&type->fields.items[i - 1], &type->fields.items[i]) > 0)
            return false;
    return true;
}

static const struct rh_debug_type *turn_struct(struct rh_debug *debug, Dwarf_Die *die,
                                               enum rh__kind kind, const char *word)
{
    uint64_t size = 0;
    if (rh__die_flag(die, DW_AT_declaration) || !rh__die_unsigned(die, DW_AT_byte_size, &size) ||
        size > (size_t)PTRDIFF_MAX)
        return unknown_type(debug);
    struct rh_debug_type *type = rh__type_new(debug, kind, with_word(debug, word, die), size);
    Dwarf_Die child = *die;
    for (bool started = false; next_child(&child, &started);)
        add_field(debug, type, &child);
    if (kind == RH__STRUCT && !is_ascending(type))
        qsort(type->fields.items, type->fields.count, sizeof *type->fields.items, compare_fields);
    return type;
}

static const struct rh_debug_type *turn(struct rh_debug *debug, Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_base_type:
        return turn_base(debug, die);
    case DW_TAG_enumeration_type:
        return turn_enum(debug, die);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return turn_pointer(debug, die);
    case DW_TAG_array_type:
        return turn_array(debug, die);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        return turn_struct(debug, die, RH__STRUCT, "struct");
    case DW_TAG_union_type:
        return turn_struct(debug, die, RH__UNION, "union");
    default:
        return unknown_type(debug);
    }
}

// A struct that has no tag is called by its typedef.
static const struct rh_debug_type *named(const struct rh_debug_type *type, const char *alias)
{
    if (type->name || !alias || type->kind < RH__ENUM || type->kind == RH__POINTER)
        return type;
    ((struct rh_debug_type *)type)->name = alias;
    return type;
}

static const struct rh_debug_type *turn_once(struct rh_debug *debug, Dwarf_Die *die,
                                             const char *alias)
{
    const struct rh_debug_type *known = *rh__converted(debug, die->addr);
    if (known)
        return known;
    *rh__converted(debug, die->addr) = unknown_type(debug);
    const struct rh_debug_type *type = named(turn(debug, die), alias);
    *rh__converted(debug, die->addr) = type;
    return type;
}

const struct rh_debug_type *rh__type_of_die(struct rh_debug *debug, Dwarf_Die *start)
{
    Dwarf_Die die = *start;
    const char *alias = NULL;
    if (debug->depth >= RH__DEBUG_DEPTH || !unwrap(&die, &alias))
        return unknown_type(debug);
    debug->depth++;
    const struct rh_debug_type *type = turn_once(debug, &die, alias);
    debug->depth--;
    return type;
}

const struct rh_debug_type *rh__type_of(struct rh_debug *debug, Dwarf_Die *die)
{
    Dwarf_Die target;
    return rh__die_reference(die, DW_AT_type, &target) ? rh__type_of_die(debug, &target)
                                                       : unknown_type(debug);
}

size_t rh_debug_type_size(const struct rh_debug_type *type)
{
    return type->size;
}
