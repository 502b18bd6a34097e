// SPDX-License-Identifier: MIT
#include "debug/scan.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rh__scan_refuse(struct rh__scan *scan, const char *format, ...)
{
    if (!rh_is_ok(&scan->status))
        return false;
    struct rh_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(&text, format, arguments);
    va_end(arguments);
    if (*scan->at)
        scan->status = rh_bad_input("%s, at column %zu of %s", rh_text_get(&text),
                                    (size_t)(scan->at - scan->text) + 1, scan->text);
    else
        scan->status = rh_bad_input("%s, at the end of %s", rh_text_get(&text),
                                    *scan->text ? scan->text : "an empty text");
    rh_text_fini(&text);
    return false;
}

void rh__scan_skip_space(struct rh__scan *scan)
{
    while (isspace((unsigned char)*scan->at))
        scan->at++;
}

char rh__scan_peek(struct rh__scan *scan)
{
    rh__scan_skip_space(scan);
    return *scan->at;
}

bool rh__scan_take(struct rh__scan *scan, const char *symbol)
{
    rh__scan_skip_space(scan);
    size_t length = strlen(symbol);
    if (strncmp(scan->at, symbol, length) != 0)
        return false;
    scan->at += length;
    return true;
}

static bool is_word_character(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (is_word_character(text[length]))
        length++;
    return length;
}

bool rh__scan_is_word(struct rh__scan *scan)
{
    rh__scan_skip_space(scan);
    return is_word_character(*scan->at) && !isdigit((unsigned char)*scan->at);
}

struct rh__word rh__scan_word(struct rh__scan *scan)
{
    rh__scan_skip_space(scan);
    struct rh__word word = {scan->at, word_length(scan->at)};
    scan->at += word.length;
    return word;
}

bool rh__scan_take_word(struct rh__scan *scan, const char *word)
{
    rh__scan_skip_space(scan);
    struct rh__word found = {scan->at, word_length(scan->at)};
    if (!rh__word_is(found, word))
        return false;
    scan->at += found.length;
    return true;
}

bool rh__word_is(struct rh__word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.start, word.length) == 0;
}

static int digit_of(char character)
{
    if (isdigit((unsigned char)character))
        return character - '0';
    return isxdigit((unsigned char)character) ? tolower((unsigned char)character) - 'a' + 10 : 99;
}

static int take_base(struct rh__scan *scan)
{
    if (scan->at[0] != '0')
        return 10;
    int marker = tolower((unsigned char)scan->at[1]);
    int base = marker == 'x' ? 16 : marker == 'b' ? 2 : 8;
    if (base != 8)
        scan->at += 2;
    return base;
}

static bool read_digits(struct rh__scan *scan, rh__uint128 *value)
{
    const char *start = scan->at;
    int base = take_base(scan);
    const char *digits = scan->at;
    bool overflow = false;
    *value = 0;
    for (; digit_of(*scan->at) < base; scan->at++)
        overflow |= __builtin_mul_overflow(*value, (rh__uint128)base, value) ||
                    __builtin_add_overflow(*value, (rh__uint128)digit_of(*scan->at), value);
    bool is_number = scan->at > digits && !is_word_character(*scan->at) && *scan->at != '.';
    if (!is_number || overflow)
        scan->at = start;
    if (!is_number)
        return rh__scan_refuse(scan, "expected a whole number");
    return !overflow || rh__scan_refuse(scan, "the number is too large");
}

// Reads up to `most` digits of the base as one byte.
static bool read_code(struct rh__scan *scan, int base, int most, char *character)
{
    int value = 0;
    int count = 0;
    for (; count < most && digit_of(*scan->at) < base; count++)
        value = value * base + digit_of(*scan->at++);
    if (count == 0 || value > 255)
        return rh__scan_refuse(scan, "this is no code of a character");
    *character = (char)value;
    return true;
}

static bool read_escape(struct rh__scan *scan, char *character)
{
    static const char letters[] = "ntrabfve\\'\"?";
    static const char meanings[] = "\n\t\r\a\b\f\v\033\\'\"?";
    if (digit_of(*scan->at) < 8)
        return read_code(scan, 8, 3, character);
    if (*scan->at == 'x') {
        scan->at++;
        return read_code(scan, 16, 2, character);
    }
    const char *found = *scan->at ? strchr(letters, *scan->at) : NULL;
    if (!found)
        return rh__scan_refuse(scan, "unknown escape after \\");
    *character = meanings[found - letters];
    scan->at++;
    return true;
}

// One character of a literal that ends with `quote`.
static bool read_character(struct rh__scan *scan, char quote, char *character)
{
    if (*scan->at == '\0' || *scan->at == '\n')
        return rh__scan_refuse(scan, "expected a closing %c", quote);
    if (*scan->at == '\\') {
        scan->at++;
        return read_escape(scan, character);
    }
    *character = *scan->at++;
    return true;
}

static bool read_quoted_character(struct rh__scan *scan, struct rh__whole *whole)
{
    char character = 0;
    scan->at++;
    if (*scan->at == '\'')
        return rh__scan_refuse(scan, "expected a character between the quotes");
    if (!read_character(scan, '\'', &character))
        return false;
    if (*scan->at != '\'')
        return rh__scan_refuse(scan, "expected a closing '");
    scan->at++;
    whole->is_negative = character < 0;
    whole->magnitude = (rh__uint128)(character < 0 ? -(int)character : (int)character);
    return true;
}

bool rh__scan_whole(struct rh__scan *scan, struct rh__whole *whole)
{
    if (rh__scan_peek(scan) == '\'')
        return read_quoted_character(scan, whole);
    const char *start = scan->at;
    whole->is_negative = *scan->at == '-';
    if (*scan->at == '-' || *scan->at == '+')
        scan->at++;
    if (isdigit((unsigned char)*scan->at))
        return read_digits(scan, &whole->magnitude);
    scan->at = start;
    return rh__scan_refuse(scan, "expected a whole number");
}

// strtold in the "C" locale, whatever language the program under test has chosen.
static long double plain_strtold(const char *text, char **end)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    long double value = strtold_l(text, end, plain);
    freelocale(plain);
    return value;
}

bool rh__scan_float(struct rh__scan *scan, long double *value)
{
    char *end;
    rh__scan_skip_space(scan);
    errno = 0;
    *value = plain_strtold(scan->at, &end);
    if (end == scan->at || (is_word_character(*end) && *end != 'i'))
        return rh__scan_refuse(scan, "expected a number");
    if (errno == ERANGE && isinf(*value))
        return rh__scan_refuse(scan, "the number is too large");
    scan->at = end;
    return true;
}

bool rh__scan_string(struct rh__scan *scan, struct rh_text *text)
{
    for (scan->at++; *scan->at != '"';) {
        char character = 0;
        if (!read_character(scan, '"', &character))
            return false;
        rh_text_add_bytes(text, &character, 1);
    }
    scan->at++;
    return true;
}

bool rh__scan_name(struct rh__scan *scan, struct rh_text *text)
{
    if (rh__scan_peek(scan) == '"')
        return rh__scan_string(scan, text);
    size_t length = strcspn(scan->at, " \t,;=[]{}\"'");
    rh_text_add_bytes(text, scan->at, length);
    scan->at += length;
    return true;
}
