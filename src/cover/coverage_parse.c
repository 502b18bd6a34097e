// SPDX-License-Identifier: MIT
// Reads coverage files. Nothing in them is believed.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover/coverage_file.h"
#include "trace/words.h"

static const size_t FILE_LIMIT = (size_t)1 << 30;
static const size_t STORE_SIZE = (size_t)1 << 34;

void rh_coverage_head_fini(struct rh_coverage_head *head)
{
    for (size_t i = 0; i < head->programs.count; i++)
        free(head->programs.items[i]);
    rh_vector_fini(&head->programs);
    free(head->test);
    *head = (struct rh_coverage_head){0};
}

void rh_coverage_set_fini(struct rh_coverage_set *set)
{
    for (size_t i = 0; i < set->entries.count; i++) {
        struct rh_coverage_entry *entry = set->entries.items[i];
        for (size_t k = 0; k < entry->runs.count; k++)
            free(entry->runs.items[k].items);
        rh_vector_fini(&entry->runs);
        rh_coverage_head_fini(&entry->head);
        rh_coverage_close(&entry->coverage);
        free(entry);
    }
    rh_vector_fini(&set->entries);
}

struct parser {
    struct rh_coverage_set *set;
    const char *path;
    struct rh__lines lines;
    struct rh__words words;
    struct rh_coverage_head head;    // of the present part, before its first actor
    uint64_t executions;             // likewise
    bool has_begun;                  // a line of the part has been read
    struct rh_coverage_entry *entry; // from its first actor or `end` on
    uint32_t actor;                  // of the next event; RH_NO_NUMBER: none yet
    RH_VECTOR(uint32_t) events;      // by their numbers in the file
    RH_VECTOR(struct rh_receive) run;
    RH_VECTOR(uint32_t) last_run; // by event: the number of the last run that it was in
    uint32_t run_number;
    bool is_in_run;
    struct rh_status status;
};

