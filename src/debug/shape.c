// SPDX-License-Identifier: MIT
// Which bytes of a type carry values, which are pointers, and to what.
#include "debug/internal.h"

#include <string.h>

static void set_mask(const struct rh_debug_type *type, uint8_t *mask);

static void mask_array(const struct rh_debug_type *type, uint8_t *mask)
{
    enum rh__kind kind = type->element->kind;
    bool may_have_padding =
        kind == RH__ARRAY || kind == RH__STRUCT || kind == RH__UNION || type->element->is_extended;
    if (!may_have_padding)
        memset(mask, 0xff, type->size);
    for (size_t i = 0; may_have_padding && i < type->count; i++)
        set_mask(type->element, mask + i * type->element->size);
}

static void mask_fields(const struct rh_debug_type *type, uint8_t *mask)
{
    for (size_t i = 0; i < type->fields.count; i++) {
        const struct rh__field *field = &type->fields.items[i];
        uint8_t *place = mask + field->offset;
        if (field->bit_size)
            memset(place, 0xff, (field->bit_offset + field->bit_size + 7) / 8);
        else if (rh__is_flexible_field(type, i))
            // The elements may begin in bytes that look like padding at the end of the struct.
            memset(place, 0xff, type->size - field->offset);
        else
            set_mask(field->type, place);
    }
    // Clearing a byte that carries a value would change the program under test.
    if (type->is_incomplete)
        memset(mask, 0xff, type->size);
}

// Adds to a mask: the members of a union each set their own bytes.
static void set_mask(const struct rh_debug_type *type, uint8_t *mask)
{
    switch (type->kind) {
    case RH__ARRAY:
        mask_array(type, mask);
        break;
    case RH__STRUCT:
    case RH__UNION:
        mask_fields(type, mask);
        break;
    case RH__FLOAT:
        memset(mask, 0xff, type->is_extended ? 10 : type->size);
        break;
    case RH__COMPLEX:
        memset(mask, 0xff, type->is_extended ? 10 : type->size);
        if (type->is_extended)
            memset(mask + 16, 0xff, 10);
        break;
    default:
        memset(mask, 0xff, type->size);
    }
}

void rh_debug_type_mask(const struct rh_debug_type *type, uint8_t *mask)
{
    size_t start;
    memset(mask, 0, type->size);
    set_mask(type, mask);
    // The elements at the end of an inner struct may begin in bytes that look like padding of the
    // outer struct.
    if (rh_debug_type_tail(type, &start))
        memset(mask + start, 0xff, type->size - start);
}

const struct rh_debug_type *rh_debug_type_tail(const struct rh_debug_type *type, size_t *start)
{
    *start = 0;
    while (type->kind == RH__STRUCT && type->fields.count > 0 && !type->is_incomplete) {
        const struct rh_debug_type *outer = type;
        size_t last = outer->fields.count - 1;
        const struct rh__field *field = &outer->fields.items[last];
        *start += field->offset;
        type = field->type;
        if (rh__is_flexible_field(outer, last))
            return type->element->size > 0 ? type->element : NULL;
    }
    return NULL;
}

struct offsets {
    size_t *items;
    size_t count;
    size_t most;
    bool of_actors; // whether pointers to rh_actor are wanted, or all other pointers
};

static bool has_pointers(const struct rh_debug_type *type)
{
    while (type->kind == RH__ARRAY)
        type = type->element;
    return type->kind == RH__POINTER || type->kind == RH__STRUCT;
}

static void add_pointers(const struct rh_debug_type *type, size_t offset, struct offsets *offsets)
{
    if (type->kind == RH__POINTER) {
        if ((type->pointee == RH__TO_ACTOR) == offsets->of_actors && offsets->count < offsets->most)
            offsets->items[offsets->count++] = offset;
    } else if (type->kind == RH__STRUCT) {
        for (size_t i = 0; i < type->fields.count; i++)
            add_pointers(type->fields.items[i].type, offset + type->fields.items[i].offset,
                         offsets);
    } else if (type->kind == RH__ARRAY && has_pointers(type)) {
        for (size_t i = 0; i < type->count && offsets->count < offsets->most; i++) {
            size_t before = offsets->count;
            add_pointers(type->element, offset + i * type->element->size, offsets);
            // If one element has no such pointers, no element has any.
            if (offsets->count == before)
                break;
        }
    }
}

