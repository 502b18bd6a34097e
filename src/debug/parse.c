// SPDX-License-Identifier: MIT
// Reads a value as people write it: the scalars of C, strings, lists in brackets, structs by field
// name. Fields and elements that are not mentioned are zero, as in a C initializer.
#include "debug/internal.h"

#include <ctype.h>
#include <string.h>

#include "debug/scan.h"

static bool read_value(struct rh__scan *scan, const struct rh_debug_type *type,
                       unsigned char *bytes, size_t size);

static const char *name_of(const struct rh_debug_type *type)
{
    static const char *const names[] = {
        [RH__OPAQUE] = "this type",   [RH__SIGNED] = "a number",  [RH__UNSIGNED] = "a number",
        [RH__CHARACTER] = "char",     [RH__BOOL] = "bool",        [RH__FLOAT] = "a number",
        [RH__COMPLEX] = "a number",   [RH__ENUM] = "this enum",   [RH__POINTER] = "a pointer",
        [RH__STRUCT] = "this struct", [RH__UNION] = "this union", [RH__ARRAY] = "this array"};
    return type->name ? type->name : names[type->kind];
}

static const struct rh__enumerator *find_enumerator(const struct rh_debug_type *type,
                                                    struct rh__word word)
{
    for (size_t i = 0; i < type->enumerators.count; i++)
        if (rh__word_is(word, type->enumerators.items[i].name))
            return &type->enumerators.items[i];
    return NULL;
}

static bool refuse_enumerator(struct rh__scan *scan, const struct rh_debug_type *type,
                              struct rh__word word)
{
    struct rh_text names = {0};
    for (size_t i = 0; i < type->enumerators.count && i < 12; i++)
        rh_text_addf(&names, "%s%s", i ? ", " : "", type->enumerators.items[i].name);
    if (type->enumerators.count > 12)
        rh_text_add(&names, ", ...");
    rh__scan_refuse(scan, "%.*s is no value of %s (%s)", (int)word.length, word.start,
                    name_of(type), rh_text_get(&names));
    rh_text_fini(&names);
    return false;
}

static bool read_enumerator(struct rh__scan *scan, const struct rh_debug_type *type,
                            struct rh__whole *whole)
{
    struct rh__word word = rh__scan_word(scan);
    const struct rh__enumerator *found = find_enumerator(type, word);
    if (!found)
        return refuse_enumerator(scan, type, word);
    rh__int128 value = (rh__int128)found->value;
    if (rh__is_signed(type))
        value = rh__bits_extend(found->value, (unsigned)type->size * 8);
    whole->is_negative = value < 0;
    whole->magnitude = value < 0 ? -(rh__uint128)value : (rh__uint128)value;
    return true;
}

static bool read_truth(struct rh__scan *scan, struct rh__whole *whole)
{
    struct rh__word word = rh__scan_word(scan);
    whole->magnitude = rh__word_is(word, "true");
    return rh__word_is(word, "true") || rh__word_is(word, "false") ||
           rh__scan_refuse(scan, "expected true or false, found %.*s", (int)word.length,
                           word.start);
}

static bool read_whole(struct rh__scan *scan, const struct rh_debug_type *type,
                       struct rh__whole *whole)
{
    bool is_word = rh__scan_is_word(scan);
    if (type->kind == RH__ENUM && is_word)
        return read_enumerator(scan, type, whole);
    if (type->kind == RH__BOOL && is_word)
        return read_truth(scan, whole);
    return rh__scan_whole(scan, whole);
}

struct range {
    rh__uint128 lowest; // magnitude of the lowest number, which is 0 or negative
    rh__uint128 highest;
};

// A plain char may also be written by its unsigned code, as lists of unprintable bytes show it.
static struct range range_of(const struct rh_debug_type *type, unsigned bits)
{
    rh__uint128 half = (rh__uint128)1 << (bits - 1);
    if (type->kind == RH__BOOL)
        return (struct range){0, 1};
    if (type->kind == RH__CHARACTER && bits == 8)
        return (struct range){128, 255};
    if (rh__is_signed(type))
        return (struct range){half, half - 1};
    return (struct range){0, half - 1 + half};
}

static bool refuse_range(struct rh__scan *scan, const struct rh_debug_type *type, unsigned bits,
                         struct range range)
{
    struct rh_text field = {0};
    if (bits != type->size * 8)
        rh_text_addf(&field, " of %u bit%s", bits, bits == 1 ? "" : "s");
    if (bits > 64)
        rh__scan_refuse(scan, "the number does not fit %s%s", name_of(type), rh_text_get(&field));
    else
        rh__scan_refuse(scan, "the number does not fit %s%s (%s%llu to %llu)", name_of(type),
                        rh_text_get(&field), range.lowest ? "-" : "",
                        (unsigned long long)range.lowest, (unsigned long long)range.highest);
    rh_text_fini(&field);
    return false;
}