static bool fail(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(struct parser *parser, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int line = parser->lines.number ? parser->lines.number : 1;
    parser->status = rh_bad_input("%s:%d: %s", parser->path, line, text);
    return false;
}

// Words.

static const char *word_of(const struct parser *parser)
{
    return rh_text_get(&parser->words.word);
}

static struct rh__excerpt present_word(const struct parser *parser)
{
    return rh__excerpt_of(word_of(parser), parser->words.word.length);
}

static bool need_word(struct parser *parser, const char *form)
{
    if (rh__words_next(&parser->words))
        return true;
    if (parser->words.fault)
        return fail(parser, "%s; a line `%s` is expected", parser->words.fault, form);
    return fail(parser, "the line ends too early; it should read `%s`", form);
}

static bool need_keyword(struct parser *parser, const char *form, const char *keyword)
{
    if (!need_word(parser, form))
        return false;
    return strcmp(word_of(parser), keyword) == 0 ||
           fail(parser, "`%s` stands where `%s` is expected; the line should read `%s`",
                present_word(parser).text, keyword, form);
}

// A further word; false at the end of the line, or with a failure if it can't be read.
static bool next_word(struct parser *parser)
{
    if (rh__words_next(&parser->words))
        return true;
    if (parser->words.fault)
        fail(parser, "%s", parser->words.fault);
    return false;
}

static bool need_line_end(struct parser *parser)
{
    if (next_word(parser))
        return fail(parser, "`%s` is one word too many", present_word(parser).text);
    return rh_is_ok(&parser->status);
}

static bool parse_digits(const char *text, size_t length, int base, uint64_t *number)
{
    char digits[32];
    const char *allowed = base == 16 ? "0123456789abcdef" : "0123456789";
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (digits[strspn(digits, allowed)])
        return false;
    errno = 0;
    *number = strtoull(digits, NULL, base);
    return errno == 0;
}

static bool need_number(struct parser *parser, const char *form, uint64_t *number)
{
    if (!need_word(parser, form))
        return false;
    return parse_digits(word_of(parser), parser->words.word.length, 10, number) ||
           fail(parser, "`%s` is not a number; the line should read `%s`",
                present_word(parser).text, form);
}

static bool need_identity(struct parser *parser, const char *form, uint64_t *identity)
{
    if (!need_word(parser, form))
        return false;
    const char *word = word_of(parser);
    return (word[0] == '@' && parser->words.word.length == 17 &&
            parse_digits(word + 1, 16, 16, identity)) ||
           fail(parser,
                "`%s` is not an identity (@ and 16 hexadecimal digits); the line should "
                "read `%s`",
                present_word(parser).text, form);
}

// The head of a part.

static bool need_head(struct parser *parser, const char *what)
{
    return !parser->entry ||
           fail(parser, "`%s` belongs to the head of a part, before its actors", what);
}

static bool parse_program(struct parser *parser)
{
    if (!need_head(parser, "program") || !need_word(parser, "program FILE..."))
        return false;
    if (parser->head.programs.count > 0)
        return fail(parser, "`program` is there twice; has the `end` before it got lost?");
    do
        *rh_vector_push(&parser->head.programs) = rh_strdup(word_of(parser));
    while (next_word(parser));
    return rh_is_ok(&parser->status);
}

static bool parse_test(struct parser *parser)
{
    if (!need_head(parser, "test") || !need_word(parser, "test NAME"))
        return false;
    if (parser->head.test)
        return fail(parser, "`test` is there twice; has the `end` before it got lost?");
    parser->head.test = rh_strdup(word_of(parser));
    return need_line_end(parser);
}

static bool parse_order(struct parser *parser)
{
    if (!need_head(parser, "order") || !need_word(parser, "order fifo|any"))
        return false;
    if (!rh_order_parse(word_of(parser), &parser->head.order))
        return fail(parser, "`%s` is no order: fifo or any", present_word(parser).text);
    return need_line_end(parser);
}

static bool parse_time(struct parser *parser)
{
    if (!need_head(parser, "time") || !need_word(parser, "time causal|strict"))
        return false;
    if (!rh_time_parse(word_of(parser), &parser->head.time))
        return fail(parser, "`%s` is no time: causal or strict", present_word(parser).text);
    return need_line_end(parser);
}

static bool parse_environment(struct parser *parser)
{
    if (!need_head(parser, "environment") || !need_word(parser, "environment quiet|closed|open"))
        return false;
    if (!rh_environment_parse(word_of(parser), &parser->head.environment))
        return fail(parser, "`%s` is no environment: quiet, closed or open",
                    present_word(parser).text);
    return need_line_end(parser);
}

static bool parse_executions(struct parser *parser)
{
    return need_head(parser, "executions") &&
           need_number(parser, "executions N", &parser->executions) && need_line_end(parser);
}

static bool is_same_program(const struct rh_coverage_head *one,
                            const struct rh_coverage_head *other)
{
    if (one->programs.count != other->programs.count)
        return false;
    for (size_t i = 0; i < one->programs.count; i++)
        if (strcmp(one->programs.items[i], other->programs.items[i]) != 0)
            return false;
    return true;
}

static bool is_same_head(const struct rh_coverage_head *one, const struct rh_coverage_head *other)
{
    return is_same_program(one, other) && strcmp(one->test, other->test) == 0 &&
           one->order == other->order && one->time == other->time &&
           one->environment == other->environment;
}

// The entry that the part is about: one that is there, or a new one.
static bool open_entry(struct parser *parser)
{
    if (parser->entry)
        return true;
    if (parser->head.programs.count == 0 || !parser->head.test)
        return fail(parser, "a part begins with `program FILE...` and `test NAME`");
    for (size_t i = 0; i < parser->set->entries.count; i++)
        if (is_same_head(&parser->set->entries.items[i]->head, &parser->head))
            parser->entry = parser->set->entries.items[i];
    if (!parser->entry) {
        struct rh_coverage_entry *entry = rh_alloc(sizeof *entry);
        *rh_vector_push(&parser->set->entries) = parser->entry = entry;
        entry->head = parser->head;
        parser->head = (struct rh_coverage_head){0};
        if (!rh_coverage_open(&entry->coverage, STORE_SIZE)) {
            parser->status = rh_failed("cannot reserve the address space for coverage");
            return false;
        }
    }
    rh_coverage_head_fini(&parser->head);
    parser->entry->executions += parser->executions;
    return true;
}

// Actors and events.

static bool parse_actor(struct parser *parser)
{
    static const char form[] = "actor NAME @IDENTITY";
    uint64_t identity = 0;
    if (!open_entry(parser) || !need_word(parser, form))
        return false;
    char *name = rh_strdup(word_of(parser));
    bool is_read = need_identity(parser, form, &identity) && need_line_end(parser);
    if (is_read)
        parser->actor = rh_coverage_add_actor(&parser->entry->coverage, identity, name);
    free(name);
    return is_read && (parser->actor != RH_NO_NUMBER || fail(parser, "there are too many actors"));
}

static bool parse_place(struct parser *parser, struct rh_text *file, int *line)
{
    uint64_t number = 0;
    if (!need_word(parser, "event TYPE from SENDER @IDENTITY at FILE:LINE"))
        return false;
    const char *word = word_of(parser), *colon = strrchr(word, ':');
    if (!colon || !parse_digits(colon + 1, strlen(colon + 1), 10, &number) || number > INT_MAX)
        return fail(parser, "`%s` is no place: FILE:LINE", present_word(parser).text);
    rh_text_add_bytes(file, word, (size_t)(colon - word));
    *line = (int)number;
    return true;
}

static bool parse_event_rest(struct parser *parser, struct rh_cover_event *event,
                             struct rh_text *file)
{
    while (next_word(parser)) {
        if (strcmp(word_of(parser), "at") == 0) {
            if (!parse_place(parser, file, &event->line))
                return false;
        } else if (strcmp(word_of(parser), "reply") == 0) {
            event->is_synchronous = true;
        } else if (strcmp(word_of(parser), "changes") == 0) {
            event->changes = true;
        } else {
            return fail(parser, "`%s` says nothing about an event: at, reply or changes",
                        present_word(parser).text);
        }
    }
    return rh_is_ok(&parser->status);
}

static bool add_event(struct parser *parser, const struct rh_cover_event *event)
{
    struct rh_coverage *coverage = &parser->entry->coverage;
    uint32_t number = rh_coverage_add_event(coverage, event);
    if (number == RH_NO_NUMBER)
        return fail(parser, "there are too many events");
    if (coverage->events[number].actor != event->actor)
        return fail(parser, "this event was another actor's before");
    coverage->events[number].changes |= event->changes;
    *rh_vector_push(&parser->events) = number;
    return true;
}

static bool parse_event(struct parser *parser)
{
    static const char form[] = "event TYPE from SENDER @IDENTITY at FILE:LINE";
    if (!parser->entry || parser->actor == RH_NO_NUMBER)
        return fail(parser, "an event comes after its `actor`");
    struct rh_cover_event event = {.actor = parser->actor};
    struct rh_text type = {0}, sender = {0}, file = {0};
    bool is_read = need_word(parser, form);
    rh_text_add(&type, is_read ? word_of(parser) : "");
    is_read = is_read && need_keyword(parser, form, "from") && need_word(parser, form);
    rh_text_add(&sender, is_read ? word_of(parser) : "");
    is_read = is_read && need_identity(parser, form, &event.identity) &&
              parse_event_rest(parser, &event, &file);
    event.type = rh_text_get(&type);
    event.sender = rh_text_get(&sender);
    event.file = rh_text_get(&file);
    is_read = is_read && add_event(parser, &event);
    rh_text_fini(&type);
    rh_text_fini(&sender);
    rh_text_fini(&file);
    return is_read;
}

// Lists of events.

static bool set_pair(struct parser *parser, enum rh_bits bits, uint64_t first, uint64_t second)
{
    struct rh_coverage *coverage = &parser->entry->coverage;
    if (second >= parser->events.count)
        return fail(parser, "there is no event %llu above", (unsigned long long)second);
    uint32_t one = parser->events.items[first], other = parser->events.items[second];
    if (one == other || coverage->events[one].actor != coverage->events[other].actor)
        return fail(parser, "events %llu and %llu are no pair: one actor receives two",
                    (unsigned long long)first, (unsigned long long)second);
    rh_coverage_set(coverage, bits, one, other);
    if (bits == RH_BITS_FREE)
        rh_coverage_set(coverage, bits, other, one);
    return true;
}

static bool parse_range(struct parser *parser, enum rh_bits bits, uint64_t first)
{
    const char *word = word_of(parser), *dash = strchr(word, '-');
    size_t length = parser->words.word.length, start = dash ? (size_t)(dash - word) : length;
    uint64_t from = 0, to = 0;
    if (!parse_digits(word, start, 10, &from))
        return fail(parser, "`%s` is no number of an event", present_word(parser).text);
    to = from;
    if (dash && (!parse_digits(dash + 1, length - start - 1, 10, &to) || to < from))
        return fail(parser, "`%s` is no range of events", present_word(parser).text);
    for (uint64_t second = from; second <= to; second++)
        if (!set_pair(parser, bits, first, second))
            return false;
    return true;
}

static bool parse_list(struct parser *parser, enum rh_bits bits)
{
    static const char form[] = "pr EVENT: EVENT...";
    uint64_t first = 0;
    if (!parser->entry || !need_word(parser, form))
        return parser->entry || fail(parser, "a list comes after its events");
    size_t length = parser->words.word.length;
    const char *word = word_of(parser);
    if (length < 2 || word[length - 1] != ':' || !parse_digits(word, length - 1, 10, &first) ||
        first >= parser->events.count)
        return fail(parser, "`%s` is no event and a colon; the line should read `%s`",
                    present_word(parser).text, form);
    while (next_word(parser))
        if (!parse_range(parser, bits, first))
            return false;
    return rh_is_ok(&parser->status);
}

static bool parse_pr(struct parser *parser)
{
    return parse_list(parser, RH_BITS_PR);
}

static bool parse_pbr(struct parser *parser)
{
    return parse_list(parser, RH_BITS_PBR);
}

static bool parse_pcr(struct parser *parser)
{
    return parse_list(parser, RH_BITS_PCR);
}

static bool parse_free(struct parser *parser)
{
    return parse_list(parser, RH_BITS_FREE);
}

// Runs.

static void end_run(struct parser *parser)
{
    if (!parser->is_in_run)
        return;
    struct rh_receives run = {.count = (uint32_t)parser->run.count};
    run.items = rh_alloc(sizeof *run.items * (run.count + (size_t)1));
    if (run.count > 0)
        memcpy(run.items, parser->run.items, sizeof *run.items * run.count);
    rh_receives_link(&run, parser->entry->coverage.actor_count);
    *rh_vector_push(&parser->entry->runs) = run;
    parser->run.count = 0;
    parser->is_in_run = false;
}

static bool parse_run(struct parser *parser)
{
    if (!parser->entry)
        return fail(parser, "a run comes after its events");
    end_run(parser);
    parser->is_in_run = true;
    parser->run_number++;
    return need_line_end(parser);
}

static bool need_place(struct parser *parser, uint32_t *place)
{
    uint64_t number = 0;
    if (!need_number(parser, "receive EVENT sent PLACE", &number))
        return false;
    if (number + 1 >= parser->run.count)
        return fail(parser, "there is no receive %llu before this one", (unsigned long long)number);
    *place = (uint32_t)number;
    return true;
}

// What a word of the line says about the receive.
static bool parse_property(struct parser *parser, struct rh_receive *receive)
{
    static const char *const flags[] = {"reply", "changes", "waits", "lost", "timer"};
    const struct {
        const char *name;
        uint32_t *place;
    } places[] = {{"sent", &receive->sent_at},
                  {"created", &receive->created_at},
                  {"behind", &receive->behind},
                  {"enabled", &receive->enabled_at},
                  {"disabled", &receive->disabled_at}};
    const char *word = word_of(parser);
    for (int i = 0; i < 5; i++)
        if (strcmp(word, places[i].name) == 0)
            return need_place(parser, places[i].place);
    for (int i = 0; i < 5; i++)
        if (strcmp(word, flags[i]) == 0) {
            receive->flags |= 1u << i;
            return true;
        }
    if (strcmp(word, "due") == 0)
        return need_number(parser, "receive EVENT due TIME", &receive->due);
    return fail(parser, "`%s` says nothing about a receive", present_word(parser).text);
}

static bool is_first_in_run(struct parser *parser, uint32_t event)
{
    while (parser->last_run.count <= event)
        *rh_vector_push(&parser->last_run) = 0;
    bool is_first = parser->last_run.items[event] != parser->run_number;
    parser->last_run.items[event] = parser->run_number;
    return is_first;
}

static bool parse_receive(struct parser *parser)
{
    uint64_t number = 0;
    if (!parser->is_in_run)
        return fail(parser, "a receive comes after `run`");
    if (!need_number(parser, "receive EVENT", &number))
        return false;
    if (number >= parser->events.count)
        return fail(parser, "there is no event %llu above", (unsigned long long)number);
    if (parser->run.count == RH_RECEIVES_MOST)
        return fail(parser, "a run has at most %d receives", RH_RECEIVES_MOST);
    uint32_t event = parser->events.items[number];
    struct rh_receive *receive = rh_vector_push(&parser->run);
    *receive = (struct rh_receive){.event = event,
                                   .actor = parser->entry->coverage.events[event].actor,
                                   .sent_at = RH_NOWHERE,
                                   .created_at = RH_NOWHERE,
                                   .behind = RH_NOWHERE,
                                   .enabled_at = RH_NOWHERE,
                                   .disabled_at = RH_NOWHERE};
    if (!is_first_in_run(parser, event))
        return fail(parser, "event %llu is in this run twice", (unsigned long long)number);
    while (next_word(parser))
        if (!parse_property(parser, receive))
            return false;
    return rh_is_ok(&parser->status);
}

static bool parse_end(struct parser *parser)
{
    if (!need_line_end(parser) || !open_entry(parser))
        return false;
    end_run(parser);
    rh_coverage_total(&parser->entry->coverage, RH_CRITERION_PR);
    parser->entry = NULL;
    parser->actor = RH_NO_NUMBER;
    parser->events.count = 0;
    parser->executions = 0;
    parser->has_begun = false;
    return true;
}

// Lines.

static bool parse_line(struct parser *parser)
{
    static const struct {
        const char *keyword;
        bool (*parse)(struct parser *parser);
    } lines[] = {{"receive", parse_receive},
                 {"pr", parse_pr},
                 {"pcr", parse_pcr},
                 {"pbr", parse_pbr},
                 {"free", parse_free},
                 {"event", parse_event},
                 {"actor", parse_actor},
                 {"run", parse_run},
                 {"program", parse_program},
                 {"test", parse_test},
                 {"order", parse_order},
                 {"time", parse_time},
                 {"environment", parse_environment},
                 {"executions", parse_executions},
                 {"end", parse_end}};
    parser->has_begun = true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strcmp(word_of(parser), lines[i].keyword) == 0)
            return lines[i].parse(parser);
    return fail(parser, "`%s` is no line of a coverage file", present_word(parser).text);
}

