// SPDX-License-Identifier: MIT
// How a value prints. Every part gets the bytes that are there, which may be fewer than its type
// says (a message cut short) or, for the outermost part, more (a flexible array).
#include "debug/internal.h"

#include <locale.h>
#include <string.h>

enum {
    MOST_ELEMENTS = 16,
    MOST_HEX_BYTES = 32,
    // Parts of one value: nobody reads more, and broken types could go on forever.
    MOST_PARTS = 10000,
};

struct printer {
    struct rh_debug *debug;
    struct rh_text *text;
    const struct rh_debug_names *names;
    size_t parts_left;
};

// A value in memory: `size` bytes are there.
struct view {
    const unsigned char *bytes;
    size_t size;
};

static void add_value(struct printer *printer, const struct rh_debug_type *type, struct view view);

static void add_hex(struct printer *printer, struct view view)
{
    for (size_t i = 0; i < view.size && i < MOST_HEX_BYTES; i++)
        rh_text_addf(printer->text, "%s%02x", i ? " " : "", view.bytes[i]);
    if (view.size > MOST_HEX_BYTES)
        rh_text_add(printer->text, " ...");
    if (view.size == 0)
        rh_text_add(printer->text, "{}");
}

static void add_enum(struct printer *printer, const struct rh_debug_type *type, rh__uint128 raw,
                     unsigned bits)
{
    rh__int128 value = rh__is_signed(type) ? rh__bits_extend(raw, bits) : (rh__int128)raw;
    uint64_t cut = (uint64_t)value;
    if (type->size < 8)
        cut &= (UINT64_C(1) << 8 * type->size) - 1;
    for (size_t i = 0; i < type->enumerators.count; i++) {
        if (type->enumerators.items[i].value == cut) {
            rh_text_add(printer->text, type->enumerators.items[i].name);
            return;
        }
    }
    rh_text_addf(printer->text, rh__is_signed(type) ? "%lld" : "%llu", (long long)value);
}

static void add_number(struct printer *printer, const struct rh_debug_type *type, rh__uint128 raw,
                       unsigned bits)
{
    struct rh_text *text = printer->text;
    if (type->kind == RH__ENUM)
        add_enum(printer, type, raw, bits);
    else if (type->kind == RH__BOOL && raw <= 1)
        rh_text_add(text, raw ? "true" : "false");
    else if (type->kind == RH__CHARACTER && bits == 8)
        rh__add_character(text, (char)raw);
    else if (type->size > 8 && raw >> 64)
        rh_text_addf(text, "0x%llx%016llx", (unsigned long long)(raw >> 64),
                     (unsigned long long)raw);
    else if (type->size > 8)
        rh_text_addf(text, "0x%llx", (unsigned long long)raw);
    else if (rh__is_signed(type))
        rh_text_addf(text, "%lld", (long long)rh__bits_extend(raw, bits));
    else
        rh_text_addf(text, "%llu", (unsigned long long)raw);
}

static long double read_float(const unsigned char *bytes, size_t size)
{
    float narrow;
    double middle;
    long double wide = 0;
    if (size == sizeof narrow) {
        memcpy(&narrow, bytes, sizeof narrow);
        return (long double)narrow;
    }
    if (size == sizeof middle) {
        memcpy(&middle, bytes, sizeof middle);
        return (long double)middle;
    }
    memcpy(&wide, bytes, 10);
    return wide;
}

// Prints in the "C" locale: the program under test may have chosen a language that writes 1,5.
static void add_float(struct printer *printer, const struct rh_debug_type *type, struct view view)
{
    bool is_complex = type->kind == RH__COMPLEX;
    size_t size = is_complex ? type->size / 2 : type->size;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    rh_text_addf(printer->text, "%Lg", read_float(view.bytes, size));
    if (is_complex)
        rh_text_addf(printer->text, "%+Lgi", read_float(view.bytes + size, size));
    uselocale(before);
    freelocale(plain);
}

static void add_byte_list(struct printer *printer, struct view view)
{
    rh_text_add(printer->text, "[");
    for (size_t i = 0; i < view.size && i < MOST_ELEMENTS; i++)
        rh_text_addf(printer->text, "%s0x%02x", i ? ", " : "", view.bytes[i]);
    rh_text_add(printer->text, view.size > MOST_ELEMENTS ? ", ...]" : "]");
}

static void add_characters(struct printer *printer, struct view view)
{
    const char *bytes = (const char *)view.bytes;
    size_t length = view.size ? strnlen(bytes, view.size) : 0;
    if (rh__is_text(bytes, length))
        rh__add_quoted(printer->text, bytes, length);
    else
        add_byte_list(printer, view);
}

static struct view part_of(struct view view, size_t offset, size_t size)
{
    size_t rest = offset < view.size ? view.size - offset : 0;
    return (struct view){view.bytes + (rest ? offset : 0), rest < size ? rest : size};
}

// `count` elements are wanted; those of which the bytes are missing show as `...`.
static void add_elements(struct printer *printer, const struct rh_debug_type *element, size_t count,
                         struct view view)
{
    size_t size = element->size;
    rh_text_add(printer->text, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            rh_text_add(printer->text, ", ");
        if (i == MOST_ELEMENTS || view.size <= i * size) {
            rh_text_add(printer->text, "...");
            break;
        }
        add_value(printer, element, part_of(view, i * size, size));
    }
    rh_text_add(printer->text, "]");
}

