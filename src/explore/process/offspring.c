// SPDX-License-Identifier: MIT
// No function here allocates, as in patience.c.
#include "explore/process/offspring.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "entry/process.h"

// So many children are looked at, and so often those that were found are ended: one that starts
// others faster than that stays.
enum { CHILDREN_MOST = 256, ROUNDS = 100 };

struct children {
    pid_t ids[CHILDREN_MOST];
    int count;
};

// Children of this process that no worker has left: workers, and those that the program had before.
// Their numbers are others in each run, so pages that are compared must not have them.
static union {
    struct {
        struct children workers, others;
        struct sigaction stop_before;
    };
    char page[4096];
} own RH__OWN;
_Static_assert(sizeof own == 4096, "it has a page of its own");

static int find(const struct children *children, pid_t process)
{
    int at = 0;
    while (at < children->count && children->ids[at] != process)
        at++;
    return at;
}

static bool has(const struct children *children, pid_t process)
{
    return find(children, process) < children->count;
}

// The children of this process, or the first of them; none if the kernel does not tell.
static void list(struct children *children)
{
    char text[CHILDREN_MOST * 8 + 1];
    children->count = 0;
    snprintf(text, sizeof text, "/proc/self/task/%d/children", (int)getpid());
    int file = open(text, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    // A number at the end of the room may not be whole; each has a space behind it.
    char *end = text;
    for (long id;
         (id = strtol(end, &end, 10)) > 0 && *end == ' ' && children->count < CHILDREN_MOST;)
        children->ids[children->count++] = (pid_t)id;
}

static bool has_no_child(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

// A program with so many children of its own that there is no room for others is left alone.
static bool is_full(void)
{
    return own.others.count >= CHILDREN_MOST / 2;
}

// The terminal stops this process: the workers wait until it goes on.
static void on_stop(int number)
{
    int kept_errno = errno;
    (void)number;
    for (int i = 0; i < own.workers.count; i++)
        kill(-own.workers.ids[i], SIGSTOP);
    raise(SIGSTOP);
    for (int i = 0; i < own.workers.count; i++)
        kill(-own.workers.ids[i], SIGCONT);
    errno = kept_errno;
}

// A program that handles or ignores Ctrl-Z goes on doing so.
static void catch_stop(void)
{
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    if (sigaction(SIGTSTP, NULL, &own.stop_before) == 0 && own.stop_before.sa_handler == SIG_DFL)
        sigaction(SIGTSTP, &action, NULL);
}

static void prepare(void)
{
    if (own.workers.count > 0)
        return;
    own.others.count = 0;
    if (!has_no_child())
        list(&own.others);
    if (!is_full())
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    catch_stop();
}

// A group in the background may neither read from its terminal, nor write to some: the system
// refuses the one and allows the other where the signals about it are ignored, instead of stopping
// the worker.
static void part(void)
{
    setpgid(0, 0);
    sigaction(SIGTSTP, &own.stop_before, NULL);
    signal(SIGTTIN, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
}

// Ctrl-Z waits until this process knows the worker, and the worker is a group, whoever is first.
pid_t rh_offspring_fork(void)
{
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    prepare();
    sigprocmask(SIG_BLOCK, &stop, &before);
    pid_t worker = fork();
    if (worker == 0)
        part();
    else if (worker > 0)
        setpgid(worker, worker);
    if (worker > 0 && own.workers.count < CHILDREN_MOST)
        own.workers.ids[own.workers.count++] = worker;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return worker;
}

// Whether there was any child that somebody has left.
static bool end_left(void)
{
    struct children children;
    bool has_left = false;
    list(&children);
    for (int i = 0; i < children.count; i++) {
        if (has(&own.workers, children.ids[i]) || has(&own.others, children.ids[i]))
            continue;
        has_left = true;
        kill(children.ids[i], SIGKILL);
        waitpid(children.ids[i], NULL, 0);
    }
    return has_left;
}

void rh_offspring_end(pid_t worker)
{
    int at = find(&own.workers, worker);
    kill(-worker, SIGKILL);
    if (at < own.workers.count)
        own.workers.ids[at] = own.workers.ids[--own.workers.count];
    for (int i = 0; i < ROUNDS && !is_full() && !has_no_child() && end_left(); i++)
        continue;
    if (own.workers.count > 0)
        return;
    if (!is_full())
        prctl(PR_SET_CHILD_SUBREAPER, 0);
    sigaction(SIGTSTP, &own.stop_before, NULL);
}
