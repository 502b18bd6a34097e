// SPDX-License-Identifier: MIT
#include "threads/pairs_rows.h"

#include <string.h>

#include "base/file_name.h"
#include "base/none.h"
#include "threads/show.h"

// --- Rows. ---

static struct rh_pair_line line_of(const struct rh_pairs *pairs, uint32_t number,
                                   struct rh_debug *debug)
{
    const struct rh_pair_place *place = &pairs->places.items[number];
    struct rh_pair_line line = {
        .operation = place->operation == RH_NONE ? NULL : pairs->operations.items[place->operation],
        .writes = place->writes};
    const char *function;
    // The address is that behind the call.
    if (rh_debug_line_at(debug, place->code - 1, &function, &line.file, &line.line) && line.file)
        line.file = rh_base_name(line.file);
    return line;
}

static int compare_texts(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) : (one != NULL) - (other != NULL);
}

static int compare_lines(const struct rh_pair_line *one, const struct rh_pair_line *other)
{
    int file = compare_texts(one->file, other->file);
    int operation = compare_texts(one->operation, other->operation);
    return file                       ? file
           : one->line != other->line ? one->line - other->line
           : operation                ? operation
                                      : one->writes - other->writes;
}

static int compare_rows(const void *one, const void *other)
{
    const struct rh_pair_row *a = one, *b = other;
    int first = compare_lines(&a->first, &b->first);
    return a->state != b->state ? (int)a->state - (int)b->state
           : first              ? first
                                : compare_lines(&a->second, &b->second);
}

static struct rh_pair_row *find_row(struct rh_pair_rows *rows, const struct rh_pair_row *wanted)
{
    for (size_t i = 0; i < rows->rows.count; i++) {
        struct rh_pair_row *row = &rows->rows.items[i];
        if (!compare_lines(&row->first, &wanted->first) &&
            !compare_lines(&row->second, &wanted->second))
            return row;
    }
    struct rh_pair_row *row = rh_vector_push(&rows->rows);
    *row = *wanted;
    row->pair = RH_NONE;
    row->state = RH_PAIR_RULED_OUT;
    return row;
}

static enum rh_pair_state state_of(const struct rh_pairs *pairs, const struct rh_pair *pair)
{
    return pair->is_covered                          ? RH_PAIR_COVERED
           : pairs->is_complete && pair->failed == 0 ? RH_PAIR_RULED_OUT
                                                     : RH_PAIR_OPEN;
}

static void add_pair(struct rh_pair_rows *rows, const struct rh_pairs *pairs, uint32_t number,
                     struct rh_debug *debug)
{
    const struct rh_pair *pair = &pairs->pairs.items[number];
    if (rh_debug_code_is_own(debug, pairs->places.items[pair->first].code) ||
        rh_debug_code_is_own(debug, pairs->places.items[pair->second].code))
        return;
    struct rh_pair_row wanted = {.first = line_of(pairs, pair->first, debug),
                                 .second = line_of(pairs, pair->second, debug)};
    struct rh_pair_row *row = find_row(rows, &wanted);
    enum rh_pair_state state = state_of(pairs, pair);
    row->ways++;
    row->open += state == RH_PAIR_OPEN;
    // One that is covered says more than one that is open, and that more than one that is ruled
    // out.
    bool says_more = row->pair == RH_NONE || (state == RH_PAIR_COVERED && row->state != state) ||
                     (state == RH_PAIR_OPEN && row->state == RH_PAIR_RULED_OUT);
    if (!says_more)
        return;
    row->state = state;
    row->pair = number;
}

static char *name_of(struct rh_debug *debug, uintptr_t address)
{
    struct rh_text text = {0};
    rh_threads_show_variable(address, debug, &text);
    return rh_text_take(&text);
}

static char *reason_of(const struct rh_pair_row *row, const struct rh_pair *pair,
                       struct rh_debug *debug)
{
    struct rh_text text = {0};
    if (row->open) {
        rh_text_addf(&text, "line %d of the hints says so", row->hint);
        return rh_text_take(&text);
    }
    if (pair->apart & RH_APART_LOCK) {
        rh_text_add(&text, "both hold ");
        rh_threads_show_variable(pair->lock, debug, &text);
    }
    if (pair->apart & RH_APART_ORDER)
        rh_text_addf(&text, "%sone thread has ended, or the other has not begun",
                     text.length ? ", or " : "");
    if (pair->apart & RH_APART_ELSE)
        rh_text_addf(&text, "%sthe threads' own conditions keep them apart",
                     text.length ? ", or " : "");
    return rh_text_take(&text);
}

