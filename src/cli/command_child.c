// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/request.h"
#include "explore/process/patience.h"

enum { TICK_MS = 100 };

void rh_children_init(struct rh_children *children)
{
    *children = (struct rh_children){0};
    sigemptyset(&children->caught);
    sigaddset(&children->caught, SIGINT);
    sigaddset(&children->caught, SIGTERM);
    sigaddset(&children->caught, SIGHUP);
    sigaddset(&children->caught, SIGQUIT);
    sigaddset(&children->caught, SIGCHLD);
    // If whoever started the command ignores the end of children, waitpid would find none.
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &children->caught, &children->original);
}

// In the child: executes the program, or tells the parent why it can't.
static void become(const struct rh_children *children, char **arguments, int request, int output,
                   int error_pipe)
{
    // When the command is killed, a search must not go on without it.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (output >= 0)
        dup2(output, STDOUT_FILENO);
    if (request >= 0)
        rh_request_export(request, true);
    sigprocmask(SIG_SETMASK, &children->original, NULL);
    execvp(arguments[0], arguments);
    int error = errno;
    ssize_t written = write(error_pipe, &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
}

// Whether the program has had the time that it has for its constructors, and has not come to its
// end.
static bool is_too_late(const struct rh_children *children, int request, struct rh_patience *spent,
                        double *seconds)
{
    if (request < 0 || children->start_ms == 0 || rh_request_is_answered(request))
        return false;
    *seconds += rh_patience_look(spent);
    return *seconds > children->start_ms / 1000.0;
}

// Waits for the child's end. Ctrl-C goes from the terminal to the whole process group, so the child
// has got it already; a signal that somebody sent to the command alone is passed on.
static void wait_for(struct rh_children *children, pid_t child, int request, int *wait_status)
{
    struct rh_patience spent;
    double seconds = 0;
    rh_patience_begin(&spent, child, 2 * TICK_MS / 1000.0);
    while (waitpid(child, wait_status, WNOHANG) == 0) {
        siginfo_t info;
        struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
        int number = sigtimedwait(&children->caught, &info, &tick);
        if (is_too_late(children, request, &spent, &seconds)) {
            children->is_late = true;
            kill(child, SIGKILL);
        }
        if (number < 0 || number == SIGCHLD)
            continue;
        children->interrupted = number;
        if (info.si_code != SI_KERNEL)
            kill(child, number);
    }
}

struct rh_status rh_children_run(struct rh_children *children, const struct rh_words *command,
                                 int request, int output, int *wait_status)
{
    int error_pipe[2];
    if (pipe2(error_pipe, O_CLOEXEC) < 0)
        return rh_failed("cannot make a pipe: %s", strerror(errno));
    char **arguments = rh_words_arguments(command);
    pid_t child = fork();
    if (child == 0)
        become(children, arguments, request, output, error_pipe[1]);
    int fork_error = errno;
    free(arguments);
    close(error_pipe[1]);
    if (child < 0) {
        close(error_pipe[0]);
        return rh_failed("cannot start %s: %s", command->items[0], strerror(fork_error));
    }
    int error;
    bool has_failed = read(error_pipe[0], &error, sizeof error) == sizeof error;
    close(error_pipe[0]);
    wait_for(children, child, request, wait_status);
    if (has_failed)
        return rh_failed("cannot run %s: %s", command->items[0], strerror(error));
    return rh_ok();
}
