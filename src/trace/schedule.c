// SPDX-License-Identifier: MIT
// Schedules as data, and writing them. schedule_parse.c reads them.
#include "trace/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/line.h"
#include "trace/schedule_file.h"

const char *rh_order_rule_name(enum rh_order_rule rule)
{
    return rule == RH_ORDER_FIFO ? "fifo" : "any";
}

const char *rh_time_name(enum rh_time time)
{
    return time == RH_TIME_CAUSAL ? "causal" : "strict";
}

const char *rh_environment_name(enum rh_environment environment)
{
    static const char *const names[] = {"quiet", "closed", "open"};
    return names[environment];
}

bool rh_order_rule_parse(const char *text, enum rh_order_rule *rule)
{
    *rule = strcmp(text, "any") == 0 ? RH_ORDER_ANY : RH_ORDER_FIFO;
    return strcmp(text, rh_order_rule_name(*rule)) == 0;
}

bool rh_time_parse(const char *text, enum rh_time *time)
{
    *time = strcmp(text, "strict") == 0 ? RH_TIME_STRICT : RH_TIME_CAUSAL;
    return strcmp(text, rh_time_name(*time)) == 0;
}

bool rh_environment_parse(const char *text, enum rh_environment *environment)
{
    for (int i = RH_ENVIRONMENT_QUIET; i <= RH_ENVIRONMENT_OPEN; i++) {
        *environment = (enum rh_environment)i;
        if (strcmp(text, rh_environment_name(*environment)) == 0)
            return true;
    }
    return false;
}

const char *rh_step_deed(enum rh_step_kind kind)
{
    static const char *const deeds[] = {
        [RH_STEP_DELIVER] = "be delivered",         [RH_STEP_CHOOSE] = "choose",
        [RH_STEP_ANSWER] = "be answered",           [RH_STEP_DROP] = "be dropped",
        [RH_STEP_DUPLICATE] = "be duplicated",      [RH_STEP_CRASH] = "crash",
        [RH_STEP_RESTART] = "crash and begin anew", [RH_STEP_LAP] = "begin",
    };
    return deeds[kind];
}

struct rh_faults rh_schedule_faults(const struct rh_schedule *schedule)
{
    struct rh_faults faults = {0};
    for (size_t i = 0; i < schedule->steps.count; i++) {
        enum rh_step_kind kind = schedule->steps.items[i].kind;
        faults.drops = (uint16_t)(faults.drops + (kind == RH_STEP_DROP));
        faults.duplicates = (uint16_t)(faults.duplicates + (kind == RH_STEP_DUPLICATE));
        faults.crashes = (uint16_t)(faults.crashes + rh_step_is_crash(kind));
        faults.restarts |= kind == RH_STEP_RESTART;
    }
    return faults;
}

uint64_t rh_came_identity(size_t number)
{
    return rh_hash64_pair(rh_hash64_text("came", 8), number);
}

static void step_fini(struct rh_step *step)
{
    free(step->type);
    free(step->receiver);
    free(step->sender);
    free(step->comment);
}

static void hold_fini(struct rh_hold *hold)
{
    step_fini(&hold->held);
    step_fini(&hold->until);
}

static void send_fini(struct rh_schedule_send *send)
{
    free(send->type);
    free(send->state_type);
    free(send->fields);
    free(send->bytes);
    free(send->receiver);
    free(send->sender);
}

void rh_schedule_block_fini(struct rh_schedule_block *block)
{
    free(block->name);
    free(block->actor);
    free(block->bytes);
}

static void end_fini(struct rh_schedule_end *end)
{
    free(end->actor);
    free(end->bytes);
}

static void add_name(struct rh_index *names, const char *name)
{
    uint64_t key = rh_hash64_text(name, 0);
    if (rh_index_find(names, key) == RH_NONE)
        rh_index_add(names, key, 0);
}

static void add_named_in(struct rh_index *names, const char *bytes)
{
    struct rh_line words;
    rh_line_init(&words, bytes, strlen(bytes));
    while (rh_line_next(&words))
        if (rh_text_get(&words.word)[0] == '@')
            add_name(names, rh_text_get(&words.word) + 1);
    rh_line_fini(&words);
}

