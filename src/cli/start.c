// SPDX-License-Identifier: MIT
// The start of every test program, also of one that has a main of its own. The program's first code
// (crt1.o) calls __libc_start_main with the address of main; the function of that name here takes
// the place of libc's. If the environment has a request of the command, it hands another main to
// libc's function; otherwise it changes nothing.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rehearse/version.h>

#include "cli/request.h"
#include "cli/restart.h"
#include "cli/runner.h"
#include "entry/constructors.h"
#include "entry/program.h"
#include "entry/stack.h"
#include "world/world.h"

#define MAIN_STACK_BASE UINT64_C(0x1f8000000000)
#define MAIN_STACK_SIZE (UINT64_C(8) << 20)

// The command reads this section of a program's file to tell, before it executes the file, whether
// it is a test program and of which version.
const char rh__version_note[] __attribute__((section(".rehearse_version"), used)) =
    REHEARSE_VERSION;

// A reference to one entry makes the linker take all of them, so that libraries which the program
// loads find the operations even if the program itself calls none.
static __typeof__(&rh__send) const any_entry __attribute__((used)) = rh__send;

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *program_main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*loader_fini)(void), void *stack_end);

start_function __libc_start_main;

int rh_program_serve(int argc, char **argv, char **environment)
{
    rh__program_start.argc = argc;
    rh__program_start.argv = argv;
    rh__program_start.environment = environment;
    return rh__request_main(argc, argv);
}

static void call_main(void)
{
    rh__program_start.main(rh__program_start.argc, rh__program_start.argv,
                           rh__program_start.environment);
}

// Main's stack stays mapped and has a fixed address, since actors may point to what lies on it.
static void main_body(void)
{
    rh__process.in_handler = 0;
    char *stack = mmap((void *)MAIN_STACK_BASE, MAIN_STACK_SIZE, rh_stack_protection(),
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (stack == MAP_FAILED)
        rh_world_give_up(rh__process.world, "there is no address space for the stack of main");
    rh__process.world->is_before_run = true;
    rh__process.in_handler = 1;
    void *here;
    rh_stack_start(&here, stack + MAIN_STACK_SIZE, &(struct rh_call){call_main, {NULL}});
    rh__process.in_handler = 0;
    rh_world_bad_input(rh__process.world,
                       rh_bad_input("main has returned without rh_run or rh_start"));
}

extern const char rh__library_has_main __attribute__((weak));

const struct rh_test *rh_main_test(void)
{
    static const struct rh_test test = {"main", main_body, "main", 0};
    return rh__program_start.main && !&rh__library_has_main ? &test : NULL;
}

int __libc_start_main(main_function *program_main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    start_function *real_start;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&real_start, &symbol, sizeof real_start);
    // Reading the note keeps its section in a program that is linked with --gc-sections.
    const volatile char *note = rh__version_note;
    bool has_request = getenv(RH_REQUEST_VARIABLE) && *note;
    bool puts_off = has_request || &rh__library_has_main;
    // A main of the program's own may do anything, but not twice.
    if (puts_off && !rh_program_adapter()->keeps_state)
        rh_restart(argv);
    rh__program_start.main = program_main;
    return real_start(has_request ? rh_program_serve : program_main, argc, argv,
                      puts_off ? (void (*)(void))rh_constructors_put_off : init, fini, loader_fini,
                      stack_end);
}
