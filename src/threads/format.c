// SPDX-License-Identifier: MIT
// The families of printf and scanf: what a format says about the memory behind its arguments is
// told before the call.
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/real.h"
#include "threads/tell.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

// --- One conversion of a format. ---

enum size { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_WIDE };

struct conversion {
    bool is_left_out; // of scanf: nothing is written
    bool allocates;
    bool has_width_argument, has_precision_argument;
    size_t width;     // SIZE_MAX: not given
    size_t precision; // likewise
    enum size size;
    char kind;
};

static size_t take_number(const char **at)
{
    size_t number = 0;
    if (**at < '0' || **at > '9')
        return SIZE_MAX;
    while (**at >= '0' && **at <= '9')
        number = number * 10 + (size_t)(*(*at)++ - '0');
    return number;
}

static enum size take_size(const char **at)
{
    enum size size = SIZE_INT;
    for (;; (*at)++)
        switch (**at) {
        case 'h':
            size = size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT;
            break;
        case 'l':
        case 'j':
        case 'z':
        case 't':
        case 'q':
            size = SIZE_LONG;
            break;
        case 'L':
            size = SIZE_WIDE;
            break;
        default:
            return size;
        }
}

// Takes what stands behind a %. Gives what is behind it.
static const char *take_conversion(const char *at, bool scans, struct conversion *conversion,
                                   uintptr_t code)
{
    *conversion = (struct conversion){.precision = SIZE_MAX};
    if (scans && *at == '*') {
        conversion->is_left_out = true;
        at++;
    }
    const char *flags = scans ? "'I" : "-+ #0'I";
    while (*at && strchr(flags, *at))
        at++;
    conversion->width = take_number(&at);
    if (*at == '$')
        rh__refuse("printf or scanf with numbered arguments (%1$s)", code);
    if (!scans && *at == '*') {
        conversion->has_width_argument = true;
        at++;
    }
    if (!scans && *at == '.') {
        at++;
        conversion->precision = take_number(&at);
        if (*at == '*') {
            conversion->has_precision_argument = true;
            at++;
        } else if (conversion->precision == SIZE_MAX) {
            conversion->precision = 0;
        }
    }
    if (scans && *at == 'm') {
        conversion->allocates = true;
        at++;
    }
    conversion->size = take_size(&at);
    conversion->kind = *at;
    return *at ? at + 1 : at;
}

static size_t size_of(enum size size)
{
    return size == SIZE_CHAR    ? sizeof(char)
           : size == SIZE_SHORT ? sizeof(short)
           : size == SIZE_INT   ? sizeof(int)
                                : sizeof(long);
}

// --- printf. ---

static void skip_number(const struct conversion *conversion, va_list *arguments)
{
    if (conversion->size <= SIZE_INT) // NOLINT(bugprone-branch-clone)
        (void)va_arg(*arguments, int);
    else
        (void)va_arg(*arguments, long);
}

static void tell_text(const struct conversion *conversion, const void *text, uintptr_t code)
{
    if (!text)
        return;
    if (conversion->kind == 'S' || conversion->size == SIZE_LONG)
        rh__tell_wide(text, conversion->precision, code);
    else
        rh__tell_text(text, conversion->precision, code);
}

// The argument of one conversion.
static void tell_printed(const struct conversion *conversion, va_list *arguments, uintptr_t code)
{
    switch (conversion->kind) {
    case '%':
    case 'm':
    case '\0':
        break;
    case 's':
    case 'S':
        tell_text(conversion, va_arg(*arguments, const void *), code);
        break;
    case 'n':
        rh__tell_write(va_arg(*arguments, void *), size_of(conversion->size), code);
        break;
    case 'p':
        (void)va_arg(*arguments, void *);
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        if (conversion->size == SIZE_WIDE) // NOLINT(bugprone-branch-clone)
            (void)va_arg(*arguments, long double);
        else
            (void)va_arg(*arguments, double);
        break;
    default:
        skip_number(conversion, arguments);
    }
}

void rh__tell_printed(const char *format, va_list arguments, uintptr_t code)
{
    va_list copy;
    struct conversion conversion;
    if (!rh__tells())
        return;
    rh__tell_text(format, SIZE_MAX, code);
    va_copy(copy, arguments);
    while ((format = strchr(format, '%'))) {
        format = take_conversion(format + 1, false, &conversion, code);
        if (conversion.has_width_argument)
            (void)va_arg(copy, int);
        if (conversion.has_precision_argument) {
            int given = va_arg(copy, int);
            conversion.precision = given < 0 ? SIZE_MAX : (size_t)given;
        }
        tell_printed(&conversion, &copy, code);
    }
    va_end(copy);
}

// --- scanf. ---

static size_t scanned_size(const struct conversion *conversion)
{
    size_t width = conversion->width == SIZE_MAX ? 0 : conversion->width;
    size_t character = conversion->size == SIZE_LONG ? sizeof(wchar_t) : 1;
    if (conversion->allocates)
        return sizeof(void *);
    switch (conversion->kind) {
    case 'c':
        return (width ? width : 1) * character;
    case 's':
    case '[':
        return (width + 1) * character;
    case 'C':
        return (width ? width : 1) * sizeof(wchar_t);
    case 'S':
        return (width + 1) * sizeof(wchar_t);
    case 'p':
        return sizeof(void *);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return conversion->size == SIZE_WIDE   ? sizeof(long double)
               : conversion->size == SIZE_LONG ? sizeof(double)
                                               : sizeof(float);
    default:
        return size_of(conversion->size);
    }
}

