// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static noreturn void out_of_memory(size_t size)
{
    struct rh_status status = rh_failed("out of memory: %zu bytes could not be had", size);
    if (rh__memory_is_out)
        rh__memory_is_out(status);
    dprintf(STDERR_FILENO, "rehearse: %s\n", status.text);
    _exit(3);
}

void *rh_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        out_of_memory(size);
    return block;
}

void *rh_realloc(void *block, size_t size)
{
    // Refuses more than PTRDIFF_MAX before realloc does, since compilers warn about asking for it.
    void *moved = size <= PTRDIFF_MAX ? realloc(block, size ? size : 1) : NULL;
    if (!moved)
        out_of_memory(size);
    return moved;
}

char *rh_strdup(const char *string)
{
    size_t size = strlen(string) + 1;
    return memcpy(rh_alloc(size), string, size);
}

void rh_text_fini(struct rh_text *text)
{
    free(text->bytes);
    *text = (struct rh_text){0};
}

void rh_text_clear(struct rh_text *text)
{
    rh_text_cut(text, 0);
}

void rh_text_cut(struct rh_text *text, size_t length)
{
    rh_assert(length <= text->length);
    text->length = length;
    if (text->bytes)
        text->bytes[length] = '\0';
}

// Makes room for `count` further bytes and the NUL.
static void reserve(struct rh_text *text, size_t count)
{
    if (count >= SIZE_MAX / 4 || text->length >= SIZE_MAX / 4)
        out_of_memory(count);
    size_t wanted = text->length + count + 1;
    if (wanted <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < wanted)
        capacity *= 2;
    text->bytes = rh_realloc(text->bytes, capacity);
    text->capacity = capacity;
}

void rh_text_add_bytes(struct rh_text *text, const void *bytes, size_t count)
{
    reserve(text, count);
    if (count)
        memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    rh_assert(text->length < text->capacity);
    text->bytes[text->length] = '\0';
}

void rh_text_add(struct rh_text *text, const char *string)
{
    rh_text_add_bytes(text, string, strlen(string));
}

void rh_text_addv(struct rh_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    reserve(text, strlen(format));
    size_t room = text->capacity - text->length;
    int length = vsnprintf(text->bytes + text->length, room, format, arguments);
    rh_assert(length >= 0);
    if ((size_t)length >= room) {
        reserve(text, (size_t)length);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += (size_t)length;
}

void rh_text_addf(struct rh_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(text, format, arguments);
    va_end(arguments);
}

const char *rh_text_get(const struct rh_text *text)
{
    rh_assert(!text->bytes || text->bytes[text->length] == '\0');
    return text->bytes ? text->bytes : "";
}

char *rh_text_take(struct rh_text *text)
{
    rh_assert(!text->bytes || text->bytes[text->length] == '\0');
    char *bytes = text->bytes ? text->bytes : rh_strdup("");
    *text = (struct rh_text){0};
    return bytes;
}