static bool read_number(struct rh__scan *scan, const struct rh_debug_type *type,
                        unsigned char *bytes, const struct rh__field *field)
{
    unsigned bits = field ? field->bit_size : (unsigned)type->size * 8;
    struct rh__whole whole = {0};
    const char *start = scan->at;
    if (!read_whole(scan, type, &whole))
        return false;
    struct range range = range_of(type, bits);
    if (whole.magnitude > (whole.is_negative ? range.lowest : range.highest)) {
        scan->at = start;
        return refuse_range(scan, type, bits, range);
    }
    rh__uint128 value = whole.is_negative ? -whole.magnitude : whole.magnitude;
    rh__bits_write(bytes, field ? field->offset : 0, field ? field->bit_offset : 0, bits, value);
    return true;
}

static bool write_float(struct rh__scan *scan, unsigned char *bytes, size_t size, long double value)
{
    float narrow = (float)value;
    double middle = (double)value;
    bool is_infinite =
        value == (long double)__builtin_inf() || value == (long double)-__builtin_inf();
    bool fits = size == sizeof narrow   ? !__builtin_isinf(narrow)
                : size == sizeof middle ? !__builtin_isinf(middle)
                                        : true;
    if (!fits && !is_infinite)
        return rh__scan_refuse(scan, "the number is too large");
    if (size == sizeof narrow)
        memcpy(bytes, &narrow, size);
    else if (size == sizeof middle)
        memcpy(bytes, &middle, size);
    else
        memcpy(bytes, &value, 10);
    return true;
}

static bool read_float(struct rh__scan *scan, const struct rh_debug_type *type,
                       unsigned char *bytes)
{
    size_t size = type->kind == RH__COMPLEX ? type->size / 2 : type->size;
    long double value;
    memset(bytes, 0, type->size);
    if (!rh__scan_float(scan, &value))
        return false;
    bool is_imaginary = type->kind == RH__COMPLEX && rh__scan_take(scan, "i");
    if (!write_float(scan, bytes + (is_imaginary ? size : 0), size, value))
        return false;
    bool has_second =
        type->kind == RH__COMPLEX && !is_imaginary && (*scan->at == '+' || *scan->at == '-');
    if (!has_second)
        return true;
    if (!rh__scan_float(scan, &value) || !rh__scan_take(scan, "i"))
        return rh__scan_refuse(scan, "expected the imaginary part, such as +2i");
    return write_float(scan, bytes + size, size, value);
}

static bool find_actor(struct rh__scan *scan, const char *start, const char *name,
                       uint64_t *address)
{
    if (scan->addresses->find(scan->addresses->context, name, address))
        return true;
    scan->at = start;
    return rh__scan_refuse(scan, "%s%s", *name ? "there is no actor " : "expected an actor", name);
}

static bool read_actor(struct rh__scan *scan, unsigned char *bytes)
{
    struct rh_text name = {0};
    uint64_t address = 0;
    const char *start = scan->at;
    bool is_read =
        rh__scan_name(scan, &name) && find_actor(scan, start, rh_text_get(&name), &address);
    if (is_read)
        memcpy(bytes, &address, sizeof address);
    rh_text_fini(&name);
    return is_read;
}

static bool read_pointer(struct rh__scan *scan, const struct rh_debug_type *type,
                         unsigned char *bytes)
{
    if (rh__scan_take_word(scan, "NULL") || rh__scan_take_word(scan, "0")) {
        memset(bytes, 0, sizeof(void *));
        return true;
    }
    if (!scan->addresses)
        return rh__scan_refuse(scan, "a pointer can only be NULL here");
    if (type->pointee != RH__TO_ACTOR)
        return rh__scan_refuse(scan, "a pointer that is no rh_actor * can only be NULL here");
    return read_actor(scan, bytes);
}

static bool read_string(struct rh__scan *scan, unsigned char *bytes, size_t size)
{
    struct rh_text text = {0};
    const char *start = scan->at;
    bool is_read = rh__scan_string(scan, &text);
    if (is_read && text.length > size) {
        scan->at = start;
        is_read = rh__scan_refuse(scan, "the text has %zu bytes, there is room for %zu",
                                  text.length, size);
    }
    if (is_read && text.length)
        memcpy(bytes, text.bytes, text.length);
    rh_text_fini(&text);
    return is_read;
}

// `size` bytes are there for the elements: the bytes of the type, or those of the value for a
// flexible array.
static bool read_elements(struct rh__scan *scan, const struct rh_debug_type *element,
                          unsigned char *bytes, size_t size)
{
    size_t most = size / element->size;
    if (!rh__scan_take(scan, "["))
        return rh__scan_refuse(scan, "expected a list in brackets%s",
                               element->size == 1 ? " or a text in quotes" : "");
    for (size_t i = 0; !rh__scan_take(scan, "]"); i++) {
        if (i > 0 && !rh__scan_take(scan, ","))
            return rh__scan_refuse(scan, "expected , or ] in the list");
        if (i > 0 && rh__scan_take(scan, "]"))
            break;
        if (i == most)
            return rh__scan_refuse(scan, "the list has more than %zu element%s", most,
                                   most == 1 ? "" : "s");
        if (!read_value(scan, element, bytes + i * element->size, element->size))
            return false;
    }
    return true;
}

