// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int descriptor, const char *bytes, size_t count)
{
    while (count) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

bool rh_print(const struct rh_text *text)
{
    if (write_all(STDOUT_FILENO, rh_text_get(text), text->length))
        return true;
    struct rh_status status = rh_failed("cannot write to standard output: %s", strerror(errno));
    rh_print_status(&status);
    return false;
}

void rh_print_error_text(const char *text)
{
    write_all(STDERR_FILENO, text, strlen(text));
}

int rh_print_status(const struct rh_status *status)
{
    struct rh_text line = {0};
    rh_text_addf(&line, "rehearse: %s\n", status->text);
    rh_print_error_text(rh_text_get(&line));
    rh_text_fini(&line);
    return status->code == RH_OK          ? RH_EXIT_NOTHING
           : status->code == RH_BAD_INPUT ? RH_EXIT_BAD_INPUT
                                          : RH_EXIT_FAILED;
}

bool rh_wants_color(int descriptor)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return isatty(descriptor) && !(no_color && *no_color) && terminal &&
           strcmp(terminal, "dumb") != 0;
}
