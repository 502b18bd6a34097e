// SPDX-License-Identifier: MIT
// Reads coverage files. Nothing in them is believed.
#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "cover/coverage_parser.h"

static const size_t FILE_LIMIT = (size_t)1 << 30;
// All that is read together takes at most so much: tables have a bit for each pair of an actor's
// events, which a short line of a file may name.
static const size_t STORE_SIZE = (size_t)1 << 30;

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
        for (size_t k = 0; k < entry->kept.count; k++)
            free(entry->kept.items[k].items);
        rh_vector_fini(&entry->kept);
        rh_coverage_head_fini(&entry->head);
        rh_coverage_close(&entry->coverage);
        rh_traffic_fini(&entry->traffic);
        rh_line_coverage_fini(&entry->reached);
        free(entry);
    }
    rh_vector_fini(&set->entries);
}

// The head of a part.

static bool need_head(struct rh__parser *parser, const char *what)
{
    return !parser->entry ||
           rh_lines_fail(&parser->lines, "`%s` belongs to the head of a part, before its actors",
                         what);
}

static bool parse_program(struct rh__parser *parser)
{
    if (!need_head(parser, "program") || !rh__parser_need_word(parser, "program FILE..."))
        return false;
    if (parser->head.programs.count > 0)
        return rh_lines_fail(&parser->lines,
                             "`program` is there twice; has the `end` before it got lost?");
    do
        *rh_vector_push(&parser->head.programs) = rh_strdup(rh_lines_word(&parser->lines));
    while (rh__parser_next_word(parser));
    return rh_is_ok(&parser->lines.status);
}

static bool parse_test(struct rh__parser *parser)
{
    if (!need_head(parser, "test") || !rh__parser_need_word(parser, "test NAME"))
        return false;
    if (parser->head.test)
        return rh_lines_fail(&parser->lines,
                             "`test` is there twice; has the `end` before it got lost?");
    parser->head.test = rh_strdup(rh_lines_word(&parser->lines));
    // Files are called after the test.
    if (strchr(parser->head.test, '/'))
        return rh_lines_fail(&parser->lines, "`%s` is no name of a test: it has a slash",
                             rh_lines_excerpt(&parser->lines).text);
    return rh__parser_need_line_end(parser);
}

static bool parse_order(struct rh__parser *parser)
{
    if (!need_head(parser, "order") || !rh__parser_need_word(parser, "order fifo|any"))
        return false;
    if (!rh_order_rule_parse(rh_lines_word(&parser->lines), &parser->head.order_rule))
        return rh_lines_fail(&parser->lines, "`%s` is no order: fifo or any",
                             rh_lines_excerpt(&parser->lines).text);
    return rh__parser_need_line_end(parser);
}

static bool parse_time(struct rh__parser *parser)
{
    if (!need_head(parser, "time") || !rh__parser_need_word(parser, "time causal|strict"))
        return false;
    if (!rh_time_parse(rh_lines_word(&parser->lines), &parser->head.time))
        return rh_lines_fail(&parser->lines, "`%s` is no time: causal or strict",
                             rh_lines_excerpt(&parser->lines).text);
    return rh__parser_need_line_end(parser);
}

static bool parse_environment(struct rh__parser *parser)
{
    if (!need_head(parser, "environment") ||
        !rh__parser_need_word(parser, "environment quiet|closed|open"))
        return false;
    if (!rh_environment_parse(rh_lines_word(&parser->lines), &parser->head.environment))
        return rh_lines_fail(&parser->lines, "`%s` is no environment: quiet, closed or open",
                             rh_lines_excerpt(&parser->lines).text);
    return rh__parser_need_line_end(parser);
}

static bool parse_executions(struct rh__parser *parser)
{
    return need_head(parser, "executions") &&
           rh__parser_need_number(parser, "executions N", &parser->executions) &&
           rh__parser_need_line_end(parser);
}

bool rh_coverage_is_same_program(const struct rh_coverage_head *one,
                                 const struct rh_coverage_head *other)
{
    if (one->programs.count != other->programs.count)
        return false;
    for (size_t i = 0; i < one->programs.count; i++)
        if (!rh_has_same_stem(one->programs.items[i], other->programs.items[i]))
            return false;
    return true;
}

static bool is_same_head(const struct rh_coverage_head *one, const struct rh_coverage_head *other)
{
    return rh_coverage_is_same_program(one, other) && strcmp(one->test, other->test) == 0 &&
           one->order_rule == other->order_rule && one->time == other->time &&
           one->environment == other->environment;
}

