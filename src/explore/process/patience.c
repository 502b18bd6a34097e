// SPDX-License-Identifier: MIT
#include "explore/process/patience.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

// No function here allocates: workers begin as copies of this process, and each should find libc's
// memory as the others did. Otherwise what libc allocates for a program would lie elsewhere after
// some time.

// Seconds that all threads of the process together have computed; 0 if these can't be known any
// more.
static double computed_by(pid_t process)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The state is the letter behind the name, which is in parentheses and may hold anything.
static bool is_running(pid_t process, const char *thread)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)process, thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, line, sizeof line - 1);
    if (file >= 0)
        close(file);
    line[length > 0 ? length : 0] = '\0';
    const char *end = strrchr(line, ')');
    return end && end[1] == ' ' && end[2] == 'R';
}

// The first of these threads that is running; 0 if none is.
static pid_t running_of(pid_t process, const char *entries, ssize_t length)
{
    pid_t found = 0;
    struct dirent64 entry;
    for (ssize_t at = 0; at < length && found == 0; at += entry.d_reclen) {
        memcpy(&entry, entries + at, offsetof(struct dirent64, d_name));
        const char *name = entries + at + offsetof(struct dirent64, d_name);
        if (name[0] != '.' && is_running(process, name))
            found = (pid_t)strtol(name, NULL, 10);
    }
    return found;
}

pid_t rh_patience_find_running(pid_t process)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    int threads = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pid_t found = 0;
    char entries[1024];
    for (ssize_t length;
         threads >= 0 && found == 0 && (length = getdents64(threads, entries, sizeof entries)) > 0;)
        found = running_of(process, entries, length);
    if (threads >= 0)
        close(threads);
    return found;
}

void rh_patience_begin(struct rh_patience *patience, pid_t process, double longest)
{
    *patience = (struct rh_patience){process, longest, rh_clock_seconds(), computed_by(process)};
}

double rh_patience_look(struct rh_patience *patience)
{
    double clock = rh_clock_seconds(), computed = computed_by(patience->process);
    double waited = clock - patience->clock, used = computed - patience->computed;
    patience->clock = clock;
    patience->computed = computed;
    if (waited > patience->longest)
        waited = patience->longest;
    return rh_patience_find_running(patience->process) != 0 || used > waited ? used : waited;
}
