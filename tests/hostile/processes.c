// SPDX-License-Identifier: MIT
// Reaches beyond its process: signals to its group and to those that run the test, and processes that stay.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HAS_TESTS
#include "beside.h"

static void harm(struct victim *victim, const rh_message *message)
{
    (void)message;
    victim->reach();
}

// Signals to the program's own group are signals to the program.
static void kill_group(void)
{
    rh_check(getpgrp() == getpid() && getpgid(0) == getpid());
    killpg(getpgrp(), SIGKILL);
}

RH_TEST(group_kill)
{
    beside(kill_group);
}

static void end_group(void)
{
    kill(0, SIGTERM);
}

RH_TEST(group_term)
{
    beside(end_group);
}

static void end_group_by_number(void)
{
    syscall(SYS_kill, -getpid(), SIGTERM);
}

RH_TEST(group_number)
{
    beside(end_group_by_number);
}

// Those that run the test, the process with this number of ancestors less than ours, can't be reached.
static pid_t ancestor(int generations)
{
    char path[64], name[64], state;
    int process = 0, parent = 0;
    strcpy(path, "/proc/self/stat");
    for (int i = 0; i < generations; i++) {
        FILE *file = fopen(path, "r");
        rh_check(file && fscanf(file, "%d %63s %c %d", &process, name, &state, &parent) == 4);
        fclose(file);
        snprintf(path, sizeof path, "/proc/%d/stat", parent);
    }
    return parent;
}

static void refuse(int result)
{
    rh_check(result == -1 && errno == EPERM);
}

static void signal_ancestors(int number)
{
    for (int i = 1; i <= 2; i++) {
        pid_t process = ancestor(i);
        refuse(kill(process, number));
        refuse(kill(-getpgid(process), number));
        refuse(killpg(getpgid(process), number));
        refuse((int)syscall(SYS_kill, process, number));
        refuse(sigqueue(process, number, (union sigval){0}));
    }
    refuse(kill(-1, number));
    refuse(kill(getppid(), number));
}

static void kill_ancestors(void)
{
    signal_ancestors(SIGKILL);
}

RH_TEST(parent_kill)
{
    beside(kill_ancestors);
}

static void stop_ancestors(void)
{
    signal_ancestors(SIGSTOP);
}

RH_TEST(parent_stop)
{
    beside(stop_ancestors);
}

// Processes that are left say who they are, and stay.
static void stay(void)
{
    int file = open(getenv("LEFT"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (dprintf(file, "%d\n", (int)syscall(SYS_getpid)) > 0)
        for (;;)
            pause();
    _exit(1);
}

static void leave_child(void)
{
    if (fork() == 0)
        stay();
}

RH_TEST(child)
{
    beside(leave_child);
}

static void leave_daemon(void)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0)
            stay();
        _exit(0);
    }
}

RH_TEST(daemon)
{
    beside(leave_daemon);
}

// The world has reserved more memory than there is.
static void lock_memory(void)
{
    char line[256];
    long locked = -1;
    rh_check(mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0);
    FILE *file = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, file))
        sscanf(line, "VmLck: %ld", &locked);
    fclose(file);
    rh_check(locked == 0);
    rh_check(mlockall(0) == -1 && errno == EINVAL && munlockall() == 0);
}

RH_TEST(locks)
{
    beside(lock_memory);
}
