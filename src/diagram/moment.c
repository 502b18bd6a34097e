// SPDX-License-Identifier: MIT
#include "diagram/moment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/none.h"

// How many values of a field are named.
enum { VALUES_MOST = 4, NAME_MOST = 64, VALUE_MOST = 128 };

// A field of a value in text, "amount = 5".
struct field {
    char name[NAME_MOST], value[VALUE_MOST];
};

static void copy(char *to, size_t size, const char *from, size_t length)
{
    length = length < size - 1 ? length : size - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

// Where the value that begins here ends: behind brackets that it opens and quotes.
static const char *end_of(const char *at)
{
    int depth = 0;
    bool is_quoted = false;
    for (; *at; at++) {
        if (*at == '"')
            is_quoted = !is_quoted;
        if (is_quoted && *at == '\\' && at[1])
            at++;
        if (is_quoted)
            continue;
        if (depth == 0 && (*at == ',' || *at == '}'))
            return at;
        depth +=
            (*at == '{' || *at == '[' || *at == '(') - (*at == '}' || *at == ']' || *at == ')');
    }
    return at;
}

// Reads field number `index` of a value; false if there is none.
static bool read_field(const char *text, size_t index, struct field *field)
{
    if (!text || *text != '{')
        return false;
    const char *at = text + 1;
    for (size_t i = 0;; i++) {
        at += strspn(at, ", ");
        const char *sign = strstr(at, " = ");
        const char *end = sign ? end_of(sign + 3) : NULL;
        if (!sign || *at == '}')
            return false;
        if (i == index) {
            copy(field->name, sizeof field->name, at, (size_t)(sign - at));
            copy(field->value, sizeof field->value, sign + 3, (size_t)(end - sign - 3));
            return true;
        }
        at = end;
    }
}

static bool is_integer(const char *value, long long *number)
{
    char *end;
    *number = strtoll(value, &end, 10);
    return end != value && *end == '\0';
}

// What is looked at of a moment: a field, or how many have come.
struct aspect {
    bool is_number, is_outcome;
    size_t field;
};

static bool read_aspect(const struct rh_moment *moment, const struct aspect *aspect,
                        struct field *field)
{
    if (!aspect->is_number && !aspect->is_outcome)
        return read_field(moment->value, aspect->field, field);
    copy(field->name, sizeof field->name, "", 0);
    snprintf(field->value, sizeof field->value, "%zu",
             aspect->is_number ? moment->number : (size_t)moment->outcome);
    return !aspect->is_outcome || moment->outcome != RH_NONE;
}

// What an aspect is in the moments that are one, and in the others.
struct values {
    char ones[VALUES_MOST][VALUE_MOST], others[VALUES_MOST][VALUE_MOST];
    size_t one_count, other_count; // VALUES_MOST + 1: more
    bool are_integers;
    long long least_one, most_one, least_other, most_other;
};

static void note_value(char values[][VALUE_MOST], size_t *count, const char *value)
{
    for (size_t i = 0; i < *count && i < VALUES_MOST; i++)
        if (!strcmp(values[i], value))
            return;
    if (*count < VALUES_MOST)
        copy(values[*count], VALUE_MOST, value, strlen(value));
    *count += *count <= VALUES_MOST;
}

static void note_integer(struct values *values, const char *value, bool is_one)
{
    long long number;
    values->are_integers &= is_integer(value, &number);
    if (!values->are_integers)
        return;
    long long *least = is_one ? &values->least_one : &values->least_other;
    long long *most = is_one ? &values->most_one : &values->most_other;
    bool is_first = (is_one ? values->one_count : values->other_count) == 0;
    *least = is_first || number < *least ? number : *least;
    *most = is_first || number > *most ? number : *most;
}

// false if some moment does not have the aspect.
static bool gather(const struct rh_moments *moments, const struct aspect *aspect,
                   struct field *field, struct values *values)
{
    *values = (struct values){.are_integers = true};
    for (size_t i = 0; i < moments->count; i++) {
        const struct rh_moment *moment = &moments->items[i];
        if (!read_aspect(moment, aspect, field))
            return false;
        note_integer(values, field->value, moment->is_one);
        note_value(moment->is_one ? values->ones : values->others,
                   moment->is_one ? &values->one_count : &values->other_count, field->value);
    }
    return true;
}

static bool are_apart(const struct values *values)
{
    for (size_t i = 0; i < values->one_count; i++)
        for (size_t k = 0; k < values->other_count; k++)
            if (!strcmp(values->ones[i], values->others[k]))
                return false;
    return true;
}

static const char *ending_of(long long number)
{
    bool is_teen = number % 100 >= 11 && number % 100 <= 13;
    return is_teen            ? "th"
           : number % 10 == 1 ? "st"
           : number % 10 == 2 ? "nd"
           : number % 10 == 3 ? "rd"
                              : "th";
}

// Says a few values: "1, 2 or 3".
static void add_values(struct rh_text *text, char values[][VALUE_MOST], size_t count, bool is_nth)
{
    for (size_t i = 0; i < count; i++) {
        rh_text_add(text, i == 0 ? "" : i + 1 == count ? " or " : ", ");
        rh_text_addf(text, "%s%s", values[i], is_nth ? ending_of(atoll(values[i])) : "");
    }
}

// How a condition is looked for: one value, a range, or several values.
enum manner { BY_ONE, BY_RANGE, BY_SEVERAL };

// Each adds what holds in all moments that are one and in no other; false if it does not.
static bool say_values(struct rh_text *text, const char *type, const struct aspect *aspect,
                       const char *name, struct values *values, size_t most)
{
    bool ones = values->one_count <= most;
    bool others = values->other_count <= most && !ones && !aspect->is_number;
    if ((!ones && !others) || !are_apart(values))
        return false;
    if (aspect->is_number) {
        rh_text_add(text, "the ");
        add_values(text, values->ones, values->one_count, true);
        rh_text_addf(text, " %s", type);
        return true;
    }
    rh_text_addf(text, "%s with %s %s ", type, aspect->is_outcome ? "rh_choose" : name,
                 ones ? "=" : "!=");
    add_values(text, ones ? values->ones : values->others,
               ones ? values->one_count : values->other_count, false);
    return true;
}

static bool say_range(struct rh_text *text, const char *type, const struct aspect *aspect,
                      const char *name, const struct values *values)
{
    bool is_above = values->least_one > values->most_other;
    bool is_below = values->most_one < values->least_other;
    if (!values->are_integers || aspect->is_outcome || (!is_above && !is_below))
        return false;
    long long edge = is_above ? values->least_one : values->most_one;
    if (aspect->is_number)
        rh_text_addf(text, is_above ? "%s from the %lld%s on" : "%s up to the %lld%s", type, edge,
                     ending_of(edge));
    else
        rh_text_addf(text, "%s with %s %s %lld", type, name, is_above ? ">=" : "<=", edge);
    return true;
}

static bool try_aspect(const struct rh_moments *moments, const char *type,
                       const struct aspect *aspect, enum manner manner, struct rh_text *text)
{
    struct field field;
    struct values values;
    if (!gather(moments, aspect, &field, &values))
        return false;
    return manner == BY_RANGE ? say_range(text, type, aspect, field.name, &values)
                              : say_values(text, type, aspect, field.name, &values,
                                           manner == BY_ONE ? 1 : VALUES_MOST);
}

static size_t field_count(const struct rh_moments *moments)
{
    struct field field;
    size_t count = 0;
    while (read_field(moments->items[0].value, count, &field))
        count++;
    return count;
}

// Two fields of the message that are equal in the ones, and in no other.
static bool try_equal(const struct rh_moments *moments, const char *type, size_t one, size_t other,
                      struct rh_text *text)
{
    struct field left, right;
    for (size_t i = 0; i < moments->count; i++) {
        const char *value = moments->items[i].value;
        if (!read_field(value, one, &left) || !read_field(value, other, &right) ||
            !strcmp(left.value, right.value) != moments->items[i].is_one)
            return false;
    }
    rh_text_addf(text, "%s with %s = %s", type, left.name, right.name);
    return true;
}

static bool try_fields(const struct rh_moments *moments, const char *type, enum manner manner,
                       struct rh_text *text)
{
    size_t count = field_count(moments);
    for (size_t i = 0; i < count; i++)
        if (try_aspect(moments, type, &(struct aspect){.field = i}, manner, text))
            return true;
    for (size_t i = 0; i < count && manner == BY_RANGE; i++)
        for (size_t k = i + 1; k < count; k++)
            if (try_equal(moments, type, i, k, text))
                return true;
    return false;
}

static size_t count_ones(const struct rh_moments *moments)
{
    size_t count = 0;
    for (size_t i = 0; i < moments->count; i++)
        count += moments->items[i].is_one;
    return count;
}

void rh_moments_add(const struct rh_moments *moments, const char *type, struct rh_text *text)
{
    static const struct aspect outcome = {.is_outcome = true}, number = {.is_number = true};
    size_t ones = count_ones(moments);
    bool is_said = ones == moments->count || try_aspect(moments, type, &outcome, BY_ONE, text);
    if (ones == moments->count)
        rh_text_add(text, type);
    for (int manner = BY_ONE; manner <= BY_SEVERAL && !is_said; manner++)
        is_said = try_fields(moments, type, (enum manner)manner, text) ||
                  try_aspect(moments, type, &number, (enum manner)manner, text);
    if (!is_said)
        rh_text_addf(text, "%s (%zu of %zu times)", type, ones, moments->count);
}
