// SPDX-License-Identifier: MIT
// What counts of a process's time: what it computes, by the processor; and all of it while it waits.
#include "explore/process/patience.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"

static pid_t start(bool computes)
{
    pid_t child = fork();
    rh_assert(child >= 0);
    if (child > 0)
        return child;
    for (volatile unsigned count = 0;; count++)
        if (!computes)
            pause();
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static double computed_by(pid_t child)
{
    clockid_t clock;
    struct timespec time;
    rh_assert(clock_getcpuclockid(child, &clock) == 0 && clock_gettime(clock, &time) == 0);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Looks until so many seconds count; gives them.
static double use_up(pid_t child, double seconds)
{
    struct rh_patience patience;
    double sum = 0;
    rh_patience_begin(&patience, child, 0.01);
    while (sum < seconds) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        sum += rh_patience_look(&patience);
    }
    return sum;
}

int main(void)
{
    pid_t busy = start(true), idle = start(false);
    // A process that computes has used what the processor says, however long it had to wait for that.
    double counted = use_up(busy, 0.05);
    rh_assert(counted <= computed_by(busy));
    // One that waits would do so for ever.
    use_up(idle, 0.05);
    rh_assert(computed_by(idle) < 0.05);
    end(busy);
    end(idle);
    return 0;
}
