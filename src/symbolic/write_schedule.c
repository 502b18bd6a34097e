// SPDX-License-Identifier: MIT
// Generated tests as schedules: the actors that there are at the beginning and the message are
// lines as of a recording, byte for byte with addresses by name, so that whatever a state holds can
// be said; and so are the states at the end.
#include <inttypes.h>
#include <stdlib.h>

#include "base/line.h"
#include "symbolic/write.h"

// --- Bytes. ---

static bool is_expressible(const struct rh_generate_fields *fields)
{
    for (uint32_t i = 0; i < fields->count; i++)
        if (rh_generate_is_nameless(&fields->items[i]))
            return false;
    return true;
}

static void add_bytes(struct rh_text *text, uint64_t number, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        rh_text_addf(text, "%02x", (unsigned)(i < 8 ? number >> 8 * i & 0xff : 0));
}

// The word that leads into a block.
static void add_block_word(struct rh_text *text, uint32_t block, uint64_t inside)
{
    rh_text_addf(text, "&%u", (unsigned)block + 1);
    if (inside)
        rh_text_addf(text, "+%" PRIu64, inside);
}

static void add_field(struct rh_text *text, const struct rh_generate_test *test,
                      const struct rh_generate_field *field)
{
    rh_text_add(text, text->length ? " " : "");
    if (field->actor != RH_NONE) {
        struct rh_text name = {0};
        rh_text_addf(&name, "@%s", test->actors[field->actor].name);
        rh_text_add_word(text, rh_text_get(&name));
        rh_text_fini(&name);
    } else if (field->block != RH_NONE) {
        add_block_word(text, field->block, field->inside);
    } else if (rh_generate_is_nameless(field)) {
        for (uint32_t i = 0; i < field->size; i++)
            rh_text_add(text, "??");
    } else {
        add_bytes(text, field->number, field->size);
    }
}

static void add_gap(struct rh_text *text, uint64_t size, bool is_open)
{
    if (size == 0)
        return;
    rh_text_add(text, text->length ? " " : "");
    for (uint64_t i = 0; i < size; i++)
        rh_text_add(text, is_open ? "??" : "00");
}

// The struct's bytes as a schedule has them; the caller frees them. Padding is zero, as in the
// world, or anything if it is open.
static char *bytes_with_padding(const struct rh_generate_test *test,
                                const struct rh_generate_fields *fields, bool is_open)
{
    struct rh_text text = {0};
    uint64_t at = 0;
    rh_text_add(&text, "");
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct rh_generate_field *field = &fields->items[i];
        add_gap(&text, field->offset - at, is_open);
        add_field(&text, test, field);
        at = field->offset + field->size;
    }
    add_gap(&text, fields->size - at, is_open);
    return rh_text_take(&text);
}

static char *bytes_of(const struct rh_generate_test *test, const struct rh_generate_fields *fields)
{
    return bytes_with_padding(test, fields, false);
}

// --- Lines. ---

// What the body of a test of the program makes need not be said.
static bool can_be_run(const struct rh_generate_result *result, const struct rh_generate_test *test)
{
    if (test->is_undefined || !is_expressible(&test->message))
        return false;
    for (uint32_t i = 0; i < test->input_count; i++)
        if (!test->inputs[i].value)
            return false;
    for (uint32_t i = 0; i < test->actor_count; i++)
        if (!test->actors[i].is_outside &&
            (!test->actors[i].behaviour ||
             (!result->test && !is_expressible(&test->actors[i].initial))))
            return false;
    for (uint32_t i = 0; i < test->block_count; i++)
        if (!is_expressible(&test->blocks[i].initial))
            return false;
    return true;
}

static void add_created(struct rh_schedule *schedule, const struct rh_generate_test *test,
                        const struct rh_generate_actor *actor)
{
    struct rh_text type = {0};
    rh_text_add(&type, "");
    if (actor->initial.size && actor->type)
        rh_text_add(&type, actor->type);
    struct rh_schedule_send *send = rh_vector_push(&schedule->sends);
    send->type = rh_strdup(actor->behaviour);
    send->state_type = rh_text_take(&type);
    send->bytes = bytes_of(test, &actor->initial);
    send->receiver = rh_strdup(actor->name);
}

static void add_message(struct rh_schedule *schedule, const struct rh_generate_result *result,
                        const struct rh_generate_test *test)
{
    struct rh_schedule_send *send = rh_vector_push(&schedule->sends);
    send->type = rh_strdup(result->message);
    send->bytes = bytes_of(test, &test->message);
    send->receiver = rh_strdup(test->actors[0].name);
    send->identity = test->identity;
}

// What the test's body sends, with other fields. false if not all of them can be said.
static bool add_instead(struct rh_schedule *schedule, const struct rh_generate_test *test,
                        const struct rh_generate_message *message)
{
    struct rh_text fields = {0};
    bool is_complete = rh_generate_add_fields(&fields, test, &message->fields);
    struct rh_schedule_send *send = rh_vector_push(&schedule->sends);
    send->is_instead = true;
    send->type = rh_strdup(message->type);
    send->fields = rh_text_take(&fields);
    send->receiver = rh_strdup(test->actors[message->receiver].name);
    if (message->sender != RH_NONE)
        send->sender = rh_strdup(test->actors[message->sender].name);
    send->identity = message->identity;
    return is_complete;
}