bool rh__parser_count_bytes(struct rh__parser *parser, size_t bytes)
{
    parser->set->bytes += bytes;
    return parser->set->bytes <= STORE_SIZE ||
           rh_lines_fail(&parser->lines, "what is read takes more than %zu bytes", STORE_SIZE);
}

// Takes the entry of the set that has the same head, or adds one.
bool rh__parser_open_entry(struct rh__parser *parser)
{
    if (parser->entry)
        return true;
    if (parser->head.programs.count == 0 || !parser->head.test)
        return rh_lines_fail(&parser->lines,
                             "a part begins with `program FILE...` and `test NAME`");
    for (size_t i = 0; i < parser->set->entries.count; i++)
        if (is_same_head(&parser->set->entries.items[i]->head, &parser->head))
            parser->entry = parser->set->entries.items[i];
    if (!parser->entry) {
        struct rh_coverage_entry *entry = rh_alloc(sizeof *entry);
        *rh_vector_push(&parser->set->entries) = parser->entry = entry;
        entry->head = parser->head;
        parser->head = (struct rh_coverage_head){0};
        if (!rh_coverage_open(&entry->coverage, STORE_SIZE)) {
            parser->lines.status = rh_failed("cannot reserve the address space for coverage");
            return false;
        }
    }
    rh_coverage_head_fini(&parser->head);
    parser->entry->executions += parser->executions;
    return true;
}

static bool parse_guards(struct rh__parser *parser)
{
    if (!rh__parser_open_entry(parser))
        return false;
    parser->entry->coverage.has_guards = true;
    return rh__parser_need_line_end(parser);
}

// Actors, events and what these touch.

static bool parse_object_rest(struct rh__parser *parser, bool *carries)
{
    *carries = rh__parser_next_word(parser);
    if (*carries && strcmp(rh_lines_word(&parser->lines), "carries") != 0)
        return rh_lines_fail(&parser->lines, "`%s` says nothing about an object: carries",
                             rh_lines_excerpt(&parser->lines).text);
    return rh_is_ok(&parser->lines.status) && rh__parser_need_line_end(parser);
}

static bool parse_object(struct rh__parser *parser)
{
    static const char form[] = "object NAME @NUMBER carries";
    uint64_t number = 0;
    if (!rh__parser_open_entry(parser) || !rh__parser_need_word(parser, form))
        return false;
    char *name = rh_strdup(rh_lines_word(&parser->lines));
    bool carries = false;
    bool is_read =
        rh__parser_need_identity(parser, form, &number) && parse_object_rest(parser, &carries);
    if (is_read) {
        rh_coverage_name_object(&parser->entry->coverage, number, name, carries);
        *rh_vector_push(&parser->objects) = number;
    }
    free(name);
    return is_read;
}

static bool parse_touch(struct rh__parser *parser, bool writes)
{
    uint64_t number = 0;
    if (!rh__parser_need_number(parser, "event TYPE from SENDER @IDENTITY writes OBJECT", &number))
        return false;
    if (number >= parser->objects.count)
        return rh_lines_fail(&parser->lines, "there is no object %llu above",
                             (unsigned long long)number);
    *rh_vector_push(&parser->touches) = rh_touch_number(parser->objects.items[number], writes);
    return true;
}

static bool parse_actor(struct rh__parser *parser)
{
    static const char form[] = "actor NAME @IDENTITY";
    uint64_t identity = 0;
    if (!rh__parser_open_entry(parser) || !rh__parser_need_word(parser, form))
        return false;
    char *name = rh_strdup(rh_lines_word(&parser->lines));
    bool is_read =
        rh__parser_need_identity(parser, form, &identity) && rh__parser_need_line_end(parser);
    if (is_read)
        parser->actor = rh_coverage_add_actor(&parser->entry->coverage, identity, name);
    free(name);
    return is_read &&
           (parser->actor != RH_NONE || rh_lines_fail(&parser->lines, "there are too many actors"));
}