// Adds the actors that a line needs, and those that blocks of the actor that it creates need.
static void add_named(struct rh_index *names, const struct rh_schedule *schedule,
                      const struct rh_schedule_send *send)
{
    add_name(names, send->receiver);
    add_named_in(names, send->bytes);
    for (size_t i = 0; i < schedule->blocks.count && send->state_type; i++)
        if (!strcmp(schedule->blocks.items[i].actor, send->receiver))
            add_named_in(names, schedule->blocks.items[i].bytes);
}

static bool is_needed(const struct rh_schedule_send *send, const struct rh_index *names,
                      const struct rh_index *identities)
{
    if (!send->bytes)
        return true;
    return send->state_type ? rh_index_find(names, rh_hash64_text(send->receiver, 0)) != RH_NONE
                            : rh_index_find(identities, send->identity) != RH_NONE;
}

// The line that creates an actor stands before all lines that name the actor, unless actors name
// each other: once through from the end is enough in most schedules.
bool *rh_schedule_find_needed(const struct rh_schedule *schedule, const struct rh_index *identities)
{
    bool *needed = rh_alloc(schedule->sends.count + 1);
    struct rh_index names = {0};
    for (bool has_more = true; has_more;) {
        has_more = false;
        for (size_t i = schedule->sends.count; i-- > 0;) {
            const struct rh_schedule_send *send = &schedule->sends.items[i];
            if (needed[i] || !is_needed(send, &names, identities))
                continue;
            needed[i] = has_more = true;
            if (send->bytes)
                add_named(&names, schedule, send);
        }
    }
    rh_index_fini(&names);
    return needed;
}

void rh_schedule_keep_needed(struct rh_schedule *schedule, const struct rh_index *identities)
{
    bool *needed = rh_schedule_find_needed(schedule, identities);
    size_t kept = 0;
    for (size_t i = 0; i < schedule->sends.count; i++) {
        if (needed[i])
            schedule->sends.items[kept++] = schedule->sends.items[i];
        else
            send_fini(&schedule->sends.items[i]);
    }
    schedule->sends.count = kept;
    rh_schedule_drop_blocks(schedule);
    free(needed);
}

void rh_schedule_fini(struct rh_schedule *schedule)
{
    for (size_t i = 0; i < schedule->programs.count; i++)
        free(schedule->programs.items[i]);
    for (size_t i = 0; i < schedule->arguments.count; i++)
        free(schedule->arguments.items[i]);
    for (size_t i = 0; i < schedule->inputs.count; i++) {
        free(schedule->inputs.items[i].name);
        free(schedule->inputs.items[i].value);
    }
    for (size_t i = 0; i < schedule->sends.count; i++)
        send_fini(&schedule->sends.items[i]);
    for (size_t i = 0; i < schedule->holds.count; i++)
        hold_fini(&schedule->holds.items[i]);
    for (size_t i = 0; i < schedule->steps.count; i++)
        step_fini(&schedule->steps.items[i]);
    for (size_t i = 0; i < schedule->ends.count; i++)
        end_fini(&schedule->ends.items[i]);
    for (size_t i = 0; i < schedule->blocks.count; i++)
        rh_schedule_block_fini(&schedule->blocks.items[i]);
    rh_vector_fini(&schedule->ends);
    rh_vector_fini(&schedule->blocks);
    rh_vector_fini(&schedule->holds);
    rh_vector_fini(&schedule->programs);
    rh_vector_fini(&schedule->arguments);
    rh_vector_fini(&schedule->inputs);
    rh_vector_fini(&schedule->sends);
    rh_vector_fini(&schedule->steps);
    free(schedule->path);
    free(schedule->adapter);
    free(schedule->test);
    free(schedule->finding_kind);
    free(schedule->finding_file);
    free(schedule->note);
    *schedule = (struct rh_schedule){0};
}

static char *copy_or_null(const char *text)
{
    return text ? rh_strdup(text) : NULL;
}

