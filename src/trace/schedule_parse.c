// SPDX-License-Identifier: MIT
// Reads schedule files, which people edit by hand: every message says where and what to do.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "trace/finding_kind.h"
#include "trace/schedule.h"
#include "trace/schedule_file.h"

#define INPUT_LIMIT 10000
// More messages would take longer to send than a test's body may take.
#define SEND_LIMIT 100000

struct parser {
    struct rh_schedule *schedule;
    struct rh_lines lines;
    unsigned seen;    // bit i: the head line keywords[i] was there
    bool is_order;    // the lines are those that a test gives
    bool has_version; // the first line was there
    bool has_lap;     // `lap` was there
    bool has_end;     // `end` was there
    int faults;       // steps that are drops, duplicates and crashes
    int crash_line;   // of the first step that is a crash; 0: there was none
    enum rh_step_kind crash_kind;
};

// Goes to the next word of the line, which must be there. `form` is how the line should look.
static bool need_word(struct parser *parser, const char *form)
{
    if (rh_line_next(&parser->lines.line))
        return true;
    if (parser->lines.line.fault)
        return rh_lines_fail(&parser->lines, "%s; write `%s`", parser->lines.line.fault, form);
    return rh_lines_fail(&parser->lines, "the line ends too early; write `%s`", form);
}

// Like need_word, and takes a copy of the word.
static bool take_word(struct parser *parser, const char *form, char **word)
{
    if (!need_word(parser, form))
        return false;
    *word = rh_strdup(rh_lines_word(&parser->lines));
    return true;
}

static bool is_keyword(const struct parser *parser, const char *keyword)
{
    return !parser->lines.line.quoted && strcmp(rh_lines_word(&parser->lines), keyword) == 0;
}

static bool need_keyword(struct parser *parser, const char *form, const char *keyword)
{
    if (!need_word(parser, form))
        return false;
    if (is_keyword(parser, keyword))
        return true;
    return rh_lines_fail(&parser->lines, "`%s` is expected where `%s` stands; write `%s`", keyword,
                         rh_lines_excerpt(&parser->lines).text, form);
}

// The end of a line is fine here, a word that can't be read is not.
static bool need_no_fault(struct parser *parser, const char *form)
{
    return !parser->lines.line.fault ||
           rh_lines_fail(&parser->lines, "%s; write `%s`", parser->lines.line.fault, form);
}

