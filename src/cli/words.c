// SPDX-License-Identifier: MIT
#include "cli/words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void rh_words_add(struct rh_words *words, const char *word)
{
    *rh_vector_push(words) = rh_strdup(word);
}

void rh_words_addf(struct rh_words *words, const char *format, ...)
{
    struct rh_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(&text, format, arguments);
    va_end(arguments);
    *rh_vector_push(words) = rh_text_take(&text);
}

void rh_words_fini(struct rh_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    rh_vector_fini(words);
}

char **rh_words_arguments(const struct rh_words *words)
{
    char **arguments = rh_alloc((words->count + 1) * sizeof *arguments);
    for (size_t i = 0; i < words->count; i++)
        arguments[i] = words->items[i];
    return arguments;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Reads one word from `*at`, which is at no blank, and moves `*at` past it.
static bool split_one(const char **at, struct rh_text *word)
{
    char quote = 0;
    const char *p = *at;
    for (; *p && (quote || !is_blank(*p)); p++) {
        if (quote && *p == quote)
            quote = 0;
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            rh_text_add_bytes(word, ++p, 1);
        else
            rh_text_add_bytes(word, p, 1);
    }
    *at = p;
    return !quote;
}

bool rh_words_split(struct rh_words *words, const char *text)
{
    while (true) {
        while (is_blank(*text))
            text++;
        if (!*text)
            return true;
        struct rh_text word = {0};
        bool is_closed = split_one(&text, &word);
        *rh_vector_push(words) = rh_text_take(&word);
        if (!is_closed)
            return false;
    }
}

enum { LONGEST_WORD = 40 };

// How many letters must be added, removed or changed to make one word of the other (Levenshtein).
static size_t edit_distance(const char *left, const char *right)
{
    size_t left_length = strlen(left), right_length = strlen(right);
    if (left_length > LONGEST_WORD || right_length > LONGEST_WORD)
        return LONGEST_WORD;
    size_t row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= right_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= left_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= right_length; j++) {
            size_t change = diagonal + (left[i - 1] != right[j - 1]);
            diagonal = row[j];
            size_t shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < shift ? change : shift;
        }
    }
    return row[right_length];
}

const char *rh_words_nearest(const char *word, const char *const *candidates, size_t count)
{
    size_t limit = strlen(word) / 3 + 1;
    size_t least = (limit > 3 ? 3 : limit) + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, candidates[i]);
        if (distance < least && distance < strlen(candidates[i])) {
            least = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
