// SPDX-License-Identifier: MIT
#include "cli/threads_keeper.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "threads/engine.h"

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };

static int interrupted; // how many times

bool rh_threads_is_interrupted(void)
{
    return interrupted > 0;
}

static void block(sigset_t *caught, sigset_t *original)
{
    sigemptyset(caught);
    sigaddset(caught, SIGCHLD);
    for (int i = 0; i < INTERRUPTS; i++)
        sigaddset(caught, interrupts[i]);
    sigprocmask(SIG_BLOCK, caught, original);
}

// The keeper says when to stop; what the terminal sends to all is for it. What only the program
// itself can have sent has its effect.
static _Noreturn void become_worker(const sigset_t *original, int (*work)(void *), void *context)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < INTERRUPTS; i++)
        signal(interrupts[i], interrupts[i] == SIGTERM ? SIG_DFL : SIG_IGN);
    sigprocmask(SIG_SETMASK, original, NULL);
    _exit(work(context));
}

static void wait_for(pid_t worker, const sigset_t *caught, int *wait_status)
{
    while (waitpid(worker, wait_status, WNOHANG) == 0) {
        int number = sigwaitinfo(caught, NULL);
        if (number < 0 || number == SIGCHLD)
            continue;
        rh__engine->is_interrupted = true;
        if (interrupted++)
            kill(worker, SIGKILL);
    }
}

struct rh_status rh_threads_keep(int (*work)(void *context), void *context,
                                 struct rh_threads_end *end)
{
    sigset_t caught, original;
    int wait_status = 0;
    *end = (struct rh_threads_end){0};
    if (!rh__engine_map())
        return rh_failed("there is no address space for threads");
    signal(SIGCHLD, SIG_DFL);
    block(&caught, &original);
    pid_t worker = fork();
    if (worker == 0)
        become_worker(&original, work, context);
    struct rh_status status = rh_ok();
    if (worker < 0)
        status = rh_failed("cannot start a process: %s", strerror(errno));
    else
        wait_for(worker, &caught, &wait_status);
    sigprocmask(SIG_SETMASK, &original, NULL);
    if (WIFSIGNALED(wait_status))
        end->signal = WTERMSIG(wait_status);
    else
        end->status = WEXITSTATUS(wait_status);
    return status;
}