static bool read_array(struct rh__scan *scan, const struct rh_debug_type *type,
                       unsigned char *bytes, size_t size)
{
    bool is_byte = type->element->size == 1 && rh__is_number(type->element);
    memset(bytes, 0, size);
    if (is_byte && rh__scan_peek(scan) == '"')
        return read_string(scan, bytes, size);
    return read_elements(scan, type->element, bytes, size);
}

// Where a field of this name lies, counting the fields of anonymous members as the outer's own.
struct place {
    const struct rh_debug_type *outer;
    size_t index;
    size_t base; // offset of `outer` in the value
};

static bool find_field(const struct rh_debug_type *type, struct rh__word word, size_t base,
                       struct place *place)
{
    for (size_t i = 0; i < type->fields.count; i++) {
        const struct rh__field *field = &type->fields.items[i];
        *place = (struct place){type, i, base};
        if (field->name && rh__word_is(word, field->name))
            return true;
        if (!field->name && find_field(field->type, word, base + field->offset, place))
            return true;
    }
    return false;
}

static void add_field_names(const struct rh_debug_type *type, struct rh_text *names)
{
    for (size_t i = 0; i < type->fields.count && names->length < 200; i++) {
        const struct rh__field *field = &type->fields.items[i];
        if (field->name)
            rh_text_addf(names, "%s%s", names->length ? ", " : "", field->name);
        else
            add_field_names(field->type, names);
    }
}

static bool refuse_field(struct rh__scan *scan, const struct rh_debug_type *type,
                         struct rh__word word)
{
    struct rh_text names = {0};
    add_field_names(type, &names);
    scan->at = word.start;
    rh__scan_refuse(scan, "no field %.*s in %s (it has %s)", (int)word.length, word.start,
                    name_of(type), names.length ? rh_text_get(&names) : "no fields");
    rh_text_fini(&names);
    return false;
}

static bool read_field(struct rh__scan *scan, const struct rh_debug_type *type,
                       unsigned char *bytes, size_t size)
{
    struct place place;
    rh__scan_take(scan, ".");
    if (!rh__scan_is_word(scan))
        return rh__scan_refuse(scan, "expected the name of a field");
    struct rh__word word = rh__scan_word(scan);
    if (!find_field(type, word, 0, &place))
        return refuse_field(scan, type, word);
    if (!rh__scan_take(scan, "="))
        return rh__scan_refuse(scan, "expected = after %.*s", (int)word.length, word.start);
    const struct rh__field *field = &place.outer->fields.items[place.index];
    unsigned char *start = bytes + place.base;
    rh__scan_skip_space(scan);
    if (field->bit_size)
        return read_number(scan, field->type, start, field);
    bool is_flexible = place.outer == type && rh__is_flexible_field(type, place.index);
    return read_value(scan, field->type, start + field->offset,
                      is_flexible ? size - field->offset : field->type->size);
}

static bool read_struct(struct rh__scan *scan, const struct rh_debug_type *type,
                        unsigned char *bytes, size_t size)
{
    memset(bytes, 0, size);
    if (!rh__scan_take(scan, "{"))
        return rh__scan_refuse(scan, "expected { and the fields of %s", name_of(type));
    for (bool is_first = true; !rh__scan_take(scan, "}"); is_first = false) {
        if (!is_first && !rh__scan_take(scan, ","))
            return rh__scan_refuse(scan, "expected , or } after the field");
        if (!is_first && rh__scan_take(scan, "}"))
            break;
        if (!read_field(scan, type, bytes, size))
            return false;
    }
    return true;
}

static bool read_value(struct rh__scan *scan, const struct rh_debug_type *type,
                       unsigned char *bytes, size_t size)
{
    rh__scan_skip_space(scan);
    switch (type->kind) {
    case RH__OPAQUE:
        return rh__scan_refuse(scan, "a value of %s cannot be written", name_of(type));
    case RH__FLOAT:
    case RH__COMPLEX:
        return read_float(scan, type, bytes);
    case RH__POINTER:
        return read_pointer(scan, type, bytes);
    case RH__STRUCT:
    case RH__UNION:
        return read_struct(scan, type, bytes, size);
    case RH__ARRAY:
        return read_array(scan, type, bytes, size);
    default:
        return read_number(scan, type, bytes, NULL);
    }
}

struct rh_status rh_debug_parse_value(struct rh_debug *debug, const struct rh_debug_type *type,
                                      const char *text, void *bytes, size_t size,
                                      const struct rh_debug_addresses *addresses)
{
    struct rh__scan scan = {.text = text, .at = text, .status = rh_ok(), .addresses = addresses};
    (void)debug;
    if (!type)
        return rh_bad_input("the type of %s is not known: compile with -g", text);
    if (size < type->size)
        return rh_bad_input("%s takes %zu bytes, there is room for %zu", name_of(type), type->size,
                            size);
    bool has_fields = type->kind == RH__STRUCT || type->kind == RH__UNION;
    if (read_value(&scan, type, bytes, has_fields ? size : type->size)) {
        rh__scan_skip_space(&scan);
        if (*scan.at)
            rh__scan_refuse(&scan, "unexpected text after the value");
    }
    return scan.status;
}
