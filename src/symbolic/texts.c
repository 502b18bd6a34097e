// SPDX-License-Identifier: MIT
// Functions of texts and blocks of bytes. A result is one term over the bytes: what a loop over
// them would have found, without a path for each length.
#include <string.h>

#include "symbolic/internal.h"

// Longer texts are not looked at.
enum { TEXT_MOST = 256 };

// Bytes from an address on, as far as its object goes and they were set.
struct bytes {
    uint64_t offset;
    uint32_t count;
    bool is_whole; // up to the end of the object
    bool is_open;  // up to the end of what is told of an array of unknown length
    rh_term items[TEXT_MOST];
};

static bool bytes_at(const struct rh__sym_call *call, rh_term address, struct bytes *bytes)
{
    struct rh__sym_place place;
    bytes->count = 0;
    if (!rh__sym_find_fixed(call->sym, call->situation, address, 1, &place, &bytes->offset))
        return false;
    if (place.object != RH_NONE && call->situation->objects.items[place.object]->is_open)
        rh__sym_block_grow(call->sym, call->situation, place.object, UINT64_MAX);
    const struct rh__sym_object *object = rh__sym_object_at(call->sym, call->situation, &place);
    bool is_unset = false;
    for (uint64_t i = bytes->offset; i < object->size && bytes->count < TEXT_MOST; i++) {
        rh_term byte = rh__sym_object_read(call->sym, object, i, 1, &is_unset);
        if (is_unset)
            break;
        bytes->items[bytes->count++] = byte;
    }
    bytes->is_whole = bytes->offset + bytes->count == object->size;
    bytes->is_open = bytes->is_whole && object->is_open;
    return true;
}

static rh_term is_byte(const struct rh__sym_call *call, rh_term byte, uint64_t number)
{
    return rh_term_make2(&call->sym->terms, RH_TERM_EQUAL, byte,
                         rh_term_constant(&call->sym->terms, 8, number));
}

static rh_term number_of(const struct rh__sym_call *call, uint64_t number)
{
    return rh_term_constant(&call->sym->terms, 64, number);
}

static rh_term both(const struct rh__sym_call *call, rh_term a, rh_term b)
{
    return rh_term_make2(&call->sym->terms, RH_TERM_AND, a, b);
}

static bool is_never(const struct rh__sym_call *call, rh_term truth)
{
    uint64_t number;
    return rh_term_is_constant(&call->sym->terms, truth, &number) && !number;
}

// Goes on where nothing behind the bytes is looked at.
static bool require_inside(const struct rh__sym_call *call, const struct bytes *bytes,
                           rh_term is_beyond)
{
    rh_term is_inside = rh_term_not(&call->sym->terms, is_beyond);
    if (bytes->is_open)
        return rh__sym_cut_others(call->sym, call->situation, is_inside);
    return rh__sym_require(
        call->sym, call->situation, is_inside, bytes->is_whole ? RH__SYM_BROKEN : RH__SYM_UNKNOWN,
        bytes->is_whole ? "an access outside of its object"
                        : "a text that is long, or has bytes that nobody has set",
        bytes->is_whole);
}

// --- The length of a text. ---

// The first place of a zero, looked for among the first `most` bytes (0: all); `most` if there is
// none there.
static bool length_of(const struct rh__sym_call *call, const struct bytes *bytes, uint64_t most,
                      rh_term *length)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term goes_on = rh_term_truth(terms, true);
    uint32_t count = 0;
    while (count < bytes->count && (!most || count < most) && !is_never(call, goes_on)) {
        rh_term is_end = is_byte(call, bytes->items[count++], 0);
        goes_on = both(call, goes_on, rh_term_not(terms, is_end));
    }
    if (!most || count < most)
        if (!require_inside(call, bytes, goes_on))
            return false;
    *length = number_of(call, most && count == most ? most : count);
    for (uint32_t i = count; i > 0; i--)
        *length = rh_term_choice(terms, is_byte(call, bytes->items[i - 1], 0),
                                 number_of(call, i - 1), *length);
    return true;
}

enum rh__sym_served rh__sym_strlen(const struct rh__sym_call *call)
{
    struct bytes bytes;
    return bytes_at(call, call->arguments[0], &bytes) && length_of(call, &bytes, 0, call->value)
               ? RH__SYM_SERVED
               : RH__SYM_AGAIN;
}

