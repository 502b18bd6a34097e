// SPDX-License-Identifier: MIT
#include "explore/patience.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

// Of all threads of the process together; 0 if that can't be known any more.
static double computed_by(pid_t process)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The letter behind the name, which is in parentheses and may hold anything.
static bool is_running(pid_t process, const char *thread)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)process, thread);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file)
        fclose(file);
    line[length] = '\0';
    const char *end = strrchr(line, ')');
    return end && end[1] == ' ' && end[2] == 'R';
}

// Whether any thread has a processor, or would have one if others did not.
static bool could_run(pid_t process)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    bool found = false;
    for (const struct dirent *entry; threads && !found && (entry = readdir(threads));)
        found = entry->d_name[0] != '.' && is_running(process, entry->d_name);
    if (threads)
        closedir(threads);
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
    return could_run(patience->process) || used > waited ? used : waited;
}