void rh_generate_add_step(struct rh_schedule *schedule, const struct rh_generate_test *test,
                          const struct rh_generate_step *from)
{
    struct rh_step *step = rh_vector_push(&schedule->steps);
    if (!from->type) {
        step->kind = RH_STEP_CHOOSE;
        step->outcome = (int)from->outcome;
        step->count = (int)from->outcomes;
        return;
    }
    step->kind = RH_STEP_DELIVER;
    step->type = rh_strdup(from->type);
    step->receiver = rh_strdup(test->actors[from->receiver].name);
    step->sender = rh_strdup(from->sender == RH_NONE ? "outside" : test->actors[from->sender].name);
    step->has_identity = true;
    step->identity = from->identity;
}

static void add_end(struct rh_schedule *schedule, const struct rh_generate_test *test,
                    const struct rh_generate_actor *actor)
{
    struct rh_schedule_end *end = rh_vector_push(&schedule->ends);
    end->actor = rh_strdup(actor->name);
    if (!actor->is_stopped)
        end->bytes = bytes_of(test, &actor->final);
}

static void add_block(struct rh_schedule *schedule, const struct rh_generate_test *test,
                      uint32_t index)
{
    const struct rh_generate_block *from = &test->blocks[index];
    struct rh_text name = {0};
    rh_text_addf(&name, "%u", (unsigned)index + 1);
    *rh_vector_push(&schedule->blocks) =
        (struct rh_schedule_block){.name = rh_text_take(&name),
                                   .actor = rh_strdup(test->actors[from->actor].name),
                                   .bytes = bytes_of(test, &from->initial)};
}

// Behind the ends of actors, in an order in which each block is led to before it is told of. Where
// a block was freed another one may lie by now.
static void add_block_end(struct rh_schedule *schedule, const struct rh_generate_test *test,
                          uint32_t index)
{
    const struct rh_generate_block *from = &test->blocks[index];
    if (!from->is_met && (!from->is_freed || test->allocates))
        return;
    struct rh_schedule_end *end = rh_vector_push(&schedule->ends);
    struct rh_text name = {0};
    add_block_word(&name, index, 0);
    end->actor = rh_text_take(&name);
    if (from->is_met)
        end->bytes = bytes_with_padding(test, &from->final, true);
}

bool rh_generate_schedule(struct rh_schedule *schedule, const struct rh_generate_result *result,
                          const struct rh_generate_test *test, const char *const *programs,
                          size_t program_count)
{
    *schedule = (struct rh_schedule){0};
    if (!can_be_run(result, test))
        return false;
    for (size_t i = 0; i < program_count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(programs[i]);
    schedule->test = rh_strdup(result->test ? result->test : test->name);
    schedule->is_generated = !result->test;
    schedule->order_rule = result->keeps_order ? RH_ORDER_FIFO : RH_ORDER_ANY;
    struct rh_text note = {0};
    rh_text_add(&note, *test->condition ? test->condition : "Always.");
    if (test->broken) {
        rh_text_addf(&note, "\nBreaks: %s", test->broken);
        if (test->place.file)
            rh_text_addf(&note, ", %s:%u", test->place.file, (unsigned)test->place.line);
        rh_text_add(&note, ".");
    }
    for (uint32_t i = 0; i < test->call_count; i++)
        rh_text_addf(&note, "\nCalled for this test, with these values only: %s.", test->calls[i]);
    schedule->note = rh_text_take(&note);
    for (uint32_t i = 0; i < test->input_count; i++)
        *rh_vector_push(&schedule->inputs) = (struct rh_schedule_input){
            .name = rh_strdup(test->inputs[i].name), .value = rh_strdup(test->inputs[i].value)};
    for (uint32_t i = 0; i < test->actor_count && !result->test; i++)
        if (test->actors[i].is_initial)
            add_created(schedule, test, &test->actors[i]);
    for (uint32_t i = 0; i < test->block_count; i++)
        if (test->blocks[i].is_initial)
            add_block(schedule, test, i);
    if (!result->test)
        add_message(schedule, result, test);
    bool is_complete = true;
    for (uint32_t i = 0; i < test->message_count; i++)
        is_complete = add_instead(schedule, test, &test->messages[i]) && is_complete;
    for (uint32_t i = 0; i < test->step_count; i++)
        rh_generate_add_step(schedule, test, &test->steps[i]);
    for (uint32_t i = 0; i < test->actor_count && !test->broken; i++)
        if (!test->actors[i].is_outside)
            add_end(schedule, test, &test->actors[i]);
    for (uint32_t i = 0; i < test->block_count && !test->broken; i++)
        add_block_end(schedule, test, i);
    if (!is_complete)
        rh_schedule_fini(schedule);
    return is_complete;
}
