// SPDX-License-Identifier: MIT
// What leads to a place, as a schedule of the test it begins with: messages of the outside with
// their fields by name, and the deliveries up to there.
#include <stdlib.h>

#include "symbolic/write.h"

static bool add_message(struct rh_schedule *schedule, const struct rh_generate_test *test,
                        const struct rh_reach_message *message)
{
    struct rh_text text = {0};
    bool is_complete = rh_generate_add_fields(&text, test, &message->fields);
    struct rh_schedule_send *send = rh_vector_push(&schedule->sends);
    send->type = rh_strdup(message->type);
    send->fields = message->fields.count ? rh_text_take(&text) : NULL;
    send->receiver = rh_strdup(test->actors[message->receiver].name);
    send->sender = rh_strdup(RH_REACH_SENDER);
    return is_complete;
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
    *schedule = (struct rh_schedule){.stops = !result->is_to_end};
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
