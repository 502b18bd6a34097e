// SPDX-License-Identifier: MIT
// Functions of libc that read or write memory of the program under test. libc was not compiled with
// -fsanitize=thread, and so the accesses are told here, before the function makes them: what it
// reads first, then what it writes.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <wchar.h>

#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/look.h"
#include "threads/real.h"
#include "threads/tell.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

static inline bool is_watched(void)
{
    return rh__has_engine && rh__engine->is_active &&
           (!rh__engine->quiet || rh__engine->is_viewing || rh__engine->is_journaling);
}

// --- What the library itself uses. ---

void *rh__plain_memcpy(void *to, const void *from, size_t size);
void *rh__plain_memmove(void *to, const void *from, size_t size);
void *rh__plain_memset(void *to, int byte, size_t size);
int rh__plain_memcmp(const void *one, const void *other, size_t size);

void *rh__plain_memcpy(void *to, const void *from, size_t size)
{
    void *start = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
    return start;
}

void *rh__plain_memmove(void *to, const void *from, size_t size)
{
    if ((uintptr_t)to - (uintptr_t)from >= size)
        return rh__plain_memcpy(to, from, size);
    for (size_t i = size; i-- > 0;)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *rh__plain_memset(void *to, int byte, size_t size)
{
    void *start = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
    return start;
}

int rh__plain_memcmp(const void *one, const void *other, size_t size)
{
    const unsigned char *a = one, *b = other;
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

// --- Telling. ---

static void reads(const void *start, size_t size, uintptr_t code)
{
    if (size && is_watched())
        rh__hook((uintptr_t)start, size, false, code);
}

static void writes(const void *start, size_t size, uintptr_t code)
{
    if (size && is_watched())
        rh__hook((uintptr_t)start, size, true, code);
}

static size_t length_of(const char *text, size_t most)
{
    size_t length = 0;
    const volatile char *bytes = text; // or the compiler makes it a call of strlen
    while (length < most && bytes[length])
        length++;
    return length;
}

// How many bytes are looked at by who stops behind the first that is one of these two.
static size_t length_until(const char *start, size_t most, int one, int other)
{
    size_t length = 0;
    const volatile unsigned char *bytes = (const volatile unsigned char *)start;
    while (length < most && bytes[length] != (unsigned char)one &&
           bytes[length] != (unsigned char)other)
        length++;
    return length < most ? length + 1 : most;
}

// Up to the first of these two bytes, or so many. What is there may change until the thread's turn
// comes.
static void reads_until(const char *start, size_t most, int one, int other, uintptr_t code)
{
    if (!is_watched())
        return;
    for (size_t told = 0, size; (size = length_until(start, most, one, other)) > told; told = size)
        reads(start, size, code);
}

// Up to the text's end, or so many bytes.
static void reads_text(const char *text, size_t most, uintptr_t code)
{
    reads_until(text, most, '\0', '\0', code);
}

// How many bytes of each of two texts decide about their order.
static size_t length_compared(const char *one, const char *other, size_t most)
{
    size_t length = 0;
    const volatile char *left = one, *right = other;
    while (length < most && left[length] == right[length] && left[length])
        length++;
    return length < most ? length + 1 : most;
}

static void reads_compared(const char *one, const char *other, size_t most, uintptr_t code)
{
    if (!is_watched())
        return;
    for (size_t told = 0, size; (size = length_compared(one, other, most)) > told; told = size) {
        reads(one, size, code);
        reads(other, size, code);
    }
}

// --- Blocks. ---

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    reads(from, size, HERE);
    writes(to, size, HERE);
    return rh__plain_memmove(to, from, size);
}

void *memmove(void *to, const void *from, size_t size)
{
    reads(from, size, HERE);
    writes(to, size, HERE);
    return rh__plain_memmove(to, from, size);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    reads(from, size, HERE);
    writes(to, size, HERE);
    return (char *)rh__plain_memmove(to, from, size) + size;
}

void *memset(void *to, int byte, size_t size)
{
    writes(to, size, HERE);
    return rh__plain_memset(to, byte, size);
}

void bzero(void *to, size_t size)
{
    writes(to, size, HERE);
    rh__plain_memset(to, 0, size);
}

void bcopy(const void *from, void *to, size_t size)
{
    reads(from, size, HERE);
    writes(to, size, HERE);
    rh__plain_memmove(to, from, size);
}

int memcmp(const void *one, const void *other, size_t size)
{
    reads(one, size, HERE);
    reads(other, size, HERE);
    return rh__plain_memcmp(one, other, size);
}

void *memchr(const void *start, int byte, size_t size)
{
    reads_until(start, size, byte, byte, HERE);
    return RH_REAL(void *, memchr, (const void *, int, size_t))(start, byte, size);
}

// --- Texts. ---

size_t strlen(const char *text)
{
    reads_text(text, SIZE_MAX, HERE);
    return length_of(text, SIZE_MAX);
}

size_t strnlen(const char *text, size_t most)
{
    reads_text(text, most, HERE);
    return length_of(text, most);
}

int strcmp(const char *one, const char *other)
{
    reads_compared(one, other, SIZE_MAX, HERE);
    return RH_REAL(int, strcmp, (const char *, const char *))(one, other);
}

int strncmp(const char *one, const char *other, size_t most)
{
    reads_compared(one, other, most, HERE);
    return RH_REAL(int, strncmp, (const char *, const char *, size_t))(one, other, most);
}

char *strchr(const char *text, int byte)
{
    reads_until(text, SIZE_MAX, byte, '\0', HERE);
    return RH_REAL(char *, strchr, (const char *, int))(text, byte);
}

char *strrchr(const char *text, int byte)
{
    reads_text(text, SIZE_MAX, HERE);
    return RH_REAL(char *, strrchr, (const char *, int))(text, byte);
}

char *strstr(const char *text, const char *part)
{
    reads_text(text, SIZE_MAX, HERE);
    reads_text(part, SIZE_MAX, HERE);
    return RH_REAL(char *, strstr, (const char *, const char *))(text, part);
}

// Copies the text behind `kept` bytes, and gives where it ends.
static char *copy_text(char *to, size_t kept, const char *from, size_t most, uintptr_t code)
{
    reads_text(from, most, code);
    size_t length = length_of(from, most);
    writes(to + kept, length + 1, code);
    rh__plain_memmove(to + kept, from, length);
    to[kept + length] = '\0';
    return to + kept + length;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    copy_text(to, 0, from, SIZE_MAX, HERE);
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    return copy_text(to, 0, from, SIZE_MAX, HERE);
}

char *strcat(char *restrict to, const char *restrict from)
{
    reads_text(to, SIZE_MAX, HERE);
    copy_text(to, length_of(to, SIZE_MAX), from, SIZE_MAX, HERE);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t most)
{
    reads_text(to, SIZE_MAX, HERE);
    copy_text(to, length_of(to, SIZE_MAX), from, most, HERE);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    reads_text(from, size, HERE);
    writes(to, size, HERE);
    size_t length = length_of(from, size);
    rh__plain_memmove(to, from, length);
    rh__plain_memset(to + length, 0, size - length);
    return to;
}

char *strdup(const char *text)
{
    reads_text(text, SIZE_MAX, HERE);
    size_t size = length_of(text, SIZE_MAX) + 1;
    char *copy = malloc(size);
    return copy ? rh__plain_memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t most)
{
    reads_text(text, most, HERE);
    size_t length = length_of(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        rh__plain_memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

// --- For other files. ---

bool rh__tells(void)
{
    return is_watched();
}

void rh__tell_read(const void *start, size_t size, uintptr_t code)
{
    reads(start, size, code);
}

void rh__tell_write(const void *start, size_t size, uintptr_t code)
{
    writes(start, size, code);
}

void rh__tell_text(const char *text, size_t most, uintptr_t code)
{
    reads_text(text, most, code);
}

// --- Formats that write to memory. ---

typedef int format_function(char *, size_t, const char *, va_list);

static int print(char *to, size_t size, const char *format, va_list arguments, uintptr_t code)
{
    format_function *format_into = RH_REAL(int, vsnprintf, (char *, size_t, const char *, va_list));
    rh__tell_printed(format, arguments, code);
    if (is_watched()) {
        va_list copy;
        va_copy(copy, arguments);
        int length = format_into(NULL, 0, format, copy);
        va_end(copy);
        if (length >= 0)
            writes(to, (size_t)length < size ? (size_t)length + 1 : size, code);
    }
    return format_into(to, size, format, arguments);
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
{
    return print(to, size, format, arguments, HERE);
}

int vsprintf(char *restrict to, const char *restrict format, va_list arguments)
{
    return print(to, INT32_MAX, format, arguments, HERE);
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = print(to, size, format, arguments, HERE);
    va_end(arguments);
    return length;
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = print(to, INT32_MAX, format, arguments, HERE);
    va_end(arguments);
    return length;
}

// --- Sorting: one access before the first comparison. ---

void qsort(void *start, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    reads(start, count * size, HERE);
    writes(start, count * size, HERE);
    RH_REAL(void, qsort, (void *, size_t, size_t, int (*)(const void *, const void *)))
    (start, count, size, compare);
    rh__look_forget(); // it has written between and behind the comparisons
}

// --- Files. ---

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file)
{
    writes(to, size * count, HERE);
    return RH_REAL(size_t, fread, (void *, size_t, size_t, FILE *))(to, size, count, file);
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file)
{
    reads(from, size * count, HERE);
    return RH_REAL(size_t, fwrite, (const void *, size_t, size_t, FILE *))(from, size, count, file);
}

char *fgets(char *restrict to, int size, FILE *restrict file)
{
    writes(to, size > 0 ? (size_t)size : 0, HERE);
    return RH_REAL(char *, fgets, (char *, int, FILE *))(to, size, file);
}

int fputs(const char *restrict text, FILE *restrict file)
{
    reads_text(text, SIZE_MAX, HERE);
    return RH_REAL(int, fputs, (const char *, FILE *))(text, file);
}

int puts(const char *text)
{
    reads_text(text, SIZE_MAX, HERE);
    return RH_REAL(int, puts, (const char *))(text);
}
