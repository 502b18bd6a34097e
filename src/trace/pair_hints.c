// SPDX-License-Identifier: MIT
#include "trace/pair_hints.h"

#include <string.h>

#include "base/lines.h"

enum { FILE_LIMIT = 1 << 24 };

static bool take_place(struct rh_lines *lines, struct rh_hint_place *place)
{
    const char *word = rh_lines_word(lines), *colon = strrchr(word, ':');
    uint64_t number = 0;
    if (!colon || colon == word || !rh_line_number_of(colon + 1, strlen(colon + 1), 10, &number) ||
        number == 0 || number > INT32_MAX)
        return rh_lines_fail(lines,
                             "a place is an operation or a file with a line, as in insert:18"
                             ", not %s",
                             rh_lines_excerpt(lines).text);
    place->name = rh_strdup(word);
    place->name[colon - word] = '\0';
    place->line = (int)number;
    return true;
}

static bool take_line(struct rh_lines *lines, struct rh_pair_hints *hints)
{
    if (!rh_line_next(&lines->line))
        return true;
    struct rh_pair_hint *hint = rh_vector_push(&hints->items);
    hint->line = lines->number;
    if (!take_place(lines, &hint->first))
        return false;
    if (!rh_line_next(&lines->line))
        return rh_lines_fail(lines, "a pair has two places: insert:18 insert_pair:17");
    if (!take_place(lines, &hint->second))
        return false;
    if (rh_line_next(&lines->line))
        return rh_lines_fail(lines, "behind the two places only a comment may stand: # why");
    return true;
}

struct rh_status rh_pair_hints_read(struct rh_pair_hints *hints, const char *path)
{
    *hints = (struct rh_pair_hints){0};
    struct rh_text text = {0};
    struct rh_lines lines;
    struct rh_status status = rh_text_read_file(&text, path, FILE_LIMIT);
    rh_lines_init(&lines, path, rh_text_get(&text), text.length);
    while (rh_is_ok(&status) && rh_lines_next(&lines)) {
        bool is_read = take_line(&lines, hints);
        if (is_read && lines.line.fault)
            rh_lines_fail(&lines, "%s", lines.line.fault);
        status = lines.status;
    }
    rh_lines_fini(&lines);
    rh_text_fini(&text);
    return status;
}

void rh_pair_hints_fini(struct rh_pair_hints *hints)
{
    for (size_t i = 0; i < hints->items.count; i++) {
        free(hints->items.items[i].first.name);
        free(hints->items.items[i].second.name);
    }
    rh_vector_fini(&hints->items);
}