static bool need_line_end(struct parser *parser, const char *form)
{
    if (rh_line_next(&parser->lines.line))
        return rh_lines_fail(&parser->lines, "`%s` is one word too many; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return need_no_fault(parser, form);
}

// Reads digits only: a number from 0 to INT_MAX.
static bool number_of(const char *text, int *number)
{
    uint64_t value;
    bool is_number = rh_line_number_of(text, strlen(text), 10, &value) && value <= INT_MAX;
    *number = is_number ? (int)value : 0;
    return is_number;
}

static bool need_number(struct parser *parser, const char *form, int *number)
{
    if (!need_word(parser, form))
        return false;
    if (number_of(rh_lines_word(&parser->lines), number))
        return true;
    return rh_lines_fail(&parser->lines, "`%s` is not a number from 0 to %d; write `%s`",
                         rh_lines_excerpt(&parser->lines).text, INT_MAX, form);
}

// Adds the present word to the programs.
static bool take_program(struct parser *parser)
{
    if (!parser->lines.line.word.length)
        return rh_lines_fail(&parser->lines,
                             "the name of a program is empty; write `program FILE...`");
    *rh_vector_push(&parser->schedule->programs) = rh_strdup(rh_lines_word(&parser->lines));
    return true;
}

static bool parse_program(struct parser *parser)
{
    static const char form[] = "program FILE...";
    if (!need_word(parser, form) || !take_program(parser))
        return false;
    while (rh_line_next(&parser->lines.line)) {
        if (!take_program(parser))
            return false;
    }
    return need_line_end(parser, form);
}

static bool parse_adapter(struct parser *parser)
{
    static const char form[] = "adapter zmq` or `adapter threads";
    if (!take_word(parser, form, &parser->schedule->adapter))
        return false;
    if (strcmp(parser->schedule->adapter, "zmq") != 0 &&
        strcmp(parser->schedule->adapter, "threads") != 0)
        return rh_lines_fail(&parser->lines, "there is no adapter `%s`; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return need_line_end(parser, form);
}

static bool parse_arguments(struct parser *parser)
{
    while (rh_line_next(&parser->lines.line))
        *rh_vector_push(&parser->schedule->arguments) = rh_strdup(rh_lines_word(&parser->lines));
    return need_line_end(parser, "arguments WORD...");
}

static bool take_test(struct parser *parser, const char *form)
{
    if (parser->schedule->test)
        return rh_lines_fail(&parser->lines,
                             "a schedule has a `test` line or a `generated` line; remove one");
    if (!take_word(parser, form, &parser->schedule->test))
        return false;
    if (!*parser->schedule->test)
        return rh_lines_fail(&parser->lines, "the name of the test is empty; write `%s`", form);
    return need_line_end(parser, form);
}

static bool parse_test(struct parser *parser)
{
    return take_test(parser, "test NAME");
}

static bool parse_generated(struct parser *parser)
{
    parser->schedule->is_generated = true;
    return take_test(parser, "generated NAME");
}

static bool parse_order(struct parser *parser)
{
    static const char form[] = "order fifo` or `order any";
    if (!need_word(parser, form))
        return false;
    if (!rh_order_rule_parse(rh_lines_word(&parser->lines), &parser->schedule->order_rule))
        return rh_lines_fail(&parser->lines, "there is no order `%s`; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return need_line_end(parser, form);
}

static bool parse_time(struct parser *parser)
{
    static const char form[] = "time causal` or `time strict";
    if (!need_word(parser, form))
        return false;
    if (!rh_time_parse(rh_lines_word(&parser->lines), &parser->schedule->time))
        return rh_lines_fail(&parser->lines, "there is no time `%s`; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return need_line_end(parser, form);
}

static bool parse_environment(struct parser *parser)
{
    static const char form[] = "environment quiet`, `environment closed` or `environment open";
    if (!need_word(parser, form))
        return false;
    if (!rh_environment_parse(rh_lines_word(&parser->lines), &parser->schedule->environment))
        return rh_lines_fail(&parser->lines, "there is no environment `%s`; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return need_line_end(parser, form);
}

// A place is FILE:LINE; a place without a line number is a file whose line is not known.
static bool take_place(struct parser *parser)
{
    const char *place = rh_lines_word(&parser->lines);
    const char *colon = strrchr(place, ':');
    parser->schedule->finding_file = rh_strdup(place);
    if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        return true;
    parser->schedule->finding_file[colon - place] = '\0';
    if (number_of(colon + 1, &parser->schedule->finding_line))
        return true;
    return rh_lines_fail(&parser->lines, "`%s` has a line number above %d",
                         rh_lines_excerpt(&parser->lines).text, INT_MAX);
}

static bool parse_finding(struct parser *parser)
{
    static const char form[] = "finding KIND FILE:LINE";
    enum rh_finding_kind kind;
    if (!take_word(parser, form, &parser->schedule->finding_kind))
        return false;
    if (!rh_finding_kind_parse(parser->schedule->finding_kind, &kind))
        return rh_lines_fail(&parser->lines,
                             "there is no kind of finding `%s`; remove the line or correct it",
                             rh_lines_excerpt(&parser->lines).text);
    if (!rh_line_next(&parser->lines.line))
        return need_no_fault(parser, form);
    return take_place(parser) && need_line_end(parser, form);
}

static const struct rh_schedule_input *find_input(const struct rh_schedule *schedule,
                                                  const char *name)
{
    for (size_t i = 0; i < schedule->inputs.count; i++) {
        if (strcmp(schedule->inputs.items[i].name, name) == 0)
            return &schedule->inputs.items[i];
    }
    return NULL;
}

static bool parse_input(struct parser *parser)
{
    static const char form[] = "input NAME = VALUE";
    if (!need_word(parser, form))
        return false;
    // Looking for an earlier input of this name takes time that grows with the square of the number
    // of inputs.
    if (parser->schedule->inputs.count == INPUT_LIMIT)
        return rh_lines_fail(&parser->lines, "there are more than %d inputs; remove some",
                             INPUT_LIMIT);
    const struct rh_schedule_input *earlier =
        find_input(parser->schedule, rh_lines_word(&parser->lines));
    if (earlier)
        return rh_lines_fail(&parser->lines,
                             "input `%s` stands on line %d already; remove one of them",
                             rh_lines_excerpt(&parser->lines).text, earlier->line);
    struct rh_schedule_input *input = rh_vector_push(&parser->schedule->inputs);
    input->name = rh_strdup(rh_lines_word(&parser->lines));
    input->value = rh_strdup("");
    input->line = parser->lines.number;
    if (!need_keyword(parser, form, "="))
        return false;
    if (!rh_line_rest(&parser->lines.line))
        return rh_lines_fail(
            &parser->lines, "%s; write `%s`",
            parser->lines.line.fault ? parser->lines.line.fault : "the value is missing", form);
    free(input->value);
    input->value = rh_strdup(rh_lines_word(&parser->lines));
    return true;
}

static bool parse_send(struct parser *parser)
{
    static const char form[] = "send TYPE {FIELD = VALUE, ...} to ACTOR from SENDER";
    if (parser->schedule->sends.count == SEND_LIMIT)
        return rh_lines_fail(&parser->lines, "there are more than %d messages to send; remove some",
                             SEND_LIMIT);
    struct rh_schedule_send *send = rh_vector_push(&parser->schedule->sends);
    send->line = parser->lines.number;
    if (!take_word(parser, form, &send->type))
        return false;
    if (rh_line_braces(&parser->lines.line))
        send->fields = rh_strdup(rh_lines_word(&parser->lines));
    if (!need_no_fault(parser, form) || !need_keyword(parser, form, "to") ||
        !take_word(parser, form, &send->receiver))
        return false;
    if (!rh_line_next(&parser->lines.line))
        return need_no_fault(parser, form);
    if (!is_keyword(parser, "from"))
        return rh_lines_fail(&parser->lines, "`%s` is not expected here; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return take_word(parser, form, &send->sender) && need_line_end(parser, form);
}

// Adds the present word, which is one of `digits` in pairs, or leads to an actor or a block.
static bool take_bytes_word(struct parser *parser, const char *form, const char *digits,
                            struct rh_text *bytes)
{
    const char *word = rh_lines_word(&parser->lines);
    bool is_bytes = strlen(word) % 2 == 0 && word[strspn(word, digits)] == '\0';
    struct rh_block_word block;
    if (*word == '&' ? !rh_block_word_read(word, &block) : *word != '@' && !is_bytes)
        return rh_lines_fail(&parser->lines,
                             "`%s` is neither bytes in hexadecimal nor @ACTOR nor &BLOCK; write "
                             "`%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    rh_text_add(bytes, bytes->length > 0 ? " " : "");
    rh_text_add_word(bytes, word);
    return true;
}

// Reads bytes and addresses up to the keyword.
static bool take_bytes(struct parser *parser, const char *form, const char *keyword, char **taken)
{
    struct rh_text bytes = {0};
    rh_text_add(&bytes, "");
    bool is_read;
    while ((is_read = need_word(parser, form)) && !is_keyword(parser, keyword))
        if (!(is_read = take_bytes_word(parser, form, "0123456789abcdef", &bytes)))
            break;
    *taken = rh_text_take(&bytes);
    return is_read;
}

static bool parse_block(struct parser *parser)
{
    static const char form[] = "block NAME of ACTOR BYTES @ACTOR &BLOCK ...";
    struct rh_schedule_block *block = rh_vector_push(&parser->schedule->blocks);
    block->line = parser->lines.number;
    if (!take_word(parser, form, &block->name) || !need_keyword(parser, form, "of") ||
        !take_word(parser, form, &block->actor))
        return false;
    struct rh_text bytes = {0};
    rh_text_add(&bytes, "");
    bool is_read = true;
    while (is_read && rh_line_next(&parser->lines.line))
        is_read = take_bytes_word(parser, form, "0123456789abcdef", &bytes);
    block->bytes = rh_text_take(&bytes);
    return is_read && need_no_fault(parser, form);
}

static bool parse_ends(struct parser *parser)
{
    static const char form[] = "ends ACTOR BYTES @ACTOR &BLOCK ...` or `ends ACTOR stopped";
    struct rh_schedule_end *end = rh_vector_push(&parser->schedule->ends);
    end->line = parser->lines.number;
    if (!take_word(parser, form, &end->actor))
        return false;
    struct rh_text bytes = {0};
    rh_text_add(&bytes, "");
    bool is_read = true, is_stopped = false;
    while (is_read && !is_stopped && rh_line_next(&parser->lines.line)) {
        is_stopped =
            is_keyword(parser, *end->actor == '&' ? "freed" : "stopped") && bytes.length == 0;
        is_read = is_stopped || take_bytes_word(parser, form, "0123456789abcdef?", &bytes);
    }
    if (is_stopped)
        rh_text_fini(&bytes);
    else
        end->bytes = rh_text_take(&bytes);
    return is_read && need_line_end(parser, form);
}

static bool take_wide_number(struct parser *parser, const char *form, uint64_t *number)
{
    if (!need_word(parser, form))
        return false;
    const char *word = rh_lines_word(&parser->lines);
    if (rh_line_number_of(word, strlen(word), 10, number))
        return true;
    return rh_lines_fail(&parser->lines, "`%s` is not a number; write `%s`",
                         rh_lines_excerpt(&parser->lines).text, form);
}

static bool take_identity(struct parser *parser, uint64_t *identity)
{
    return rh_line_identity_of(rh_lines_word(&parser->lines), identity) ||
           rh_lines_fail(
               &parser->lines,
               "`%s` is not an identity; write @ and 16 hexadecimal digits, or leave it out",
               rh_lines_excerpt(&parser->lines).text);
}

static bool take_step_identity(struct parser *parser, struct rh_step *step)
{
    step->has_identity = true;
    return take_identity(parser, &step->identity);
}

// Whether the present word is an identity, or would be one.
static bool is_identity(const struct parser *parser)
{
    return !parser->lines.line.quoted && rh_lines_word(&parser->lines)[0] == '@';
}

// A message that the test's body sends, with other fields.
static bool parse_instead(struct parser *parser)
{
    static const char form[] = "instead TYPE {FIELD = VALUE, ...} to ACTOR from SENDER @IDENTITY";
    if (parser->schedule->sends.count == SEND_LIMIT)
        return rh_lines_fail(&parser->lines, "there are more than %d messages to send; remove some",
                             SEND_LIMIT);
    struct rh_schedule_send *send = rh_vector_push(&parser->schedule->sends);
    send->line = parser->lines.number;
    send->is_instead = true;
    if (!take_word(parser, form, &send->type))
        return false;
    if (!rh_line_braces(&parser->lines.line))
        return rh_lines_fail(&parser->lines, "the fields are missing; write `%s`", form);
    send->fields = rh_strdup(rh_lines_word(&parser->lines));
    if (!need_no_fault(parser, form) || !need_keyword(parser, form, "to") ||
        !take_word(parser, form, &send->receiver))
        return false;
    bool more = rh_line_next(&parser->lines.line);
    if (more && is_keyword(parser, "from")) {
        if (!take_word(parser, form, &send->sender))
            return false;
        more = rh_line_next(&parser->lines.line);
    }
    if (!more)
        return need_no_fault(parser, form);
    if (!is_identity(parser))
        return rh_lines_fail(&parser->lines, "`%s` is not expected here; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return take_identity(parser, &send->identity) && need_line_end(parser, form);
}

static bool parse_came(struct parser *parser)
{
    static const char form[] = "came TYPE BYTES @ACTOR ... to ACTOR from SENDER @IDENTITY due TIME";
    if (parser->schedule->sends.count == SEND_LIMIT)
        return rh_lines_fail(&parser->lines, "there are more than %d messages to send; remove some",
                             SEND_LIMIT);
    struct rh_schedule_send *send = rh_vector_push(&parser->schedule->sends);
    send->line = parser->lines.number;
    if (!take_word(parser, form, &send->type) || !take_bytes(parser, form, "to", &send->bytes) ||
        !take_word(parser, form, &send->receiver))
        return false;
    bool more = rh_line_next(&parser->lines.line);
    if (more && is_keyword(parser, "from")) {
        if (!take_word(parser, form, &send->sender))
            return false;
        more = rh_line_next(&parser->lines.line);
    }
    if (!more || !is_identity(parser))
        return rh_lines_fail(&parser->lines, "its identity is missing; write `%s`", form);
    if (!take_identity(parser, &send->identity))
        return false;
    more = rh_line_next(&parser->lines.line);
    if (more && is_keyword(parser, "due")) {
        send->is_timer = true;
        return take_wide_number(parser, form, &send->due) && need_line_end(parser, form);
    }
    if (more)
        return rh_lines_fail(&parser->lines, "`%s` is not expected here; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return need_no_fault(parser, form);
}

static bool parse_created(struct parser *parser)
{
    static const char form[] = "created FUNCTION STATE_TYPE BYTES @ACTOR ... as ACTOR";
    if (parser->schedule->sends.count == SEND_LIMIT)
        return rh_lines_fail(&parser->lines, "there are more than %d messages to send; remove some",
                             SEND_LIMIT);
    struct rh_schedule_send *send = rh_vector_push(&parser->schedule->sends);
    send->line = parser->lines.number;
    return take_word(parser, form, &send->type) && take_word(parser, form, &send->state_type) &&
           take_bytes(parser, form, "as", &send->bytes) &&
           take_word(parser, form, &send->receiver) && need_line_end(parser, form);
}

static struct rh_step *add_step(struct parser *parser, enum rh_step_kind kind)
{
    struct rh_step *step = rh_vector_push(&parser->schedule->steps);
    step->kind = kind;
    step->line = parser->lines.number;
    return step;
}

// More faults than a search ever allows for would not be counted.
static bool count_fault(struct parser *parser)
{
    if (++parser->faults <= RH_FAULTS_MOST)
        return true;
    return rh_lines_fail(&parser->lines, "there are more than %d faults; remove some",
                         RH_FAULTS_MOST);
}

// Reads how a message is named. *more: a word follows that is no part of the name, and is the
// present one.
static bool take_message(struct parser *parser, const char *form, struct rh_step *step, bool *more)
{
    if (!take_word(parser, form, &step->type) || !need_keyword(parser, form, "to") ||
        !take_word(parser, form, &step->receiver))
        return false;
    *more = rh_line_next(&parser->lines.line);
    if (*more && is_keyword(parser, "from")) {
        if (!take_word(parser, form, &step->sender))
            return false;
        *more = rh_line_next(&parser->lines.line);
    }
    if (*more && is_identity(parser)) {
        if (!take_step_identity(parser, step))
            return false;
        *more = rh_line_next(&parser->lines.line);
    }
    return need_no_fault(parser, form);
}

static bool take_last_message(struct parser *parser, const char *form, struct rh_step *step)
{
    bool more;
    if (!take_message(parser, form, step, &more) || !more)
        return parser->lines.status.code == RH_OK;
    return rh_lines_fail(&parser->lines,
                         step->has_identity ? "`%s` is one word too many; write `%s`"
                                            : "`%s` is not expected here; write `%s`",
                         rh_lines_excerpt(&parser->lines).text, form);
}

// Parses what follows the first word of a step that is about a message.
static bool parse_message(struct parser *parser, const char *form, enum rh_step_kind kind)
{
    return take_last_message(parser, form, add_step(parser, kind));
}

static bool parse_hold(struct parser *parser)
{
    static const char form[] =
        "hold TYPE to RECEIVER from SENDER @IDENTITY until TYPE to RECEIVER from SENDER @IDENTITY";
    if (parser->schedule->holds.count == RH_HOLDS_MOST)
        return rh_lines_fail(&parser->lines, "there are more than %d holds; remove some",
                             RH_HOLDS_MOST);
    struct rh_hold *hold = rh_vector_push(&parser->schedule->holds);
    hold->held.line = hold->until.line = parser->lines.number;
    bool more;
    if (!take_message(parser, form, &hold->held, &more))
        return false;
    if (!more)
        return rh_lines_fail(&parser->lines, "the line ends too early; write `%s`", form);
    if (!is_keyword(parser, "until"))
        return rh_lines_fail(&parser->lines, "`%s` is expected where `%s` stands; write `%s`",
                             "until", rh_lines_excerpt(&parser->lines).text, form);
    return take_last_message(parser, form, &hold->until);
}

static bool parse_stop(struct parser *parser)
{
    if (parser->has_lap)
        return rh_lines_fail(&parser->lines,
                             "a schedule with `lap` ends with its last step anyway; remove `stop`");
    parser->schedule->stops = true;
    return need_line_end(parser, "stop");
}

static bool parse_deliver(struct parser *parser)
{
    return parse_message(parser, "deliver TYPE to RECEIVER from SENDER @IDENTITY", RH_STEP_DELIVER);
}

static bool parse_drop(struct parser *parser)
{
    return count_fault(parser) &&
           parse_message(parser, "drop TYPE to RECEIVER from SENDER @IDENTITY", RH_STEP_DROP);
}

static bool parse_duplicate(struct parser *parser)
{
    return count_fault(parser) &&
           parse_message(parser, "duplicate TYPE to RECEIVER from SENDER @IDENTITY",
                         RH_STEP_DUPLICATE);
}

// After a crash the actors either stay away or come back: one schedule has one of these kinds only.
static bool is_only_kind(struct parser *parser, enum rh_step_kind kind)
{
    if (parser->crash_line == 0) {
        parser->crash_line = parser->lines.number;
        parser->crash_kind = kind;
    }
    return parser->crash_kind == kind ||
           rh_lines_fail(
               &parser->lines,
               "`crash` and `restart` exclude each other in one schedule, and line %d has "
               "the other one",
               parser->crash_line);
}

static bool parse_crash_of(struct parser *parser, const char *form, enum rh_step_kind kind)
{
    if (!count_fault(parser) || !is_only_kind(parser, kind))
        return false;
    struct rh_step *step = add_step(parser, kind);
    if (!take_word(parser, form, &step->receiver))
        return false;
    if (!rh_line_next(&parser->lines.line))
        return need_no_fault(parser, form);
    if (!is_identity(parser))
        return rh_lines_fail(&parser->lines, "`%s` is not expected here; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return take_step_identity(parser, step) && need_line_end(parser, form);
}

static bool parse_crash(struct parser *parser)
{
    return parse_crash_of(parser, "crash ACTOR @IDENTITY", RH_STEP_CRASH);
}

static bool parse_restart(struct parser *parser)
{
    return parse_crash_of(parser, "restart ACTOR @IDENTITY", RH_STEP_RESTART);
}

static bool parse_random(struct parser *parser)
{
    static const char form[] = "random NUMBER";
    return take_wide_number(parser, form, &parser->schedule->random) && need_line_end(parser, form);
}

static bool parse_choose(struct parser *parser)
{
    static const char form[] = "choose OUTCOME of COUNT";
    struct rh_step *step = add_step(parser, RH_STEP_CHOOSE);
    if (!need_number(parser, form, &step->outcome) || !need_keyword(parser, form, "of") ||
        !need_number(parser, form, &step->count) || !need_line_end(parser, form))
        return false;
    if (step->outcome < step->count)
        return true;
    return rh_lines_fail(&parser->lines,
                         "choose %d of %d: the outcome is a number from 0 to the count - 1",
                         step->outcome, step->count);
}

static bool parse_answer(struct parser *parser)
{
    static const char form[] = "answer FUNCTION NUMBER";
    struct rh_step *step = add_step(parser, RH_STEP_ANSWER);
    return take_word(parser, form, &step->type) && take_wide_number(parser, form, &step->value) &&
           need_line_end(parser, form);
}

static bool parse_lap(struct parser *parser)
{
    if (parser->has_lap)
        return rh_lines_fail(&parser->lines, "there is a second `lap` line; remove one of them");
    parser->has_lap = true;
    add_step(parser, RH_STEP_LAP);
    return need_line_end(parser, "lap");
}

// A thread's turn; the number of its calls may be left out.
static bool parse_turn(struct parser *parser)
{
    static const char form[] = "turn THREAD CALLS";
    const char *adapter = parser->schedule->adapter;
    if (!adapter || strcmp(adapter, "threads") != 0)
        return rh_lines_fail(&parser->lines, "a turn is a thread's; write `adapter threads` under "
                                             "the first line");
    struct rh_step *step = add_step(parser, RH_STEP_TURN);
    int calls = 0;
    if (!take_word(parser, form, &step->receiver))
        return false;
    if (!rh_line_next(&parser->lines.line))
        return need_no_fault(parser, form);
    if (!number_of(rh_lines_word(&parser->lines), &calls) || calls == 0)
        return rh_lines_fail(&parser->lines, "`%s` is not a number from 1 to %d; write `%s`",
                             rh_lines_excerpt(&parser->lines).text, INT_MAX, form);
    step->value = (uint64_t)calls;
    return need_line_end(parser, form);
}

static bool is_behind_lap(const struct rh_schedule *schedule)
{
    size_t count = schedule->steps.count;
    return count > 0 && schedule->steps.items[count - 1].kind == RH_STEP_LAP;
}

// A replay can't do without the program and the test.
static bool parse_end(struct parser *parser)
{
    if (!need_line_end(parser, "end"))
        return false;
    if (!parser->schedule->programs.count)
        return rh_lines_fail(&parser->lines,
                             "no line names the program; add `program FILE` under the first line");
    if (!parser->schedule->test)
        return rh_lines_fail(&parser->lines,
                             "no line names the test; add `test NAME` under the first line");
    if (is_behind_lap(parser->schedule))
        return rh_lines_fail(&parser->lines,
                             "no delivery stands between `lap` and `end`; remove the `lap` line");
    parser->has_end = true;
    return true;
}

enum place { FILE_ONCE, HEAD_ONCE, HEAD, STEP };

static const struct {
    const char *word;
    enum place place;
    bool (*parse)(struct parser *parser);
} keywords[] = {
    {"program", FILE_ONCE, parse_program},
    {"adapter", FILE_ONCE, parse_adapter},
    {"arguments", FILE_ONCE, parse_arguments},
    {"random", FILE_ONCE, parse_random},
    {"test", FILE_ONCE, parse_test},
    {"generated", FILE_ONCE, parse_generated},
    {"order", HEAD_ONCE, parse_order},
    {"time", HEAD_ONCE, parse_time},
    {"environment", HEAD_ONCE, parse_environment},
    {"finding", FILE_ONCE, parse_finding},
    {"input", HEAD, parse_input},
    {"send", HEAD, parse_send},
    {"instead", HEAD, parse_instead},
    {"came", HEAD, parse_came},
    {"created", HEAD, parse_created},
    {"block", HEAD, parse_block},
    {"hold", HEAD, parse_hold},
    {"deliver", STEP, parse_deliver},
    {"choose", STEP, parse_choose},
    {"answer", STEP, parse_answer},
    {"lap", STEP, parse_lap},
    {"turn", STEP, parse_turn},
    {"drop", STEP, parse_drop},
    {"duplicate", STEP, parse_duplicate},
    {"crash", STEP, parse_crash},
    {"restart", STEP, parse_restart},
    {"ends", STEP, parse_ends},
    {"stop", STEP, parse_stop},
    {"end", STEP, parse_end},
};

// Whether a test's order can't have such a line: what it is of is known, and its execution goes to
// its end.
static bool is_for_files(size_t index)
{
    bool (*parse)(struct parser *) = keywords[index].parse;
    return keywords[index].place == FILE_ONCE || parse == parse_lap || parse == parse_stop ||
           parse == parse_turn || parse == parse_end;
}

// Parses a line whose first word is keywords[index].
static bool parse_keyword(struct parser *parser, size_t index)
{
    const char *word = keywords[index].word;
    unsigned bit = 1u << index;
    if (keywords[index].place != STEP && parser->schedule->steps.count)
        return rh_lines_fail(&parser->lines,
                             "`%s` stands after a step; move the line above the first step", word);
    if (parser->is_order && is_for_files(index))
        return rh_lines_fail(&parser->lines,
                             "`%s` is for schedule files; the order of a test has no such line",
                             word);
    if (keywords[index].place <= HEAD_ONCE && (parser->seen & bit))
        return rh_lines_fail(&parser->lines, "there is a second `%s` line; remove one of them",
                             word);
    if (parser->schedule->stops && keywords[index].parse != parse_end)
        return rh_lines_fail(&parser->lines, "`%s` stands after `stop`; nothing but `end` may",
                             word);
    parser->seen |= bit;
    return keywords[index].parse(parser);
}

static bool parse_version(struct parser *parser)
{
    struct rh_excerpt line = rh_excerpt_of(parser->lines.bytes, parser->lines.length);
    int version;
    bool is_schedule = is_keyword(parser, "rehearse") && rh_line_next(&parser->lines.line) &&
                       is_keyword(parser, "schedule") && rh_line_next(&parser->lines.line) &&
                       number_of(rh_lines_word(&parser->lines), &version);
    if (!is_schedule)
        return rh_lines_fail(
            &parser->lines,
            "not a schedule: it begins with `%s` and not with `rehearse schedule %d`", line.text,
            RH__SCHEDULE_VERSION);
    if (version != RH__SCHEDULE_VERSION)
        return rh_lines_fail(
            &parser->lines,
            "a schedule of version %d; this rehearse reads version %d: "
            "find the schedule again, or replay it with the rehearse that wrote it",
            version, RH__SCHEDULE_VERSION);
    parser->has_version = true;
    return need_line_end(parser, "rehearse schedule 1");
}

// Parses a line with at least one word, which is the present one.
static bool parse_words(struct parser *parser)
{
    if (!parser->has_version)
        return parse_version(parser);
    if (parser->has_end)
        return rh_lines_fail(&parser->lines, "`%s` stands after `end`; remove what follows `end`",
                             rh_lines_excerpt(&parser->lines).text);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (is_keyword(parser, keywords[i].word))
            return parse_keyword(parser, i);
    }
    return rh_lines_fail(
        &parser->lines,
        "`%s` is not known here; a line begins with program, adapter, arguments, random, test, "
        "generated, order, time, environment, finding, input, send, came, created, block, hold, "
        "deliver, choose, answer, drop, duplicate, crash, restart, turn, lap, ends, stop, end or #",
        rh_lines_excerpt(&parser->lines).text);
}

static bool parse_line(struct parser *parser)
{
    const char *fault = parser->lines.line.fault;
    if (fault)
        return rh_lines_fail(&parser->lines, "%s: %s",
                             parser->has_version ? "damaged" : "not a schedule", fault);
    if (rh_line_next(&parser->lines.line))
        return parse_words(parser);
    fault = parser->lines.line.fault;
    return !fault || rh_lines_fail(&parser->lines, "%s", fault);
}

static bool parse_lines(struct parser *parser)
{
    while (rh_lines_next(&parser->lines)) {
        if (!parse_line(parser))
            return false;
    }
    return true;
}

static bool parse_file(struct parser *parser)
{
    if (!parse_lines(parser))
        return false;
    if (!parser->has_version)
        return rh_lines_fail(&parser->lines,
                             "not a schedule: the file is empty; a schedule begins with "
                             "`rehearse schedule 1` and ends with `end`");
    if (!parser->has_end)
        return rh_lines_fail(&parser->lines,
                             "the file was cut off: it has no `end` line; get the whole file, or "
                             "write `end` on a line of its own if nothing is missing");
    return true;
}

// Whether words lead to blocks that there are.
static bool check_blocks(struct parser *parser)
{
    int line = 0;
    const char *fault = rh_schedule_find_bad_block(parser->schedule, &line);
    if (!fault)
        return true;
    parser->lines.number = line;
    return rh_lines_fail(&parser->lines, "%s", fault);
}

static struct rh_status parse(struct parser *parser, const char *path, const char *bytes,
                              size_t length)
{
    struct rh_schedule *schedule = parser->schedule;
    *schedule = (struct rh_schedule){.path = rh_strdup(path)};
    rh_lines_init(&parser->lines, path, bytes, length);
    if (!(parser->is_order ? parse_lines(parser) : parse_file(parser)) || !check_blocks(parser))
        rh_schedule_fini(schedule);
    rh_lines_fini(&parser->lines);
    return parser->lines.status;
}

struct rh_status rh_schedule_parse(struct rh_schedule *schedule, const char *path,
                                   const char *bytes, size_t length)
{
    struct parser parser = {.schedule = schedule};
    return parse(&parser, path, bytes, length);
}

struct rh_status rh_schedule_parse_order(struct rh_schedule *schedule, const char *path,
                                         const char *text)
{
    struct parser parser = {.schedule = schedule, .is_order = true, .has_version = true};
    return parse(&parser, path, text, strlen(text));
}
