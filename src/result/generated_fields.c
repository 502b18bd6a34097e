// SPDX-License-Identifier: MIT
// Fields by name: {amount = 5, prices = [1, 2], from = {id = 3}}.
#include <inttypes.h>
#include <string.h>

#include "base/line.h"
#include "result/generated.h"

// Fields in the order of their offsets; `depth` characters of their paths are written already.
struct fields {
    const struct rh_generate_test *test;
    const struct rh_generate_field *items;
    uint32_t count;
    bool is_shown;    // to people
    bool is_complete; // everything could be said
};

// In C's words that a schedule does not know.
static const char *plain(const char *value)
{
    return !strcmp(value, "INT64_MIN")           ? "-9223372036854775808"
           : !strcmp(value, "(-2147483647 - 1)") ? "-2147483648"
                                                 : value;
}

void rh_generate_show_value(struct rh_text *text, const struct rh_generate_test *test,
                            const struct rh_generate_field *field)
{
    if (field->actor != RH_NONE)
        rh_text_add(text, test->actors[field->actor].name);
    else if (field->block != RH_NONE)
        rh_text_addf(text, field->inside ? "&%u+%" PRIu64 : "&%u", (unsigned)field->block + 1,
                     field->inside);
    else
        rh_text_add(text, field->value ? field->value : "what C has no word for");
}

static void add_scalar(struct rh_text *text, struct fields *fields, uint32_t at)
{
    const struct rh_generate_field *field = &fields->items[at];
    if (fields->is_shown) {
        rh_generate_show_value(text, fields->test, field);
        return;
    }
    if (field->actor != RH_NONE) {
        rh_text_add_word(text, fields->test->actors[field->actor].name);
        return;
    }
    if (!field->value || strchr(field->path, '<')) {
        fields->is_complete = false;
        return;
    }
    const char *value = plain(field->value);
    size_t length = strlen(value);
    bool has_suffix = length > 1 && value[length - 1] == 'u';
    rh_text_add_bytes(text, value, has_suffix ? length - 1 : length);
}

// How many fields from `at` on have the same first `length` characters of their paths.
static uint32_t run_of(const struct fields *fields, uint32_t at, size_t length)
{
    uint32_t count = 1;
    while (at + count < fields->count &&
           !strncmp(fields->items[at].path, fields->items[at + count].path, length))
        count++;
    return count;
}

static void add_struct(struct rh_text *text, struct fields *fields, uint32_t at, uint32_t count,
                       size_t depth);
static void add_value(struct rh_text *text, struct fields *fields, uint32_t at, uint32_t count,
                      size_t depth);

// Elements of an array. A schedule has those of several dimensions in one list.
static void add_elements(struct rh_text *text, struct fields *fields, uint32_t at, uint32_t count,
                         size_t depth)
{
    for (uint32_t done = 0; done < count;) {
        const char *path = fields->items[at + done].path;
        size_t end = (size_t)(strchr(path + depth, ']') + 1 - path);
        uint32_t element = run_of(fields, at + done, end);
        rh_text_add(text, done ? ", " : "");
        if (path[end] == '[' && !fields->is_shown)
            add_elements(text, fields, at + done, element, end);
        else
            add_value(text, fields, at + done, element, end);
        done += element;
    }
}

// What has the first `depth` characters of the paths in common: a number, an array or a struct.
static void add_value(struct rh_text *text, struct fields *fields, uint32_t at, uint32_t count,
                      size_t depth)
{
    const char *rest = fields->items[at].path + depth;
    if (*rest == '.') {
        add_struct(text, fields, at, count, depth + 1);
        return;
    }
    if (*rest != '[') {
        add_scalar(text, fields, at);
        return;
    }
    rh_text_add(text, "[");
    add_elements(text, fields, at, count, depth);
    rh_text_add(text, "]");
}

static void add_struct(struct rh_text *text, struct fields *fields, uint32_t at, uint32_t count,
                       size_t depth)
{
    rh_text_add(text, "{");
    for (uint32_t done = 0; done < count;) {
        const char *path = fields->items[at + done].path;
        size_t length = strcspn(path + depth, ".[");
        uint32_t same = 1;
        while (done + same < count &&
               !strncmp(path, fields->items[at + done + same].path, depth + length) &&
               strchr(".[", fields->items[at + done + same].path[depth + length]))
            same++;
        rh_text_addf(text, "%s%.*s = ", done ? ", " : "", (int)length, path + depth);
        add_value(text, fields, at + done, same, depth + length);
        done += same;
    }
    rh_text_add(text, "}");
}

bool rh_generate_add_fields(struct rh_text *text, const struct rh_generate_test *test,
                            const struct rh_generate_fields *fields)
{
    struct fields all = {test, fields->words, fields->word_count, false, true};
    if (all.count)
        add_struct(text, &all, 0, all.count, 0);
    return all.is_complete;
}

void rh_generate_show_fields(struct rh_text *text, const struct rh_generate_test *test,
                             const struct rh_generate_fields *fields)
{
    struct fields all = {test, fields->words, fields->word_count, true, true};
    if (all.count && *all.items[0].path == '[')
        add_value(text, &all, 0, all.count, 0);
    else
        add_struct(text, &all, 0, all.count, 0);
}
