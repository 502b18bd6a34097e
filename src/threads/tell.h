// SPDX-License-Identifier: MIT
// Accesses that functions of libc are about to make for the program: to no effect while it is not
// under control.
#ifndef REHEARSE_THREADS_TELL_H
#define REHEARSE_THREADS_TELL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool rh__tells(void);
void rh__tell_read(const void *start, size_t size, uintptr_t code);
void rh__tell_write(const void *start, size_t size, uintptr_t code);
// Up to the text's end, or so many bytes.
void rh__tell_text(const char *text, size_t most, uintptr_t code);
// The same of wide characters.
void rh__tell_wide(const void *text, size_t most, uintptr_t code);

// What printf does to its arguments: reads texts, and writes numbers for %n.
void rh__tell_printed(const char *format, va_list arguments, uintptr_t code);
// What scanf does: writes numbers, and of texts without a width the first character.
void rh__tell_scanned(const char *format, va_list arguments, uintptr_t code);

#endif
