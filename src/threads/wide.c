// SPDX-License-Identifier: MIT
// Functions of wide characters that read or write memory of the program: as memory.c.
#include <stdlib.h>
#include <wchar.h>

#include "threads/engine.h"
#include "threads/real.h"
#include "threads/tell.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

static size_t length_of(const wchar_t *text, size_t most)
{
    size_t length = 0;
    while (length < most && ((const volatile wchar_t *)text)[length])
        length++;
    return length;
}

// What is there may change until the thread's turn comes.
void rh__tell_wide(const void *text, size_t most, uintptr_t code)
{
    if (!rh__tells())
        return;
    for (size_t told = 0;;) {
        size_t length = length_of(text, most), size = length + (length < most);
        if (size <= told)
            return;
        rh__tell_read(text, size * sizeof(wchar_t), code);
        told = size;
    }
}

static void copy(wchar_t *to, const wchar_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((volatile wchar_t *)to)[i] = from[i];
}

// Copies the text, and gives where it ends.
static wchar_t *copy_text(wchar_t *to, const wchar_t *from, size_t most, uintptr_t code)
{
    rh__tell_wide(from, most, code);
    size_t length = length_of(from, most);
    rh__tell_write(to, (length + 1) * sizeof *to, code);
    copy(to, from, length);
    to[length] = L'\0';
    return to + length;
}

size_t wcslen(const wchar_t *text)
{
    rh__tell_wide(text, SIZE_MAX, HERE);
    return length_of(text, SIZE_MAX);
}

size_t wcsnlen(const wchar_t *text, size_t most)
{
    rh__tell_wide(text, most, HERE);
    return length_of(text, most);
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    copy_text(to, from, SIZE_MAX, HERE);
    return to;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    return copy_text(to, from, SIZE_MAX, HERE);
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    rh__tell_wide(to, SIZE_MAX, HERE);
    copy_text(to + length_of(to, SIZE_MAX), from, SIZE_MAX, HERE);
    return to;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    rh__tell_wide(from, count, HERE);
    rh__tell_write(to, count * sizeof *to, HERE);
    size_t length = length_of(from, count);
    copy(to, from, length);
    for (size_t i = length; i < count; i++)
        ((volatile wchar_t *)to)[i] = L'\0';
    return to;
}

wchar_t *wcsdup(const wchar_t *text)
{
    rh__tell_wide(text, SIZE_MAX, HERE);
    size_t count = length_of(text, SIZE_MAX) + 1;
    wchar_t *result = malloc(count * sizeof *result);
    if (result)
        copy(result, text, count);
    return result;
}

int wcscmp(const wchar_t *one, const wchar_t *other)
{
    rh__tell_wide(one, SIZE_MAX, HERE);
    rh__tell_wide(other, SIZE_MAX, HERE);
    return RH_REAL(int, wcscmp, (const wchar_t *, const wchar_t *))(one, other);
}

wchar_t *wcschr(const wchar_t *text, wchar_t character)
{
    rh__tell_wide(text, SIZE_MAX, HERE);
    return RH_REAL(wchar_t *, wcschr, (const wchar_t *, wchar_t))(text, character);
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *part)
{
    rh__tell_wide(text, SIZE_MAX, HERE);
    rh__tell_wide(part, SIZE_MAX, HERE);
    return RH_REAL(wchar_t *, wcsstr, (const wchar_t *, const wchar_t *))(text, part);
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    rh__tell_read(from, count * sizeof *from, HERE);
    rh__tell_write(to, count * sizeof *to, HERE);
    copy(to, from, count);
    return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count)
{
    rh__tell_write(to, count * sizeof *to, HERE);
    for (size_t i = 0; i < count; i++)
        ((volatile wchar_t *)to)[i] = character;
    return to;
}

int wmemcmp(const wchar_t *one, const wchar_t *other, size_t count)
{
    rh__tell_read(one, count * sizeof *one, HERE);
    rh__tell_read(other, count * sizeof *other, HERE);
    return RH_REAL(int, wmemcmp, (const wchar_t *, const wchar_t *, size_t))(one, other, count);
}
