// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The tool returns statuses by value everywhere: of the text only the first byte is set, not all
// thousand.
struct rh_status rh_ok(void)
{
    struct rh_status status;
    status.code = RH_OK;
    status.text[0] = '\0';
    return status;
}

struct rh_status rh_status_make(enum rh_status_code code, const char *format, ...)
{
    static const char cut[] = " ...";
    struct rh_status status;
    status.code = code;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(status.text, sizeof status.text, format, arguments);
    va_end(arguments);
    if (length < 0)
        status.text[0] = '\0';
    else if ((size_t)length >= sizeof status.text)
        memcpy(status.text + sizeof status.text - sizeof cut, cut, sizeof cut);
    return status;
}

// rh__assert_failed and rh_panic may run in the middle of a broken handler, so they use no buffer
// of stdio's.
void rh__assert_failed(const char *condition, const char *file, int line)
{
    dprintf(STDERR_FILENO, "rehearse: internal error: %s:%d: %s does not hold\n", file, line,
            condition);
    abort();
}

void rh_panic(const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dprintf(STDERR_FILENO, "rehearse: %s\n", text);
    abort();
}