// --- Hints. ---

static bool is_at(const struct rh_hint_place *hint, const struct rh_pair_line *line)
{
    return hint->line == line->line &&
           (!compare_texts(hint->name, line->operation) || !compare_texts(hint->name, line->file));
}

static void take_hints(struct rh_pair_rows *rows, struct rh_pair_hints *hints)
{
    for (size_t i = 0; i < rows->rows.count; i++) {
        struct rh_pair_row *row = &rows->rows.items[i];
        for (size_t k = 0; k < hints->items.count; k++) {
            struct rh_pair_hint *hint = &hints->items.items[k];
            if (!is_at(&hint->first, &row->first) || !is_at(&hint->second, &row->second))
                continue;
            hint->is_used = true;
            row->hint = hint->line;
        }
        if (row->hint && row->state == RH_PAIR_OPEN)
            row->state = RH_PAIR_RULED_OUT;
    }
}

// --- All rows. ---

void rh_pair_rows_init(struct rh_pair_rows *rows, const struct rh_pairs *pairs,
                       struct rh_debug *debug, struct rh_pair_hints *hints)
{
    *rows = (struct rh_pair_rows){.followed = pairs->followed, .last_news = pairs->last_news};
    for (size_t i = 0; i < pairs->pairs.count; i++)
        add_pair(rows, pairs, (uint32_t)i, debug);
    take_hints(rows, hints);
    if (rows->rows.count)
        qsort(rows->rows.items, rows->rows.count, sizeof *rows->rows.items, compare_rows);
    for (size_t i = 0; i < rows->rows.count; i++) {
        struct rh_pair_row *row = &rows->rows.items[i];
        const struct rh_pair *pair = &pairs->pairs.items[row->pair];
        rows->counts[row->state]++;
        row->variable = name_of(debug, pair->address);
        row->why = row->state == RH_PAIR_RULED_OUT ? reason_of(row, pair, debug) : NULL;
    }
}

void rh_pair_rows_fini(struct rh_pair_rows *rows)
{
    for (size_t i = 0; i < rows->rows.count; i++) {
        free((char *)rows->rows.items[i].variable);
        free((char *)rows->rows.items[i].why);
    }
    rh_vector_fini(&rows->rows);
}

// --- Text. ---

void rh_pair_line_print(const struct rh_pair_line *line, struct rh_text *text)
{
    if (line->operation)
        rh_text_addf(text, "%s ", line->operation);
    if (line->file)
        rh_text_addf(text, "%s:%d ", line->file, line->line);
    else
        rh_text_add(text, "(no line) ");
    rh_text_add(text, line->writes ? "writes" : "reads");
}

static size_t width_of(const struct rh_pair_line *line)
{
    struct rh_text text = {0};
    rh_pair_line_print(line, &text);
    size_t width = text.length;
    rh_text_fini(&text);
    return width;
}

static void add_column(const struct rh_pair_line *line, size_t width, struct rh_text *text)
{
    size_t start = text->length;
    rh_pair_line_print(line, text);
    while (text->length - start < width + 2)
        rh_text_add(text, " ");
}

void rh_pair_rows_print(const struct rh_pair_rows *rows, struct rh_text *text)
{
    size_t first = strlen("made first"), second = strlen("then");
    for (size_t i = 0; i < rows->rows.count; i++) {
        size_t a = width_of(&rows->rows.items[i].first), b = width_of(&rows->rows.items[i].second);
        first = a > first ? a : first;
        second = b > second ? b : second;
    }
    if (rows->rows.count)
        rh_text_addf(text, "               %-*s  %-*s  memory\n", (int)first, "made first",
                     (int)second, "then");
    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct rh_pair_row *row = &rows->rows.items[i];
        rh_text_addf(text, "%4zu %-9s ", i + 1, rh_pair_state_name(row->state));
        add_column(&row->first, first, text);
        add_column(&row->second, second, text);
        rh_text_add(text, row->variable);
        if (row->why)
            rh_text_addf(text, ": %s", row->why);
        else if (row->state == RH_PAIR_COVERED && row->open)
            rh_text_addf(text, ", %d of %d ways open", row->open, row->ways);
        rh_text_add(text, "\n");
    }
}
