// SPDX-License-Identifier: MIT
// The types of the language itself. They need no debug information, where compilers spell their
// names differently ("long unsigned int", "unsigned long"); so the words of a name are counted
// instead.
#include "debug/internal.h"

#include <string.h>

struct basic {
    const char *name;
    enum rh__kind kind;
    size_t size;
};

// Three bits for each word count how often the word stands in the type.
enum {
    INT = 1,
    CHAR = 1 << 3,
    SHORT = 1 << 6,
    LONG = 1 << 9,
    SIGNED = 1 << 12,
    UNSIGNED = 1 << 15,
    FLOAT = 1 << 18,
    DOUBLE = 1 << 21,
    COMPLEX = 1 << 24,
    WIDE = 1 << 27,
    BOOL = 1 << 30,
};

static const struct {
    const char *text;
    int value;
} words[] = {
    {"int", INT},         {"char", CHAR},         {"short", SHORT},         {"long", LONG},
    {"signed", SIGNED},   {"unsigned", UNSIGNED}, {"float", FLOAT},         {"double", DOUBLE},
    {"complex", COMPLEX}, {"_Complex", COMPLEX},  {"__int128", WIDE},       {"_Bool", BOOL},
    {"bool", BOOL},       {"__signed__", SIGNED}, {"__complex__", COMPLEX},
};

// The words `int` and `signed` are taken off before this table is searched where they add nothing.
static const struct {
    int value;
    struct basic basic;
} basics[] = {
    {0, {"int", RH__SIGNED, 4}},
    {CHAR, {"char", RH__CHARACTER, 1}},
    {SIGNED + CHAR, {"signed char", RH__SIGNED, 1}},
    {UNSIGNED + CHAR, {"unsigned char", RH__UNSIGNED, 1}},
    {SHORT, {"short", RH__SIGNED, 2}},
    {UNSIGNED + SHORT, {"unsigned short", RH__UNSIGNED, 2}},
    {UNSIGNED, {"unsigned int", RH__UNSIGNED, 4}},
    {LONG, {"long", RH__SIGNED, 8}},
    {UNSIGNED + LONG, {"unsigned long", RH__UNSIGNED, 8}},
    {2 * LONG, {"long long", RH__SIGNED, 8}},
    {UNSIGNED + 2 * LONG, {"unsigned long long", RH__UNSIGNED, 8}},
    {WIDE, {"__int128", RH__SIGNED, 16}},
    {UNSIGNED + WIDE, {"unsigned __int128", RH__UNSIGNED, 16}},
    {FLOAT, {"float", RH__FLOAT, 4}},
    {DOUBLE, {"double", RH__FLOAT, 8}},
    {LONG + DOUBLE, {"long double", RH__FLOAT, 16}},
    {COMPLEX + FLOAT, {"complex float", RH__COMPLEX, 8}},
    {COMPLEX + DOUBLE, {"complex double", RH__COMPLEX, 16}},
    {COMPLEX + LONG + DOUBLE, {"complex long double", RH__COMPLEX, 32}},
    {BOOL, {"bool", RH__BOOL, 1}},
};

static const struct basic standard[] = {
    {"int8_t", RH__SIGNED, 1},     {"uint8_t", RH__UNSIGNED, 1},  {"int16_t", RH__SIGNED, 2},
    {"uint16_t", RH__UNSIGNED, 2}, {"int32_t", RH__SIGNED, 4},    {"uint32_t", RH__UNSIGNED, 4},
    {"int64_t", RH__SIGNED, 8},    {"uint64_t", RH__UNSIGNED, 8}, {"size_t", RH__UNSIGNED, 8},
    {"ssize_t", RH__SIGNED, 8},    {"intptr_t", RH__SIGNED, 8},   {"uintptr_t", RH__UNSIGNED, 8},
    {"ptrdiff_t", RH__SIGNED, 8},
};

static const struct rh_debug_type *type_of(struct rh_debug *debug, const struct basic *basic)
{
    const struct rh_debug_type *known = *rh__converted(debug, basic);
    if (known)
        return known;
    struct rh_debug_type *type = rh__type_new(debug, basic->kind, basic->name, basic->size);
    type->is_extended = strstr(basic->name, "long double") != NULL;
    *rh__converted(debug, basic) = type;
    return type;
}

static int value_of_word(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].text) == length && memcmp(words[i].text, text, length) == 0)
            return words[i].value;
    return -1;
}

static int count_of(int value, int word)
{
    return value / word & 7;
}

// Gives a negative number for what is no basic type.
static int value_of(const char *text)
{
    int value = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        int word = value_of_word(text, length);
        if (word < 0 || count_of(value, word) == (word == BOOL ? 1 : 2))
            return -1;
        value += word;
        text += length + strspn(text + length, " ");
    }
    return value;
}

static int simplify(int value)
{
    static const int others[] = {CHAR, FLOAT, DOUBLE, WIDE, BOOL};
    bool has_other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        has_other = has_other || count_of(value, others[i]) > 0;
    if (count_of(value, INT) == 1 && !has_other)
        value -= INT;
    if (count_of(value, SIGNED) == 1 && !count_of(value, CHAR) && !count_of(value, UNSIGNED))
        value -= SIGNED;
    return value;
}

const struct rh_debug_type *rh__find_basic(struct rh_debug *debug, const char *text)
{
    int value = *text ? value_of(text) : -1;
    if (value < 0)
        return NULL;
    value = simplify(value);
    for (size_t i = 0; i < sizeof basics / sizeof *basics; i++)
        if (basics[i].value == value)
            return type_of(debug, &basics[i].basic);
    return NULL;
}

const struct rh_debug_type *rh__find_standard(struct rh_debug *debug, const char *name)
{
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        if (strcmp(standard[i].name, name) == 0)
            return type_of(debug, &standard[i]);
    return NULL;
}
