// SPDX-License-Identifier: MIT
// Calls that the world serves, on its own stack. Arguments on the stack, floating results, threads, and functions that
// libc calls back. For plain_calls.sh, which compiles it with -g and without.
#define _GNU_SOURCE // fopencookie
#include <dirent.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, {
    char letter;
    int which;
});
RH_MESSAGE(note, { int number; });

enum { SCANNED = 12 };

struct caller {
    rh_actor *other;
    int notes;
};

static ssize_t read_cookie(void *cookie, char *buffer, size_t size)
{
    const char text[] = "1 2 3 4 5 6 7 8 9 10 11 12 \n";
    struct caller *caller = cookie;
    size_t length = size < sizeof text - 1 ? size : sizeof text - 1;

    rh_send(caller->other, note, {.number = 1});
    free(malloc(100));
    memcpy(buffer, text, length);
    return (ssize_t)length;
}

static void scan(struct caller *caller)
{
    int at[SCANNED] = {0};
    FILE *file = fopencookie(caller, "r", (cookie_io_functions_t){.read = read_cookie});
    int count = fscanf(file, "%d %d %d %d %d %d %d %d %d %d %d %d", at, at + 1, at + 2, at + 3,
                       at + 4, at + 5, at + 6, at + 7, at + 8, at + 9, at + 10, at + 11);

    rh_check(count == SCANNED && at[0] == 1 && at[SCANNED - 1] == SCANNED);
    fclose(file);
}

static void look_up(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
    char host[50], service[50];
    int error = getnameinfo((struct sockaddr *)&address, sizeof address, host, sizeof host, service,
                            sizeof service, NI_NUMERICHOST | NI_NUMERICSERV);

    rh_check(error == 0 && strcmp(host, "0.0.0.0") == 0 && strcmp(service, "80") == 0);
}

static void *run_thread(void *argument)
{
    for (int i = 0; i < 10000; i++) {
        char *block = malloc(20);
        memset(block, i, 20);
        free(block);
    }
    return argument;
}

static void start(void)
{
    pthread_t thread;
    int status = 1;
    void *result = NULL;

    rh_check(pthread_create(&thread, NULL, run_thread, &status) == 0);
    for (int i = 0; i < 10000; i++)
        free(malloc(30));
    rh_check(pthread_join(thread, &result) == 0 && result == &status);
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    rh_check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
}

static void compute(void)
{
    double sum = 0;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (int i = 0; i < 100; i++)
        sum += drand48();
    rh_check(sum > 10 && sum < 90);
    memset(page, 1, 4096);
    rh_check(munmap(page, 4096) == 0);
    rh_check(getpid() == getpid() && rh_self() && rh_now() == 0);
}

static struct caller *asking;

static int ask_about(const struct dirent *entry)
{
    (void)entry;
    rh_ask(asking->other, note, {.number = 2});
    return 1;
}

static void caller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct caller *caller = state;
    const struct go *go = rh_as(message, go);
    const struct note *note = rh_as(message, note);
    struct dirent **entries;
    (void)self;

    if (note && note->number == 2)
        rh_reply(message, note, {.number = 3});
    else if (note)
        caller->notes++;
    if (!go)
        return;
    switch (go->which) {
    case 0:
        scan(caller);
        break;
    case 1:
        look_up();
        break;
    case 2:
        start();
        break;
    case 3:
        compute();
        break;
    default:
        scandir("/", &entries, ask_about, alphasort);
        break;
    }
}

static bool may_take(const void *state, const rh_message *message)
{
    const struct caller *caller = state;
    const struct go *go = rh_as(message, go);

    free(malloc(10));
    return !go || caller->notes >= 0;
}

RH_GUARD(caller_behaviour, may_take);

static void set_up(int which)
{
    rh_actor *other = rh_spawn(caller_behaviour, struct caller, {0});
    rh_actor *caller = rh_spawn(caller_behaviour, struct caller, {.other = other});

    rh_send(caller, go, {.letter = 'a', .which = which});
    rh_send(caller, go, {.letter = 'b', .which = 3});
}

RH_TEST(scans)
{
    set_up(0);
}

RH_TEST(looks_up)
{
    set_up(1);
}

RH_TEST(starts)
{
    set_up(2);
}

RH_TEST(computes)
{
    set_up(3);
}

// The actor can't wait in the midst of libc: a finding of its own.
RH_TEST(asks_in_between)
{
    rh_actor *other = rh_spawn(caller_behaviour, struct caller, {0});
    rh_actor *caller = rh_spawn(caller_behaviour, struct caller, {.other = other});
    static struct caller copy;

    copy.other = other;
    asking = &copy;
    rh_send(caller, go, {.letter = 'a', .which = 4});
}