size_t rh_debug_type_pointers(const struct rh_debug_type *type, size_t *offsets, size_t most)
{
    struct offsets found = {.items = offsets, .most = most};
    add_pointers(type, 0, &found);
    return found.count;
}

size_t rh_debug_type_actors(const struct rh_debug_type *type, size_t *offsets, size_t most)
{
    struct offsets found = {.items = offsets, .most = most, .of_actors = true};
    add_pointers(type, 0, &found);
    return found.count;
}

enum { FILLED_MOST = 8 };

struct filled {
    const uint8_t *bytes;
    size_t size;
    uint8_t byte;
    size_t count;
    struct rh_text path; // of the field that is looked at
    struct rh_text *names;
};

static void add_if_filled(struct filled *filled, size_t offset, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (offset + i >= filled->size || filled->bytes[offset + i] != filled->byte)
            return;
    if (size > 0 && filled->count++ < FILLED_MOST)
        rh_text_addf(filled->names, "%s%s", filled->names->length > 0 ? ", " : "",
                     rh_text_get(&filled->path));
}

static void find_filled(struct filled *filled, const struct rh_debug_type *type, size_t offset)
{
    size_t length = filled->path.length;
    if (type->kind == RH__ARRAY && type->count > 0 && !type->is_flexible) {
        rh_text_add(&filled->path, "[0]");
        find_filled(filled, type->element, offset);
    } else if (type->kind == RH__STRUCT) {
        for (size_t i = 0; i < type->fields.count; i++) {
            const struct rh__field *field = &type->fields.items[i];
            rh_text_cut(&filled->path, length);
            if (field->bit_size != 0)
                continue;
            rh_text_addf(&filled->path, "%s%s", field->name && length > 0 ? "." : "",
                         field->name ? field->name : "");
            find_filled(filled, field->type, offset + field->offset);
        }
    } else if (type->kind != RH__ARRAY && type->kind != RH__UNION && type->kind != RH__OPAQUE) {
        add_if_filled(filled, offset, type->is_extended ? 10 : type->size);
    }
    rh_text_cut(&filled->path, length);
}

bool rh_debug_find_filled(const struct rh_debug_type *type, const void *bytes, size_t size,
                          uint8_t byte, struct rh_text *names)
{
    struct filled filled = {.bytes = bytes, .size = size, .byte = byte, .names = names};
    find_filled(&filled, type, 0);
    rh_text_fini(&filled.path);
    return filled.count > 0;
}

static const struct rh__field *field_at(const struct rh_debug_type *type, size_t offset)
{
    for (size_t i = 0; i < type->fields.count; i++) {
        const struct rh__field *field = &type->fields.items[i];
        if (offset >= field->offset && offset - field->offset < field->type->size &&
            field->bit_size == 0)
            return field;
    }
    return NULL;
}

static const struct rh_debug_type *pointer_at(const struct rh_debug_type *type, size_t offset)
{
    while (type->kind == RH__STRUCT || type->kind == RH__ARRAY) {
        if (type->kind == RH__ARRAY) {
            type = type->element;
            offset = type->size > 0 ? offset % type->size : offset;
            continue;
        }
        const struct rh__field *field = field_at(type, offset);
        if (!field)
            return NULL;
        offset -= field->offset;
        type = field->type;
    }
    return type->kind == RH__POINTER && offset == 0 ? type : NULL;
}

const struct rh_debug_type *rh_debug_type_pointee(struct rh_debug *debug,
                                                  const struct rh_debug_type *type, size_t offset)
{
    struct rh_debug_type *pointer = (struct rh_debug_type *)pointer_at(type, offset);
    if (!pointer || !pointer->has_target)
        return NULL;
    const struct rh_debug_type *pointee = rh__type_of_die(debug, &pointer->target);
    return pointee->size > 0 ? pointee : NULL;
}