struct rh_step rh_step_copy(const struct rh_step *step)
{
    struct rh_step copy = *step;
    copy.type = copy_or_null(step->type);
    copy.receiver = copy_or_null(step->receiver);
    copy.sender = copy_or_null(step->sender);
    copy.comment = copy_or_null(step->comment);
    return copy;
}

void rh_schedule_set_input(struct rh_schedule *schedule, const char *name, const char *value)
{
    struct rh_schedule_input *input = NULL;
    for (size_t i = 0; i < schedule->inputs.count && !input; i++)
        if (!strcmp(schedule->inputs.items[i].name, name))
            input = &schedule->inputs.items[i];
    if (!input)
        input = rh_vector_push(&schedule->inputs);
    free(input->name);
    free(input->value);
    *input = (struct rh_schedule_input){.name = rh_strdup(name), .value = rh_strdup(value)};
}

void rh_schedule_copy_inputs(struct rh_schedule *to, const struct rh_schedule *from)
{
    for (size_t i = 0; i < from->inputs.count; i++) {
        const struct rh_schedule_input *input = &from->inputs.items[i];
        *rh_vector_push(&to->inputs) = (struct rh_schedule_input){
            .name = rh_strdup(input->name), .value = rh_strdup(input->value), .line = input->line};
    }
    for (size_t i = 0; i < from->sends.count; i++) {
        const struct rh_schedule_send *send = &from->sends.items[i];
        *rh_vector_push(&to->sends) = (struct rh_schedule_send){
            .type = rh_strdup(send->type),
            .state_type = copy_or_null(send->state_type),
            .fields = copy_or_null(send->fields),
            .bytes = copy_or_null(send->bytes),
            .is_instead = send->is_instead,
            .identity = send->identity,
            .is_timer = send->is_timer,
            .due = send->due,
            .receiver = rh_strdup(send->receiver),
            .sender = copy_or_null(send->sender),
            .line = send->line,
        };
    }
    for (size_t i = 0; i < from->blocks.count; i++) {
        const struct rh_schedule_block *block = &from->blocks.items[i];
        *rh_vector_push(&to->blocks) = (struct rh_schedule_block){
            rh_strdup(block->name), rh_strdup(block->actor), rh_strdup(block->bytes), block->line};
    }
    for (size_t i = 0; i < from->ends.count; i++) {
        const struct rh_schedule_end *end = &from->ends.items[i];
        *rh_vector_push(&to->ends) = (struct rh_schedule_end){
            .actor = rh_strdup(end->actor), .bytes = copy_or_null(end->bytes), .line = end->line};
    }
    to->is_generated = from->is_generated;
    free(to->path);
    to->path = copy_or_null(from->path);
}

void rh_schedule_copy(struct rh_schedule *to, const struct rh_schedule *from)
{
    *to = (struct rh_schedule){.test = copy_or_null(from->test),
                               .order_rule = from->order_rule,
                               .time = from->time,
                               .environment = from->environment,
                               .stops = from->stops};
    rh_schedule_copy_inputs(to, from);
    for (size_t i = 0; i < from->holds.count; i++)
        *rh_vector_push(&to->holds) = (struct rh_hold){rh_step_copy(&from->holds.items[i].held),
                                                       rh_step_copy(&from->holds.items[i].until)};
    for (size_t i = 0; i < from->steps.count; i++)
        *rh_vector_push(&to->steps) = rh_step_copy(&from->steps.items[i]);
}

static void print_finding(const struct rh_schedule *schedule, struct rh_text *text)
{
    rh_text_add(text, "finding ");
    rh_text_add_word(text, schedule->finding_kind);
    if (schedule->finding_file) {
        struct rh_text place = {0};
        rh_text_addf(&place, "%s:%d", schedule->finding_file, schedule->finding_line);
        rh_text_add(text, " ");
        rh_text_add_word(text, rh_text_get(&place));
        rh_text_fini(&place);
    }
    rh_text_add(text, "\n");
}