static void add_array(struct printer *printer, const struct rh_debug_type *type, struct view view)
{
    if (type->element->kind == RH__CHARACTER)
        add_characters(printer, view);
    else
        add_elements(printer, type->element, type->count, view);
}

static void add_flexible(struct printer *printer, const struct rh_debug_type *type,
                         struct view view)
{
    if (type->element->kind == RH__CHARACTER)
        add_characters(printer, view);
    else
        add_elements(printer, type->element, view.size / type->element->size, view);
}

static void add_field(struct printer *printer, const struct rh_debug_type *outer, size_t index,
                      struct view view)
{
    const struct rh__field *field = &outer->fields.items[index];
    rh_text_addf(printer->text, "%s = ", field->name);
    if (field->bit_size) {
        rh__uint128 raw =
            rh__bits_read(view.bytes, field->offset, field->bit_offset, field->bit_size);
        add_number(printer, field->type, raw, field->bit_size);
    } else if (rh__is_flexible_field(outer, index)) {
        add_flexible(printer, field->type, part_of(view, field->offset, SIZE_MAX));
    } else {
        add_value(printer, field->type, part_of(view, field->offset, field->type->size));
    }
}

// Whether enough of the field is there to print: all bytes of a scalar, at least one of a field
// that has parts.
static bool is_there(const struct rh__field *field, struct view view)
{
    bool has_parts = field->type->kind >= RH__STRUCT;
    size_t needed = field->bit_size ? (field->bit_offset + field->bit_size + 7) / 8
                    : has_parts     ? field->type->size > 0
                                    : field->type->size;
    return field->offset <= view.size && needed <= view.size - field->offset;
}

// Gives false if the bytes end before the fields do; `...` stands for the rest then.
static bool add_fields(struct printer *printer, const struct rh_debug_type *type, struct view view,
                       bool *is_first)
{
    for (size_t i = 0; i < type->fields.count; i++) {
        const struct rh__field *field = &type->fields.items[i];
        bool has_fields = field->type->kind == RH__STRUCT || field->type->kind == RH__UNION;
        if (!field->name && !has_fields)
            continue;
        if (!field->name && is_there(field, view)) {
            struct view inner = part_of(view, field->offset, field->type->size);
            if (!add_fields(printer, field->type, inner, is_first))
                return false;
            continue;
        }
        rh_text_add(printer->text, *is_first ? "" : ", ");
        *is_first = false;
        if (!is_there(field, view)) {
            rh_text_add(printer->text, "...");
            return false;
        }
        add_field(printer, type, i, view);
    }
    return true;
}

static void add_struct(struct printer *printer, const struct rh_debug_type *type, struct view view)
{
    bool is_first = true;
    rh_text_add(printer->text, "{");
    if (view.size > 0)
        add_fields(printer, type, view, &is_first);
    rh_text_add(printer->text, "}");
}

static void add_scalar(struct printer *printer, const struct rh_debug_type *type, struct view view)
{
    unsigned bits = (unsigned)type->size * 8;
    if (type->kind == RH__OPAQUE)
        add_hex(printer, view);
    else if (view.size < type->size)
        rh_text_add(printer->text, "...");
    else if (type->kind == RH__FLOAT || type->kind == RH__COMPLEX)
        add_float(printer, type, view);
    else if (type->kind == RH__POINTER)
        rh__add_pointer(printer->debug, printer->text, type->pointee,
                        (uint64_t)rh__bits_read(view.bytes, 0, 0, bits), printer->names);
    else
        add_number(printer, type, rh__bits_read(view.bytes, 0, 0, bits), bits);
}

static void add_value(struct printer *printer, const struct rh_debug_type *type, struct view view)
{
    if (printer->parts_left == 0) {
        rh_text_add(printer->text, "...");
        return;
    }
    printer->parts_left--;
    if (type->kind == RH__STRUCT || type->kind == RH__UNION)
        add_struct(printer, type, view);
    else if (type->kind == RH__ARRAY)
        add_array(printer, type, view);
    else
        add_scalar(printer, type, view);
}

static bool has_flexible_field(const struct rh_debug_type *type)
{
    return (type->kind == RH__STRUCT || type->kind == RH__UNION) && type->fields.count &&
           rh__is_flexible_field(type, type->fields.count - 1);
}

void rh_debug_add_value(struct rh_debug *debug, struct rh_text *text,
                        const struct rh_debug_type *type, const void *bytes, size_t size,
                        const struct rh_debug_names *names)
{
    struct printer printer = {debug, text, names, MOST_PARTS};
    struct view view = {bytes, size};
    if (!type) {
        add_hex(&printer, view);
        return;
    }
    bool is_longer = size > type->size && !has_flexible_field(type);
    if (is_longer)
        view.size = type->size;
    add_value(&printer, type, view);
    if (is_longer)
        rh_text_addf(text, " and %zu more byte%s", size - type->size,
                     size - type->size == 1 ? "" : "s");
}