static bool parse_event_rest(struct rh__parser *parser, struct rh_cover_event *event,
                             struct rh_text *file)
{
    static const char form[] = "event TYPE from SENDER @IDENTITY at FILE:LINE";
    while (rh__parser_next_word(parser)) {
        if (strcmp(rh_lines_word(&parser->lines), "at") == 0) {
            if (!rh__parser_need_place(parser, form, file, &event->line))
                return false;
        } else if (strcmp(rh_lines_word(&parser->lines), "reply") == 0) {
            event->is_synchronous = true;
        } else if (strcmp(rh_lines_word(&parser->lines), "changes") == 0) {
            event->changes = true;
        } else if (strcmp(rh_lines_word(&parser->lines), "writes") == 0 ||
                   strcmp(rh_lines_word(&parser->lines), "reads") == 0) {
            if (!parse_touch(parser, *rh_lines_word(&parser->lines) == 'w'))
                return false;
        } else {
            return rh_lines_fail(&parser->lines,
                                 "`%s` says nothing about an event: at, reply, changes, writes "
                                 "or reads",
                                 rh_lines_excerpt(&parser->lines).text);
        }
    }
    return rh_is_ok(&parser->lines.status);
}

// An event touches its actor too.
static void add_touched(struct rh__parser *parser, uint32_t number)
{
    struct rh_coverage *coverage = &parser->entry->coverage;
    if (parser->touches.count == 0)
        return;
    *rh_vector_push(&parser->touches) =
        rh_touch_number(coverage->actors[coverage->events[number].actor].identity, true);
    const struct rh_touched *touched =
        rh_touched_set(&coverage->sets, parser->touches.items, (uint32_t)parser->touches.count);
    if (touched)
        rh_coverage_add_touched(coverage, number, touched);
}

static bool add_event(struct rh__parser *parser, const struct rh_cover_event *event)
{
    struct rh_coverage *coverage = &parser->entry->coverage;
    size_t before = coverage->store.top;
    uint32_t number = rh_coverage_add_event(coverage, event);
    if (number == RH_NONE)
        return rh_lines_fail(&parser->lines, "there are too many events: one actor has at most %d",
                             RH_COVER_EVENTS_MOST);
    if (!rh__parser_count_bytes(parser, coverage->store.top - before))
        return false;
    if (coverage->events[number].actor != event->actor)
        return rh_lines_fail(&parser->lines, "this event was another actor's before");
    coverage->events[number].changes |= event->changes;
    *rh_vector_push(&parser->events) = number;
    add_touched(parser, number);
    return true;
}

