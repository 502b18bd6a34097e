// SPDX-License-Identifier: MIT
// Finds a type by how C writes it: words, then stars, then dimensions in brackets.
#include "debug/internal.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

struct spelling {
    struct rh_text words; // words of the type itself: no qualifiers, no tag, one space between two
    int tag;              // DW_TAG_...; 0 without struct, union or enum
    unsigned stars;
    bool is_function_pointer;
    RH_VECTOR(size_t) dimensions;
};

static bool is_word_character(char character)
{
    return isalnum((unsigned char)character) || character == '_' || character == ':' ||
           character == '$';
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool is_qualifier(const char *text, size_t length)
{
    static const char *const qualifiers[] = {"const",      "volatile",     "restrict", "_Atomic",
                                             "__restrict", "__restrict__", "__const"};
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
        if (is_word(text, length, qualifiers[i]))
            return true;
    return false;
}

static int tag_of_word(const char *text, size_t length)
{
    if (is_word(text, length, "struct") || is_word(text, length, "class"))
        return DW_TAG_structure_type;
    if (is_word(text, length, "union"))
        return DW_TAG_union_type;
    return is_word(text, length, "enum") ? DW_TAG_enumeration_type : 0;
}

static void add_word(struct spelling *spelling, const char *text, size_t length)
{
    if (is_qualifier(text, length))
        return;
    int tag = spelling->words.length ? 0 : tag_of_word(text, length);
    if (tag) {
        spelling->tag = tag;
        return;
    }
    if (spelling->words.length)
        rh_text_add(&spelling->words, " ");
    rh_text_add_bytes(&spelling->words, text, length);
}

// Reads "[16]". Gives NULL if the text is not a dimension.
static const char *read_dimension(struct spelling *spelling, const char *text)
{
    char *end;
    if (!isdigit((unsigned char)text[1]))
        return NULL;
    unsigned long long count = strtoull(text + 1, &end, 0);
    if (*end != ']')
        return NULL;
    *rh_vector_push(&spelling->dimensions) = (size_t)count;
    return end + 1;
}

// Gives false if the text is not spelled like a type.
static bool read_spelling(struct spelling *spelling, const char *text)
{
    while (text && *text) {
        size_t length = 0;
        while (is_word_character(text[length]))
            length++;
        if (length) {
            if (spelling->dimensions.count)
                return false;
            add_word(spelling, text, length);
            text += length;
        } else if (*text == '*') {
            spelling->stars++;
            text++;
        } else if (*text == '[') {
            text = read_dimension(spelling, text);
        } else if (*text == '(') {
            spelling->is_function_pointer = strncmp(text, "(*)", 3) == 0;
            return spelling->is_function_pointer;
        } else if (isspace((unsigned char)*text)) {
            text++;
        } else {
            return false;
        }
    }
    return text && (spelling->words.length || spelling->tag);
}

static bool accepts_tag(int wanted, int tag)
{
    if (tag == DW_TAG_class_type)
        tag = DW_TAG_structure_type;
    return wanted == 0 ? tag != DW_TAG_typedef : wanted == tag;
}

static const struct rh_debug_type *first_of(struct rh_debug *debug, const struct rh__named *names,
                                            size_t count, int tag, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        bool accepted =
            tag == DW_TAG_typedef ? names[i].tag == DW_TAG_typedef : accepts_tag(tag, names[i].tag);
        if (!accepted)
            continue;
        Dwarf_Die die = names[i].die;
        const struct rh_debug_type *type = rh__type_of_die(debug, &die);
        bool is_known = type->kind != RH__OPAQUE || type->size > 0;
        if (is_known && (size == 0 || type->size == size))
            return type;
    }
    return NULL;
}

// A bare name is a typedef first, as C reads it, then the tag of a message's struct.
static const struct rh_debug_type *find_among(struct rh_debug *debug, const char *name, int tag,
                                              size_t size, bool local)
{
    size_t count;
    const struct rh__named *names = rh__find_names(debug, name, local, &count);
    const struct rh_debug_type *type = NULL;
    if (tag == 0)
        type = first_of(debug, names, count, DW_TAG_typedef, size);
    return type ? type : first_of(debug, names, count, tag, size);
}

