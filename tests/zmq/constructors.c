// SPDX-License-Identifier: MIT
// What an executable does before and after main: as BEFORE and AFTER say. See anew.sh.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

static void act(const char *what)
{
    if (!what)
        return;
    if (strcmp(what, "prints") == 0) {
        puts(what);
        fflush(stdout);
    } else if (strcmp(what, "writes") == 0) {
        FILE *file = fopen("written", "a");
        fputs(what, file);
        fclose(file);
    } else if (strcmp(what, "vanishes") == 0) {
        _exit(0);
    } else if (strcmp(what, "aborts") == 0) {
        abort();
    } else if (strcmp(what, "exits") == 0) {
        exit(3);
    } else if (strcmp(what, "kills") == 0) {
        kill(getpid(), SIGKILL);
    } else {
        for (volatile int forever = 1; forever;)
            ;
    }
}

__attribute__((constructor)) static void before(void)
{
    act(getenv("BEFORE"));
}

__attribute__((destructor)) static void after(void)
{
    act(getenv("AFTER"));
}

int main(void)
{
    return zmq_ctx_term(zmq_ctx_new());
}