static bool parse_event(struct rh__parser *parser)
{
    static const char form[] = "event TYPE from SENDER @IDENTITY at FILE:LINE";
    if (!parser->entry || parser->actor == RH_NONE)
        return rh_lines_fail(&parser->lines, "an event comes after its `actor`");
    struct rh_cover_event event = {.actor = parser->actor};
    struct rh_text type = {0}, sender = {0}, file = {0};
    parser->touches.count = 0;
    bool is_read = rh__parser_need_word(parser, form);
    rh_text_add(&type, is_read ? rh_lines_word(&parser->lines) : "");
    is_read = is_read && rh__parser_need_keyword(parser, form, "from") &&
              rh__parser_need_word(parser, form);
    rh_text_add(&sender, is_read ? rh_lines_word(&parser->lines) : "");
    is_read = is_read && rh__parser_need_identity(parser, form, &event.identity) &&
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

static bool set_pair(struct rh__parser *parser, int bits, uint32_t first, uint32_t second)
{
    struct rh_coverage *coverage = &parser->entry->coverage;
    uint32_t one = parser->events.items[first], other = parser->events.items[second];
    bool is_of_one = coverage->events[one].actor == coverage->events[other].actor;
    if (one == other || !rh_coverage_depends(coverage, one, other) ||
        (bits == RH_BITS_PBR && !is_of_one))
        return rh_lines_fail(&parser->lines,
                             "events %u and %u are no pair: one actor receives two, or both "
                             "touch something",
                             first, second);
    rh_coverage_set(coverage, (enum rh_bits)bits, one, other);
    if (bits == RH_BITS_FREE)
        rh_coverage_set(coverage, RH_BITS_FREE, other, one);
    return true;
}

static bool parse_list(struct rh__parser *parser, enum rh_bits bits)
{
    if (!parser->entry)
        return rh_lines_fail(&parser->lines, "a list comes after its events");
    return rh__parser_need_list(parser, &(struct rh__parser_list){.form = "pr EVENT: EVENT...",
                                                                  .item = "event",
                                                                  .count = parser->events.count,
                                                                  .set = set_pair,
                                                                  .what = (int)bits});
}

static bool parse_pr(struct rh__parser *parser)
{
    return parse_list(parser, RH_BITS_PR);
}

static bool parse_pbr(struct rh__parser *parser)
{
    return parse_list(parser, RH_BITS_PBR);
}

static bool parse_pcr(struct rh__parser *parser)
{
    return parse_list(parser, RH_BITS_PCR);
}

static bool parse_free(struct rh__parser *parser)
{
    return parse_list(parser, RH_BITS_FREE);
}

// Executions.

static void end_execution(struct rh__parser *parser)
{
    if (!parser->is_in_execution)
        return;
    struct rh_receives execution = {.count = (uint32_t)parser->execution.count};
    execution.items = rh_alloc(sizeof *execution.items * (execution.count + (size_t)1));
    if (execution.count > 0)
        memcpy(execution.items, parser->execution.items, sizeof *execution.items * execution.count);
    rh_receives_link(&execution, parser->entry->coverage.actor_count);
    *rh_vector_push(&parser->entry->kept) = execution;
    parser->execution.count = 0;
    parser->is_in_execution = false;
}

// An execution may be the first line behind the head: if nothing was received, there are no actors
// and events.
static bool parse_execution(struct rh__parser *parser)
{
    if (!rh__parser_open_entry(parser))
        return false;
    end_execution(parser);
    parser->is_in_execution = true;
    parser->execution_number++;
    return rh__parser_need_line_end(parser);
}

static bool need_place(struct rh__parser *parser, uint32_t *place)
{
    uint64_t number = 0;
    if (!rh__parser_need_number(parser, "receive EVENT sent PLACE", &number))
        return false;
    if (number + 1 >= parser->execution.count)
        return rh_lines_fail(&parser->lines, "there is no receive %llu before this one",
                             (unsigned long long)number);
    *place = (uint32_t)number;
    return true;
}

// Reads what the present word, and perhaps a number behind it, says about the receive.
static bool parse_property(struct rh__parser *parser, struct rh_receive *receive)
{
    static const char *const flags[] = {"reply", "changes", "waits", "lost", "timer"};
    const struct {
        const char *name;
        uint32_t *place;
    } places[] = {{"sent", &receive->sent_at},       {"also", &receive->also_sent_at},
                  {"created", &receive->created_at}, {"behind", &receive->behind},
                  {"enabled", &receive->enabled_at}, {"disabled", &receive->disabled_at}};
    const char *word = rh_lines_word(&parser->lines);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(word, places[i].name) == 0)
            return need_place(parser, places[i].place);
    for (int i = 0; i < 5; i++)
        if (strcmp(word, flags[i]) == 0) {
            receive->flags |= 1u << i;
            return true;
        }
    if (strcmp(word, "due") == 0)
        return rh__parser_need_number(parser, "receive EVENT due TIME", &receive->due);
    return rh_lines_fail(&parser->lines, "`%s` says nothing about a receive",
                         rh_lines_excerpt(&parser->lines).text);
}

static bool is_first_in_execution(struct rh__parser *parser, uint32_t event)
{
    while (parser->last_execution.count <= event)
        *rh_vector_push(&parser->last_execution) = 0;
    bool is_first = parser->last_execution.items[event] != parser->execution_number;
    parser->last_execution.items[event] = parser->execution_number;
    return is_first;
}

static bool parse_receive(struct rh__parser *parser)
{
    uint64_t number = 0;
    if (!parser->is_in_execution)
        return rh_lines_fail(&parser->lines, "a receive comes after `run`");
    if (!rh__parser_need_number(parser, "receive EVENT", &number))
        return false;
    if (number >= parser->events.count)
        return rh_lines_fail(&parser->lines, "there is no event %llu above",
                             (unsigned long long)number);
    if (parser->execution.count == RH_RECEIVES_MOST)
        return rh_lines_fail(&parser->lines, "a run has at most %d receives", RH_RECEIVES_MOST);
    uint32_t event = parser->events.items[number];
    struct rh_receive *receive = rh_vector_push(&parser->execution);
    *receive = (struct rh_receive){.event = event,
                                   .actor = parser->entry->coverage.events[event].actor,
                                   .sent_at = RH_NONE,
                                   .also_sent_at = RH_NONE,
                                   .created_at = RH_NONE,
                                   .behind = RH_NONE,
                                   .enabled_at = RH_NONE,
                                   .disabled_at = RH_NONE};
    if (!is_first_in_execution(parser, event))
        return rh_lines_fail(&parser->lines, "event %llu is in this run twice",
                             (unsigned long long)number);
    while (rh__parser_next_word(parser))
        if (!parse_property(parser, receive))
            return false;
    return rh_is_ok(&parser->lines.status);
}

