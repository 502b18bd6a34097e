// SPDX-License-Identifier: MIT
// What leads to a place, as a schedule of the test it begins with: messages of the outside with
// their fields by name, and the deliveries up to there.
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "symbolic/write.h"

// Fields in the order of their offsets; `depth` characters of their paths are written already.
struct fields {
    const struct rh_generate_test *test;
    const struct rh_generate_field *items;
    uint32_t count;
    bool is_complete; // everything could be said
};

// In C's words that a schedule does not know.
static const char *plain(const char *value)
{
    return !strcmp(value, "INT64_MIN")           ? "-9223372036854775808"
           : !strcmp(value, "(-2147483647 - 1)") ? "-2147483648"
                                                 : value;
}

static void add_scalar(struct rh_text *text, struct fields *fields, uint32_t at)
{
    const struct rh_generate_field *field = &fields->items[at];
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
    for (uint32_t done = 0; done < count;) {
        const char *path = fields->items[at + done].path;
        size_t end = (size_t)(strchr(path + depth, ']') + 1 - path);
        uint32_t element = run_of(fields, at + done, end);
        rh_text_add(text, done ? ", " : "");
        add_value(text, fields, at + done, element, end);
        done += element;
    }
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

static bool add_message(struct rh_schedule *schedule, const struct rh_generate_test *test,
                        const struct rh_reach_message *message)
{
    struct fields fields = {test, message->fields.items, message->fields.count, true};
    struct rh_text text = {0};
    if (fields.count)
        add_struct(&text, &fields, 0, fields.count, 0);
    struct rh_schedule_send *send = rh_vector_push(&schedule->sends);
    send->type = rh_strdup(message->type);
    send->fields = fields.count ? rh_text_take(&text) : NULL;
    send->receiver = rh_strdup(test->actors[message->receiver].name);
    send->sender = rh_strdup(RH_REACH_SENDER);
    return fields.is_complete;
}

static bool add_inputs(struct rh_schedule *schedule, const struct rh_generate_test *test)
{
    for (uint32_t i = 0; i < test->input_count; i++) {
        if (!test->inputs[i].value)
            return false;
        *rh_vector_push(&schedule->inputs) = (struct rh_schedule_input){
            .name = rh_strdup(test->inputs[i].name), .value = rh_strdup(test->inputs[i].value)};
    }
    return true;
}

bool rh_reach_schedule(struct rh_schedule *schedule, const struct rh_reach_result *result,
                       const struct rh_reach_options *options, const char *const *programs,
                       size_t program_count)
{
    const struct rh_generate_test *test = &result->found.tests.items[0];
    *schedule = (struct rh_schedule){.stops = true};
    for (size_t i = 0; i < program_count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(programs[i]);
    schedule->test = rh_strdup(result->found.test);
    schedule->order_rule = options->keeps_order ? RH_ORDER_FIFO : RH_ORDER_ANY;
    if (options->goal == RH_REACH_LINE) {
        schedule->finding_kind = rh_strdup("reached");
        schedule->finding_file = rh_strdup(options->file);
        schedule->finding_line = (int)options->line;
    }
    if (*test->condition)
        schedule->note = rh_strdup(test->condition);
    bool is_complete = add_inputs(schedule, test);
    for (uint32_t i = 0; i < result->message_count; i++)
        is_complete = add_message(schedule, test, &result->messages[i]) && is_complete;
    for (uint32_t i = 0; i < test->step_count; i++)
        rh_generate_add_step(schedule, test, &test->steps[i]);
    return is_complete;
}
