// SPDX-License-Identifier: MIT
#include "trace/suppression.h"

#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/text.h"

#define FILE_LIMIT ((size_t)1 << 20)
#define BEHAVIOUR_SUFFIX "_behaviour"

static const char shared_state[] = "shared-state";
static const char unhandled[] = "unhandled";

void rh_suppressions_fini(struct rh_suppressions *suppressions)
{
    for (size_t i = 0; i < suppressions->items.count; i++) {
        free(suppressions->items.items[i].kind);
        free(suppressions->items.items[i].first);
        free(suppressions->items.items[i].second);
    }
    rh_vector_fini(&suppressions->items);
}

// Why the words do not make a suppression, or NULL if they do.
static const char *parse_words(struct rh_suppression *item, struct rh_line *words)
{
    bool is_shared_state = strcmp(item->kind, shared_state) == 0;
    const char *form =
        is_shared_state ? "write `shared-state VARIABLE`" : "write `unhandled BEHAVIOUR MESSAGE`";
    if (!is_shared_state && strcmp(item->kind, unhandled) != 0)
        return "a line begins with `shared-state`, `unhandled` or `#`";
    if (!rh_line_next(words))
        return form;
    item->first = rh_strdup(rh_text_get(&words->word));
    if (!is_shared_state) {
        if (!rh_line_next(words))
            return form;
        item->second = rh_strdup(rh_text_get(&words->word));
    }
    return rh_line_next(words) ? form : words->fault;
}

static const char *parse_line(struct rh_suppressions *suppressions, struct rh_lines *lines)
{
    const char *fault = NULL;
    if (rh_line_next(&lines->line)) {
        struct rh_suppression *item = rh_vector_push(&suppressions->items);
        item->kind = rh_strdup(rh_lines_word(lines));
        item->line = lines->number;
        fault = parse_words(item, &lines->line);
    }
    return lines->line.fault ? lines->line.fault : fault;
}

struct rh_status rh_suppressions_read(struct rh_suppressions *suppressions, const char *path)
{
    *suppressions = (struct rh_suppressions){0};
    struct rh_text text = {0};
    struct rh_lines lines;
    struct rh_status status = rh_text_read_file(&text, path, FILE_LIMIT);
    rh_lines_init(&lines, path, rh_text_get(&text), text.length);
    while (rh_is_ok(&status) && rh_lines_next(&lines)) {
        const char *fault = parse_line(suppressions, &lines);
        if (fault)
            rh_lines_fail(&lines, "not a suppression: %s", fault);
        status = lines.status;
    }
    if (!rh_is_ok(&status))
        rh_suppressions_fini(suppressions);
    rh_lines_fini(&lines);
    rh_text_fini(&text);
    return status;
}

// Whether the pattern, in which * stands for any text, matches `length` bytes. After a mismatch
// only the last star is tried further: an earlier one could not reach more than it does.
static bool matches(const char *pattern, const char *text, size_t length)
{
    const char *end = text + length;
    const char *star = NULL;
    const char *resume = NULL;
    while (text < end) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool matches_variable(const char *pattern, const char *variable)
{
    return matches(pattern, variable, strcspn(variable, "+"));
}

// account_behaviour is known as account too.
static bool matches_behaviour(const char *pattern, const char *behaviour)
{
    size_t length = strlen(behaviour);
    size_t suffix = strlen(BEHAVIOUR_SUFFIX);
    if (matches(pattern, behaviour, length))
        return true;
    return length > suffix && strcmp(behaviour + length - suffix, BEHAVIOUR_SUFFIX) == 0 &&
           matches(pattern, behaviour, length - suffix);
}

static bool item_matches(const struct rh_suppression *item, const char *first, const char *second)
{
    if (!item->second)
        return matches_variable(item->first, first);
    return second && matches_behaviour(item->first, first) &&
           matches(item->second, second, strlen(second));
}

bool rh_suppressions_match(const struct rh_suppressions *suppressions, const char *kind,
                           const char *first, const char *second)
{
    for (size_t i = 0; first && i < suppressions->items.count; i++) {
        const struct rh_suppression *item = &suppressions->items.items[i];
        if (strcmp(item->kind, kind) == 0 && item_matches(item, first, second))
            return true;
    }
    return false;
}
