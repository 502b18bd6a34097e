// SPDX-License-Identifier: MIT
// Runs a command and writes on descriptor 3 the processor seconds that it and its processes took, and the most
// memory that one of them held, in kilobytes.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(arguments[1], arguments + 1);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    dprintf(3, "%.6f %ld\n", seconds, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}
