// SPDX-License-Identifier: MIT
// Programs that interrupt threads, or wait for them, by what is not under control: see refused.sh.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <unistd.h>
#include <zmq.h>

static int word;
static pthread_t first;

static void on_signal(int number)
{
    (void)number;
}

static void *wait_for_ever(void *argument)
{
    for (;;)
        sleep(1);
    return argument;
}

static void *interrupt(void *argument)
{
    sleep(1);
    if (argument)
        kill(getpid(), SIGUSR1);
    else
        pthread_kill(first, SIGUSR1);
    return argument;
}

static void *change(void *argument)
{
    zmq_ctx_term(argument);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return argument;
}

static int start_nothing(void *argument)
{
    return argument != NULL;
}

int main(int argc, char **argv)
{
    const char *program = argc > 1 ? argv[1] : "";
    void *context = zmq_ctx_new();
    pthread_t thread;
    thrd_t other;
    signal(SIGUSR1, on_signal);
    signal(SIGALRM, on_signal);
    first = pthread_self();
    if (strcmp(program, "cancel") == 0) {
        pthread_create(&thread, NULL, wait_for_ever, NULL);
        pthread_cancel(thread);
    } else if (strcmp(program, "thread") == 0) {
        pthread_create(&thread, NULL, interrupt, NULL);
        zmq_poll(NULL, 0, -1);
    } else if (strcmp(program, "process") == 0) {
        pthread_create(&thread, NULL, interrupt, context);
        zmq_poll(NULL, 0, -1);
    } else if (strcmp(program, "alarm") == 0) {
        alarm(0);
        alarm(1);
        zmq_poll(NULL, 0, -1);
    } else if (strcmp(program, "threads") == 0) {
        thrd_create(&other, start_nothing, NULL);
    } else if (strcmp(program, "futex") == 0) {
        pthread_create(&thread, NULL, change, context);
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    } else if (strcmp(program, "namespace") == 0) {
        dlmopen(LM_ID_NEWLM, "libzmq.so.5", RTLD_NOW);
    } else if (strcmp(program, "late") == 0) {
        const struct itimerspec time = {.it_value.tv_sec = 5};
        struct pollfd entry = {timerfd_create(CLOCK_MONOTONIC, 0), POLLIN, 0};
        timerfd_settime(entry.fd, 0, &time, NULL);
        poll(&entry, 1, -1);
    } else {
        // To itself is fine.
        raise(SIGUSR1);
        pthread_kill(first, SIGUSR1);
        kill(getpid(), SIGUSR1);
    }
    return 0;
}
