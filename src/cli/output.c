// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"

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

static bool refuse_output(int error)
{
    struct rh_status status = rh_failed("cannot write to standard output: %s", strerror(error));
    rh_print_status(&status);
    return false;
}

bool rh_print(const struct rh_text *text)
{
    return write_all(STDOUT_FILENO, rh_text_get(text), text->length) || refuse_output(errno);
}

// SIGPIPE is ignored only here: workers must inherit what the program under test expects.
static bool write_unharmed(int descriptor, const char *bytes, size_t count)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGPIPE, &ignore, &old);
    bool is_written = write_all(descriptor, bytes, count);
    int error = errno;
    sigaction(SIGPIPE, &old, NULL);
    errno = error;
    return is_written;
}

bool rh_print_to_reader(const struct rh_text *text, bool *has_reader)
{
    if (write_unharmed(STDOUT_FILENO, rh_text_get(text), text->length))
        return true;
    *has_reader = errno != EPIPE;
    return !*has_reader || refuse_output(errno);
}

int rh_output_hide(void)
{
    int kept = rh_descriptor_raise(dup(STDOUT_FILENO));
    if (kept >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        close(kept);
        return -1;
    }
    return kept;
}

void rh_output_show(int descriptor)
{
    if (descriptor < 0 || dup2(descriptor, STDOUT_FILENO) < 0)
        return;
    close(descriptor);
}

void rh_print_error_text(const char *text)
{
    write_unharmed(STDERR_FILENO, text, strlen(text));
}

int rh_print_status(const struct rh_status *status)
{
    struct rh_text line = {0};
    rh_text_addf(&line, "rehearse: %s\n", status->text);
    rh_print_error_text(rh_text_get(&line));
    rh_text_fini(&line);
    return status->code == RH_OK            ? RH_EXIT_NOTHING
           : status->code == RH_BAD_INPUT   ? RH_EXIT_BAD_INPUT
           : status->code == RH_INTERRUPTED ? RH_EXIT_INCONCLUSIVE
                                            : RH_EXIT_FAILED;
}

bool rh_wants_color(int descriptor)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return isatty(descriptor) && !(no_color && *no_color) && terminal &&
           strcmp(terminal, "dumb") != 0;
}
