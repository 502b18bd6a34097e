// SPDX-License-Identifier: MIT
// The start of every test program, also of one that has a main of its own: the program's first code
// (crt1.o) calls __libc_start_main with the address of main, and this one takes its place. Under a
// request of the command another main is handed on; otherwise nothing changes.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rehearse/version.h>

#include "cli/request.h"
#include "cli/runner.h"

// The command reads this section of a program's file to tell, before it runs it, whether it is a test
// program and of which version.
const char rh__version_note[] __attribute__((section(".rehearse_version"), used)) =
    REHEARSE_VERSION;

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *program_main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*loader_fini)(void), void *stack_end);

start_function __libc_start_main;

static int request_main(int argc, char **argv, char **environment)
{
    (void)environment;
    return rh__request_main(argc, argv);
}

int __libc_start_main(main_function *program_main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    start_function *real_start;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&real_start, &symbol, sizeof real_start);
    // Reading it keeps the section in a program that is linked with --gc-sections.
    const volatile char *note = rh__version_note;
    bool has_request = getenv(RH_REQUEST_VARIABLE) && *note;
    return real_start(has_request ? request_main : program_main, argc, argv, init, fini,
                      loader_fini, stack_end);
}