static void print_head(const struct rh_schedule *schedule, struct rh_text *text)
{
    rh_text_addf(text, "rehearse schedule %d\nprogram", RH__SCHEDULE_VERSION);
    for (size_t i = 0; i < schedule->programs.count; i++) {
        rh_text_add(text, " ");
        rh_text_add_word(text, schedule->programs.items[i]);
    }
    if (schedule->adapter)
        rh_text_addf(text, "\nadapter %s", schedule->adapter);
    for (size_t i = 0; i < schedule->arguments.count; i++) {
        rh_text_add(text, i == 0 ? "\narguments " : " ");
        rh_text_add_word(text, schedule->arguments.items[i]);
    }
    if (schedule->random != 0)
        rh_text_addf(text, "\nrandom %llu", (unsigned long long)schedule->random);
    rh_text_add(text, schedule->is_generated ? "\ngenerated " : "\ntest ");
    rh_text_add_word(text, schedule->test ? schedule->test : "");
    rh_text_addf(text, "\norder %s\ntime %s\n", rh_order_rule_name(schedule->order_rule),
                 rh_time_name(schedule->time));
    if (schedule->environment != RH_ENVIRONMENT_QUIET)
        rh_text_addf(text, "environment %s\n", rh_environment_name(schedule->environment));
    if (schedule->finding_kind)
        print_finding(schedule, text);
}

static void print_note(const char *note, struct rh_text *text)
{
    while (*note) {
        size_t length = strcspn(note, "\n");
        rh_text_add(text, length ? "# " : "#");
        rh_text_add_line(text, note, length);
        rh_text_add(text, "\n");
        note += length + (note[length] == '\n');
    }
}

static void print_input(const struct rh_schedule_input *input, struct rh_text *text)
{
    rh_text_add(text, "input ");
    rh_text_add_word(text, input->name);
    rh_text_add(text, " = ");
    rh_text_add_line(text, input->value, strlen(input->value));
    rh_text_add(text, "\n");
}

static void print_contents(const char *contents, struct rh_text *text)
{
    if (!*contents)
        return;
    rh_text_add(text, " ");
    rh_text_add_line(text, contents, strlen(contents));
}

static void print_created(const struct rh_schedule_send *send, struct rh_text *text)
{
    rh_text_add(text, "created ");
    rh_text_add_word(text, send->type);
    rh_text_add(text, " ");
    rh_text_add_word(text, send->state_type);
    print_contents(send->bytes, text);
    rh_text_add(text, " as ");
    rh_text_add_word(text, send->receiver);
    rh_text_add(text, "\n");
}

static void print_block(const struct rh_schedule_block *block, struct rh_text *text)
{
    rh_text_add(text, "block ");
    rh_text_add_word(text, block->name);
    rh_text_add(text, " of ");
    rh_text_add_word(text, block->actor);
    print_contents(block->bytes, text);
    rh_text_add(text, "\n");
}

static void print_send(const struct rh_schedule_send *send, struct rh_text *text)
{
    rh_text_add(text, send->is_instead ? "instead " : send->bytes ? "came " : "send ");
    rh_text_add_word(text, send->type);
    print_contents(send->bytes ? send->bytes : send->fields ? send->fields : "", text);
    rh_text_add(text, " to ");
    rh_text_add_word(text, send->receiver);
    if (send->sender) {
        rh_text_add(text, " from ");
        rh_text_add_word(text, send->sender);
    }
    if (send->bytes || (send->is_instead && send->identity))
        rh_text_addf(text, " @%016" PRIx64, send->identity);
    if (send->is_timer)
        rh_text_addf(text, " due %" PRIu64, send->due);
    rh_text_add(text, "\n");
}

// The message or the actor that a step is about.
static void print_object(const struct rh_step *step, struct rh_text *text)
{
    if (step->type) {
        rh_text_add_word(text, step->type);
        rh_text_add(text, " to ");
    }
    rh_text_add_word(text, step->receiver);
    if (step->sender) {
        rh_text_add(text, " from ");
        rh_text_add_word(text, step->sender);
    }
    if (step->has_identity)
        rh_text_addf(text, " @%016" PRIx64, step->identity);
}

