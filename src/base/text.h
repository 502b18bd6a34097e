// SPDX-License-Identifier: MIT
// A growing text buffer. Always ends in a NUL that is not counted in `length`.
#ifndef REHEARSE_BASE_TEXT_H
#define REHEARSE_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/status.h"

struct rh_text {
    char *bytes; // owned; NULL until something is added
    size_t length;
    size_t capacity;
};

void rh_text_fini(struct rh_text *text);
void rh_text_clear(struct rh_text *text);
// Takes away what lies behind the first `length` bytes, which are there.
void rh_text_cut(struct rh_text *text, size_t length);
void rh_text_add(struct rh_text *text, const char *string);
void rh_text_add_bytes(struct rh_text *text, const void *bytes, size_t count);
void rh_text_addf(struct rh_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rh_text_addv(struct rh_text *text, const char *format, va_list arguments);
// The bytes, "" if there are none. Borrows.
const char *rh_text_get(const struct rh_text *text);
// Gives the bytes to the caller, who frees them, and leaves the buffer empty. Never NULL.
char *rh_text_take(struct rh_text *text);

// Reads a whole ordinary file. Refuses files over `limit` bytes. The text may contain NULs: see
// length.
struct rh_status rh_text_read_file(struct rh_text *text, const char *path, size_t limit);

// Writes a whole file or nothing: a temporary file beside it, then rename. A failure leaves the old
// file as it was. A link is followed within its directory, and refused where it leads out of that.
struct rh_status rh_text_write_file(const struct rh_text *text, const char *path);

// Allocation that ends the process with a message, and with exit status 3, when memory is out.
void *rh_alloc(size_t size); // zeroed
void *rh_realloc(void *block, size_t size);
char *rh_strdup(const char *string);

// Where a process has another way to end when memory is out, it is defined above, and does not
// return then.
void rh__memory_is_out(struct rh_status status) __attribute__((weak));

#endif