// Behind the characters of %[...].
static const char *skip_set(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']')
        at++;
    return *at ? at + 1 : at;
}

void rh__tell_scanned(const char *format, va_list arguments, uintptr_t code)
{
    va_list copy;
    struct conversion conversion;
    if (!rh__tells())
        return;
    rh__tell_text(format, SIZE_MAX, code);
    va_copy(copy, arguments);
    while ((format = strchr(format, '%'))) {
        format = take_conversion(format + 1, true, &conversion, code);
        if (conversion.kind == '[')
            format = skip_set(format);
        if (conversion.kind && conversion.kind != '%' && !conversion.is_left_out)
            rh__tell_write(va_arg(copy, void *), scanned_size(&conversion), code);
    }
    va_end(copy);
}

// --- Streams. ---

#define REAL_PRINT RH_REAL(int, vfprintf, (FILE *, const char *, va_list))
#define REAL_SCAN RH_REAL(int, vfscanf, (FILE *, const char *, va_list))
#define REAL_TEXT_SCAN RH_REAL(int, vsscanf, (const char *, const char *, va_list))

static int print(FILE *file, const char *format, va_list arguments, uintptr_t code)
{
    rh__tell_printed(format, arguments, code);
    return REAL_PRINT(file, format, arguments);
}

int vfprintf(FILE *restrict file, const char *restrict format, va_list arguments)
{
    return print(file, format, arguments, HERE);
}

int vprintf(const char *restrict format, va_list arguments)
{
    return print(stdout, format, arguments, HERE);
}

// Gives what the call does with the arguments behind `last`.
#define WITH_ARGUMENTS(last, call)                                                                 \
    va_list arguments;                                                                             \
    va_start(arguments, last);                                                                     \
    int result = call;                                                                             \
    va_end(arguments);                                                                             \
    return result;

int fprintf(FILE *restrict file, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, print(file, format, arguments, HERE))
}

int printf(const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, print(stdout, format, arguments, HERE))
}

static int print_to(int file, const char *format, va_list arguments, uintptr_t code)
{
    rh__tell_printed(format, arguments, code);
    return RH_REAL(int, vdprintf, (int, const char *, va_list))(file, format, arguments);
}

int vdprintf(int file, const char *restrict format, va_list arguments)
{
    return print_to(file, format, arguments, HERE);
}

int dprintf(int file, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, print_to(file, format, arguments, HERE))
}

static int print_new(char **text, const char *format, va_list arguments, uintptr_t code)
{
    rh__tell_printed(format, arguments, code);
    rh__tell_write(text, sizeof *text, code);
    return RH_REAL(int, vasprintf, (char **, const char *, va_list))(text, format, arguments);
}

int vasprintf(char **restrict text, const char *restrict format, va_list arguments)
{
    return print_new(text, format, arguments, HERE);
}

int asprintf(char **restrict text, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, print_new(text, format, arguments, HERE))
}

static int scan(FILE *file, const char *format, va_list arguments, uintptr_t code)
{
    rh__tell_scanned(format, arguments, code);
    return REAL_SCAN(file, format, arguments);
}

static int scan_text(const char *text, const char *format, va_list arguments, uintptr_t code)
{
    rh__tell_text(text, SIZE_MAX, code);
    rh__tell_scanned(format, arguments, code);
    return REAL_TEXT_SCAN(text, format, arguments);
}

// The headers give these functions other names, by the version of C.
#define SCANS(prefix)                                                                              \
    int prefix##scanf(const char *restrict format, ...)                                            \
    {                                                                                              \
        WITH_ARGUMENTS(format, scan(stdin, format, arguments, HERE))                               \
    }                                                                                              \
    int prefix##fscanf(FILE *restrict file, const char *restrict format, ...)                      \
    {                                                                                              \
        WITH_ARGUMENTS(format, scan(file, format, arguments, HERE))                                \
    }                                                                                              \
    int prefix##sscanf(const char *restrict text, const char *restrict format, ...)                \
    {                                                                                              \
        WITH_ARGUMENTS(format, scan_text(text, format, arguments, HERE))                           \
    }                                                                                              \
    int prefix##vscanf(const char *restrict format, va_list arguments)                             \
    {                                                                                              \
        return scan(stdin, format, arguments, HERE);                                               \
    }                                                                                              \
    int prefix##vfscanf(FILE *restrict file, const char *restrict format, va_list arguments)       \
    {                                                                                              \
        return scan(file, format, arguments, HERE);                                                \
    }                                                                                              \
    int prefix##vsscanf(const char *restrict text, const char *restrict format, va_list arguments) \
    {                                                                                              \
        return scan_text(text, format, arguments, HERE);                                           \
    }

int __isoc99_scanf(const char *restrict format, ...);
int __isoc99_fscanf(FILE *restrict file, const char *restrict format, ...);
int __isoc99_sscanf(const char *restrict text, const char *restrict format, ...);
int __isoc99_vscanf(const char *restrict format, va_list arguments);
int __isoc99_vfscanf(FILE *restrict file, const char *restrict format, va_list arguments);
int __isoc99_vsscanf(const char *restrict text, const char *restrict format, va_list arguments);
SCANS(__isoc99_)