static bool parse_first_line(struct parser *parser)
{
    static const char form[] = "rehearse coverage 1";
    uint64_t version = 0;
    if (strcmp(word_of(parser), "rehearse") != 0)
        return fail(parser, "this is no coverage file: its first line should read `%s`", form);
    if (!need_keyword(parser, form, "coverage") || !need_number(parser, form, &version))
        return false;
    if (version != 1)
        return fail(parser,
                    "this is version %llu of coverage files, and this Rehearse reads "
                    "version 1",
                    (unsigned long long)version);
    return need_line_end(parser);
}

// Goes to the next line with words in it.
static bool next_line(struct parser *parser)
{
    while (rh__lines_next(&parser->lines)) {
        const char *fault = rh__lines_fault(&parser->lines);
        if (fault)
            return fail(parser, "%s", fault);
        rh__words_fini(&parser->words);
        rh__words_init(&parser->words, parser->lines.line, parser->lines.length);
        if (next_word(parser))
            return true;
        if (!rh_is_ok(&parser->status))
            return false;
    }
    return false;
}

struct rh_status rh_coverage_parse(struct rh_coverage_set *set, const char *path, const char *bytes,
                                   size_t length)
{
    struct parser parser = {.set = set,
                            .path = path,
                            .lines = {.at = bytes, .end = bytes + length},
                            .actor = RH_NO_NUMBER};
    bool is_read = next_line(&parser)
                       ? parse_first_line(&parser)
                       : rh_is_ok(&parser.status) && fail(&parser, "the file is empty");
    while (is_read && next_line(&parser))
        is_read = parse_line(&parser);
    if (is_read && rh_is_ok(&parser.status) && parser.has_begun)
        fail(&parser, "the file ends in the middle of a part: `end` is missing");
    rh__words_fini(&parser.words);
    rh_coverage_head_fini(&parser.head);
    rh_vector_fini(&parser.events);
    rh_vector_fini(&parser.run);
    rh_vector_fini(&parser.last_run);
    return parser.status;
}

struct rh_status rh_coverage_read(struct rh_coverage_set *set, const char *path)
{
    struct rh_text text = {0};
    struct rh_status status = rh_text_read_file(&text, path, FILE_LIMIT);
    if (rh_is_ok(&status))
        status = rh_coverage_parse(set, path, rh_text_get(&text), text.length);
    rh_text_fini(&text);
    return status;
}