static void print_hold(const struct rh_hold *hold, struct rh_text *text)
{
    rh_text_add(text, "hold ");
    print_object(&hold->held, text);
    rh_text_add(text, " until ");
    print_object(&hold->until, text);
    rh_text_add(text, "\n");
}

static void print_step(const struct rh_step *step, struct rh_text *text)
{
    static const char *const words[] = {[RH_STEP_DELIVER] = "deliver ",
                                        [RH_STEP_CHOOSE] = "choose ",
                                        [RH_STEP_ANSWER] = "answer ",
                                        [RH_STEP_DROP] = "drop ",
                                        [RH_STEP_DUPLICATE] = "duplicate ",
                                        [RH_STEP_CRASH] = "crash ",
                                        [RH_STEP_RESTART] = "restart ",
                                        [RH_STEP_LAP] = "lap",
                                        [RH_STEP_TURN] = "turn "};
    rh_text_add(text, words[step->kind]);
    if (step->kind == RH_STEP_CHOOSE) {
        rh_text_addf(text, "%d of %d", step->outcome, step->count);
    } else if (step->kind == RH_STEP_ANSWER) {
        rh_text_add_word(text, step->type);
        rh_text_addf(text, " %" PRIu64, step->value);
    } else if (step->kind == RH_STEP_TURN) {
        rh_text_add_word(text, step->receiver);
        if (step->value)
            rh_text_addf(text, " %" PRIu64, step->value);
    } else if (step->kind != RH_STEP_LAP) {
        print_object(step, text);
    }
    if (step->comment) {
        rh_text_add(text, "   # ");
        rh_text_add_line(text, step->comment, strlen(step->comment));
    }
    rh_text_add(text, "\n");
}

static void print_end(const struct rh_schedule_end *end, struct rh_text *text)
{
    rh_text_add(text, "ends ");
    rh_text_add_word(text, end->actor);
    print_contents(end->bytes ? end->bytes : *end->actor == '&' ? "freed" : "stopped", text);
    rh_text_add(text, "\n");
}

void rh_schedule_print(const struct rh_schedule *schedule, struct rh_text *text)
{
    print_head(schedule, text);
    if (schedule->note)
        print_note(schedule->note, text);
    for (size_t i = 0; i < schedule->inputs.count; i++)
        print_input(&schedule->inputs.items[i], text);
    for (size_t i = 0; i < schedule->sends.count; i++)
        if (schedule->sends.items[i].state_type)
            print_created(&schedule->sends.items[i], text);
        else
            print_send(&schedule->sends.items[i], text);
    for (size_t i = 0; i < schedule->blocks.count; i++)
        print_block(&schedule->blocks.items[i], text);
    for (size_t i = 0; i < schedule->holds.count; i++)
        print_hold(&schedule->holds.items[i], text);
    for (size_t i = 0; i < schedule->steps.count; i++)
        print_step(&schedule->steps.items[i], text);
    for (size_t i = 0; i < schedule->ends.count; i++)
        print_end(&schedule->ends.items[i], text);
    rh_text_add(text, schedule->stops ? "stop\nend\n" : "end\n");
}

struct rh_status rh_schedule_write(const struct rh_schedule *schedule, const char *path)
{
    struct rh_text text = {0};
    rh_schedule_print(schedule, &text);
    struct rh_status status =
        text.length <= RH__SCHEDULE_FILE_LIMIT
            ? rh_text_write_file(&text, path)
            : rh_failed("%s: not written: the schedule has %zu steps, more than could be read back",
                        path, schedule->steps.count);
    rh_text_fini(&text);
    return status;
}

struct rh_status rh_schedule_read(struct rh_schedule *schedule, const char *path)
{
    struct rh_text text = {0};
    struct rh_status status = rh_text_read_file(&text, path, RH__SCHEDULE_FILE_LIMIT);
    if (rh_is_ok(&status))
        status = rh_schedule_parse(schedule, path, rh_text_get(&text), text.length);
    else
        *schedule = (struct rh_schedule){0};
    rh_text_fini(&text);
    return status;
}