static bool parse_end(struct rh__parser *parser)
{
    if (!rh__parser_need_line_end(parser) || !rh__parser_open_entry(parser))
        return false;
    end_execution(parser);
    if (!rh__parser_end_reached(parser))
        return false;
    rh_coverage_total(&parser->entry->coverage, RH_CRITERION_PR);
    parser->entry = NULL;
    parser->actor = RH_NONE;
    parser->events.count = parser->objects.count = 0;
    parser->behaviours.count = parser->passages.count = 0;
    parser->executions = 0;
    parser->has_begun = false;
    return true;
}

// Lines.

static bool parse_line(struct rh__parser *parser)
{
    static const struct {
        const char *keyword;
        bool (*parse)(struct rh__parser *parser);
    } lines[] = {{"receive", parse_receive},
                 {"pr", parse_pr},
                 {"pcr", parse_pcr},
                 {"pbr", parse_pbr},
                 {"free", parse_free},
                 {"event", parse_event},
                 {"object", parse_object},
                 {"actor", parse_actor},
                 {"run", parse_execution},
                 {"behaviour", rh__parser_behaviour},
                 {"created", rh__parser_created},
                 {"became", rh__parser_became},
                 {"sent", rh__parser_sent},
                 {"before", rh__parser_before},
                 {"source", rh__parser_source},
                 {"function", rh__parser_function},
                 {"lines", rh__parser_source_lines},
                 {"reached", rh__parser_reached},
                 {"branch", rh__parser_branch},
                 {"program", parse_program},
                 {"test", parse_test},
                 {"order", parse_order},
                 {"time", parse_time},
                 {"environment", parse_environment},
                 {"executions", parse_executions},
                 {"guards", parse_guards},
                 {"end", parse_end}};
    parser->has_begun = true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strcmp(rh_lines_word(&parser->lines), lines[i].keyword) == 0)
            return lines[i].parse(parser);
    return rh_lines_fail(&parser->lines, "`%s` is no line of a coverage file",
                         rh_lines_excerpt(&parser->lines).text);
}

static bool parse_first_line(struct rh__parser *parser)
{
    static const char form[] = "rehearse coverage 1";
    if (strcmp(rh_lines_word(&parser->lines), "rehearse") != 0)
        return rh_lines_fail(&parser->lines,
                             "this is no coverage file: its first line should read `%s`", form);
    if (!rh__parser_need_keyword(parser, form, "coverage") ||
        !rh__parser_need_number(parser, form, &parser->version))
        return false;
    if (parser->version != 1 && parser->version != 2)
        return rh_lines_fail(&parser->lines,
                             "this is version %llu of coverage files, and this Rehearse reads "
                             "versions 1 and 2",
                             (unsigned long long)parser->version);
    return rh__parser_need_line_end(parser);
}

// Goes to the next line with words in it.
static bool next_line(struct rh__parser *parser)
{
    while (rh_lines_next(&parser->lines)) {
        if (rh__parser_next_word(parser))
            return true;
        if (!rh_is_ok(&parser->lines.status))
            return false;
    }
    return false;
}

struct rh_status rh_coverage_parse(struct rh_coverage_set *set, const char *path, const char *bytes,
                                   size_t length)
{
    struct rh__parser parser = {.set = set, .actor = RH_NONE};
    rh_lines_init(&parser.lines, path, bytes, length);
    bool is_read = next_line(&parser) ? parse_first_line(&parser)
                                      : rh_is_ok(&parser.lines.status) &&
                                            rh_lines_fail(&parser.lines, "the file is empty");
    while (is_read && next_line(&parser))
        is_read = parse_line(&parser);
    if (is_read && rh_is_ok(&parser.lines.status) && parser.has_begun)
        rh_lines_fail(&parser.lines, "the file ends in the middle of a part: `end` is missing");
    rh_lines_fini(&parser.lines);
    rh_coverage_head_fini(&parser.head);
    rh_line_coverage_fini(&parser.reached);
    rh_vector_fini(&parser.objects);
    rh_vector_fini(&parser.touches);
    rh_vector_fini(&parser.events);
    rh_vector_fini(&parser.behaviours);
    rh_vector_fini(&parser.passages);
    rh_vector_fini(&parser.execution);
    rh_vector_fini(&parser.last_execution);
    return parser.lines.status;
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
