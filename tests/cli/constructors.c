// SPDX-License-Identifier: MIT
// What a program does before and after its tests. LIBRARY: a library's constructor and destructor; otherwise the
// executable's, and its tests. The environment says what each of them does.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static void act(const char *variable)
{
    const char *what = getenv(variable);
    if (!what)
        return;
    if (strcmp(what, "prints") == 0) {
        printf("%s, no line", variable);
        printf("\n%s\n", variable);
        fflush(stdout);
    } else if (strcmp(what, "aborts") == 0) {
        abort();
    } else if (strcmp(what, "exits") == 0) {
        exit(0);
    } else if (strcmp(what, "vanishes") == 0) {
        _exit(0);
    } else if (strcmp(what, "loops") == 0) {
        for (volatile int i = 0;; i = 1)
            continue;
    } else if (strcmp(what, "kills") == 0) {
        kill(0, SIGKILL);
    } else if (strcmp(what, "locks") == 0) {
        mlockall(MCL_FUTURE | MCL_ONFAULT);
    } else if (strcmp(what, "writes") == 0) {
        fclose(fopen("written", "w"));
    }
}

#ifdef LIBRARY

__attribute__((constructor)) static void before(void)
{
    act("LIBRARY_BEFORE");
}

__attribute__((destructor)) static void after(void)
{
    act("LIBRARY_AFTER");
}

#else

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(digit, { int value; });

static int *numbers, chance;

__attribute__((constructor)) static void before(int argc, char **argv)
{
    struct timespec now;
    act("BEFORE");
    clock_gettime(CLOCK_REALTIME, &now);
    numbers = calloc(8, sizeof *numbers);
    chance = (int)((unsigned)now.tv_nsec ^ (unsigned)getpid() ^ (unsigned)rand());
    if (argc < 1 || !argv[0])
        abort();
}

__attribute__((destructor)) static void after(void)
{
    act("AFTER");
}

// Fails in one of two orders. What was allocated before may be freed, which leaves it alone.
static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    free(numbers);
    numbers[0] = numbers[0] * 10 + rh_as(message, digit)->value;
    rh_check(numbers[0] != 21);
}

RH_TEST(digits)
{
    rh_actor *writer = rh_spawn(writer_behaviour);
    rh_send_from(rh_outside("ann"), writer, digit, {.value = 1});
    rh_send_from(rh_outside("ben"), writer, digit, {.value = 2});
}

// What it was by chance is the same in each execution, and in each run.
static void teller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    printf("%d %d\n", chance, rh_as(message, digit)->value);
    rh_check(rh_as(message, digit)->value != 2);
}

RH_TEST(chances)
{
    rh_actor *teller = rh_spawn(teller_behaviour);
    rh_send_from(rh_outside("ann"), teller, digit, {.value = 1});
    rh_send_from(rh_outside("ben"), teller, digit, {.value = 2});
}

#endif