// With struct, union or enum before the name, the first definition that fits is taken: the units
// behind it need not be read.
static const struct rh_debug_type *find_tagged(struct rh_debug *debug, const char *name, int tag,
                                               size_t size)
{
    do {
        size_t count;
        const struct rh__named *names = rh__find_read_names(debug, name, &count);
        const struct rh_debug_type *type = first_of(debug, names, count, tag, size);
        if (type)
            return type;
    } while (rh__read_more_names(debug));
    return NULL;
}

static const struct rh_debug_type *find_plain(struct rh_debug *debug,
                                              const struct spelling *spelling, size_t size)
{
    const char *name = rh_text_get(&spelling->words);
    const struct rh_debug_type *type = spelling->tag ? NULL : rh__find_basic(debug, name);
    if (!type && spelling->tag)
        type = find_tagged(debug, name, spelling->tag, size);
    if (!type && !spelling->tag)
        type = find_among(debug, name, 0, size, false);
    if (!type)
        type = find_among(debug, name, spelling->tag, size, true);
    if (!type && !spelling->tag)
        type = rh__find_standard(debug, name);
    return type;
}

// What the pointer points to, for a spelling with one star.
static enum rh__pointee pointee_of(struct rh_debug *debug, const struct spelling *spelling)
{
    const char *name = rh_text_get(&spelling->words);
    if (strcmp(name, "rh_actor") == 0)
        return RH__TO_ACTOR;
    const struct rh_debug_type *type = spelling->tag ? NULL : rh__find_basic(debug, name);
    if (type)
        return type->kind == RH__CHARACTER ? RH__TO_CHARACTERS : RH__TO_OTHER;
    size_t count;
    const struct rh__named *names = rh__find_names(debug, name, false, &count);
    if (!count || spelling->tag)
        return RH__TO_OTHER;
    Dwarf_Die die = names[0].die;
    return rh__pointee_of(&die);
}

static const struct rh_debug_type *find_pointer(struct rh_debug *debug,
                                                const struct spelling *spelling)
{
    struct rh_debug_type *type = rh__type_new(debug, RH__POINTER, NULL, sizeof(void *));
    if (spelling->is_function_pointer)
        type->pointee = RH__TO_FUNCTION;
    else if (spelling->stars == 1)
        type->pointee = pointee_of(debug, spelling);
    return type;
}

// Divides the size of an array by its dimensions, to compare with the size of an element.
static size_t element_size(const struct spelling *spelling, size_t size)
{
    for (size_t i = 0; i < spelling->dimensions.count; i++)
        size = spelling->dimensions.items[i] ? size / spelling->dimensions.items[i] : 0;
    return size;
}

static const struct rh_debug_type *find_spelled(struct rh_debug *debug,
                                                const struct spelling *spelling, size_t size)
{
    bool is_pointer = spelling->stars || spelling->is_function_pointer;
    const struct rh_debug_type *type =
        is_pointer ? find_pointer(debug, spelling)
                   : find_plain(debug, spelling, element_size(spelling, size));
    for (size_t i = spelling->dimensions.count; type && i-- > 0;)
        type = rh__array_of(debug, type, spelling->dimensions.items[i], false);
    return type && type->size && (size == 0 || type->size == size) ? type : NULL;
}

static const struct rh_debug_type *find_type(struct rh_debug *debug, const char *name, size_t size)
{
    struct spelling spelling = {0};
    const struct rh_debug_type *type = NULL;
    if (read_spelling(&spelling, name))
        type = find_spelled(debug, &spelling, size);
    rh_text_fini(&spelling.words);
    rh_vector_fini(&spelling.dimensions);
    return type;
}

const struct rh_debug_type *rh_debug_find_type(struct rh_debug *debug, const char *name,
                                               size_t size)
{
    for (size_t i = 0; i < debug->found.count; i++)
        if (debug->found.items[i].size == size && strcmp(debug->found.items[i].name, name) == 0)
            return debug->found.items[i].type;
    const struct rh_debug_type *type = find_type(debug, name, size);
    struct rh__found *found = rh_vector_push(&debug->found);
    found->name = rh__debug_keep(debug, rh_strdup(name));
    found->size = size;
    found->type = type;
    return type;
}