enum rh__sym_served rh__sym_strnlen(const struct rh__sym_call *call)
{
    struct bytes bytes;
    uint64_t most;
    if (!rh__sym_length(call->sym, call->situation, call->arguments[1], &most))
        return RH__SYM_AGAIN;
    *call->value = number_of(call, 0);
    if (most == 0)
        return RH__SYM_SERVED;
    return bytes_at(call, call->arguments[0], &bytes) && length_of(call, &bytes, most, call->value)
               ? RH__SYM_SERVED
               : RH__SYM_AGAIN;
}

// --- Comparing. ---

static rh_term difference(const struct rh__sym_call *call, rh_term a, rh_term b)
{
    struct rh_terms *terms = &call->sym->terms;
    return rh_term_make2(terms, RH_TERM_SUBTRACT, rh_term_resize(terms, RH_TERM_EXTEND_ZERO, a, 32),
                         rh_term_resize(terms, RH_TERM_EXTEND_ZERO, b, 32));
}

// The difference of the first bytes that differ, as glibc gives it. `most`: how many are looked at;
// 0: any number. Texts end at a zero.
static enum rh__sym_served compare(const struct rh__sym_call *call, uint64_t most, bool are_texts)
{
    struct rh_terms *terms = &call->sym->terms;
    struct bytes a, b;
    if (!bytes_at(call, call->arguments[0], &a) || !bytes_at(call, call->arguments[1], &b))
        return RH__SYM_AGAIN;
    rh_term goes_on = rh_term_truth(terms, true);
    uint32_t count = 0, least = a.count < b.count ? a.count : b.count;
    while (count < least && (!most || count < most) && !is_never(call, goes_on)) {
        goes_on = both(call, goes_on,
                       rh_term_make2(terms, RH_TERM_EQUAL, a.items[count], b.items[count]));
        if (are_texts)
            goes_on = both(call, goes_on, rh_term_not(terms, is_byte(call, a.items[count], 0)));
        count++;
    }
    if ((!most || count < most) && !require_inside(call, a.count < b.count ? &a : &b, goes_on))
        return RH__SYM_AGAIN;
    rh_term result = rh_term_constant(terms, 32, 0), zero = result;
    for (uint32_t i = count; i > 0; i--) {
        rh_term one = a.items[i - 1], other = b.items[i - 1];
        if (are_texts)
            result = rh_term_choice(terms, is_byte(call, one, 0), zero, result);
        result = rh_term_choice(terms, rh_term_make2(terms, RH_TERM_EQUAL, one, other), result,
                                difference(call, one, other));
    }
    *call->value = result;
    return RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_strcmp(const struct rh__sym_call *call)
{
    return compare(call, 0, true);
}

static enum rh__sym_served compare_some(const struct rh__sym_call *call, bool are_texts)
{
    uint64_t most;
    if (!rh__sym_length(call->sym, call->situation, call->arguments[2], &most))
        return RH__SYM_AGAIN;
    *call->value = rh_term_constant(&call->sym->terms, 32, 0);
    return most ? compare(call, most, are_texts) : RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_strncmp(const struct rh__sym_call *call)
{
    return compare_some(call, true);
}

enum rh__sym_served rh__sym_memcmp(const struct rh__sym_call *call)
{
    return compare_some(call, false);
}

// --- Copying. ---

// Writes to fixed places, so that the length has to be known: one of the first few, or all that the
// bytes leave open.
static bool fix_length(const struct rh__sym_call *call, rh_term length, uint32_t count,
                       uint64_t *number)
{
    struct rh__sym *sym = call->sym;
    for (uint32_t i = 0; i <= count; i++) {
        struct rh__sym_situation *other = NULL;
        *number = i;
        bool holds = rh__sym_fork(
            sym, call->situation,
            rh_term_make2(&sym->terms, RH_TERM_EQUAL, length, number_of(call, i)), &other);
        if (other)
            rh__sym_push(sym, other);
        if (holds)
            return true;
    }
    rh__sym_end_with(sym, call->situation, RH__SYM_UNKNOWN, "a text of unknown length");
    return false;
}

static bool put_bytes(const struct rh__sym_call *call, rh_term address, const struct bytes *bytes,
                      uint64_t count)
{
    struct rh__sym_place place;
    uint64_t offset;
    if (count == 0)
        return true;
    if (!rh__sym_find_fixed(call->sym, call->situation, address, count, &place, &offset))
        return false;
    struct rh__sym_object **target = rh__sym_writable(call->sym, call->situation, &place);
    for (uint64_t i = 0; target && i < count; i++)
        rh__sym_object_write(call->sym, target, offset + i, 1,
                             i < bytes->count ? bytes->items[i]
                                              : rh_term_constant(&call->sym->terms, 8, 0));
    return target;
}

// The text at an address with its length.
static bool text_at(const struct rh__sym_call *call, rh_term address, struct bytes *text,
                    uint64_t *length)
{
    rh_term term;
    return bytes_at(call, address, text) && length_of(call, text, 0, &term) &&
           fix_length(call, term, text->count, length);
}

enum rh__sym_served rh__sym_strcpy(const struct rh__sym_call *call)
{
    struct bytes text;
    uint64_t length;
    *call->value = call->arguments[0];
    return text_at(call, call->arguments[1], &text, &length) &&
                   put_bytes(call, call->arguments[0], &text, length + 1)
               ? RH__SYM_SERVED
               : RH__SYM_AGAIN;
}

enum rh__sym_served rh__sym_strncpy(const struct rh__sym_call *call)
{
    struct bytes text;
    rh_term term;
    uint64_t most, length;
    *call->value = call->arguments[0];
    if (!rh__sym_length(call->sym, call->situation, call->arguments[2], &most))
        return RH__SYM_AGAIN;
    if (most == 0)
        return RH__SYM_SERVED;
    if (!bytes_at(call, call->arguments[1], &text) || !length_of(call, &text, most, &term) ||
        !fix_length(call, term, text.count, &length))
        return RH__SYM_AGAIN;
    text.count = (uint32_t)length; // zeros behind the text
    return put_bytes(call, call->arguments[0], &text, most) ? RH__SYM_SERVED : RH__SYM_AGAIN;
}

enum rh__sym_served rh__sym_strcat(const struct rh__sym_call *call)
{
    struct bytes before, text;
    uint64_t at, length;
    *call->value = call->arguments[0];
    if (!text_at(call, call->arguments[0], &before, &at) ||
        !text_at(call, call->arguments[1], &text, &length))
        return RH__SYM_AGAIN;
    rh_term end =
        rh_term_make2(&call->sym->terms, RH_TERM_ADD, call->arguments[0], number_of(call, at));
    return put_bytes(call, end, &text, length + 1) ? RH__SYM_SERVED : RH__SYM_AGAIN;
}

enum rh__sym_served rh__sym_strdup(const struct rh__sym_call *call)
{
    struct bytes text;
    uint64_t length;
    if (!text_at(call, call->arguments[0], &text, &length))
        return RH__SYM_AGAIN;
    enum rh__sym_served served = rh__sym_allocate(call, number_of(call, length + 1), false);
    if (served != RH__SYM_SERVED)
        return served;
    return put_bytes(call, *call->value, &text, length + 1) ? RH__SYM_SERVED : RH__SYM_AGAIN;
}

// --- Finding a byte. ---

// The address of the first or last of `count` bytes that is the wanted one, or null.
static void find_byte(const struct rh__sym_call *call, const struct bytes *bytes, uint64_t count,
                      bool is_last)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term wanted = rh_term_part(terms, call->arguments[1], 0, 8), found = number_of(call, 0);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = is_last ? i : count - 1 - i;
        rh_term where = rh_term_make2(terms, RH_TERM_ADD, call->arguments[0], number_of(call, at));
        found = rh_term_choice(terms, rh_term_make2(terms, RH_TERM_EQUAL, bytes->items[at], wanted),
                               where, found);
    }
    *call->value = found;
}

static enum rh__sym_served find_in_text(const struct rh__sym_call *call, bool is_last)
{
    struct bytes text;
    uint64_t length;
    if (!text_at(call, call->arguments[0], &text, &length))
        return RH__SYM_AGAIN;
    find_byte(call, &text, length + 1, is_last);
    return RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_strchr(const struct rh__sym_call *call)
{
    return find_in_text(call, false);
}

enum rh__sym_served rh__sym_strrchr(const struct rh__sym_call *call)
{
    return find_in_text(call, true);
}

enum rh__sym_served rh__sym_memchr(const struct rh__sym_call *call)
{
    struct bytes bytes;
    uint64_t count;
    if (!rh__sym_length(call->sym, call->situation, call->arguments[2], &count))
        return RH__SYM_AGAIN;
    *call->value = number_of(call, 0);
    if (count == 0)
        return RH__SYM_SERVED;
    if (!bytes_at(call, call->arguments[0], &bytes))
        return RH__SYM_AGAIN;
    if (count > bytes.count &&
        !require_inside(call, &bytes, rh_term_truth(&call->sym->terms, true)))
        return RH__SYM_AGAIN;
    find_byte(call, &bytes, count, false);
    return RH__SYM_SERVED;
}
